"""What a team's shapes see and hear, and so all that its process may know (rules 5.5, 5.8).

Sets of cells are bitboards. Rows have a margin as wide as shapes see, so that a disk of sight
that reaches over one edge does not come back on the other.
"""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import isqrt
from operator import le

from msgspec.structs import replace

from engine.game import Event, MatchEnded, Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.geometry import Cell
from engine.games.game_of_death.pieces import Body, Shape, shape_number
from engine.games.game_of_death.rules import DECIDE
from engine.games.game_of_death.state import Battle

DIGITS = bytes.maketrans(b"\0\1", b"01")
FOR_ALL = frozenset({Stage, ev.HomesPlaced, MatchEnded})
FOR_NONE = frozenset(
    {ev.BodiesHit, ev.Killed, ev.Disclosed, ev.DisclosedOf, ev.Sighted, ev.Heard, ev.Gone}
)
"""What is seen of bodies is told instead; the last three are made for one team, and never come."""


def observed_event(battle: Battle, event: Event, team: int) -> Event | None:
    """Return the event as a team may know it; events about one team are for that team alone."""
    match event:
        case Stage(turn, name) if turn:
            # A stage is one in which something happens, to somebody somewhere.
            return compute_sight(battle, team) if name == DECIDE else None
        case ev.Spoke():
            return listen(battle, event, team)
        case ev.Damaged(team=owner):
            # Whose attack it was, nobody is told.
            return ev.Damaged(owner, event.ids, event.hps) if owner == team else None
        case ev.Defeated():
            return replace(event, flags=0, kills=0, hp_taken=0)
        case ev.Dying(team=owner):
            return ev.Dying(owner, event.ids, ()) if owner == team else None
        case ev.Died(team=owner):
            return ev.Gone(event.ids) if owner == team else None
        case ev.FlagReturned(team=owner):
            return event if owner != team else None
    kind = type(event)
    if kind in FOR_ALL:
        return event
    if kind in FOR_NONE:
        return None
    return event if event.team == team else None  # type: ignore[attr-defined]


def compute_sight(battle: Battle, team: int) -> ev.Sighted:
    """Return the hostile cells, bodies and partners' cells in sight of any of the team's shapes."""
    hostile, friendly, anchors = list[Shape](), list[Shape](), list[Cell]()
    partners = battle.partner_teams(team)
    for shape in battle.shapes.values():
        owner = battle.piece_team(shape.id)
        if owner == team:
            anchors.append(battle.anchor(shape))
        else:
            (friendly if owner in partners else hostile).append(shape)
    visible = Visible(battle, anchors)
    return ev.Sighted(
        battle.turn,
        tuple(visible.visible_places(hostile)),
        tuple(visible.visible_places(battle.bodies.values())),
        tuple(visible.visible_places(friendly)),
    )


class Visible:
    """The cells within sight of some anchors."""

    def __init__(self, battle: Battle, anchors: Iterable[Cell]) -> None:
        self._battle = battle
        self._margin = sight = battle.settings.sight
        self._row = row = battle.settings.width + 2 * sight
        shape = disk(sight, row)
        bits = 0
        for x, y in anchors:
            # Of the disk's box the corner lies at (x - sight, y - sight), the margin before that.
            bits |= shape << (y * row + x)
        rows = battle.settings.height + 2 * sight
        self._bytes = bits.to_bytes((rows * row + 7) // 8 + 1, "little")

    def __contains__(self, cell: Cell) -> bool:
        bit = (cell[1] + self._margin) * self._row + cell[0] + self._margin
        return bool(self._bytes[bit >> 3] >> (bit & 7) & 1)

    def visible_places(self, pieces: Iterable[Shape | Body]) -> Iterator[int]:
        """Yield visible places in the order of the grid, which hides what belongs together."""
        width = self._battle.settings.width
        cells = (cell for piece in pieces for cell in self._battle.cells(piece))
        yield from sorted(y * width + x for x, y in cells if (x, y) in self)


@lru_cache(maxsize=64)
def disk(radius: int, row: int) -> int:
    """Return a disk of cells around its center, with the corner of its box at bit 0 (rules 5.8)."""
    bits = 0
    for dy in range(-radius, radius + 1):
        half = isqrt(radius * radius - dy * dy)
        bits |= ((1 << (2 * half + 1)) - 1) << ((dy + radius) * row + radius - half)
    return bits


def listen(battle: Battle, spoken: ev.Spoke, team: int) -> ev.Heard | None:
    """Return which of a team's living shapes hear which broadcast (rules 5.5).

    The same message from several reaches a shape as often as it was said.
    """
    listeners = Listeners(battle, team)
    heard: dict[int, list[str]] = {}
    for speaker_id, text in zip(spoken.ids, spoken.texts, strict=True):
        group = listeners.listeners_near(battle.anchor(battle.shapes[speaker_id]))
        if battle.piece_team(speaker_id) == team:
            group &= ~(1 << shape_number(speaker_id, battle.teams))
        if group:
            heard.setdefault(group, []).append(text)
    if not heard:
        return None
    groups = sorted((f"{group:x}", tuple(sorted(texts))) for group, texts in heard.items())
    return ev.Heard(
        battle.turn, tuple(group for group, _ in groups), tuple(texts for _, texts in groups)
    )


class Listeners:
    """The living shapes of a team, as listeners.

    Lists have one place for each number of a shape, the highest first: then the comparison of
    two lists gives the digits of a binary number, the set of those that hear.
    """

    def __init__(self, battle: Battle, team: int) -> None:
        self._reach = reach = battle.settings.broadcast**2
        living = list(battle.living_shapes(team))
        anchors = [battle.anchor(shape) for shape in living]
        numbers = [shape_number(shape.id, battle.teams) for shape in living]
        self._all = sum(1 << number for number in numbers)
        last = max(numbers, default=0)
        self._xs = [0] * (last + 1)
        self._ys = [2 * (reach + battle.settings.height)] * (last + 1)
        """A missing shape is placed too far down to hear anything."""
        for number, (x, y) in zip(numbers, anchors, strict=True):
            self._xs[last - number], self._ys[last - number] = x, y
        across, down = [x for x, _ in anchors] or [0], [y for _, y in anchors] or [0]
        self._box = min(across), max(across), min(down), max(down)
        self._across: dict[int, list[int]] = {}
        self._left: dict[int, list[int]] = {}

    def listeners_near(self, cell: Cell) -> int:
        """Return the numbers of those that hear a broadcast from this cell, as bits."""
        if not self._all or self._is_all_near(cell):
            return self._all
        return int(bytes(map(le, *self._squared_distances(cell))).translate(DIGITS), 2)

    def _is_all_near(self, cell: Cell) -> bool:
        """Return whether even the far corner of the box around all of them is near."""
        x, y = cell
        left, right, top, bottom = self._box
        dx, dy = max(x - left, right - x), max(y - top, bottom - y)
        return dx * dx + dy * dy <= self._reach

    def _squared_distances(self, cell: Cell) -> tuple[list[int], list[int]]:
        """Return each one's squared distance across, and the most that its row allows.

        Both are kept: many shapes speak from the same row or column.
        """
        x, y = cell
        across, left = self._across.get(x), self._left.get(y)
        if across is None:
            across = self._across[x] = [(own - x) ** 2 for own in self._xs]
        if left is None:
            left = self._left[y] = [self._reach - (own - y) ** 2 for own in self._ys]
        return across, left
