"""What a visitor sees first: a match that is played right there, the ladders, what to watch."""

import threading
import time
from collections.abc import Mapping, Sequence
from datetime import timedelta

import msgspec
from sqlalchemy import Connection

from engine.catalog import find_game
from runners.contests.contests import (
    Ladder,
    SavedTournament,
    find_contests,
)
from runners.contests.visibility import table_until
from runners.storage.database import Database, now
from runners.storage.together import read_lookups
from server.contests.contest_heads import Head
from server.contests.contests_part import ContestsPart
from server.contests.ladder_tables import LadderTable
from server.contests.match_rows import Match, newest_matches
from server.runs.exhibitions import Exhibitions
from server.runs.run_pages import watch_path
from server.runs.run_rows import State

MAX_HIGHLIGHTS = 6
"""Matches that are worth watching."""
MAX_TOURNAMENTS = 3
CACHE_S = 5.0
MAX_CACHED_LADDERS = 200
"""Ladders of which it is kept what is on."""
LOOKED_AT = 5
"""The newest matches of a ladder, of which one may have been given up."""
MAX_AGE = timedelta(hours=1)
"""A match of a ladder that is older gives way to an exhibition match."""
MATCHES_LOOKED_AT = 40
"""The newest matches of each ladder, among which they are found."""
UPSET_ELO = 100.0
"""The winner was rated lower by so much."""


class Featured(msgspec.Struct, frozen=True, kw_only=True):
    """The match that plays on the first page."""

    path: str
    """Where it is watched."""
    title: str
    """The title of its game."""
    names: tuple[str, ...]
    what: str
    """Where it comes from, in words."""


class Highlight(msgspec.Struct, frozen=True, kw_only=True):
    """A match, and why it is worth watching."""

    match: Match
    ladder: Ladder
    why: str

    @property
    def shown(self) -> tuple[str, Match]:
        """Return it as small boards are shown."""
        return f"{self.why} on {self.ladder.name}", self.match


def find_highlights(
    connection: Connection, tables: Sequence[tuple[Ladder, LadderTable]]
) -> list[Highlight]:
    """Return what is worth watching of some ladders, of each at most one match of a kind.

    Only of ladders whose matches may all be seen.
    """
    queries = [newest_matches(ladder.id, MATCHES_LOOKED_AT) for ladder, _ in tables]
    found = []
    for (ladder, table), rows in zip(tables, read_lookups(connection, *queries), strict=True):
        ratings = {one.bot: one.elo for one in table.standings if one.elo is not None}
        matches = [match for match in rows if match.result and not match.is_void]
        found += [
            Highlight(match=match, ladder=ladder, why=why)
            for why, match in _choose_matches(matches, ratings)
        ]
    return sorted(found, key=lambda one: one.match.id, reverse=True)


def _choose_matches(
    matches: Sequence[Match], ratings: Mapping[str, float]
) -> list[tuple[str, Match]]:
    """Return one match of each kind, none of them twice."""
    upsets = sorted(matches, key=lambda match: _upset_margin(match, ratings), reverse=True)
    close = sorted(matches, key=_score_difference)
    long = sorted(matches, key=lambda match: -match.result.turns if match.result else 0)
    kinds = (
        ("an upset", [match for match in upsets if _upset_margin(match, ratings) >= UPSET_ELO]),
        ("the closest", close),
        ("the longest", long),
        ("the newest", matches),
    )
    chosen: list[tuple[str, Match]] = []
    for why, candidates in kinds:
        taken = {match.id for _, match in chosen}
        match = next((one for one in candidates if one.id not in taken), None)
        if match is not None:
            chosen.append((why, match))
    return chosen


def _upset_margin(match: Match, ratings: Mapping[str, float]) -> float:
    """Return by how much the winner is rated lower than the best of the others."""
    winners = match.winners
    if len(winners) != 1:
        return 0.0
    rated = [ratings.get(seat.bot) for seat in match.seats]
    winner = rated[winners[0]]
    others = [one for index, one in enumerate(rated) if index != winners[0] and one is not None]
    return max(others) - winner if winner is not None and others else 0.0


def _score_difference(match: Match) -> float:
    """Return how far apart the best two were, as a part of all points."""
    assert match.result is not None
    best, second, *_ = sorted(match.result.scores, reverse=True)
    return (best - second) / (abs(best) + abs(second) or 1.0)


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """What the first page shows to everybody."""

    featured: Featured | None
    heads: list[Head]
    highlights: list[Highlight]
    tournaments: list[SavedTournament]
    """The newest."""
    scheduled: list[SavedTournament]
    """Those that are to begin, the next first."""


class FrontPage:
    """Looks up what the first page shows to everybody."""

    def __init__(
        self, database: Database, contests: ContestsPart, exhibitions: Exhibitions
    ) -> None:
        self._database = database
        self._contests = contests
        self._exhibitions = exhibitions
        self._lock = threading.Lock()
        self._front: Front | None = None
        self._seen_at = float("-inf")
        self._on = dict[str, tuple[float, Featured | None]]()
        """By ladder: until when it is good, and which of its matches is on."""

    def load_front(self) -> Front:
        """Return what there is; who comes within a few seconds is shown the same."""
        with self._lock:
            if self._front is None or time.monotonic() >= self._seen_at + CACHE_S:
                self._front, self._seen_at = self._load_front(), time.monotonic()
            return self._front

    def find_best_match(self, ladder: Ladder) -> Featured | None:
        """Return the best match of a ladder that is on, or else its newest one; None for neither.

        Who comes within a few seconds is shown the same.
        """
        at = time.monotonic()
        with self._lock:
            good_until, found = self._on.get(ladder.id, (float("-inf"), None))
            if at < good_until:
                return found
        found = None if ladder.is_frozen(now()) else self._load_best_match(ladder)
        with self._lock:
            if len(self._on) >= MAX_CACHED_LADDERS:
                self._on.clear()
            self._on[ladder.id] = at + CACHE_S, found
        return found

    def _load_best_match(self, ladder: Ladder) -> Featured | None:
        table = self._contests.tables.table(ladder, table_until(ladder, None, now()))
        playing = self._contests.playing.on(ladder, table)
        watched = [one for one in playing if not one.is_shown_late]
        if watched:
            return Featured(
                path=watched[0].path,
                title=ladder.game.title,
                names=tuple(seat.name for seat in watched[0].seats),
                what=f"the best match of {ladder.name} at this moment",
            )
        found = self._database.find(newest_matches(ladder.id, LOOKED_AT))
        matches = [one for one in found if one.result and not one.is_void]
        return _make_featured(ladder, matches[0]) if matches else None

    def _load_front(self) -> Front:
        at = now()
        contests = self._database.find(find_contests())
        tournaments = [one.tournament for one in contests if one.tournament is not None]
        ladders = [one.ladder for one in contests if one.tournament is None]
        heads = self._contests.heads.list_ladders(
            [one for one in ladders if not one.is_over(at)], None
        )
        seen = [
            (head.ladder, head.table)
            for head in heads
            if head.table is not None and head.listed.matches and not head.listed.is_frozen
        ]
        with self._database.reading() as connection:
            found = find_highlights(connection, seen)
        return Front(
            featured=self._choose_featured(found),
            heads=heads,
            highlights=found[:MAX_HIGHLIGHTS],
            tournaments=[one for one in tournaments if one.is_begun][:MAX_TOURNAMENTS],
            scheduled=[one for one in tournaments if one.is_waiting][:MAX_TOURNAMENTS],
        )

    def _choose_featured(self, found: list[Highlight]) -> Featured | None:
        """Return the newest match of a ladder, or an exhibition match if that is long ago."""
        newest = found[0] if found else None
        exhibition = self._exhibitions.newest
        is_fresh = (
            newest is not None
            and newest.match.played_at is not None
            and now() - newest.match.played_at < MAX_AGE
        )
        if exhibition is not None and exhibition.state is not State.FAILED and not is_fresh:
            return Featured(
                path=watch_path(exhibition),
                title=find_game(exhibition.game).title,
                names=exhibition.names,
                what="an exhibition match of starter bots",
            )
        if newest is None:
            return None
        return _make_featured(newest.ladder, newest.match)


def _make_featured(ladder: Ladder, match: Match) -> Featured:
    return Featured(
        path=f"/matches/{match.public_id}/watch",
        title=ladder.game.title,
        names=tuple(seat.name for seat in match.seats),
        what=f"the newest match of the ladder {ladder.name}",
    )
