"""The standard sprites: rendered from their SVG files, and told apart at a glance."""

import re
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageChops, ImageStat

from engine.games.smac.terrain import ACID, BARE, BASE, DIP, HILL, SUGAR
from tests.cases import for_each
from tests.pictures import PICTURE_OF_README, SPRITES, render
from visualizer.scenes.smac.themes import PLATES, TAN, picture_of_stack, picture_of_terrain
from visualizer.theme import TEAM_COLORS

STACKS = [picture_of_stack(team, is_new=is_new) for team in range(1, 7) for is_new in (False, True)]
NAMES = [
    *(f"slime_mind/{kind}_{team}" for kind in ("slime", "king") for team in (1, 2)),
    *(f"slime_mind/{name}" for name in ("crown", "plant", "plant_max", "rock")),
    *(f"smack/{side}_{team}" for side in ("nerd", "bully") for team in (1, 2)),
    *(f"game_of_death/flag_{team}" for team in (1, 2, 3, 4)),
    *(f"smac/{stack}" for stack in STACKS),
    *(f"smac/{picture_of_terrain(terrain)}" for terrain in PLATES),
]
OF_TEAMS = [name for name in NAMES if re.fullmatch(r".*_\d", name)]
GROUNDS = {"dark": "#11161d", "light": "#f6f7f9", "green": "#24402c"}
SMALL = 16
"""Pixels of a square on a small screen."""
SVG = "{http://www.w3.org/2000/svg}"
SHAPES = {"path", "circle", "ellipse", "rect", "use", "g"}
PAINTS = {"defs", "clipPath", "linearGradient", "stop"}


def drawing(name: str) -> Path:
    return SPRITES / f"{name}.svg"


def sprite(name: str) -> Image.Image:
    return open_picture(drawing(name).with_suffix(".png").read_bytes())


def open_picture(content: bytes) -> Image.Image:
    with Image.open(BytesIO(content), formats=["PNG"]) as file:
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


@for_each("name", NAMES)
def test_a_picture_is_what_its_drawing_looks_like(name: str) -> None:
    """Run `python3 -m tests.pictures sprites` after a change of a drawing."""
    looks = open_picture(render(drawing(name)))
    # Less than a level: another release of the program that renders draws edges differently.
    assert difference(sprite(name), looks) < 1


def test_the_picture_of_the_readme_is_the_slime_of_team_1() -> None:
    assert PICTURE_OF_README.read_bytes() == (SPRITES / "slime_mind/slime_1.png").read_bytes()


@for_each("ending", [".svg", ".png"])
def test_there_are_no_sprites_but_those_that_games_show(ending: str) -> None:
    files = {path.relative_to(SPRITES).with_suffix("") for path in SPRITES.rglob(f"*{ending}")}
    assert {file.as_posix() for file in files} == set(NAMES)


@for_each("name", NAMES)
def test_a_drawing_has_a_title_shapes_and_paints_and_nothing_from_elsewhere(name: str) -> None:
    root = ElementTree.parse(drawing(name)).getroot()
    _, *parts = root.iter()
    assert {part.tag.removeprefix(SVG) for part in parts} <= {"title", *SHAPES, *PAINTS}
    assert root.findtext(f"{SVG}title")
    values = [value for part in parts for value in part.attrib.values()]
    links = [part.attrib["href"] for part in parts if "href" in part.attrib]
    links += [link for value in values for link in re.findall(r"url\((.*?)\)", value)]
    ids = {f"#{part.attrib['id']}" for part in parts if "id" in part.attrib}
    assert set(links) == ids


@for_each("name", OF_TEAMS)
def test_a_drawing_of_a_team_has_its_color_and_no_other_teams(name: str) -> None:
    """Change the drawings, with their shades, after a change of a team's color."""
    text = drawing(name).read_text(encoding="utf-8")
    assert [color for color in TEAM_COLORS if color in text] == [TEAM_COLORS[int(name[-1]) - 1]]


def drawing_parts(name: str) -> list[tuple[str, dict[str, str]]]:
    """Return what is drawn after the title, if it is in no group: element and attributes."""
    _, *parts = ElementTree.parse(drawing(name)).getroot()
    return [(part.tag, part.attrib) for part in parts]


@for_each("terrain", PLATES)
def test_a_plate_of_terrain_is_tan_and_has_the_sign_of_each_property(terrain: int) -> None:
    signed = [flag for flag in (HILL, DIP, BASE, ACID, SUGAR, BARE) if terrain & flag]
    plate, *signs = drawing_parts(f"smac/{picture_of_terrain(terrain)}")
    assert plate[1]["fill"] == TAN
    assert signs == [drawing_parts(f"smac/{picture_of_terrain(flag)}")[1] for flag in signed]


@for_each("team", [1, 2, 3, 4, 5, 6])
def test_a_new_stack_is_a_stack_without_a_shadow(team: int) -> None:
    stack, new = (picture_of_stack(team, is_new=is_new) for is_new in (False, True))
    assert drawing_parts(f"smac/{stack}")[1:] == drawing_parts(f"smac/{new}")


@for_each("name", NAMES)
def test_a_sprite_is_a_transparent_square_of_256_pixels(name: str) -> None:
    image = sprite(name)
    assert image.size == (256, 256)
    corners = [(0, 0), (255, 0), (0, 255), (255, 255)]
    assert [image.getpixel(corner) for corner in corners] == [(0, 0, 0, 0)] * 4


@for_each("name", NAMES)
def test_a_sprite_nearly_fills_its_square(name: str) -> None:
    box = sprite(name).getchannel("A").getbbox()
    assert box is not None
    left, top, right, bottom = box
    assert 230 <= max(right - left, bottom - top) <= 240
    assert abs(left + right - 256) <= 2
    assert abs(top + bottom - 256) <= 2


@for_each("name", NAMES)
def test_the_files_of_a_sprite_are_small(name: str) -> None:
    assert drawing(name).stat().st_size < 8_000
    assert drawing(name).with_suffix(".png").stat().st_size < 30_000


@for_each("ground", GROUNDS.values())
@for_each(
    "one, other",
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


@for_each(
    "darker, lighter",
    [
        ("slime_mind/slime_1", "slime_mind/slime_2"),
        ("slime_mind/king_1", "slime_mind/king_2"),
        ("slime_mind/plant", "slime_mind/plant_max"),
    ],
)
def test_what_must_not_be_confused_differs_in_lightness(darker: str, lighter: str) -> None:
    assert lightness(lighter) - lightness(darker) > 12
