"""Which picture is drawn under a name."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, UnidentifiedImageError

from engine.errors import EngineFailure
from tests.visualizer.painting import GREEN, RED, YELLOW, blob, middle_color, png, write_blob
from visualizer.drawing.custom_sprites import (
    CustomSprites,
    find_match_pictures,
    one_picture,
    save_match_sprites,
    save_sprites,
)
from visualizer.drawing.sprites import Sprites, load_match_sprites, standard_sprites
from visualizer.scenes.slime_mind import SlimeMindScene

GAME = "slime_mind"
RED_PNG, GREEN_PNG, YELLOW_PNG = (png(blob(color)) for color in (RED, GREEN, YELLOW))
DIGESTS = ("1" * 16, "2" * 16)
KEY = "0123456789abcdef"


def sprites(**own: object) -> Sprites:
    """Return sprites with pictures of a bot's own for team 1."""
    return Sprites(GAME, {1: CustomSprites(**own)})  # type: ignore[arg-type]


def sprite_color(sprites: Sprites, name: str) -> str:
    """The color that is seen in the middle."""
    return middle_color(sprites.image(name, 64))


def list_colors(image: Image.Image) -> set[str]:
    colors = image.getcolors(image.width * image.height) or []
    return {f"#{red:02x}{green:02x}{blue:02x}" for _, (red, green, blue, _) in colors}  # type: ignore[misc]


def test_a_game_has_the_pictures_its_scene_names() -> None:
    names = {"slime_1", "slime_2", "king_1", "king_2", "plant", "plant_max", "rock"}
    assert names <= standard_sprites(GAME).keys()


@pytest.mark.parametrize(
    ("name", "picture"),
    [("slime_1:7", "slime_1"), ("king_2:11", "king_2"), ("plant", "plant"), ("rock", "rock")],
)
def test_without_own_pictures_the_standard_one_is_drawn(name: str, picture: str) -> None:
    standard = Sprites(GAME)
    assert standard.canonical_name(name) == picture
    assert standard.image(name, 256) == standard_sprites(GAME)[picture]


def test_an_unknown_picture_is_our_failure() -> None:
    with pytest.raises(EngineFailure, match="no sprite 'dragon'; there are: crown, king_1"):
        Sprites(GAME).image("dragon", 32)


def test_a_picture_is_scaled_once() -> None:
    standard = Sprites(GAME)
    small = standard.image("rock", 20)
    assert small.size == (20, 20)
    assert standard.image("rock", 20) is small


def test_an_own_picture_is_drawn_for_its_team_alone() -> None:
    own = sprites(base=RED_PNG)
    assert sprite_color(own, "slime_1:1") == sprite_color(own, "slime_1:12") == RED
    assert own.image("slime_2:1", 64) == Sprites(GAME).image("slime_2:1", 64)


def test_a_picture_of_a_level_is_drawn_up_to_the_next_that_has_one() -> None:
    own = sprites(base=RED_PNG, by_level={3: GREEN_PNG, 7: YELLOW_PNG})
    files = [own.canonical_name(f"slime_1:{level}") for level in (1, 2, 3, 6, 7, 12)]
    expected = ["slime_1", "slime_1", "slime_1:3", "slime_1:3", "slime_1:7", "slime_1:7"]
    assert files == expected
    assert [sprite_color(own, file) for file in files[::2]] == [RED, GREEN, YELLOW]


def test_below_the_first_own_picture_the_standard_one_is_drawn() -> None:
    own = sprites(by_level={5: GREEN_PNG})
    assert own.image("slime_1:4", 64) == Sprites(GAME).image("slime_1", 64)
    assert sprite_color(own, "slime_1:5") == GREEN


def test_a_king_has_its_own_picture_at_every_level() -> None:
    own = sprites(base=RED_PNG, by_level={5: GREEN_PNG}, king=YELLOW_PNG)
    assert own.canonical_name("king_1:11") == "king_1"
    assert sprite_color(own, "king_1:11") == YELLOW


def test_a_king_without_a_picture_wears_a_crown_on_that_of_its_level() -> None:
    own = sprites(base=RED_PNG, by_level={5: GREEN_PNG})
    assert own.canonical_name("king_1:11") == "king_1:5"
    king, slime = own.image("king_1:11", 256), own.image("slime_1:11", 256)
    assert GREEN in list_colors(king)
    assert list_colors(standard_sprites(GAME)["crown"]) & list_colors(king) - list_colors(slime)


@pytest.mark.parametrize("team", [1, 2])
def test_own_pictures_have_a_rim_in_the_color_of_the_team(team: int) -> None:
    image = Sprites(GAME, {team: CustomSprites(base=RED_PNG)}).image(f"slime_{team}", 256)
    assert SlimeMindScene.team_color(team) in list_colors(image)
    assert SlimeMindScene.team_color(3 - team) not in list_colors(image)


def test_a_match_has_the_pictures_that_were_kept_of_its_bots(tmp_path: Path) -> None:
    save_sprites(one_picture(write_blob(tmp_path / "mine.png", GREEN)), tmp_path, DIGESTS[1])
    match = load_match_sprites(GAME, DIGESTS, tmp_path)
    assert sprite_color(match, "slime_2:1") == GREEN
    assert match.image("slime_1:1", 64) == Sprites(GAME).image("slime_1", 64)


def test_a_picture_asked_for_comes_before_the_one_kept(tmp_path: Path) -> None:
    save_sprites(one_picture(write_blob(tmp_path / "mine.png", GREEN)), tmp_path, DIGESTS[0])
    wished = one_picture(write_blob(tmp_path / "wished.png", YELLOW))
    save_match_sprites([wished, None], tmp_path, KEY)
    assert sprite_color(load_match_sprites(GAME, DIGESTS, tmp_path, KEY), "slime_1") == YELLOW
    assert sprite_color(load_match_sprites(GAME, DIGESTS, tmp_path, KEY[::-1]), "slime_1") == GREEN
    assert sprite_color(load_match_sprites(GAME, DIGESTS, tmp_path), "slime_1") == GREEN


def test_a_picture_asked_for_is_gone_once_the_match_is_played_without_it(tmp_path: Path) -> None:
    wished = one_picture(write_blob(tmp_path / "wished.png", YELLOW))
    save_match_sprites([wished, None], tmp_path, KEY)
    save_match_sprites([None, None], tmp_path, KEY)
    assert find_match_pictures(tmp_path, KEY, 2) == [None, None]


@pytest.mark.parametrize("key", ["", ".", "../../elsewhere", "0" * 999, "/etc"])
def test_no_key_of_a_match_leads_to_pictures_elsewhere(key: str, tmp_path: Path) -> None:
    write_blob(tmp_path / "out" / "sprites" / "matches" / "1.png")
    write_blob(tmp_path / "out" / "elsewhere" / "1.png")
    assert find_match_pictures(tmp_path / "out", key, 1) == [None]


def test_no_decoder_but_that_of_png_sees_a_picture_of_a_bot() -> None:
    file = BytesIO()
    blob(RED).save(file, "WEBP")
    with pytest.raises(UnidentifiedImageError):
        sprites(base=file.getvalue())
