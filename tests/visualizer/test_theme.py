"""Colors that everybody can tell apart."""

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

from engine.catalog import GAMES
from visualizer import theme
from visualizer.backends.page.bundling import WEB
from visualizer.drawing.icon_pictures import icon
from visualizer.drawing.icons import SIGNS
from visualizer.model.timeline import ReplayTimeline
from visualizer.scene import scene_class
from visualizer.theme import (
    INKS,
    LETTERS,
    LINES,
    PANEL,
    TEAM_COLORS,
    contrast,
    ground_of_letters,
    ink_on,
    legible,
)

# G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, A physiologically-based model for simulation
# of color vision deficiency, IEEE TVCG 15 (2009), severity 1.0; of linear RGB.
EYES = {
    name: np.array(rows).reshape(3, 3)
    for name, rows in {
        "usual": np.eye(3),
        "protanopia": (0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216,
                       -0.003882, -0.048116, 1.051998),
        "deuteranopia": (0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413,
                         -0.011820, 0.042940, 0.968881),
        "tritanopia": (1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602,
                       0.004733, 0.691367, 0.303900),
    }.items()
}  # fmt: skip
TO_XYZ = np.array(
    [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
) / np.array([[0.95047], [1.0], [1.08883]])
"""Values of linear sRGB, white being 1, 1, 1."""
CLEARLY = 20.0
"""Apart in CIELAB; 2.3 is just noticeable."""


SIGN_COLORS = [
    tuple(theme.MARK_COLORS[sign] for sign in ReplayTimeline.sign_kinds(scene_class(game)).values())
    for game in GAMES
]
"""The colors of the signs of the timeline of each game."""


def linear(color: str) -> np.ndarray:
    part = np.frombuffer(bytes.fromhex(color[1:]), dtype=np.uint8) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(TO_XYZ @ np.clip(rgb, 0, 1))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("colors", [TEAM_COLORS, *SIGN_COLORS])
def test_colors_that_mean_different_things_look_different_to_everybody(
    colors: tuple[str, ...], eyes: str
) -> None:
    seen = {color: lab(EYES[eyes] @ linear(color)) for color in colors}
    close = {
        (one, other): float(np.linalg.norm(seen[one] - seen[other]))
        for one, other in combinations(colors, 2)
    }
    assert {pair: apart for pair, apart in close.items() if apart < CLEARLY} == {}


@pytest.mark.parametrize("page", [theme.PAGE_DARK, theme.PAGE_LIGHT])
def test_a_curve_or_its_rim_has_enough_contrast_with_a_panel(page: dict[str, str]) -> None:
    for color in (legible(color, PANEL, LINES) for color in TEAM_COLORS):
        found = max(contrast(color, page["panel"]), contrast(page["casing"], page["panel"]))
        assert found >= LINES


@pytest.mark.parametrize("sheet", sorted(WEB.rglob("*.css")), ids=lambda path: path.name)
def test_what_is_filled_with_a_teams_color_has_a_rim_or_letters(sheet: Path) -> None:
    """Some teams have too little contrast with a dark ground and some with a light one."""
    rules = re.findall(r"\{([^{}]*background: var\(--team\)[^{}]*)\}", sheet.read_text("utf-8"))
    assert [one for one in rules if not re.search(r"box-shadow: 0 0 0|[^-]color: var", one)] == []


@pytest.mark.parametrize("color", TEAM_COLORS)
def test_a_teams_number_can_be_read_on_its_color(color: str) -> None:
    assert contrast(ink_on(color), color) >= LETTERS


@pytest.mark.parametrize("sheet", sorted(WEB.rglob("*.css")), ids=lambda path: path.name)
def test_no_style_sheet_has_a_color_of_the_table_of_its_own(sheet: Path) -> None:
    table = {*TEAM_COLORS, *theme.OWNED, *theme.BOARD.values()}
    if sheet.name != "theme.css":
        assert table.isdisjoint(re.findall(r"#[0-9a-f]{6}", sheet.read_text("utf-8")))


READ = [
    *((text, ground) for text in ("text", "quiet", "accent") for ground in ("background", "panel")),
    *(("text", "raised"), ("on-accent", "accent")),
]
"""Texts on grounds, by their names on a page."""


@pytest.mark.parametrize(("text", "ground"), READ)
def test_every_text_can_be_read_on_its_ground(text: str, ground: str) -> None:
    assert contrast(theme.PAGE_DARK[text], theme.PAGE_DARK[ground]) >= 4.5
    in_window = [theme.LIGHT.get(theme.PAGE_DARK[name]) for name in (text, ground)]
    if None not in in_window:
        assert contrast(*map(str, in_window)) >= 4.5
    if text != "accent":  # pages write nothing in it on light ground
        assert contrast(theme.PAGE_LIGHT[text], theme.PAGE_LIGHT[ground]) >= 4.5


@pytest.mark.parametrize("ground", [theme.BUTTON, theme.BUTTON_LIT])
def test_the_icons_of_buttons_can_be_seen_in_both_themes(ground: str) -> None:
    assert contrast(theme.TEXT, ground) >= 4.5
    assert contrast(theme.LIGHT[theme.TEXT], theme.LIGHT[ground]) >= 4.5


@pytest.mark.parametrize("ground", [PANEL, theme.PAGE_LIGHT["panel"], *theme.GROUND, theme.DISH])
def test_a_sign_or_its_rim_has_enough_contrast_with_any_ground(ground: str) -> None:
    for mark, color in theme.MARK_COLORS.items():
        rim = theme.MARK_RIMS.get(mark, theme.MARK_RIM)
        assert max(contrast(color, ground), contrast(rim, ground)) >= LINES, mark


def test_signs_differ_by_their_shape_and_not_by_color_alone() -> None:
    drawn = [icon(sign.parts, 24).getchannel("A").tobytes() for sign in SIGNS.values()]
    assert len(set(drawn)) == len(drawn)


def test_lines_and_letters_of_every_team_are_seen_on_a_dark_panel() -> None:
    for color in TEAM_COLORS:
        for least in (LINES, LETTERS):
            assert contrast(legible(color, PANEL, least), PANEL) >= least
    assert legible(TEAM_COLORS[1], PANEL, LETTERS) == TEAM_COLORS[1]


def test_letters_on_every_teams_ground_can_be_read() -> None:
    for color in TEAM_COLORS:
        ground = ground_of_letters(color)
        assert contrast(ink_on(ground), ground) >= LETTERS
    assert ink_on(ground_of_letters(TEAM_COLORS[0])) == INKS[0]
