"""What a terminal says it can show."""

import pytest

from tests.cases import for_each
from visualizer.backends.terminal.colors import (
    ASCII,
    Abilities,
    Depth,
    detect_abilities,
    is_light,
    nearest_of_256,
)
from visualizer.theme import mix_colors


@for_each(
    "environment, depth",
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor"}, Depth.TRUE),
        ({"TERM": "xterm-kitty"}, Depth.TRUE),
        ({"TERM": "xterm-direct"}, Depth.TRUE),
        ({"TERM": "xterm-256color", "WT_SESSION": "1"}, Depth.TRUE),
        ({"TERM": "screen"}, Depth.FEW),
        ({"TERM": "tmux-256color"}, Depth.FEW),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, Depth.NONE),
        ({"TERM": "xterm-256color", "NO_COLOR": ""}, Depth.FEW),
        ({"TERM": "dumb", "COLORTERM": "truecolor"}, Depth.NONE),
        ({}, Depth.NONE),
    ],
)
def test_colors_are_those_the_environment_speaks_of(
    environment: dict[str, str], depth: Depth
) -> None:
    assert detect_abilities(environment, "utf-8").depth is depth


@pytest.mark.parametrize(
    ("term", "encoding", "is_unicode"),
    [
        ("xterm", "utf-8", True),
        ("xterm", "UTF8", True),
        ("xterm", "ascii", False),
        ("linux", "utf-8", False),
    ],
)
def test_letters_are_those_of_its_encoding(term: str, encoding: str, is_unicode: bool) -> None:
    assert detect_abilities({"TERM": term}, encoding).is_unicode is is_unicode


def test_without_unicode_every_letter_has_a_plain_one() -> None:
    plain = Abilities(Depth.NONE, is_unicode=False)
    assert plain.letters("●7 ◆12 ♣ é") == "o7 x12 p ?"
    assert all(plain.letters(chr(letter)) != "?" for letter in ASCII)
    assert Abilities().letters("●") == "●"


@pytest.mark.parametrize(
    ("color", "number"),
    [("#000000", 16), ("#ffffff", 231), ("#ff0000", 196), ("#808080", 244), ("#5f87af", 67)],
)
def test_of_256_colors_the_nearest_is_taken(color: str, number: int) -> None:
    assert nearest_of_256(color) == number


def test_colors_mix() -> None:
    assert mix_colors("#000000", "#ffffff", 0.5) == "#808080"
    assert mix_colors("#102030", "#ffffff", 0) == "#102030"


def test_light_grounds_are_told_from_dark_ones() -> None:
    assert [is_light(color) for color in ("#ffffff", "#ffd166", "#2f7de1", "#10151b")] == [
        True,
        True,
        False,
        False,
    ]
