"""Where the pairings of brackets and rounds stand in a drawing."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import msgspec

from report.boxes import Box, Slot

WIDTH, HEIGHT = 196, 50
"""The size of a box of two slots, pixels."""
ACROSS, DOWN = 222, 66
"""Distances from one box to the next, pixels."""
MARGIN = 8
HEADING_HEIGHT = 34
"""Space above the boxes of a round."""
GROUP_NAME_HEIGHT = 26
"""Space for the name of a group."""

Place = tuple[int, int]


class PlacedBox(msgspec.Struct, frozen=True):
    """A box and its upper left corner."""

    box: Box
    x: float
    y: float
    waiting: tuple[str, ...]
    """What stands in a slot while nobody is in it."""


class Heading(msgspec.Struct, frozen=True):
    """Words above boxes."""

    text: str
    x: float
    y: float
    is_group: bool = False


class Drawing(msgspec.Struct):
    """All of it."""

    width: float = 0
    height: float = 0
    boxes: list[PlacedBox] = []
    headings: list[Heading] = []
    lines: list[str] = []
    """SVG paths, from those who won to where they went."""


def draw_bracket(boxes: Sequence[Box]) -> Drawing:
    """Draw a knockout as a tree: each box half-way between those whose winners it takes."""
    return _Tree(boxes).drawing()


class _Tree:
    def __init__(self, boxes: Sequence[Box]) -> None:
        self._boxes = {box.place: box for box in boxes}
        self._drawn = [box for box in boxes if len(box.slots) == 2]
        self._columns: dict[Place, int] = {}
        self._rows: dict[Place, float] = {}
        self._next_row = 0.0
        for box in self._drawn:
            self._columns[box.place] = 1 + max(
                (self._columns[slot.source] for slot in self._visible_slots(box) if slot.source),
                default=-1,
            )
        if self._drawn:
            self._set_row(self._drawn[-1])

    def drawing(self) -> Drawing:
        placed = {box.place: self._place_box(box) for box in self._drawn}
        return Drawing(
            width=MARGIN * 2 + WIDTH + ACROSS * max(self._columns.values(), default=0),
            height=MARGIN + HEADING_HEIGHT + DOWN * self._next_row,
            boxes=list(placed.values()),
            headings=list(self._make_headings(placed)),
            lines=[
                _elbow_path(placed[feeder], here, number)
                for place, here in placed.items()
                for number, feeder in self._feeding_places(self._boxes[place])
            ],
        )

    def _visible_slots(self, box: Box) -> list[Slot]:
        return [self._through_byes(slot) for slot in box.slots]

    def _through_byes(self, slot: Slot) -> Slot:
        """Return a slot with its real source: where somebody with a bye came from."""
        while slot.source is not None and len(self._boxes[slot.source].slots) < 2:
            before = self._boxes[slot.source].slots
            source = before[0] if before and slot.is_winner else Slot()
            slot = msgspec.structs.replace(slot, source=source.source, is_winner=source.is_winner)
        return slot

    def _feeding_places(self, box: Box) -> Iterator[tuple[int, Place]]:
        """Yield the places whose winners a box takes, each with the number of its slot."""
        for number, slot in enumerate(self._visible_slots(box)):
            if slot.source is not None and slot.is_winner:
                yield number, slot.source

    def _set_row(self, box: Box) -> float:
        """Set and return the row of a box, after those of all that lead to it."""
        above = [self._set_row(self._boxes[feeder]) for _, feeder in self._feeding_places(box)]
        if above:
            row = sum(above) / len(above)
        else:
            row = self._next_row
            self._next_row += 1
        self._rows[box.place] = row
        return row

    def _place_box(self, box: Box) -> PlacedBox:
        return PlacedBox(
            box,
            MARGIN + ACROSS * self._columns[box.place],
            HEADING_HEIGHT + DOWN * self._rows[box.place],
            tuple(_waiting_text(slot) for slot in self._visible_slots(box)),
        )

    def _make_headings(self, placed: dict[Place, PlacedBox]) -> Iterator[Heading]:
        """Yield each round's name above its uppermost box."""
        for label, boxes in groupby(self._drawn, attrgetter("label")):
            top = min((placed[box.place] for box in boxes), key=lambda at: at.y)
            yield Heading(label, top.x, top.y - 10)


def draw_rounds(boxes: Sequence[Box]) -> Drawing:
    """Draw rounds side by side; in each, those of a group stand together."""
    drawing = Drawing()
    for column, (label, entrants) in enumerate(groupby(boxes, attrgetter("label"))):
        x, y = MARGIN + ACROSS * column, float(HEADING_HEIGHT)
        drawing.headings.append(Heading(label, x, 20))
        for group, together in groupby(entrants, attrgetter("group")):
            if group:
                drawing.headings.append(Heading(group, x, y + 12, is_group=True))
                y += GROUP_NAME_HEIGHT
            for box in together:
                drawing.boxes.append(PlacedBox(box, x, y, ("",) * len(box.slots)))
                y += _box_height(box) + DOWN - HEIGHT
        drawing.height = max(drawing.height, y)
        drawing.width = x + WIDTH + MARGIN
    return drawing


def _box_height(box: Box) -> float:
    return HEIGHT / 2 * len(box.slots)


def _elbow_path(feeder: PlacedBox, here: PlacedBox, slot: int) -> str:
    """Return the path from the middle of one box to a slot of another."""
    from_x, from_y = feeder.x + WIDTH, feeder.y + HEIGHT / 2
    to_y = here.y + HEIGHT * (1 + 2 * slot) / 4
    bend = here.x - (ACROSS - WIDTH) / 2
    return f"M{from_x:g} {from_y:g}H{bend:g}V{to_y:g}H{here.x:g}"


def _waiting_text(slot: Slot) -> str:
    if slot.source is None:
        return ""
    round_number, pairing = slot.source
    return f"{'winner' if slot.is_winner else 'loser'} of {round_number}.{pairing}"
