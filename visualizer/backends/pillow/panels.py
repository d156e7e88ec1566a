"""The panel of a team: its name, its score and its facts."""

from typing import NamedTuple

from PIL import Image, ImageDraw

from engine.record import Contestant
from visualizer.backends.pillow.layout import Box
from visualizer.backends.pillow.lettering import Weight, fitted, font, plain, width_of, write
from visualizer.backends.pillow.shapes import paint_rounded
from visualizer.scene import Fact, Panel
from visualizer.theme import BACKGROUND, PANEL, QUIET, RIM, TEXT, WINNER

LOWEST_WITH_MAKER = 4.1
"""A lower panel has no line for title and author, units."""
LOW = 5.5
"""A lower panel has no histogram and one line of facts, units."""
NARROWEST = 6.5
"""The least width of facts side by side, units."""
FEWEST_FULL = 6
"""The full height of a histogram stands for at least so many pieces."""


class PanelState(NamedTuple):
    """The content of a panel at a moment."""

    score: float
    panel: Panel
    is_winner: bool = False


class PanelPainter:
    """Paints the panel of one team; what never changes is painted once."""

    def __init__(self, box: Box, unit: int, team: int, bot: Contestant, color: str) -> None:
        self.box = box
        self._unit = unit
        self._color = color
        self._is_low = box.height < LOW * unit
        self._pad = round(0.7 * unit)
        self._score_font = font(1.9 * unit, Weight.STRONG)
        self._small = font(0.78 * unit)
        self._small_strong = font(0.78 * unit, Weight.STRONG)
        self._tiny = font(0.62 * unit)
        self._blank = self._draw_blank(team, bot)
        self._shown: PanelState | None = None

    def paint(self, image: Image.Image, standing: PanelState) -> None:
        """Paint it into its box, unless nothing has changed."""
        if standing == self._shown:
            return
        self._shown = standing
        panel = self._blank.copy()
        self._write_score(panel, standing)
        facts = [(name, value) for name, value in standing.panel if not isinstance(value, tuple)]
        columns = [(name, value) for name, value in standing.panel if isinstance(value, tuple)]
        if self._is_low:
            self._write_in_a_line(panel, facts)
        else:
            left = self._pad + self._stripe
            middle = round(panel.width * (0.6 if columns else 0.0))
            for _, counts in columns[:1]:
                self._draw_columns(panel, Box(left, self._lower, middle - left, 0), counts)
            self._write_facts(panel, max(left, middle + self._unit), facts)
        image.paste(panel, self.box.corner)

    @property
    def _stripe(self) -> int:
        return max(3, round(0.32 * self._unit))

    @property
    def _lower(self) -> int:
        """Return where histogram and facts begin."""
        return round(3.0 * self._unit)

    def _draw_blank(self, team: int, bot: Contestant) -> Image.Image:
        unit, pad, (width, height) = self._unit, self._pad, self.box.size
        panel = Image.new("RGB", (width, height), BACKGROUND)
        whole = Box(0, 0, width, height)
        paint_rounded(panel, whole, 0.5 * unit, self._color)
        within = Box(self._stripe, 0, width - self._stripe, height)
        paint_rounded(panel, within, 0.5 * unit, PANEL)
        badge = Box(self._stripe + pad, round(0.62 * unit), round(1.8 * unit), round(1.8 * unit))
        paint_rounded(panel, badge, 0.4 * unit, self._color)
        middle = badge.left + badge.width / 2, badge.top + badge.height / 2
        write(panel, middle, str(team), "#ffffff", font(1.15 * unit, Weight.STRONG), "mm")
        left = badge.right + round(0.6 * unit)
        room = width - left - pad - width_of("8 888.8", self._score_font) - 0.5 * unit
        has_room = height >= LOWEST_WITH_MAKER * unit
        maker = " · ".join(word for word in (bot.title, bot.author) if word and has_room)
        letters = font(1.1 * unit, Weight.STRONG)
        name = fitted(bot.name, letters, room)
        write(panel, (left, round((1.1 if maker else 1.52) * unit)), name, TEXT, letters, "lm")
        maker = fitted(maker, self._small, room)
        write(panel, (left, round(2.28 * unit)), maker, QUIET, self._small, "lm")
        return panel

    def _write_score(self, panel: Image.Image, standing: PanelState) -> None:
        right, line = panel.width - self._pad, round(1.52 * self._unit)
        text = f"{standing.score:,.1f}".replace(",", " ")
        color = WINNER if standing.is_winner else TEXT
        write(panel, (right, line), text, color, self._score_font, "rm")

    def _write_in_a_line(self, panel: Image.Image, facts: list[tuple[str, Fact]]) -> None:
        """Write as many facts in a line as there is room for."""
        left, width = self._stripe + self._pad, self.box.width - 2 * self._pad - self._stripe
        place = left, self.box.height - round(0.95 * self._unit)
        parts = [f"{plain(name)} {_value(value)}" for name, value in facts]
        lines = ("   ".join(parts[:count]) for count in range(len(parts), 1, -1))
        fitting = (line for line in lines if width_of(line, self._small) <= width)
        line = next(fitting, parts[0] if parts else "")
        write(panel, place, fitted(line, self._small, width), QUIET, self._small, "lm")

    def _write_facts(self, panel: Image.Image, left: int, facts: list[tuple[str, Fact]]) -> None:
        """Write a line for each fact, in columns if there are too many."""
        right, bottom = self.box.width - self._pad, self.box.height - round(0.42 * self._unit)
        room, gap = bottom - self._lower, round(self._unit)
        rows = max(1, int(room / self._small.size))
        most = max(1, int((right - left + gap) / (NARROWEST * self._unit + gap)))
        columns = min(most, -(-len(facts) // rows))
        rows = min(rows, -(-len(facts) // columns))
        step = max(self._small.size, min(1.12 * self._unit, room / rows))
        first = bottom - (rows - 0.5) * step
        wide = (right - left - (columns - 1) * gap) // columns
        for number, fact in enumerate(facts[: rows * columns]):
            column, row = divmod(number, rows)
            line = left + column * (wide + gap), round(first + row * step)
            self._write_fact(panel, line, wide, fact)

    def _write_fact(
        self, panel: Image.Image, place: tuple[int, int], wide: int, fact: tuple[str, Fact]
    ) -> None:
        """Write the name of a fact, and its value at the right end."""
        (left, line), (name, value) = place, fact
        shown = fitted(_value(value), self._small_strong, wide)
        room = wide - width_of(shown, self._small_strong) - 4
        write(panel, (left + wide, line), shown, TEXT, self._small_strong, "rm")
        write(panel, place, fitted(name, self._small, room), QUIET, self._small, "lm")

    def _draw_columns(self, panel: Image.Image, box: Box, counts: tuple[int, ...]) -> None:
        """Draw a histogram, numbered from 1."""
        draw = ImageDraw.Draw(panel)
        bottom = self.box.height - round(0.4 * self._unit) - self._tiny.size
        top = box.top + self._tiny.size
        each = box.width / max(1, len(counts))
        most = max(FEWEST_FULL, *counts)
        wide = max(1, round(each * 0.72))
        is_numbered = 1.2 * width_of("88", self._tiny) <= each
        for number, count in enumerate(counts, 1):
            left = round(box.left + (number - 1) * each)
            high = -(-count * (bottom - top) // most)
            color = self._color if count else RIM
            draw.rectangle((left, bottom - max(high, 1), left + wide - 1, bottom - 1), color)
            middle = left + wide / 2
            if is_numbered:
                place = middle, bottom + self._tiny.size * 0.62
                write(panel, place, str(number), QUIET, self._tiny, "mm")
                if count:
                    write(panel, (middle, bottom - high - 1), str(count), TEXT, self._tiny, "mb")


def _value(value: Fact) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(str(value))
