"""What happens in a match of numbers, written down as numbers, and read as the engine's events."""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from engine.fault import Cause
from engine.game import Event, MatchEnded, Stage
from engine.games.slime_mind import events
from engine.games.slime_mind.pieces import Rock, Slime, new_slime
from engine.games.slime_mind.rules import ELIMINATION, LAST_TURN, new_plant
from engine.games.slime_mind.settings import LEVELS, Settings
from learning.slime_mind.compiled import part
from learning.slime_mind.layout import square_of_place

Log = NDArray[np.int64]
"""Lines of numbers: what happened, and three of its numbers. The first number counts the lines."""
LINE = 4
(
    STAGE_PLANTS,
    STAGE_SLIMES,
    STAGE_SCORING,
    SLIME_PLACED,
    ROCK_PLACED,
    PLANT_PLACED,
    GROWN,
    QUEUED,
    READY_ENDED,
    LEVELLED,
    MOVED,
    BITTEN,
    SPLIT,
    READIED,
    MERGED,
    NOTHING,
    ROUND_LOST,
    DIED,
    END,
) = range(19)
OFF_MAP, OCCUPIED, NO_TARGET, TOO_LOW, NO_ROOM = range(5)
REASONS = tuple(events.Reason)
"""The reasons in this order."""
STAGES = ("plants", "slimes", "scoring")
ENDINGS = ("", ELIMINATION, LAST_TURN)


def new_log(settings: Settings | None = None) -> Log:
    """Return a log with room for all that one order leads to; without settings for nothing."""
    lines = 31 + 4 * settings.columns * settings.rows if settings else 0
    return np.zeros((1 + lines, LINE), np.int64)


@part
def note(log: Log, what: int, a: int, b: int, c: int) -> None:
    """Write a line into a log that has room for lines."""
    if log.shape[0] > 1:
        log[0, 0] += 1
        line = log[0, 0]
        log[line, 0], log[line, 1], log[line, 2], log[line, 3] = what, a, b, c


def take_events(log: Log, settings: Settings, next_id: int) -> list[Event]:
    """Return what the log holds, and begin it anew; `next_id` is that of before."""
    lines: list[list[int]] = log[1 : 1 + log[0, 0]].tolist()
    log[0, 0] = 0
    return [*Reader(settings, next_id).events(lines)]


OTHERS: dict[int, Callable[[int, int, int, list[int]], Event]] = {
    READY_ENDED: lambda a, b, c, more: events.ReadyEnded(a),
    LEVELLED: lambda a, b, c, more: events.Levelled(a, b, LEVELS[b].attack, LEVELS[b].max_hp, c),
    BITTEN: lambda a, b, c, more: events.Bitten(a, b, c, more[1], more[2]),
    READIED: lambda a, b, c, more: events.Readied(a),
    MERGED: lambda a, b, c, more: events.Merged(a, b, c, more[1]),
    NOTHING: lambda a, b, c, more: events.Nothing(a, REASONS[b]),
    ROUND_LOST: lambda a, b, c, more: events.RoundLost(a, b, c, str(Cause.ILLEGAL)),
    DIED: lambda a, b, c, more: events.Died(a, b),
    END: lambda a, b, c, more: MatchEnded((a / 10, b / 10), ENDINGS[c]),
}
"""The events that the numbers of a line make without more."""


class Reader:
    """Reads lines as events; pieces that appear get the next ids."""

    def __init__(self, settings: Settings, next_id: int) -> None:
        self._settings = settings
        self._next_id = next_id

    def events(self, lines: list[list[int]]) -> Iterator[Event]:
        """Yield the events of lines that hold whole events."""
        rest = iter(lines)
        queue: list[int] | None = None
        for what, a, b, c in rest:
            if what == QUEUED:
                assert queue is not None
                queue.append(a)
                continue
            if queue is not None:
                yield events.Queued(tuple(queue))
                queue = None
            if what == STAGE_SLIMES:
                queue = []
            more = next(rest) if what in (BITTEN, MERGED, SPLIT) else []
            yield self._decode_event(what, a, b, c, more)
        if queue is not None:
            yield events.Queued(tuple(queue))

    def _decode_event(self, what: int, a: int, b: int, c: int, more: list[int]) -> Event:
        """Return the event of a line; `more` is the line after it, where an event has two."""
        if what <= STAGE_SCORING:
            return Stage(a, STAGES[what])
        if what <= PLANT_PLACED:
            return self._placement_event(what, a, b)
        if what == MOVED:
            return events.Moved(a, *square_of_place(self._settings, b))
        if what == GROWN:
            return events.Grown(a, b, b * self._settings.plant_hp_per_level, c)
        if what == SPLIT:
            return events.Split(a, b, self._new_slime(more[1], c))
        return OTHERS[what](a, b, c, more)

    def _placement_event(self, what: int, a: int, b: int) -> Event:
        """Return the event by which a piece appears without a slime's doing."""
        if what == SLIME_PLACED:
            return events.SlimePlaced(self._new_slime(a, b))
        if what == ROCK_PLACED:
            return events.RockPlaced(Rock(self._take_id(), *square_of_place(self._settings, a)))
        plant = new_plant(self._take_id(), *square_of_place(self._settings, a), self._settings)
        return events.PlantPlaced(plant, b)

    def _new_slime(self, team: int, cell: int) -> Slime:
        most = self._settings.slime_max_level
        return new_slime(self._take_id(), team, *square_of_place(self._settings, cell), most)

    def _take_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1
