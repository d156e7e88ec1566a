"""A grid of letters in colors, and the escape sequences that turn one grid into the next."""

from collections.abc import Iterator
from enum import IntFlag
from typing import NamedTuple
from unicodedata import combining, east_asian_width

from engine.support.wording import THOUSANDS
from visualizer.backends.terminal.colors import Abilities, Depth, nearest_of_256
from visualizer.theme import rgb

BEGIN, END = "\x1b[?2026h", "\x1b[?2026l"
"""Synchronized output (mode 2026): terminals that know it show all in between at once."""
GAP = 6
"""Up to so many unchanged letters are sent again: a cursor movement takes as many bytes."""
ELLIPSIS = "…"
UPPER_HALF = "▀"


class Style(IntFlag):
    PLAIN = 0
    BOLD = 1
    UNDERLINED = 4
    REVERSED = 8


class CellStyle(NamedTuple):
    """The style of a letter; a color is `#rrggbb`, '' for the terminal's own."""

    color: str = ""
    ground: str = ""
    style: Style = Style.PLAIN


Cell = tuple[str, CellStyle]
"""A letter and its style; '' for the second column of a wide letter."""


class Canvas:
    """A picture of letters. What is drawn beyond its edges is cut off."""

    def __init__(self, width: int, height: int, ground: str = "") -> None:
        self.width = width
        self.height = height
        self.rows: list[list[Cell]] = [
            [(" ", CellStyle("", ground))] * width for _ in range(height)
        ]

    def fill(self, x: int, y: int, width: int, height: int, ground: str) -> None:
        """Fill a rectangle with a ground color."""
        left, right = max(0, x), min(self.width, x + width)
        if right > left:
            for row in self.rows[max(0, y) : max(0, y + height)]:
                row[left:right] = [(" ", CellStyle("", ground))] * (right - left)

    def draw_half_line(self, x: int, y: int, width: int, color: str) -> None:
        """Draw a line half a letter high, `y` in halves. The other halves stay as they are."""
        above = y % 2 == 0
        if not 0 <= y // 2 < self.height:
            return
        row = self.rows[y // 2]
        for index in range(max(0, x), min(self.width, x + width)):
            letter, cell_style = row[index]
            upper = cell_style.color if letter == UPPER_HALF else cell_style.ground
            # A letter has two colors: that of the upper half block, and the ground below it.
            halves = (color, cell_style.ground) if above else (upper, color)
            if halves[0] == halves[1]:
                row[index] = " ", CellStyle("", color)
            else:
                row[index] = UPPER_HALF, CellStyle(*halves)

    def write(
        self,
        x: int,
        y: int,
        text: str,
        color: str = "",
        style: Style = Style.PLAIN,
        *,
        ground: str | None = None,
        width: int | None = None,
    ) -> int:
        """Write a text, cut to a width, on the present ground or a new one. Return its end."""
        if not 0 <= y < self.height:
            return x
        row, room = self.rows[y], self.width - x if width is None else min(width, self.width - x)
        letters = _cut(text, room)
        self._mend(row, x)
        self._mend(row, x + len(letters))
        for letter in letters:
            if x >= 0:
                old = row[x - 1 if letter == "" else x][1]
                row[x] = letter, CellStyle(color, old.ground if ground is None else ground, style)
            x += 1
        return x

    @staticmethod
    def _mend(row: list[Cell], x: int) -> None:
        """Blank the other half of a wide letter before one half is written over."""
        if 0 < x < len(row) and row[x][0] == "":
            row[x - 1], row[x] = (" ", row[x - 1][1]), (" ", row[x][1])

    def tint(self, x: int, y: int, width: int, height: int, cell_style: CellStyle) -> None:
        """Give the letters of a place another color."""
        left, right = max(0, x), min(self.width, x + width)
        for row in self.rows[max(0, y) : max(0, y + height)]:
            row[left:right] = [
                (" " if letter == UPPER_HALF else letter, cell_style)
                for letter, _ in row[left:right]
            ]

    def paste(self, x: int, y: int, other: "Canvas") -> None:
        """Paste another canvas, which must fit."""
        for row, pasted in zip(self.rows[y : y + other.height], other.rows, strict=True):
            row[x : x + other.width] = pasted

    def copy(self) -> "Canvas":
        copy = Canvas(0, 0)
        copy.width, copy.height = self.width, self.height
        copy.rows = [row.copy() for row in self.rows]
        return copy

    def text(self) -> str:
        """Return the letters without styles."""
        lines = ("".join(letter for letter, _ in row).rstrip() for row in self.rows)
        return "\n".join(lines)


def _cut(text: str, room: int) -> list[str]:
    """Return a letter per column, '' behind a wide one; with an ellipsis if it is too long."""
    columns = list(_printable_columns(text))
    if len(columns) <= room:
        return columns
    if room <= 0:
        return []
    fitting = columns[: room - 1]
    if columns[len(fitting)] == "":
        fitting[-1] = " "  # no half of a wide letter
    return [*fitting, ELLIPSIS]


def count_columns(text: str) -> int:
    """Return the width of a text in columns."""
    return sum(1 for _ in _printable_columns(text))


def _printable_columns(text: str) -> Iterator[str]:
    """Yield letters of untrusted text: no control character, no combining character."""
    # Most text is plain, and needs no look-up of each letter in unicodedata.
    if text.isascii() and text.isprintable():
        yield from text
        return
    for letter in text.replace(THOUSANDS, " "):
        if not letter.isprintable() or combining(letter):
            # Combining characters have no column of their own and would shift the rest of the row.
            yield "·"
        elif east_asian_width(letter) in "WF":
            yield letter
            yield ""
        else:
            yield letter


class Painter:
    """Encodes pictures for a terminal: only what differs from the picture shown."""

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._codes: dict[CellStyle, str] = {}
        self._last: Canvas | None = None

    def forget(self) -> None:
        """Forget what the terminal shows, so that the next picture is sent whole."""
        self._last = None

    def words_for(self, canvas: Canvas) -> str:
        """Return the escape sequences that turn what is shown into this; '' if it is the same."""
        shown, codes = self._last, []
        if shown is None or (shown.width, shown.height) != (canvas.width, canvas.height):
            shown = None
            # Another size: terminals reflow or cut what is there, so all is sent anew.
            codes.append("\x1b[0m\x1b[2J")
        for y, row in enumerate(canvas.rows):
            before = None if shown is None else shown.rows[y]
            if row != before:
                for first, last in _changed_stretches(before, row):
                    codes.append(f"\x1b[{y + 1};{first + 1}H{self._encode_cells(row[first:last])}")
        self._last = canvas
        return f"{BEGIN}{''.join(codes)}{END}" if codes else ""

    def _encode_cells(self, cells: list[Cell]) -> str:
        codes, cell_style = [], None
        for letter, its_cell_style in cells:
            if its_cell_style is not cell_style and its_cell_style != cell_style:
                cell_style = its_cell_style
                codes.append(self._code(cell_style))
            codes.append(letter)
        return self._abilities.letters("".join(codes))

    def _code(self, cell_style: CellStyle) -> str:
        code = self._codes.get(cell_style)
        if code is None:
            code = self._codes[cell_style] = f"\x1b[{';'.join(self._parameters(cell_style))}m"
        return code

    def _parameters(self, cell_style: CellStyle) -> Iterator[str]:
        # Each code starts from a reset: there is no state to track between runs.
        yield "0"
        for style, parameter in ((Style.BOLD, "1"), (Style.UNDERLINED, "4")):
            if cell_style.style & style:
                yield parameter
        if self._abilities.has_colors:
            if cell_style.color:
                yield self._color(38, cell_style.color)
            if cell_style.ground:
                yield self._color(48, cell_style.ground)
        if cell_style.style & Style.REVERSED:
            yield "7"

    def _color(self, what: int, color: str) -> str:
        if self._abilities.depth is Depth.TRUE:
            return "{};2;{};{};{}".format(what, *rgb(color))
        return f"{what};5;{nearest_of_256(color)}"


def _changed_stretches(before: list[Cell] | None, row: list[Cell]) -> Iterator[tuple[int, int]]:
    """Yield the changed stretches of a row, close ones joined."""
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
