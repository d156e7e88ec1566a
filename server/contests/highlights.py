"""Matches of ladders that are worth watching: upsets, close ones, long ones, and the newest."""

from collections.abc import Mapping, Sequence

import msgspec
from sqlalchemy import Connection

from runners.contests.ladders import Ladder
from runners.storage.together import look_up
from server.contests.ladder_tables import LadderTable
from server.contests.match_rows import Match, newest_played, with_seats

LOOKED_AT = 40
"""The newest matches of each ladder, among which they are found."""
UPSET = 100.0
"""The winner was rated lower by so much."""


class Highlight(msgspec.Struct, frozen=True, kw_only=True):
    """A match, and why it is worth watching."""

    match: Match
    ladder: Ladder
    why: str

    @property
    def score(self) -> str:
        """Return the scores, in the order of the seats."""
        assert self.match.result is not None
        return " : ".join(f"{score:g}" for score in self.match.result.scores)


def highlights(
    connection: Connection, tables: Sequence[tuple[Ladder, LadderTable]]
) -> list[Highlight]:
    """Return what is worth watching of some ladders, of each at most one match of a kind.

    Only of ladders whose matches may all be seen.
    """
    queries = [newest_played(ladder.id, LOOKED_AT) for ladder, _ in tables]
    found = []
    for (ladder, table), rows in zip(tables, look_up(connection, *queries), strict=True):
        ratings = {one.bot: one.elo for one in table.standings if one.elo is not None}
        matches = [
            match for match in with_seats(connection, rows) if match.result and not match.is_void
        ]
        found += [
            Highlight(match=match, ladder=ladder, why=why)
            for why, match in _of_ladder(matches, ratings)
        ]
    return sorted(found, key=lambda one: one.match.id, reverse=True)


def _of_ladder(matches: Sequence[Match], ratings: Mapping[str, float]) -> list[tuple[str, Match]]:
    """Return one match of each kind, none of them twice."""
    upsets = sorted(matches, key=lambda match: _surprise(match, ratings), reverse=True)
    close = sorted(matches, key=_difference)
    long = sorted(matches, key=_turns, reverse=True)
    kinds = (
        ("an upset", [match for match in upsets if _surprise(match, ratings) >= UPSET]),
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


def _surprise(match: Match, ratings: Mapping[str, float]) -> float:
    """Return by how much the winner is rated lower than the best of the others."""
    winners = match.winners
    if len(winners) != 1:
        return 0.0
    rated = [ratings.get(seat.bot) for seat in match.seats]
    winner = rated[winners[0]]
    others = [one for place, one in enumerate(rated) if place != winners[0] and one is not None]
    return max(others) - winner if winner is not None and others else 0.0


def _difference(match: Match) -> float:
    """Return how far apart the best two were, as a part of all points."""
    assert match.result is not None
    best, second, *_ = sorted(match.result.scores, reverse=True)
    return (best - second) / (abs(best) + abs(second) or 1.0)


def _turns(match: Match) -> int:
    assert match.result is not None
    return match.result.turns
