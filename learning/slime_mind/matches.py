"""Many matches of Slime Mind at once, each a row of one array: order by order, or to their ends."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.game import Event, MatchEnded
from engine.games.slime_mind.pieces import Plant, Rock, Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from engine.streams import parse_seed
from learning.slime_mind import layout
from learning.slime_mind.chance import make_stream_keys
from learning.slime_mind.features import FEATURE_COUNT
from learning.slime_mind.layout import Row, settings_row, square_of_place
from learning.slime_mind.log import ENDINGS, new_log, take_events
from learning.slime_mind.notes import new_notes
from learning.slime_mind.players import NOT_PLAYED, Player, advance
from learning.slime_mind.ratings import Numbers
from learning.slime_mind.rules import new_match

NO_WEIGHTS = np.zeros((1, FEATURE_COUNT))
STREAMS = ("map", "plants", "split")


class Matches:
    """Matches with the same settings, each from a seed of its own.

    They are what the engine plays from the same seeds with the same orders. `rows` is all there
    is to them: to copy a match, copy its row.
    """

    def __init__(self, settings: Settings, seeds: Sequence[int], *, has_log: bool = False) -> None:
        """Begin a match from each seed; with a log `events` says what the last order led to."""
        self.settings = settings
        self.s = settings_row(settings)
        """The settings as numbers (layout.py)."""
        self.rows = np.zeros((len(seeds), int(self.s[layout.WIDTH])), np.int64)
        self.no_log = new_log()
        """A log without room: kernels that are given it log nothing."""
        self._log = new_log(settings) if has_log else self.no_log
        self._has_log = has_log
        self._players = np.full((len(seeds), 2), Player.OUTSIDE, np.int64)
        self._no_notes = new_notes(len(seeds))
        self._next_ids = [1] * len(seeds)
        self._events: list[list[Event]] = [[] for _ in seeds]
        for number, seed in enumerate(seeds):
            self.restart(number, seed)

    def restart(self, number: int, seed: int) -> None:
        """Begin a match anew, from another seed."""
        self._next_ids[number] = 1
        new_match(self.s, self.rows[number], make_stream_keys(parse_seed(seed), STREAMS), self._log)
        self._read_log(number)

    def play(self, orders: Sequence[int] | NDArray[np.integer]) -> None:
        """Play an order in each match that is not over: the number of a command.

        `layout.NO_ORDER` is a forfeited activation.
        """
        given = np.asarray(orders, np.int64)
        given = np.where(given < 0, layout.NO_ORDER, given)
        if not self._has_log:
            self._advance_matches(slice(None), given)
            return
        for number in np.flatnonzero(~self.is_over).tolist():
            self._advance_matches(slice(number, number + 1), given)
            self._read_log(number)

    def _advance_matches(self, part: slice, orders: Row) -> None:
        rows, players = self.rows[part], self._players[part]
        advance(self.s, rows, orders[part], players, NO_WEIGHTS, self._no_notes, self._log)

    def _read_log(self, number: int) -> None:
        if self._has_log:
            self._events[number] = take_events(self._log, self.settings, self._next_ids[number])
            self._next_ids[number] = int(self.rows[number, layout.NEXT_ID])

    def events(self, number: int) -> list[Event]:
        """Return what the last order of a match led to, as the engine's events."""
        return self._events[number]

    @property
    def is_over(self) -> NDArray[np.bool_]:
        """Whether each match is over."""
        found: NDArray[np.bool_] = self.rows[:, layout.ENDED] != layout.RUNNING
        return found

    @property
    def scores(self) -> NDArray[np.float64]:
        """The points of both teams of each match: (matches, 2); 0 until it is over."""
        return self.rows[:, layout.TENTHS_1 : layout.TENTHS_1 + 2] / 10

    @property
    def acting(self) -> Row:
        """The id of the slime that must decide in each match; 0 where it is over."""
        return self._acting_field(layout.ID)

    @property
    def teams(self) -> Row:
        """The team that must decide in each match, 1 or 2; 0 where it is over."""
        return self._acting_field(layout.TEAM)

    def board(self, number: int) -> Board:
        """Return a match as the engine's board."""
        return make_board(self.settings, self.s, self.rows[number])

    def _acting_field(self, field: int) -> Row:
        matches = np.arange(len(self.rows))
        queue = self.rows[matches, self.s[layout.QUEUE_AT] + self.rows[:, layout.QUEUE_NEXT]]
        slots = self.s[layout.SLIMES_AT] + queue * layout.SLIME_SIZE
        found: Row = np.where(self.is_over, 0, self.rows[matches, slots + field])
        return found


def play_out(matches: Matches, first: Player, second: Player, *, threads: int = 1) -> int:
    """Play all matches to their ends; return the number of orders."""
    players = np.tile(np.array([first, second], np.int64), (len(matches.rows), 1))
    return play_rows(matches, matches.rows, players, NO_WEIGHTS, threads=threads)


def play_rows(
    matches: Matches, rows: Row, players: Row, weights: Numbers, *, threads: int = 1
) -> int:
    """Play rows of matches with these settings to their ends; return the number of orders.

    Threads share the rows: what is compiled runs without Python's lock.
    """
    orders, notes = np.full(len(rows), NOT_PLAYED), new_notes(len(rows))

    def play_part(part: slice) -> int:
        own = rows[part], orders[part], players[part]
        return advance(matches.s, *own, weights, notes[part], matches.no_log)

    bounds = np.linspace(0, len(rows), threads + 1).astype(int).tolist()
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(play_part, [slice(*ends) for ends in pairwise(bounds)]))


def make_board(settings: Settings, s: Row, m: Row) -> Board:
    """Return a row as the engine's board. Rocks have no ids in it: theirs follow from the map."""
    slimes = {slime.id: slime for slime in _make_slimes(settings, s, m)}
    plants = {plant.id: plant for plant in _make_plants(settings, s, m)}
    rocks = {rock.id: rock for rock in _make_rocks(settings, m)}
    queue = m[s[layout.QUEUE_AT] :][int(m[layout.QUEUE_NEXT]) : int(m[layout.QUEUE_END])]
    acting = [_make_slime(settings, s, m, slot) for slot in queue.tolist()]
    ended = int(m[layout.ENDED])
    tenths = m[layout.TENTHS_1 : layout.TENTHS_1 + 2].tolist()
    return Board(
        settings,
        turn=int(m[layout.TURN]),
        next_id=int(m[layout.NEXT_ID]),
        slimes=slimes,
        plants=plants,
        rocks=rocks,
        queue=[slime.id for slime in acting if slime is not None],
        ending=MatchEnded((tenths[0] / 10, tenths[1] / 10), ENDINGS[ended]) if ended else None,
    )


def _make_slimes(settings: Settings, s: Row, m: Row) -> list[Slime]:
    slots = range(int(m[layout.SLIMES]))
    found = (_make_slime(settings, s, m, slot) for slot in slots)
    return [slime for slime in found if slime is not None]


def _make_slime(settings: Settings, s: Row, m: Row, slot: int) -> Slime | None:
    """Return the slime in a slot; None if it is gone."""
    at = int(s[layout.SLIMES_AT]) + slot * layout.SLIME_SIZE
    fields = m[at : at + layout.SLIME_SIZE].tolist()
    if not fields[layout.ALIVE]:
        return None
    x, y = square_of_place(settings, fields[layout.PLACE])
    return Slime(
        *(fields[layout.ID], fields[layout.TEAM], x, y, fields[layout.XP]),
        *(fields[layout.LEVEL], settings.slime_max_level, fields[layout.HP]),
        *(fields[layout.MAX_HP], fields[layout.ATTACK], bool(fields[layout.READY])),
    )


def _make_plants(settings: Settings, s: Row, m: Row) -> list[Plant]:
    first = int(s[layout.PLANTS_AT])
    rows = m[first : first + int(m[layout.PLANTS]) * layout.PLANT_SIZE]
    return [
        Plant(
            *(number, *square_of_place(settings, cell), level, settings.plant_max_level),
            *(hp, level * settings.plant_hp_per_level),
        )
        for number, cell, level, hp in rows.reshape(-1, layout.PLANT_SIZE).tolist()
        if hp
    ]


def _make_rocks(settings: Settings, m: Row) -> list[Rock]:
    """Return the rocks, in pairs as they were placed as far as the map tells."""
    stride = settings.columns + 2
    grid = m[layout.GRID : layout.GRID + stride * (settings.rows + 2)]
    first = 2 * settings.slime_pairs + 1
    places = np.flatnonzero(grid == layout.ROCK).tolist()
    return [
        Rock(number, *square_of_place(settings, cell)) for number, cell in enumerate(places, first)
    ]
