"""Reads the numbers of a log (log.py) as the engine's events."""

from collections.abc import Callable, Iterator
from itertools import islice

from engine.fault import Cause
from engine.game import Event, MatchEnded, Stage
from engine.games.smac import events, rules
from engine.games.smac.grid import grid_of
from engine.games.smac.orders import ORDERS, PLACEMENTS, SkipList
from engine.games.smac.pieces import Fight, Special
from engine.games.smac.settings import MILLI, Characteristic, Characteristics
from learning.smac import log as of_log
from learning.smac.layout import CHARACTERISTICS, PLACE, SIDE, TEAMS, Log, Row

SPECIALS = tuple(Special)
EVOLVED = tuple(Characteristic)
STAGES = (*PLACEMENTS, ORDERS, *(name for name, _ in rules.TURN))
ENDINGS = (
    *("", rules.NOBODY_LEFT, rules.SOLE_SURVIVOR),
    *(rules.PRODUCTION, rules.LAST_TURN),
)
"""The reasons of an ending, as ENDED of a match numbers them."""
SCORE_UNITS = 10_000
KINDS = ("", "center", "use", "select", "bid")
"""The word before what was skipped, by its kind."""
REASONS: tuple[Callable[[int, int], str], ...] = (
    lambda level, _: f"beyond reach with jump level {level}",
    lambda height, _: f"the stack there has {height}, the stacking level",
    lambda cost, bank: f"costs {cost}, the bank has {bank // MILLI}.{bank % MILLI:03}",
    lambda level, _: f"it would rise to level {level + 2}, from {level} at the start of the turn",
    lambda bank, _: f"the bank has {bank // MILLI}",
    lambda a, b: "its 3 x 3 cells are not all on the board",
    lambda a, b: "there is terrain in its 3 x 3 cells",
    lambda a, b: "another team is in its 3 x 3 cells",
    lambda distance, least: f"is {distance} from the first center; {least} is the least",
    lambda chosen, _: f"is not selected; {SPECIALS[chosen - 1] if chosen else 'nothing'} is",
    lambda turn, _: f"was selected in turn {turn} and is armed from the next one on",
    lambda a, b: "it protects oneself: no target, one's own number, or an own cell",
    lambda a, b: "its target is another team that is in the match: its number, or a cell it owns",
    lambda a, b: "its target is a cell: x and y",
    lambda a, b: "its target is a cell with 3 x 3 cells on the board",
    lambda first, _: f"specials can be selected from turn {first} on",
    lambda a, b: "it was used already",
    lambda used, _: f"one special per game, and {SPECIALS[used]} was used",
)
"""In the order in which the log numbers them."""


def events_of(log: Log, s: Row) -> list[Event]:
    """Return what the log holds, and begin it anew."""
    numbers = log[1 : 1 + log[0]].tolist()
    log[0] = 0
    return [*Reader(int(s[SIDE]), int(s[TEAMS]), numbers).events()]


def cell_of(side: int, place: int) -> int:
    """Return the engine's number of a cell."""
    y, x = divmod(place, side + 2)
    return (y - 1) * side + x - 1


class Reader:
    """Takes numbers one after the other, and makes events of them."""

    def __init__(self, side: int, teams: int, numbers: list[int]) -> None:
        self._side = side
        self._teams = teams
        self._numbers = iter(numbers)
        self._skips: dict[int, SkipList] = {}

    def events(self) -> Iterator[Event]:
        """Yield all events."""
        for what in self._numbers:
            event = _READERS[what](self)
            if event is not None:
                yield event

    def stage(self) -> Event:
        return Stage(self._next(), STAGES[self._next()])

    def terrain(self) -> Event:
        cells = self._cells()
        return events.TerrainLaid(cells, self._take(len(cells)))

    def endowed(self) -> Event:
        return events.Endowed(self._next(), self._next(), self._characteristics())

    def bid(self) -> Event:
        return events.Bid(self._next(), self._next(), self._next())

    def placement_ordered(self) -> Event:
        return events.PlacementOrdered(self._take(self._teams))

    def settled(self) -> Event:
        team, center = self._next(), self._cell_or_none()
        block = () if center is None else grid_of(self._side).block(center)
        return events.Settled(team, center, block)

    def skip(self) -> None:
        """Note an order that was skipped, for the event after it."""
        team, kind, order, reason, a, b = self._take(6)
        words = self._order(kind, order)
        self._skips.setdefault(team, SkipList()).add(words, REASONS[reason](a, b))

    def skipped(self) -> Event | None:
        team = self._next()
        skips = self._skips.pop(team, SkipList())
        return events.Skipped(team, tuple(skips.skips), skips.more) if skips.skips else None

    def orders_lost(self) -> Event:
        return events.OrdersLost(self._next(), str(Cause.ILLEGAL))

    def banked(self) -> Event:
        return events.Banked(self._next(), self._next())

    def invested(self) -> Event:
        return events.Invested(self._next(), self._characteristics())

    def rose(self) -> Event:
        return events.Rose(self._next(), self._characteristics())

    def placed(self) -> Event:
        """Return what was placed, in the order of the cells (rules 7.2)."""
        team, count = self._next(), self._next()
        stacks = sorted((self._cell(), self._next(), self._next()) for _ in range(count))
        return events.Placed(
            team,
            tuple(cell for cell, _, _ in stacks),
            tuple(height for _, height, _ in stacks),
            tuple(cell for cell, _, is_claimed in stacks if is_claimed),
        )

    def grown(self) -> Event:
        team, cells = self._next(), self._cells()
        return events.Grown(team, cells, self._take(len(cells)))

    def selected(self) -> Event:
        return events.Selected(self._next(), SPECIALS[self._next()])

    def special_used(self) -> Event:
        team, special = self._next(), SPECIALS[self._next()]
        return events.SpecialUsed(
            team, special, self._cell_or_none(), self._next() or None, self._cells()
        )

    def cleared(self) -> Event:
        return events.Cleared(self._cells())

    def fought(self) -> Event:
        turn, cell, owner, rounds, winner, left = self._next(), self._cell(), *self._take(4)
        heights = self._take(self._teams)
        return events.Fought(Fight(turn, cell, owner, heights, rounds, winner, left))

    def claimed(self) -> Event:
        return events.Claimed(self._next(), self._cells())

    def died(self) -> Event:
        return events.Died(self._next(), self._cells())

    def reduced(self) -> Event:
        team, cells = self._next(), self._cells()
        return events.Reduced(team, cells, self._take(len(cells)))

    def produced(self) -> Event:
        return events.Produced(self._take(self._teams))

    def went_out(self) -> Event:
        return events.WentOut(self._next())

    def end(self) -> Event:
        reason = ENDINGS[self._next()]
        return MatchEnded(tuple(score / SCORE_UNITS for score in self._take(self._teams)), reason)

    def _order(self, kind: int, order: int) -> str:
        """Return an order as the engine writes it."""
        if kind == of_log.OF_BID:
            return f"bid {order}"
        if kind in (of_log.OF_USE, of_log.OF_SELECT):
            return f"{KINDS[kind]} {SPECIALS[order]}"
        if order < PLACE:
            return f"evolve {EVOLVED[order]}"
        y, x = divmod(order - PLACE, self._side)
        return f"{KINDS[kind] or 'place'} {x} {y}"

    def _next(self) -> int:
        return next(self._numbers)

    def _take(self, count: int) -> tuple[int, ...]:
        return tuple(islice(self._numbers, count))

    def _characteristics(self) -> Characteristics:
        return Characteristics(*self._take(CHARACTERISTICS))

    def _cell(self) -> int:
        return cell_of(self._side, self._next())

    def _cell_or_none(self) -> int | None:
        place = self._next()
        return cell_of(self._side, place) if place else None

    def _cells(self) -> tuple[int, ...]:
        return tuple(cell_of(self._side, place) for place in self._take(self._next()))


_READERS: dict[int, Callable[[Reader], Event | None]] = {
    of_log.STAGE: Reader.stage,
    of_log.TERRAIN_LAID: Reader.terrain,
    of_log.ENDOWED: Reader.endowed,
    of_log.BID: Reader.bid,
    of_log.PLACEMENT_ORDERED: Reader.placement_ordered,
    of_log.SETTLED: Reader.settled,
    of_log.SKIP: Reader.skip,
    of_log.SKIPPED: Reader.skipped,
    of_log.ORDERS_LOST: Reader.orders_lost,
    of_log.BANKED: Reader.banked,
    of_log.INVESTED: Reader.invested,
    of_log.ROSE: Reader.rose,
    of_log.PLACED: Reader.placed,
    of_log.GROWN: Reader.grown,
    of_log.SELECTED: Reader.selected,
    of_log.SPECIAL_USED: Reader.special_used,
    of_log.CLEARED: Reader.cleared,
    of_log.FOUGHT: Reader.fought,
    of_log.CLAIMED: Reader.claimed,
    of_log.DIED: Reader.died,
    of_log.REDUCED: Reader.reduced,
    of_log.PRODUCED: Reader.produced,
    of_log.WENT_OUT: Reader.went_out,
    of_log.END: Reader.end,
}
