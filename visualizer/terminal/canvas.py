"""A grid of letters in colours, and what a terminal is told to turn one grid into the next."""

from collections.abc import Iterator
from enum import IntFlag
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from visualizer.colours import rgb
from visualizer.terminal.colours import Abilities, Depth, nearest_of_256

BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""What lies between is shown at once, by terminals that know these words."""
GAP = 6
"""So many letters that stay are sent along rather than jumped over."""
ELLIPSIS = "…"
UPPER_HALF = "▀"


class Style(IntFlag):
    PLAIN = 0
    BOLD = 1
    UNDERLINED = 4
    REVERSED = 8


class Ink(NamedTuple):
    """How a letter is drawn; a colour is `#rrggbb`, '' the terminal's own."""

    colour: str = ""
    ground: str = ""
    style: Style = Style.PLAIN


Cell = tuple[str, Ink]
"""A letter; '' behind a wide one."""
BLANK: Cell = (" ", Ink())


class Canvas:
    """What is to be seen. Whatever is drawn beyond its edges is cut off."""

    def __init__(self, width: int, height: int, ground: str = "") -> None:
        self.width = width
        self.height = height
        self.rows: list[list[Cell]] = [[(" ", Ink("", ground))] * width for _ in range(height)]

    def fill(self, x: int, y: int, width: int, height: int, ground: str) -> None:
        """Empty squares on a ground."""
        left, right = max(0, x), min(self.width, x + width)
        if right > left:
            for row in self.rows[max(0, y) : max(0, y + height)]:
                row[left:right] = [(" ", Ink("", ground))] * (right - left)

    def half(self, x: int, y: int, width: int, colour: str) -> None:
        """A line half a letter high: `y` counts halves. The other halves stay as they are."""
        above = y % 2 == 0
        if not 0 <= y // 2 < self.height:
            return
        row = self.rows[y // 2]
        for place in range(max(0, x), min(self.width, x + width)):
            letter, ink = row[place]
            upper = ink.colour if letter == UPPER_HALF else ink.ground
            halves = (colour, ink.ground) if above else (upper, colour)
            if halves[0] == halves[1]:
                row[place] = " ", Ink("", colour)
            else:
                row[place] = UPPER_HALF, Ink(*halves)

    def write(
        self,
        x: int,
        y: int,
        text: str,
        colour: str = "",
        style: Style = Style.PLAIN,
        *,
        ground: str | None = None,
        width: int | None = None,
    ) -> int:
        """A line of text, cut off to a width; where it ends. On what is there, or on a ground."""
        if not 0 <= y < self.height:
            return x
        row, room = self.rows[y], self.width - x if width is None else min(width, self.width - x)
        letters = _cut(text, room)
        self._mend(row, x)
        self._mend(row, x + len(letters))
        for letter in letters:
            if x >= 0:
                old = row[x - 1 if letter == "" else x][1]
                row[x] = letter, Ink(colour, old.ground if ground is None else ground, style)
            x += 1
        return x

    @staticmethod
    def _mend(row: list[Cell], x: int) -> None:
        """Before one half of a wide letter is written over: the other half is no letter."""
        if 0 < x < len(row) and row[x][0] == "":
            row[x - 1], row[x] = (" ", row[x - 1][1]), (" ", row[x][1])

    def tint(self, x: int, y: int, width: int, height: int, ink: Ink) -> None:
        """The letters that are there, in another ink."""
        left, right = max(0, x), min(self.width, x + width)
        for row in self.rows[max(0, y) : max(0, y + height)]:
            row[left:right] = [
                (" " if letter == UPPER_HALF else letter, ink) for letter, _ in row[left:right]
            ]

    def paste(self, x: int, y: int, other: "Canvas") -> None:
        """Another one, all of which fits."""
        for row, pasted in zip(self.rows[y : y + other.height], other.rows, strict=True):
            row[x : x + other.width] = pasted

    def copy(self) -> "Canvas":
        copy = Canvas(0, 0)
        copy.width, copy.height = self.width, self.height
        copy.rows = [row.copy() for row in self.rows]
        return copy

    def text(self) -> str:
        """The letters alone."""
        lines = ("".join(letter for letter, _ in row).rstrip() for row in self.rows)
        return "\n".join(lines)


def _cut(text: str, room: int) -> list[str]:
    """A letter per column, '' behind a wide one; with an ellipsis if it is too long."""
    columns = list(_columns(text))
    if len(columns) <= room:
        return columns
    if room <= 0:
        return []
    kept = columns[: room - 1]
    if columns[len(kept)] == "":
        kept[-1] = " "  # no half of a wide letter
    return [*kept, ELLIPSIS]


def columns_of(text: str) -> int:
    """How wide a text is."""
    return sum(1 for _ in _columns(text))


def _columns(text: str) -> Iterator[str]:
    """Strangers' text, too: no control letter gets through, nothing that changes another one."""
    if text.isascii() and text.isprintable():
        yield from text
        return
    for letter in text:
        if not letter.isprintable() or combining(letter):
            yield "·"
        elif east_asian_width(letter) in "WF":
            yield letter
            yield ""
        else:
            yield letter


class Painter:
    """Tells a terminal what to draw: only what is not there yet."""

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._codes: dict[Ink, str] = {}
        self._shown: Canvas | None = None

    def forget(self) -> None:
        """What is on the terminal is not known any more."""
        self._shown = None

    def words_for(self, canvas: Canvas) -> str:
        """Turn what is shown into this; '' if it is the same."""
        shown, words = self._shown, []
        if shown is None or (shown.width, shown.height) != (canvas.width, canvas.height):
            shown = None
            words.append("\x1b[0m\x1b[2J")
        for y, row in enumerate(canvas.rows):
            before = None if shown is None else shown.rows[y]
            if row != before:
                for first, last in _changes(before, row):
                    words.append(f"\x1b[{y + 1};{first + 1}H{self._run(row[first:last])}")
        self._shown = canvas
        return f"{BEGIN}{''.join(words)}{END}" if words else ""

    def _run(self, cells: list[Cell]) -> str:
        words, ink = [], None
        for letter, its_ink in cells:
            if its_ink is not ink and its_ink != ink:
                ink = its_ink
                words.append(self._code(ink))
            words.append(letter)
        return self._abilities.letters("".join(words))

    def _code(self, ink: Ink) -> str:
        code = self._codes.get(ink)
        if code is None:
            code = self._codes[ink] = f"\x1b[{';'.join(self._parameters(ink))}m"
        return code

    def _parameters(self, ink: Ink) -> Iterator[str]:
        yield "0"
        for style, parameter in ((Style.BOLD, "1"), (Style.UNDERLINED, "4")):
            if ink.style & style:
                yield parameter
        if self._abilities.has_colours:
            if ink.colour:
                yield self._colour(38, ink.colour)
            if ink.ground:
                yield self._colour(48, ink.ground)
        if ink.style & Style.REVERSED:
            yield "7"

    def _colour(self, what: int, colour: str) -> str:
        if self._abilities.depth is Depth.TRUE:
            return "{};2;{};{};{}".format(what, *rgb(colour))
        return f"{what};5;{nearest_of_256(colour)}"


def _changes(before: list[Cell] | None, row: list[Cell]) -> Iterator[tuple[int, int]]:
    """From where to where a row has changed; what lies close together in one."""
    if before is None:
        yield 0, len(row)
        return
    first = last = -1
    for x, (old, new) in enumerate(zip(before, row, strict=True)):
        if old != new:
            if first >= 0 and x - last > GAP:
                yield first, last
                first = -1
            if first < 0:
                first = x - 1 if new[0] == "" else x
            last = x + 1
    if first >= 0:
        yield first, last
