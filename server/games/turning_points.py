"""Where a match turned: who took the lead when, and the turn in which it was lost and won."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from engine.errors import SlimeMindError
from engine.replays.reading import Replay
from visualizer.model.timeline import ReplayTimeline

MAX_REPLAY_BYTES = 2_000_000
"""Longer replays are not looked through for it: that would take seconds."""
MAX_LEAD_CHANGES = 12
"""Changes of the lead that are told, the last ones."""


class LeadChange(msgspec.Struct, frozen=True, kw_only=True):
    """A turn at whose end another team led than before."""

    turn: int
    team: int


class TurningPoints(msgspec.Struct, frozen=True, kw_only=True):
    """How a match turned. Its turns are those of the scores, from 1."""

    turn: int | None
    """From here on the winner led for good; of one that did not lead in the end, the turn in which
    it gained the most. Null for a draw, for several winners, and where scores say nothing."""
    winner: int | None
    leads: list[LeadChange]
    """Who took the lead, and when; only the last ones of many."""


NOTHING = TurningPoints(turn=None, winner=None, leads=[])


def losing_turn(replay: Path, seat: int) -> int | None:
    """Return the turn from which a team, by its seat from 0, was behind for good.

    Of one that never led, the turn in which it fell back the most. None where the replay cannot
    be read, is too long, or says nothing of it.
    """
    return compute_losing_turn(_load_scores(replay), seat)


def turning_points(replay: Path, winners: Sequence[int]) -> TurningPoints:
    """Return how a match turned that these teams have won, as far as its replay tells."""
    return compute_turning_points(_load_scores(replay), winners)


@lru_cache(500)
def _load_scores(replay: Path) -> Sequence[Sequence[float]]:
    """Return the scores at the end of each turn, turn 0 first; none where they cannot be had."""
    try:
        if replay.stat().st_size > MAX_REPLAY_BYTES:
            return ()
        timeline = ReplayTimeline(Replay(replay))
        timeline.read_new_entries()
    except (OSError, SlimeMindError):
        return ()
    return tuple(timeline.scores)


def compute_losing_turn(scores: Sequence[Sequence[float]], seat: int) -> int | None:
    """Return the same for the scores at the end of each turn, turn 0 first."""
    leads = _leads(scores, seat)
    if len(leads) < 2 or leads[-1] >= 0:
        return None
    ahead = [turn for turn, lead in enumerate(leads) if lead > 0]
    if ahead:
        return ahead[-1] + 1
    return min(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])


def compute_turning_points(
    scores: Sequence[Sequence[float]], winners: Sequence[int]
) -> TurningPoints:
    """Return how a match turned by the scores at the end of each turn, turn 0 first."""
    changes = list(_changes(scores))
    winner = winners[0] if len(winners) == 1 else None
    turn = None if winner is None else _compute_winning_turn(scores, winner - 1)
    return TurningPoints(turn=turn, winner=winner, leads=changes[-MAX_LEAD_CHANGES:])


def _changes(scores: Sequence[Sequence[float]]) -> Iterator[LeadChange]:
    """Yield who took the lead, and when; where several are level, nobody does."""
    leader = 0
    for turn, points in enumerate(scores):
        leaders = [team for team, own in enumerate(points, 1) if own == max(points)]
        if len(leaders) == 1 and leaders[0] != leader:
            leader = leaders[0]
            if turn:  # what a match begins with is no change
                yield LeadChange(turn=turn, team=leader)


def _compute_winning_turn(scores: Sequence[Sequence[float]], seat: int) -> int | None:
    leads = _leads(scores, seat)
    if len(leads) < 2:
        return None
    if leads[-1] > 0:
        behind = [turn for turn, lead in enumerate(leads) if lead <= 0]
        return behind[-1] + 1 if behind else None  # it led all the time
    turn = max(range(1, len(leads)), key=lambda turn: leads[turn] - leads[turn - 1])
    return turn if leads[turn] > leads[turn - 1] else None


def _leads(scores: Sequence[Sequence[float]], seat: int) -> list[float]:
    """Return by how much a team was ahead of the best other one at the end of each turn."""
    return [
        own[seat] - max(points for other, points in enumerate(own) if other != seat)
        for own in scores
    ]
