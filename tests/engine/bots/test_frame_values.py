"""The values that mattered to an exception, as a bot's log has them."""

import sys
from pathlib import Path
from typing import Any

from engine.bots.frame_values import VALUE_LETTERS, VALUES_HEADING, values_in
from engine.bots.loading import own_frames
from engine.bots.log_reading import parse_sections


def failing(folder: Path, source: str, **known: Any) -> tuple[BaseException, Path]:
    """Return what a source raises, and the file that it stands in."""
    file = folder / "player_x.py"
    file.write_text(source)
    try:
        exec(compile(source, str(file), "exec"), known)
    except Exception as error:  # noqa: BLE001 - whatever it raises is looked at
        return error, file
    raise AssertionError("it raised nothing")


def shown_values(folder: Path, source: str, **known: Any) -> list[str]:
    return values_in(*failing(folder, source, **known)).splitlines()


def test_the_names_of_the_line_are_shown_with_what_they_stood_for(tmp_path: Path) -> None:
    source = "def go(near, far):\n    other = 1\n    return near[far]\ngo([], 3)\n"
    assert shown_values(tmp_path, source) == [VALUES_HEADING, "    near = []", "    far = 3"]


def test_an_expression_of_several_lines_is_shown_whole(tmp_path: Path) -> None:
    source = "def go(a, b):\n    return (\n        a\n        / b\n    )\ngo(1, 0)\n"
    assert shown_values(tmp_path, source) == [VALUES_HEADING, "    a = 1", "    b = 0"]


def test_attributes_of_the_player_are_shown_and_no_property_is_asked(tmp_path: Path) -> None:
    source = (
        "class P:\n"
        "    def __init__(self): self.plan = [1]\n"
        "    @property\n"
        "    def worse(self): raise KeyError\n"
        "    def go(self, n): return self.plan[n] + self.worse\n"
        "P().go(2)\n"
    )
    assert shown_values(tmp_path, source) == [VALUES_HEADING, "    n = 2", "    self.plan = [1]"]


def test_long_values_are_cut_and_say_how_long_they_are(tmp_path: Path) -> None:
    source = "def go(many, text):\n    return many[text]\ngo(list(range(99)), 'x' * 999)\n"
    _, many, text = shown_values(tmp_path, source)
    assert many == "    many = [0, 1, 2, 3, 4, 5, ...] (99 items)"
    assert len(text) <= VALUE_LETTERS + len("    text = ")


def test_modules_functions_and_classes_are_no_values(tmp_path: Path) -> None:
    source = "def go(sys, len, str):\n    return sys.nothing(len, str)\ngo(sys, len, str)\n"
    assert shown_values(tmp_path, source, sys=sys) == []


def test_a_value_that_cannot_be_shown_leaves_the_place(tmp_path: Path) -> None:
    source = (
        "class Bad:\n"
        "    def __repr__(self): raise SystemExit\n"
        "def go(bad): return bad + 1\n"
        "go(Bad())\n"
    )
    error, file = failing(tmp_path, source)
    assert own_frames(error, file, "player_x").startswith("TypeError")


def test_a_log_gives_them_back(tmp_path: Path) -> None:
    error, file = failing(tmp_path, "def go(n):\n    return 1 / n\ngo(0)\n")
    log = f"--- turn 3, slime 7\nhello\n{own_frames(error, file, 'player_x')}"
    section = list(parse_sections(log))[1]
    assert (section.place, section.printed) == ("turn 3, slime 7", "hello\n")
    assert section.values == [("n", "0")]
