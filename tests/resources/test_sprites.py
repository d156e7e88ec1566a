"""The standard sprites: drawn by the program, and told apart at a glance."""

import pytest
from PIL import Image, ImageChops, ImageStat

from resources.sprites.draw import FOLDER, README_PICTURE, SPRITES

GROUNDS = {"dark": "#11161d", "light": "#f6f7f9", "green": "#24402c"}
SMALL = 16
"""Pixels of a square on a small screen."""


def sprite(name: str) -> Image.Image:
    with Image.open(FOLDER / f"{name}.png") as file:
        image: Image.Image = file.convert("RGBA")
        return image


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return how far the values of two pictures lie apart on average, from 0 to 255."""
    means = ImageStat.Stat(ImageChops.difference(one, other)).mean
    return sum(means) / len(means)


def gray(name: str, ground: str) -> Image.Image:
    """The sprite as somebody sees it who sees no colors, on a small screen."""
    square = Image.new("RGBA", (SMALL, SMALL), ground)
    square.alpha_composite(sprite(name).resize((SMALL, SMALL), Image.Resampling.LANCZOS))
    return square.convert("L")


def lightness(name: str) -> float:
    """The mean gray of what is opaque."""
    image = sprite(name)
    return ImageStat.Stat(image.convert("L"), mask=image.getchannel("A")).mean[0]


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name.startswith("slime_mind/") else pytest.mark.slow)
        for name in SPRITES
    ],
)
def test_a_file_is_what_the_program_draws(name: str) -> None:
    drawn = SPRITES[name]().image()
    # Less than a level: what the palette rounds, and another release of Pillow.
    assert difference(sprite(name), drawn) < 1


def test_the_picture_of_the_readme_is_the_slime_of_team_1() -> None:
    with Image.open(README_PICTURE) as file:
        assert file.convert("RGBA") == sprite("slime_mind/slime_1")


def test_there_are_no_sprites_but_those_drawn() -> None:
    files = {path.relative_to(FOLDER).with_suffix("") for path in FOLDER.glob("*/*.png")}
    assert {file.as_posix() for file in files} == set(SPRITES)


@pytest.mark.parametrize("name", SPRITES)
def test_a_sprite_is_a_transparent_square_of_256_pixels(name: str) -> None:
    image = sprite(name)
    assert image.size == (256, 256)
    corners = [(0, 0), (255, 0), (0, 255), (255, 255)]
    assert [image.getpixel(corner) for corner in corners] == [(0, 0, 0, 0)] * 4


@pytest.mark.parametrize("name", SPRITES)
def test_a_sprite_nearly_fills_its_square(name: str) -> None:
    box = sprite(name).getchannel("A").getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert 230 <= max(right - left, bottom - top) <= 240
    assert abs(left + right - 256) <= 2
    assert abs(top + bottom - 256) <= 2


@pytest.mark.parametrize("name", SPRITES)
def test_a_sprite_is_a_small_file(name: str) -> None:
    assert (FOLDER / f"{name}.png").stat().st_size < 12_000


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=GROUNDS)
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("slime_mind/slime_1", "slime_mind/slime_2"),
        ("slime_mind/king_1", "slime_mind/king_2"),
        ("slime_mind/slime_1", "slime_mind/king_1"),
        ("slime_mind/slime_2", "slime_mind/king_2"),
        ("slime_mind/plant", "slime_mind/plant_max"),
        ("slime_mind/plant", "slime_mind/slime_1"),
        ("slime_mind/rock", "slime_mind/slime_1"),
        ("smack/nerd_1", "smack/bully_1"),
        ("smack/nerd_1", "smack/bully_2"),
        ("smack/nerd_2", "smack/bully_1"),
        ("smack/nerd_2", "smack/bully_2"),
        ("smac/stack_1", "smac/stack_2"),
        ("smac/new_stack_1", "smac/new_stack_2"),
        ("smac/stack_1", "smac/hill"),
        ("smac/stack_5", "smac/stack_6"),
    ],
)
def test_what_must_not_be_confused_differs_in_gray_and_in_small(
    one: str, other: str, ground: str
) -> None:
    assert difference(gray(one, ground), gray(other, ground)) > 15


@pytest.mark.parametrize(
    ("darker", "lighter"),
    [
        ("slime_mind/slime_1", "slime_mind/slime_2"),
        ("slime_mind/king_1", "slime_mind/king_2"),
        ("slime_mind/plant", "slime_mind/plant_max"),
    ],
)
def test_what_must_not_be_confused_differs_in_lightness(darker: str, lighter: str) -> None:
    assert lightness(lighter) - lightness(darker) > 12
