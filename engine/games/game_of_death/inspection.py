"""The report on an army before it is played: figures, a map, and mistakes, also in its code."""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_uppercase

import msgspec

from engine.game import Area, DesignInspection, Drawing
from engine.games.game_of_death.designs import Zone, cells_at, find_flaws, find_mistakes
from engine.games.game_of_death.geometry import (
    SIDES,
    Cell,
    Geometry,
    compute_attack,
    compute_defense,
    make_geometry,
    trim_drawing,
)
from engine.games.game_of_death.orders import Design, TypeDesign
from engine.games.game_of_death.player import TURNS
from engine.games.game_of_death.settings import Settings
from engine.support.interpreter_state import parse_module
from engine.support.wording import did_you_mean, times_in_words

MAX_COLUMNS, MAX_ROWS = 100, 100
"""The largest map as text."""
MARGIN = 2
"""Rows of the map above and below what stands on it."""
HOME, ZONE_END, WRONG, NOTHING = "@", "|", "!", "."
LETTERS = ascii_uppercase
Marks = dict[Cell, str]
"""The sign of each cell: a type's letter, or one of those above."""
WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("move", "attack", "strength", "step_of", "is_free", "hits"), SIDES),
    **dict.fromkeys(("turn", "cells_after"), TURNS),
    "seen": ("f", "h", "x"),
}
"""The words that the first argument of a shape's own methods may be."""


def inspect_design(answer: object, settings: Settings, home_v: int, teams: int) -> DesignInspection:
    """Return the report on a design as its author's code answered it, right or wrong."""
    try:
        design = msgspec.convert(answer, Design)
    except msgspec.ValidationError as error:
        return DesignInspection(mistakes=(f"not a design of an army: {error!s:.200}",))
    army = _Army(design, settings, Zone(settings, home_v, teams))
    parts = ["\n\n".join(army.types()), army.summary(), army.draw_map()]
    return DesignInspection(
        text="\n\n".join(part for part in parts if part),
        mistakes=(*find_mistakes(design, settings, home_v, teams), *_code_mistakes(design)),
        areas=tuple(army.areas()),
        drawings=tuple(army.type_pictures()),
    )


class _Army:
    """A design, and where its shapes would lie."""

    def __init__(self, design: Design, settings: Settings, zone: Zone) -> None:
        self._types = design.types
        self._settings = settings
        self._zone = zone
        self._geometries = [
            None if find_flaws(drawn, settings) else make_geometry(trim_drawing(drawn.mask))
            for drawn in design.types
        ]
        self._placements = [
            placement
            for placement in design.placements
            if 0 <= placement.type < len(self._geometries)
            and self._geometries[placement.type] is not None
        ]
        """The placements whose type is drawn without a mistake."""
        self._counts = Counter(placement.type for placement in design.placements)
        self._marks = self._make_marks()

    def types(self) -> Iterator[str]:
        """Yield each type with its drawing and its figures."""
        for number, (drawn, geometry) in enumerate(zip(self._types, self._geometries, strict=True)):
            count = self._counts[number]
            if geometry is None:
                rows = (f"   {row:.100}" for row in drawn.mask[:100])
                yield "\n".join([f"{drawn.name:.60}, placed {count} times", *rows])
            else:
                title = f"{_type_letter(number)}  {drawn.name}, placed {times_in_words(count)}"
                figures = _shape_figures(geometry, self._settings)
                yield "\n".join([title, *_put_side_by_side(geometry.mask, figures)])

    def type_pictures(self) -> Iterator[Drawing]:
        """Yield each type that is drawn without a mistake, with the figures of its sides."""
        for number, (drawn, geometry) in enumerate(zip(self._types, self._geometries, strict=True)):
            if geometry is not None:
                _, *by_side = _side_figures(geometry, self._settings)
                first, *_ = _shape_figures(geometry, self._settings)
                yield Drawing(
                    name=drawn.name,
                    rows=geometry.mask,
                    sides=tuple(
                        (f"attack {attack}", f"defense {defense}")
                        for attack, defense in zip(*by_side, strict=True)
                    ),
                    words=(f"placed {times_in_words(self._counts[number])}", first),
                )

    def summary(self) -> str:
        """Return the size of the army."""
        sizes = [geometry.size if geometry else 0 for geometry in self._geometries]
        cells = sum(sizes[placement.type] for placement in self._placements)
        shapes = sum(self._counts.values())
        return (
            f"the army: {_format_count(len(self._types), 'type')}, "
            f"{_format_count(shapes, 'shape')}, "
            f"{cells} of {_format_count(self._settings.max_cells, 'cell')}"
        )

    def draw_map(self) -> str:
        """Return the zone with all that is placed; scaled down, if it is large."""
        columns, rows = self._shown_columns(), self._shown_rows()
        scale = max(1, -(-len(columns) // MAX_COLUMNS), -(-len(rows) // MAX_ROWS))
        lines = [
            f"{v:4} " + "".join(self._sign(u, v, scale) for u in columns[::scale])
            for v in rows[::scale]
        ]
        cells = "1 cell" if scale == 1 else f"{scale} by {scale} cells"
        legend = (
            f"rows {rows[0]} to {rows[-1]} of {self._settings.height}; a letter is {cells}\n"
            f"{HOME} the home   {ZONE_END} beyond the zone   {WRONG} a mistake"
        )
        return "\n".join([*lines, legend])

    def areas(self) -> Iterator[Area]:
        """Yield the map as rectangles, for a picture."""
        settings = self._settings
        columns = self._shown_columns()
        yield Area("beyond the zone", 0, 0, len(columns), settings.height)
        rows = self._zone.rows
        yield Area("the zone", 0, rows.start, settings.zone_width, len(rows))
        names = {_type_letter(number): drawn.name for number, drawn in enumerate(self._types)}
        for (u, v), sign in sorted(self._marks.items(), key=lambda mark: _order(mark[1])):
            name = {HOME: "the home", WRONG: "a mistake"}.get(sign) or names[sign]
            yield Area(name, u, v, 1, 1, is_wrong=sign == WRONG)

    def _make_marks(self) -> Marks:
        marks: Marks = dict.fromkeys(self._zone.home, HOME)
        for placement in self._placements:
            for cell in cells_at(self._types[placement.type], placement):
                if self._zone.is_on_grid(cell):
                    is_wrong = cell in marks or cell not in self._zone
                    marks[cell] = WRONG if is_wrong else _type_letter(placement.type)
        return marks

    def _shown_columns(self) -> range:
        """Return the columns of the zone and one more, further if something was placed there."""
        return range(max(self._settings.zone_width, *(u for u, _ in self._marks)) + 1)

    def _shown_rows(self) -> range:
        rows = [v for _, v in self._marks]
        if self._zone.teams > 2:  # where the corners begin is worth seeing
            rows += [self._zone.rows.start, self._zone.rows.stop - 1]
        return range(max(0, min(rows) - MARGIN), min(self._settings.height, max(rows) + MARGIN + 1))

    def _sign(self, u: int, v: int, scale: int) -> str:
        """Return the most important sign in a square of cells."""
        square = [(u + du, v + dv) for dv in range(scale) for du in range(scale)]
        signs = [self._marks[cell] for cell in square if cell in self._marks]
        if signs:
            return max(signs, key=_order)
        return NOTHING if (u, v) in self._zone else ZONE_END


def _order(sign: str) -> tuple[bool, bool, str]:
    """Return how important a sign is: mistakes first, then shapes, then homes."""
    return sign == WRONG, sign != HOME, sign


class SideFigures(msgspec.Struct, frozen=True):
    """A side of a shape that was not hit yet."""

    side: str
    thickness: str
    attack: int
    defense: int


class ShapeFigures(msgspec.Struct, frozen=True, kw_only=True):
    """The figures of a shape that was not hit yet (rules 4)."""

    size: int
    speed: int
    """Turns per move."""
    hp: int
    range: int
    sides: tuple[SideFigures, ...]
    """Forward, right, backward, left."""


def compute_figures(rows: Sequence[str], settings: Settings) -> ShapeFigures | None:
    """Return the figures of a drawing; None if it is no legal shape."""
    if find_flaws(TypeDesign("shape", tuple(rows)), settings):
        return None
    geometry = make_geometry(trim_drawing(rows))
    return ShapeFigures(
        size=geometry.size,
        speed=geometry.speed,
        hp=settings.hp_factor * geometry.size,
        range=settings.range_factor * geometry.size,
        sides=tuple(map(SideFigures, SIDES, *_side_figures(geometry, settings))),
    )


def _shape_figures(geometry: Geometry, settings: Settings) -> list[str]:
    """Return the figures of a shape that was not hit yet (rules 4)."""
    hp = settings.hp_factor * geometry.size
    moves = "a cell a turn" if geometry.speed == 1 else f"a cell in {geometry.speed} turns"
    thicknesses, attacks, defenses = _side_figures(geometry, settings)
    reach = settings.range_factor * geometry.size
    return [
        f"size {geometry.size}   speed {geometry.speed} ({moves})   hp {hp}   range {reach}",
        f"thickness  {_join_by_side(thicknesses)}",
        f"attack     {_join_by_side(attacks)}",
        f"defense    {_join_by_side(defenses)}",
    ]


def _side_figures(geometry: Geometry, settings: Settings) -> tuple[list[str], list[int], list[int]]:
    """Return thickness, attack and defense of each side of a shape that was not hit yet."""
    hp = settings.hp_factor * geometry.size
    return (
        [f"{side.thickness}/{side.lines}" for side in geometry.sides],
        [compute_attack(side, hp, hp) for side in geometry.sides],
        [compute_defense(side, hp, hp) for side in geometry.sides],
    )


def _code_mistakes(design: Design) -> Iterator[str]:
    """Yield each mistake that can be seen in the code of a type."""
    for drawn in design.types:
        yield from dict.fromkeys(mistakes_in_code(drawn.name, drawn.code))


def _join_by_side(figures: Sequence[object]) -> str:
    return "   ".join(f"{name} {figure}" for name, figure in zip(SIDES, figures, strict=True))


def _put_side_by_side(mask: Sequence[str], figures: Sequence[str]) -> list[str]:
    """Return a drawing on the left, with its figures on the right."""
    width, height = len(mask[0]), max(len(mask), len(figures))
    left = [*mask, *[""] * (height - len(mask))]
    right = [*figures, *[""] * (height - len(figures))]
    return [f"   {row:{width}}   {text}".rstrip() for row, text in zip(left, right, strict=True)]


def _type_letter(number: int) -> str:
    """Return the letter of a type; with more than 26 types some share one."""
    return LETTERS[number % len(LETTERS)]


def _format_count(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def mistakes_in_code(name: str, code: str) -> Iterator[str]:
    """Yield the calls with a word that is none, each with its line, the class's own being 1.

    `code` is the source text of a class, with its bases. What it defines itself may mean anything.
    """
    try:
        tree = parse_module(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr=method),
                args=[ast.Constant(value=str(word)), *_],
            ) if method in WORDS and method not in own and word not in WORDS[method]:
                known = WORDS[method]
                yield (
                    f"class {name}, its line {node.lineno}: {method} {word!r:.40}: expected one "
                    f"of {', '.join(known)}{did_you_mean(word, known)}"
                )
