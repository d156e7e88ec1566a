"""Grids of letters, and what a terminal is told to turn one into the next."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visualizer.backends.terminal.canvas import Canvas, CellStyle, Painter, Style, count_columns
from visualizer.backends.terminal.colors import Abilities, Depth

RED, BLUE = "#ff0000", "#0000ff"
CODES = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[2J|\x1b\[\?2026[hl]|\x1b\[[\d;]*m")


class Screen:
    """What a terminal would show of the words it is told; no colors."""

    def __init__(self, width: int, height: int) -> None:
        self.rows = [["?"] * width for _ in range(height)]
        self._x = self._y = 0

    def tell(self, message: str) -> None:
        while message:
            code = CODES.match(message)
            if code is None:
                self._put(message[0])
                message = message[1:]
                continue
            if code[1]:
                self._y, self._x = int(code[1]) - 1, int(code[2]) - 1
            elif code[0] == "\x1b[2J":
                self.rows = [[" "] * len(row) for row in self.rows]
            message = message[code.end() :]

    def _put(self, letter: str) -> None:
        self.rows[self._y][self._x] = letter
        self._x += count_columns(letter)
        if count_columns(letter) == 2:
            self.rows[self._y][self._x - 1] = ""


def letters(canvas: Canvas) -> list[list[str]]:
    return [[letter for letter, _ in row] for row in canvas.rows]


def test_text_is_cut_off_at_the_edges() -> None:
    canvas = Canvas(6, 2)
    assert canvas.write(3, 0, "hello") == 6
    canvas.write(0, 1, "hello", width=4)
    canvas.write(-2, 1, "xyz")
    canvas.write(0, 7, "nowhere")
    assert canvas.text() == "   he…\nzel…"


def test_text_keeps_the_ground_it_is_written_on() -> None:
    canvas = Canvas(2, 1, BLUE)
    canvas.write(0, 0, "a", RED)
    canvas.write(1, 0, "b", ground=RED)
    assert canvas.rows == [[("a", CellStyle(RED, BLUE)), ("b", CellStyle("", RED))]]


def test_wide_letters_take_two_columns_and_are_never_cut_in_half() -> None:
    canvas = Canvas(5, 2)
    canvas.write(0, 0, "名a")
    canvas.write(0, 1, "a名前")
    assert letters(canvas) == [["名", "", "a", " ", " "], ["a", "名", "", "前", ""]]
    canvas = Canvas(4, 1)
    canvas.write(0, 0, "a名前")
    assert letters(canvas) == [["a", "名", "", "…"]]
    assert count_columns("a名前") == 5


@given(st.text())
def test_no_control_letter_gets_through(text: str) -> None:
    canvas = Canvas(30, 1)
    canvas.write(0, 0, text)
    painted = Painter(Abilities()).words_for(canvas)
    assert all(letter.isprintable() for letter in CODES.sub("", painted))
    assert len(canvas.rows[0]) == 30


def test_a_strangers_name_cannot_command_the_terminal() -> None:
    canvas = Canvas(20, 1)
    canvas.write(0, 0, "a\x1b[31mb\x07\x9b\u202ec")
    assert canvas.text() == "a·[31mb···c"


def test_halves_of_letters_are_drawn_one_by_one() -> None:
    canvas = Canvas(1, 1, BLUE)
    canvas.draw_half_line(0, 0, 1, RED)
    assert canvas.rows == [[("▀", CellStyle(RED, BLUE))]]
    canvas.draw_half_line(0, 1, 1, RED)
    assert canvas.rows == [[(" ", CellStyle("", RED))]]
    canvas.draw_half_line(0, 1, 1, BLUE)
    assert canvas.rows == [[("▀", CellStyle(RED, BLUE))]]
    canvas.draw_half_line(-3, 9, 9, BLUE)


@given(
    st.lists(
        st.tuples(st.integers(0, 11), st.integers(0, 3), st.text("ab 名", max_size=8)), max_size=12
    ),
    st.integers(0, 12),
)
def test_telling_changes_comes_to_the_same_as_telling_all(
    writings: list[tuple[int, int, str]], part: int
) -> None:
    canvas, painter, screen = Canvas(12, 4), Painter(Abilities()), Screen(12, 4)
    screen.tell(painter.words_for(canvas))
    for number, (x, y, text) in enumerate(writings):
        canvas = canvas.copy()
        canvas.write(x, y, text)
        if number % 3 == part % 3:
            screen.tell(painter.words_for(canvas))
    screen.tell(painter.words_for(canvas))
    assert screen.rows == letters(canvas)


def test_what_is_the_same_is_not_told_again() -> None:
    canvas, painter = Canvas(40, 10), Painter(Abilities())
    first = painter.words_for(canvas)
    assert painter.words_for(canvas.copy()) == ""
    changed = canvas.copy()
    changed.write(20, 5, "x")
    found = painter.words_for(changed)
    assert len(found) < 50 < len(first)
    assert "\x1b[6;21H" in found
    painter.forget()
    assert len(painter.words_for(changed)) == len(first)


def test_another_size_is_drawn_anew() -> None:
    painter = Painter(Abilities())
    painter.words_for(Canvas(4, 2))
    assert "\x1b[2J" in painter.words_for(Canvas(5, 2))


@pytest.mark.parametrize(
    ("depth", "code"),
    [
        (Depth.TRUE, "\x1b[0;1;38;2;255;0;0;48;2;0;0;255m"),
        (Depth.FEW, "\x1b[0;1;38;5;196;48;5;21m"),
        (Depth.NONE, "\x1b[0;1m"),
    ],
)
def test_colors_are_told_as_the_terminal_knows_them(depth: Depth, code: str) -> None:
    canvas = Canvas(1, 1)
    canvas.write(0, 0, "a", RED, Style.BOLD, ground=BLUE)
    assert f"{code}a" in Painter(Abilities(depth)).words_for(canvas)


def test_a_tint_keeps_letters_and_fills_halves() -> None:
    canvas = Canvas(2, 1)
    canvas.write(0, 0, "a")
    canvas.draw_half_line(1, 0, 1, RED)
    canvas.tint(0, 0, 2, 1, CellStyle(RED, BLUE))
    assert canvas.rows == [[("a", CellStyle(RED, BLUE)), (" ", CellStyle(RED, BLUE))]]
