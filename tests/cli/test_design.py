"""`main.py design`, as the author of an army uses it."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.shell import Done, Shell

ARMY = """
from engine.games.game_of_death.player import BasePlayer, Shape

class Wall(Shape):
    drawing = '''
        {drawing}
    '''
    def update(self):
        pass
    def die(self):
        pass

class Player(BasePlayer):
    def design(self):
        {design}
"""
RING = "###\n        #.#\n        ###"
ONE = "self.place(Wall, 20, 5)"
TWO = f"{ONE}; self.place(Wall, 25, 5)"
SMALL = ("--preset", "small")


def slow(*values: str) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


SHELL_PLAYS_HERE = True


def army(shell: Shell, design: str, *changes: tuple[str, str], drawing: str = RING) -> Path:
    """Write an army, with changes of its source: what was there, and what replaces it."""
    source = ARMY.format(design=design, drawing=drawing)
    for before, after in changes:
        source = source.replace(before, after)
    return shell.bot("playerCode/game_of_death/player_mine.py", source)


def look(shell: Shell, *arguments: str) -> Done:
    return shell.run("design", "player_mine", *SMALL, *arguments)


@pytest.mark.slow
def test_a_design_is_shown_with_its_figures_and_its_cells(shell: Shell) -> None:
    army(shell, TWO)
    done = look(shell)
    assert (done.code, done.err) == (0, "")
    for line in (
        "A  Wall, placed 2 times",
        "   ###   size 8   speed 3 (a cell in 3 turns)   hp 16   range 16",
        "   #.#   thickness  forward 7/3   right 7/3   backward 7/3   left 7/3",
        "   ###   attack     forward 3   right 3   backward 3   left 3",
        "         defense    forward 1   right 1   backward 1   left 1",
        "the army: 1 type, 2 shapes, 16 of 120 cells",
        "   5 ....................AAA..AAA..|",
        "   6 ....................A.A..A.A..|",
        "no mistakes: it can be played",
    ):
        assert line in done.out.splitlines(), done.out


def test_its_picture_shows_every_cell(shell: Shell) -> None:
    army(shell, ONE)
    picture = shell.home / str(shell.json("design", "player_mine", *SMALL)["picture"])
    image = Image.open(picture).convert("RGB")
    pixels = {image.getpixel((12 + 14 * u + 7, 12 + 14 * v + 7)) for u, v in ((20, 5), (22, 7))}
    nothing = {image.getpixel((12 + 14 * u + 7, 12 + 14 * v + 7)) for u, v in ((21, 6), (19, 5))}
    assert len(pixels) == len(nothing) == 1
    assert pixels != nothing


@pytest.mark.slow
@pytest.mark.parametrize(
    ("design", "drawing", "message"),
    [
        (
            "self.place(Wall, 1, 1); self.place(Wall, 3, 3)",
            RING,
            "placement 2 (Wall at 3, 3): the cell 3, 3 is taken by placement 1 (Wall at 1, 1)",
        ),
        (
            "self.place(Wall, 28, 1)",
            RING,
            "placement 1 (Wall at 28, 1): the cell 30, 1 is outside the zone, columns 0 to 29",
        ),
        slow("self.place(Wall, self.home.u, self.home.v)", RING, "is taken by the home"),
        slow("self.place(Wall, 1, 58)", RING, "the cell 1, 60 is not on the grid"),
        (
            "self.place(Wall, 1, 1)",
            "##.##",
            "class Wall, row 1, column 4: no edge connects this part with the one at row 1, co",
        ),
        slow(
            "self.place(Wall, 1, 1)",
            "#",
            "class Wall: the drawing has 1 cell; a shape has 2 to 120",
        ),
        slow("self.place(Wall, 1, 1)", "#o", "class Wall, row 1, column 2: 'o' is neither # nor ."),
        slow(
            "[self.place(Wall, u, v) for u in range(10, 28, 3) for v in range(0, 9, 3)]",
            RING,
            "the army has 144 cells; 120 are allowed",
        ),
        slow("pass", RING, "no shape is placed"),
        (
            "self.place(Wall, 1.5, 1)",
            RING,
            "BadDesign: placement 1 (Wall): a cell has whole numbers, not 1.5",
        ),
        ("1 / 0", RING, "no design: exception: ZeroDivisionError: division by zero (player_mine, "),
    ],
    ids=lambda word: word[:40],
)
def test_every_mistake_is_told_with_its_place(
    shell: Shell, design: str, drawing: str, message: str
) -> None:
    army(shell, design, drawing=drawing)
    done = look(shell, "--seeds", "1")
    assert (done.code, done.err) == (1, ""), done
    assert "1 mistake:\n" in done.out
    assert message in done.out.rpartition("1 mistake:\n")[2]


def test_all_mistakes_are_told_not_only_the_first(shell: Shell) -> None:
    army(shell, "[self.place(Wall, 28, v) for v in (1, 11, 21)]")
    mistakes = shell.run("--json", "design", "player_mine", *SMALL, "--seeds", "1")
    assert mistakes.code == 1
    assert mistakes.out.count("is outside the zone") == 3


def test_a_design_that_fits_only_some_boards_is_found_out(shell: Shell) -> None:
    army(shell, "self.place(Wall, 3, 30)")
    done = look(shell, "--seeds", "30")
    assert done.code == 1
    assert "with --seed " in done.out
    assert "is taken by the home" in done.out


def test_an_army_for_two_in_the_corners_of_four_is_told_where_it_may_stand(shell: Shell) -> None:
    army(shell, ONE)
    done = shell.run("design", "player_mine", "--preset", "four_small", "--seeds", "1")
    assert done.code == 1
    assert "outside the zone of a match of 4 teams, rows 30 to 59" in done.out
    assert "`self.zone_rows` has the rows of every match" in done.out


def test_the_code_of_a_design_runs_confined_and_a_hang_is_a_mistake(shell: Shell) -> None:
    shell.plays_here = False
    army(shell, "open('/etc/hostname')")
    assert "no design: forbidden operation: PermissionError" in look(shell).out
    army(shell, "[0 for _ in iter(int, 1)]")
    assert "no design: timeout: " in look(shell, "--limit", "cpu_ms=100").out


@pytest.mark.slow
def test_the_settings_are_those_of_the_command_line(shell: Shell) -> None:
    army(shell, "self.place(Wall, 60, 5)")
    assert look(shell).code == 1
    assert look(shell, "--set", "width=200", "--set", "zone_width=90").code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["design"], "Missing argument 'BOT'"),
        (["design", "nobody"], "no bot 'nobody'"),
        (["design", "player_mine", "-g", "slime_mind"], "-g slime_mind: Slime Mind has no designs"),
        (["design", "player_mine", "-m", "3"], "--matches would have no effect: design plays no"),
        (["design", "player_mine", "--set", "width=1"], "width"),
    ],
    ids=str,
)
def test_wrong_usage_is_told(shell: Shell, arguments: list[str], message: str) -> None:
    army(shell, ONE)
    done = shell.run(*arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_an_action_that_there_is_not_is_found_by_playing_some_turns(shell: Shell) -> None:
    shell.plays_here = False  # its traceback goes to a log
    army(shell, ONE, ("pass", "self.move('u' + 'p')"))
    done = look(shell, "--bot-logs")
    assert done.code == 1
    assert "no mistakes" not in done.out
    assert (
        "in turn 1 of a battle against itself and 99 times more: exception: BadAction: move 'up': "
        "expected one of forward, right, backward, left (player_mine, line 11)"
    ) in done.out
    assert "a traceback as above repeated 49 times" in done.err


def test_a_method_of_a_shape_that_takes_something_else_is_told_with_its_line(shell: Shell) -> None:
    army(shell, ONE, ("def update(self)", "def update(self, board)"))
    done = look(shell)
    assert done.code == 1
    assert (
        "class Wall, line 10: update(self, board) cannot be called; expected: def update(self)"
    ) in done.out


def test_a_word_that_no_action_knows_is_seen_in_the_code(shell: Shell) -> None:
    wrong = "self.move('foward') if self.seen('h') else self.turn('left')"
    army(shell, ONE, ("pass", wrong))
    done = look(shell)
    assert done.code == 1
    assert (
        "class Wall, its line 8: move 'foward': expected one of forward, right, backward, left; "
        "did you mean 'forward'?"
    ) in done.out
    assert "class Wall, its line 8: turn 'left': expected one of cw, ccw" in done.out


def test_methods_of_an_authors_own_take_any_word(shell: Shell) -> None:
    own = ("    def die", "    def hits(self, how):\n        return how\n    def die")
    army(shell, ONE, ("pass", "self.hits('hard')"), own)
    assert look(shell).code == 0


def test_a_die_that_seldom_runs_is_tried(shell: Shell) -> None:
    army(shell, TWO, ("die(self):\n        pass", "die(self):\n        1 / 0"))
    done = look(shell)
    assert done.code == 1
    assert "of a battle against itself: exception: ZeroDivisionError: division by zero" in done.out


def test_a_die_that_was_not_tried_is_told(shell: Shell) -> None:
    army(shell, ONE)
    done = look(shell)
    assert done.code == 0
    assert "note: class Wall: none of its shapes died, and its die was not tried" in done.out


@pytest.mark.slow
def test_a_mock_battle_is_played_at_once_on_a_small_board(shell: Shell) -> None:
    army(shell, TWO)
    done = shell.run("design", "player_mine", "--seeds", "1", "--battle", "--turns", "4", "-q")
    assert done.code == 0, done.err
    assert "no mistakes: it can be played" in done.out
    assert "turn 4 was the last" in done.out
    assert " of 60; a letter is 1 cell" in done.out, "the board is the small one"
    other = shell.bot(
        "other.py", (shell.home / "playerCode/game_of_death/player_mine.py").read_text()
    )
    against = ("--battle", str(other), "--turns", "2", "-q")
    assert "team 2  other" in shell.run("design", "player_mine", *SMALL, *against).out


def test_the_turns_of_no_battle_are_refused(shell: Shell) -> None:
    army(shell, ONE)
    done = shell.run("design", "player_mine", "--turns", "5")
    assert (done.code, done.out) == (2, "")
    assert "--turns needs --battle" in done.err


@pytest.mark.slow
def test_the_picture_shows_each_type_large(shell: Shell) -> None:
    army(shell, ONE)
    picture = shell.home / str(shell.json("design", "player_mine", *SMALL)["picture"])
    image = Image.open(picture).convert("RGB")
    color = image.getpixel((12 + 14 * 20 + 7, 12 + 14 * 5 + 7))
    below = image.crop((0, 12 + 14 * 60 + 40, image.width, image.height))
    cells = sum(count for count, pixel in below.getcolors(1 << 20) or [] if pixel == color)
    # Eight cells of 26 pixels, each with a rim of one.
    assert cells == 8 * 24 * 24
