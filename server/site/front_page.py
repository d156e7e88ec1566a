"""What a visitor sees first: a match that is played right there, the ladders, what to watch."""

import threading
import time
from datetime import timedelta

import msgspec

from engine.catalogue import game_named
from runners.contests.ladders import every_ladder
from runners.contests.open_tournaments import KeptTournament, all_tournaments
from runners.storage.database import Database, now
from server.contests.contests_part import ContestsPart
from server.contests.highlights import Highlight, highlights
from server.contests.ladder_pages import Head
from server.runs.exhibitions import Exhibitions
from server.runs.run_pages import path_of
from server.runs.run_rows import State

MOST_SHOWN = 6
"""Matches that are worth watching."""
MOST_TOURNAMENTS = 3
KEPT_S = 5.0
FRESH = timedelta(hours=1)
"""A match of a ladder that is older gives way to an exhibition match."""


class Featured(msgspec.Struct, frozen=True, kw_only=True):
    """The match that plays on the first page."""

    path: str
    """Where it is watched."""
    title: str
    """The title of its game."""
    names: tuple[str, ...]
    what: str
    """Where it comes from, in words."""


class Front(msgspec.Struct, frozen=True, kw_only=True):
    """What the first page shows to everybody."""

    featured: Featured | None
    heads: list[Head]
    highlights: list[Highlight]
    tournaments: list[KeptTournament]
    """The newest."""


class FrontPage:
    """Looks up what the first page shows to everybody."""

    def __init__(
        self, database: Database, contests: ContestsPart, exhibitions: Exhibitions
    ) -> None:
        self._database = database
        self._contests = contests
        self._exhibitions = exhibitions
        self._lock = threading.Lock()
        self._seen: Front | None = None
        self._seen_at = float("-inf")

    def look(self) -> Front:
        """Return what there is; who comes within a few seconds is shown the same."""
        with self._lock:
            if self._seen is None or time.monotonic() >= self._seen_at + KEPT_S:
                self._seen, self._seen_at = self._look(), time.monotonic()
            return self._seen

    def _look(self) -> Front:
        at = now()
        ladders = [one for one in self._database.find(every_ladder()) if not one.is_over(at)]
        heads = self._contests.ladder_pages.heads(ladders, None)
        seen = [(head.ladder, head.table) for head in heads if not head.is_frozen and head.matches]
        with self._database.reading() as connection:
            found = highlights(connection, seen)
        return Front(
            featured=self._featured(found),
            heads=heads,
            highlights=found[:MOST_SHOWN],
            tournaments=self._database.find(all_tournaments())[:MOST_TOURNAMENTS],
        )

    def _featured(self, found: list[Highlight]) -> Featured | None:
        """Return the newest match of a ladder, or an exhibition match if that is long ago."""
        newest = found[0] if found else None
        exhibition = self._exhibitions.newest
        is_fresh = (
            newest is not None
            and newest.match.played_at is not None
            and now() - newest.match.played_at < FRESH
        )
        if exhibition is not None and exhibition.state is not State.FAILED and not is_fresh:
            return Featured(
                path=path_of(exhibition),
                title=game_named(exhibition.game).title,
                names=exhibition.names,
                what="an exhibition match of starter bots",
            )
        if newest is None:
            return None
        return Featured(
            path=f"/matches/{newest.match.public_id}/watch",
            title=newest.ladder.game.title,
            names=tuple(seat.name for seat in newest.match.seats),
            what=f"the newest match of the ladder {newest.ladder.name}",
        )
