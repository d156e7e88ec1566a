"""Where a match was lost: the turn after which a team stayed behind."""

from collections.abc import Iterator
from pathlib import Path

from engine.errors import BadReplay
from engine.game import Event, Stage
from engine.replays.reading import Replay

SHOWN_TURNS = 3
"""So many turns are looked at: a team does not decide in each of them."""


def turns_where_it_was_lost(replay: Path, team: int) -> range | None:
    """Return the turns in which a team fell behind for good; None where there is no replay.

    Of a team that was never behind before the end they are the last ones.
    """
    try:
        recorded = Replay(replay)
        last = _last_turn_not_behind(recorded, team)
    except BadReplay:
        return None
    first = max(1, min(last, recorded.last_turn - SHOWN_TURNS + 1))
    return range(first, min(first + SHOWN_TURNS, recorded.last_turn + 1))


def _last_turn_not_behind(replay: Replay, team: int) -> int:
    """Return the last turn at whose beginning no other team had more points."""
    state, last = replay.game.new(replay.spec.settings, len(replay.bots)), 0
    for event in _events(replay):
        with replay.reading():
            if isinstance(event, Stage) and event.turn != state.turn:
                scores = replay.game.standing(state).scores
                last = event.turn if scores[team - 1] >= max(scores) else last
            state.apply(event)
    return last


def _events(replay: Replay) -> Iterator[Event]:
    for number in range(replay.line_count):
        yield from (event for event in replay.events_of_line(number) if event is not None)
