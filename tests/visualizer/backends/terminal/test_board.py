"""Boards as letters: values, no terminal."""

from collections.abc import Callable
from typing import Any

import pytest

from engine.games.smac.settings import Settings as SmacSettings
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime
from tests.visualizer import toy
from tests.visualizer.conftest import MakeTimeline
from visualizer.backends.terminal.board import BAR_BACK, DotsBoard, SquaresBoard, blob
from visualizer.backends.terminal.canvas import Canvas, Style
from visualizer.backends.terminal.letters_board import LIT, WHITE
from visualizer.backends.terminal.scale import Scale, TextRect
from visualizer.model.cursor import Cursor, Ordered, Step
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import Annotation, Block, Extent, Label, Sprite, Tile
from visualizer.scenes.slime_mind import SlimeMindScene
from visualizer.scenes.smac import SmacScene
from visualizer.theme import BAR_FULL, BAR_LOW, GROUND, MARK_COLORS, mix_colors, rgb

GREEN = "#208020"
team_color = SlimeMindScene.team_color
LIT_TEAM = mix_colors(team_color(1), WHITE, LIT)
"""The color of a piece of team 1 that acted."""


def green(picture: str) -> str:
    return GREEN


def drawn(
    drawing: str,
    scale: tuple[int, int] = (2, 1),
    step: Step | None = None,
    *,
    has_colors: bool = True,
    **pieces: Any,
) -> Canvas:
    """A board of Slime Mind drawn as text, without what stands at its edges."""
    board = a_board(drawing, **pieces)
    scene = SlimeMindScene(board.settings, 2)
    things: dict[int, Any] = {i: scene.thing(board, i) for i in scene.ids(board)}
    picture = SquaresBoard(scene, Scale(*scale), green, has_colors=has_colors).picture(things, step)
    left, top = round(0.9 * scale[0]), round(0.9 * scale[1])
    cut = Canvas(board.settings.columns * scale[0], board.settings.rows * scale[1])
    cut.rows = [row[left : left + cut.width] for row in picture.rows[top : top + cut.height]]
    return cut


def grounds(canvas: Canvas) -> list[list[str]]:
    return [[cell_style.ground for _, cell_style in row] for row in canvas.rows]


def test_pieces_are_letters_with_their_levels() -> None:
    canvas = drawn("A B p # .", A=a_slime(1, xp=5), p=a_plant(3, level=7))
    assert canvas.text() == "●2◆1♣7▲▲"


def test_teams_are_told_by_color_and_by_letter() -> None:
    canvas = drawn("A B .")
    assert grounds(canvas) == [[team_color(1)] * 2 + [team_color(2)] * 2 + [GROUND[0]] * 2]


def test_where_letter_and_level_do_not_fit_a_king_is_its_level_and_a_plant_its_letter() -> None:
    canvas = drawn("A p .", A=a_slime(1, xp=400), p=a_plant(3, level=12))
    assert canvas.text() == "10✿"
    assert drawn("A p .", (3, 1), A=a_slime(1, xp=400), p=a_plant(3, level=12)).text() == "♚10✿12"


def test_without_colors_kings_keep_their_letter_and_every_other_team_is_reversed() -> None:
    king = a_slime(1, xp=400)
    canvas = drawn("A B . .", has_colors=False, A=king)
    assert canvas.text() == "♚ ◆1· ·"
    styles = [cell_style.style for _, cell_style in canvas.rows[0]]
    assert Style.REVERSED not in styles[0]
    assert Style.REVERSED in styles[2]


def test_who_is_wounded_is_darker_where_there_is_no_room_for_a_bar() -> None:
    colors = [grounds(drawn("A .", A=a_slime(1, hp=hp)))[0][0] for hp in (11, 6, 1)]
    assert colors[0] == team_color(1)
    assert len(set(colors)) == 3


def test_a_bar_shows_what_is_left_where_there_is_room() -> None:
    canvas = drawn("A .", (4, 2), A=a_slime(1, hp=6))
    lower = canvas.rows[1][:4]
    assert [letter for letter, _ in lower] == ["▀"] * 4
    assert [cell_style.ground for _, cell_style in lower] == [BAR_FULL] * 2 + [BAR_BACK] * 2
    canvas = drawn("p .", (4, 2), p=a_plant(3, level=4, hp=5))
    lower = canvas.rows[1][:4]
    assert [letter for letter, _ in lower] == ["▂"] * 4
    assert [cell_style.color for _, cell_style in lower] == [BAR_LOW] + [BAR_BACK] * 3


def test_who_is_unhurt_has_no_bar() -> None:
    assert "▂" not in drawn("p .", (4, 2), p=a_plant(3, level=1, hp=6)).text()


def test_a_badge_stands_behind_the_level_or_is_a_line_below_it() -> None:
    ready = a_slime(1, ready=True)
    assert drawn("A .", (4, 2), A=ready).text().split()[0] == "●1M"
    cell = drawn("A .", A=ready).rows[0][0]
    assert Style.UNDERLINED in cell[1].style


@for_each("scale", [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (8, 4)])
@for_each("level", [1, 5, 12])
def test_a_blob_stays_in_its_square(scale: tuple[int, int], level: int) -> None:
    place = TextRect(10, 20, *scale)
    lines = list(blob(place, 0.55 + level * 0.035))
    assert lines
    for x, y, width in lines:
        assert 10 <= x < x + width <= 10 + scale[0]
        assert 40 <= y < 40 + 2 * scale[1]


def test_blobs_grow_with_their_level() -> None:
    def area(size: float) -> int:
        return sum(width for _, _, width in blob(TextRect(0, 0, 6, 3), size))

    assert area(0.55) < area(0.98)


def test_coordinates_that_would_touch_are_left_out() -> None:
    board = a_board(" ".join(["A", *["."] * 10, "B"]))
    scene = SlimeMindScene(board.settings, 2)
    rows = SquaresBoard(scene, Scale(2, 1), green, has_colors=True).picture({})
    assert rows.text().splitlines()[0] == "  0 1 2 3 4 5 6 7 8 9 10"


def test_a_label_that_is_the_level_of_what_it_is_on_is_left_out(
    smac_timeline: ReplayTimeline,
) -> None:
    cursor = Cursor(smac_timeline)
    cursor.jump(smac_timeline.steps)
    board = SquaresBoard(smac_timeline.scene, Scale(4, 2), green, has_colors=True)
    numerals = [thing for thing in cursor.things.values() if thing.kind == "numeral"]
    stacks = [thing for thing in cursor.things.values() if thing.kind == "stack"]
    assert len(stacks) > 50
    with_all = board.picture(cursor.things)
    without = {i: thing for i, thing in cursor.things.items() if not is_height(thing, stacks)}
    assert len(without) == len(cursor.things) - len(stacks) > len(cursor.things) - len(numerals)
    assert board.picture(without).rows == with_all.rows


def is_height(thing: Any, stacks: list[Any]) -> bool:
    places = [(stack.x, stack.y) for stack in stacks]
    return isinstance(thing, Label) and (thing.x, thing.y) in places


def test_a_step_that_stands_still_marks_who_acts_and_on_whom() -> None:
    step = Step(ordered=[Ordered(1, 1, "BITERIGHT")], annotations=[Annotation("bit", 1, 2)])
    canvas = drawn("A B .", step=step)
    assert grounds(canvas)[0][:4] == [LIT_TEAM] * 2 + [MARK_COLORS["strike"]] * 2
    assert canvas.text() == "●1◆1"


def test_who_died_in_a_step_is_crossed_out() -> None:
    gone = Sprite("slime", 2.5, 0.5, 0.55, "slime_2:1", (3, 11), "", (2, 1, 1, 3, False))
    step = Step(
        annotations=[Annotation("killed", 1, 9), Annotation("died", 9, 1)], before={9: gone}
    )
    assert drawn("A . .", step=step).text() == "●1  ✕"


def blocks(
    *things: Block, scale: tuple[float, float] = (2, 1), has_colors: bool = True, step: Any = None
) -> Canvas:
    """Return the blocks on a board of 6 x 3 squares without anything else."""
    scene = toy.RaceScene(toy.RaceSettings(columns=5), 2)
    board = SquaresBoard if scale[0] >= 2 else DotsBoard
    drawing = board(scene, Scale(*scale), green, has_colors=has_colors)
    return drawing.picture(dict(enumerate(things, 1)), step)


def a_block(x: float, y: float, cells: str, front: str = "", team: int = 1) -> Block:
    rows = cells.split("/")
    width, height = len(rows[0]), len(rows)
    fill = team_color(team)
    return Block("trophy", x, y, width, height, cells, fill, GREEN, front, facts=(team,))


def test_a_block_is_its_squares_with_an_arrow_where_it_looks() -> None:
    canvas = blocks(a_block(1, 0, "##/#.", "S"))
    filled = [
        (x, y) for y, row in enumerate(grounds(canvas)) for x, ground in enumerate(row)
        if ground == team_color(1)
    ]  # fmt: skip
    assert filled == [(2, 1), (3, 1), (4, 1), (5, 1), (2, 2), (3, 2)]
    assert [row.index("↓") for row in canvas.text().split("\n") if "↓" in row] == [4]


def test_without_colors_every_other_team_of_blocks_is_reversed() -> None:
    canvas = blocks(a_block(0, 0, "##"), a_block(3, 0, "##", team=2), has_colors=False)
    styles = [cell_style.style for _, cell_style in canvas.rows[1]]
    assert Style.REVERSED not in styles[0]
    assert Style.REVERSED in styles[6]
    assert canvas.rows[1][0][0] == canvas.rows[1][6][0] == "t"
    dots = blocks(
        a_block(0, 0, "##"), a_block(3, 0, "##", team=2), scale=(1, 0.5), has_colors=False
    )
    cells = [cell for row in dots.rows for cell in row if cell[0] == "t"]
    assert [Style.REVERSED in cell_style.style for _, cell_style in cells] == [
        False,
        False,
        True,
        True,
    ]


def test_a_block_is_all_its_dots_and_its_hole_is_none() -> None:
    canvas = blocks(a_block(0, -1, "###/#.#/###"), scale=(1, 0.5))
    colors = [cell_style.color for cell_style in (cell[1] for cell in canvas.rows[0][:3])]
    below = [cell_style.ground for cell_style in (cell[1] for cell in canvas.rows[0][:3])]
    assert colors == [team_color(1)] * 3
    assert [ground == team_color(1) for ground in below] == [True, False, True]


def test_where_all_are_asked_at_once_nobody_is_marked() -> None:
    asked = [Ordered(1, 1, "go"), Ordered(1, 2, "go")]
    canvas = blocks(a_block(0, 0, "#"), a_block(3, 0, "#"), step=Step(ordered=asked))
    assert LIT_TEAM not in {ground for row in grounds(canvas) for ground in row}
    alone = blocks(a_block(0, 0, "#"), step=Step(ordered=asked[:1]))
    assert LIT_TEAM in {ground for row in grounds(alone) for ground in row}


def test_a_sprite_larger_than_a_square_hides_little(race_timeline: MakeTimeline) -> None:
    scene = toy.RaceScene(toy.RaceSettings(columns=5), 2)
    large = Sprite("runner", 3, 1, 6, "runner_1", facts=(1, 1))
    canvas = SquaresBoard(scene, Scale(2, 1), green, has_colors=True).picture({1: large})
    colors = [
        cell_style.ground == scene.team_color(1) for row in canvas.rows for _, cell_style in row
    ]
    assert 0 < sum(colors) <= 8


def test_things_of_a_toy_game_are_drawn_without_knowing_it(race_timeline: MakeTimeline) -> None:
    timeline = race_timeline()
    cursor = Cursor(timeline)
    cursor.seek(3)
    board = SquaresBoard(timeline.scene, Scale(4, 2), green, has_colors=True)
    lines = board.picture(cursor.things).text().splitlines()
    assert "the race" in lines[0] + lines[1]
    assert any("R2" in line for line in lines)  # a letter of its own
    assert any("r2" in line for line in lines)  # the first of what it is called
    assert [line for line in lines if line.rstrip().endswith("1")]  # flags taken
    flags = [
        cell_style.ground
        for row in board.picture(cursor.things).rows
        for letter, cell_style in row
        if cell_style.ground == toy.RaceScene.team_color(3)
    ]
    assert flags


class _Field(toy.RaceScene):
    """Very large, of tiles and sprites."""

    @property
    def extent(self) -> Extent:
        return Extent(0, 0, 200, 300)

    def backdrop(self) -> list[Any]:
        return [Tile("lane", 0, 0, 200, 300, "#101010")]


MakeDots = Callable[..., Canvas]


@pytest.fixture
def dots() -> MakeDots:
    scene = _Field(toy.RaceSettings(), 2)

    def draw(has_colors: bool, level: int = 3) -> Canvas:
        things: dict[int, Any] = {
            1: Tile("flag", 0, 0, 20, 20, toy.RaceScene.team_color(1), facts=(1,)),
            2: Sprite("runner", 199.5, 299.5, 0.9, "runner_2:1", None, "", (2, level)),
        }
        return DotsBoard(scene, Scale(0.1, 0.05), green, has_colors=has_colors).picture(things)

    return draw


def test_a_huge_board_is_drawn_in_dots_two_to_a_letter(dots: MakeDots) -> None:
    canvas = dots(True)
    assert (canvas.width, canvas.height) == (20, 15)
    first = toy.RaceScene.team_color(1)
    assert canvas.rows[0][0][1].color == canvas.rows[0][1][1].ground == first
    assert canvas.rows[14][19][1].ground == toy.RaceScene.team_color(2)  # smaller than a dot
    assert canvas.rows[5][5][1].ground == "#101010"


def test_dots_are_the_darker_the_higher_the_level_they_stand_for(dots: MakeDots) -> None:
    shades = [sum(rgb(dots(True, level).rows[14][19][1].ground)) for level in (1, 2, 3, 4, 6)]
    assert shades == sorted(set(shades), reverse=True)


def test_without_colors_dots_are_letters(dots: MakeDots) -> None:
    lines = dots(False).text().splitlines()
    assert lines[14] == "·" * 19 + "r"


def of_smac(*things: Any, has_colors: bool = True) -> Canvas:
    """Return a dish of SMAC in a terminal, three columns a cell; `things` in the order of ids."""
    scene = SmacScene(SmacSettings(side=12), 2)
    board = SquaresBoard(scene, Scale(3, 1), green, has_colors=has_colors)
    return board.picture(dict(enumerate(things)))


def test_the_signs_of_a_cell_stand_on_both_sides_of_its_stack() -> None:
    plate = Sprite("terrain", 3.5, 5.5, 0.86, "sugar_hill")
    stack = Sprite("stack", 3.69, 5.69, 0.55, "stack_2", facts=("stack of team 2", 2, 7))
    below = of_smac(plate).text().splitlines()[6]
    assert below.split() == ["5", "▲◆"]
    canvas = of_smac(plate, stack)
    below = canvas.text().splitlines()[6]
    assert below.split() == ["5", "▲7◆"]
    colors = {cell_style.ground for cell_style in (row[1] for row in canvas.rows[6][12:15])}
    assert colors == {SmacScene.team_color(2)}
    below = of_smac(stack, has_colors=False).text().splitlines()[6]
    assert below.split() == ["5", "B7"]


def test_a_thin_tile_is_a_line_and_covers_no_square() -> None:
    scene = toy.RaceScene(toy.RaceSettings(columns=5), 2)
    board = SquaresBoard(scene, Scale(3, 1), green, has_colors=True)
    bare = board.picture({})
    line = Tile("turn", 0, 0.86, 5, 0.14, GREEN)
    lined = board.picture({1: line})
    assert grounds(lined) == grounds(bare)
    (row,) = [row for row in lined.rows if any(letter == "▁" for letter, _ in row)]
    assert [cell_style.color for letter, cell_style in row if letter == "▁"] == [GREEN] * 15
