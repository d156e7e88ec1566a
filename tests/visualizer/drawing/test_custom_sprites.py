"""Bots' own pictures: where they are looked for, and what is kept of them."""

from pathlib import Path

import pytest

from engine.errors import BadSprite, EngineFailure, UsageError
from tests.visualizer.painting import GREEN, RED, YELLOW, picture_color, write_blob
from visualizer.drawing.custom_sprites import (
    CustomSprites,
    find_custom,
    load_bot_sprites,
    one_picture,
    save_sprites,
)

DIGEST = "0123456789abcdef"


def colors(custom: CustomSprites | None) -> dict[str, str]:
    """The pictures by what they are for, told apart by their colors."""
    assert custom is not None
    return {name: picture_color(content) for name, content in custom.files().items()}


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    path = tmp_path / "player_x.py"
    path.write_text("")
    return path


@pytest.fixture
def folder_bot(tmp_path: Path) -> Path:
    path = tmp_path / "player_y"
    path.mkdir()
    (path / "__init__.py").write_text("")
    return path


def test_a_bot_without_pictures_has_none(bot: Path) -> None:
    write_blob(bot.with_name("player_other.png"))
    write_blob(bot.with_name("player_x_draft.png"))
    assert find_custom(bot) == CustomSprites()


def test_pictures_of_a_file_lie_beside_it(bot: Path) -> None:
    write_blob(bot.with_name("player_x.png"), RED)
    write_blob(bot.with_name("player_x_5.png"), GREEN)
    write_blob(bot.with_name("player_x_king.png"), YELLOW)
    assert colors(find_custom(bot)) == {"base.png": RED, "5.png": GREEN, "king.png": YELLOW}


def test_pictures_of_a_folder_lie_in_it(folder_bot: Path) -> None:
    write_blob(folder_bot / "sprite.png", RED)
    write_blob(folder_bot / "sprite_12.png", GREEN)
    write_blob(folder_bot.with_name("player_y.png"), YELLOW)
    assert colors(find_custom(folder_bot)) == {"base.png": RED, "12.png": GREEN}


def test_pictures_of_a_folder_without_any_lie_beside_it(folder_bot: Path) -> None:
    write_blob(folder_bot.with_name("player_y.png"), YELLOW)
    assert colors(find_custom(folder_bot)) == {"base.png": YELLOW}


@pytest.mark.parametrize("other", ["player_x_5.py", "player_x_5/__init__.py"])
def test_the_picture_of_another_bot_is_no_picture_of_a_level(bot: Path, other: str) -> None:
    path = bot.parent / other
    path.parent.mkdir(exist_ok=True)
    path.write_text("")
    write_blob(bot.with_name("player_x_5.png"))
    assert find_custom(bot) == CustomSprites()


def test_a_wrong_picture_of_a_bot_is_told_by_its_name(bot: Path) -> None:
    bot.with_name("player_x_king.png").write_text("a king")
    with pytest.raises(BadSprite, match=r"player_x_king\.png: is not a PNG file; a sprite is "):
        find_custom(bot)


def test_one_picture_serves_for_every_level(tmp_path: Path) -> None:
    assert colors(one_picture(write_blob(tmp_path / "any name.png"))) == {"base.png": RED}


def test_what_is_kept_is_found_by_the_digest_of_the_bot(tmp_path: Path) -> None:
    picture = one_picture(write_blob(tmp_path / "mine.png")).base
    custom = CustomSprites(base=picture, by_level={7: picture} if picture else {})
    save_sprites(custom, tmp_path, DIGEST)
    assert load_bot_sprites(tmp_path, DIGEST) == custom
    assert load_bot_sprites(tmp_path, DIGEST[::-1]) is None


def test_new_pictures_take_the_place_of_all_old_ones(bot: Path, tmp_path: Path) -> None:
    write_blob(bot.with_name("player_x_5.png"))
    save_sprites(find_custom(bot), tmp_path, DIGEST)
    save_sprites(one_picture(write_blob(tmp_path / "new.png", GREEN)), tmp_path, DIGEST)
    assert colors(load_bot_sprites(tmp_path, DIGEST)) == {"base.png": GREEN}


def test_a_copy_without_pictures_does_not_take_them_from_a_bot(bot: Path, tmp_path: Path) -> None:
    save_sprites(one_picture(write_blob(tmp_path / "mine.png")), tmp_path, DIGEST)
    save_sprites(find_custom(bot), tmp_path, DIGEST)
    assert colors(load_bot_sprites(tmp_path, DIGEST)) == {"base.png": RED}


@pytest.mark.parametrize("digest", ["", ".", "../../elsewhere", "0" * 999, "/etc"])
def test_no_replay_leads_to_pictures_elsewhere(digest: str, tmp_path: Path) -> None:
    write_blob(tmp_path / "elsewhere" / "base.png")
    write_blob(tmp_path / "out" / "sprites" / "base.png")
    assert load_bot_sprites(tmp_path / "out", digest) is None


def test_a_place_where_nothing_can_be_kept_is_told_before_the_match(tmp_path: Path) -> None:
    picture = write_blob(tmp_path / "mine.png")
    with pytest.raises(UsageError, match="choose another folder with --out"):
        save_sprites(one_picture(picture), picture / "results", DIGEST)


def test_a_picture_that_cannot_be_kept_is_our_failure(tmp_path: Path) -> None:
    (tmp_path / "sprites").write_text("in the way")
    with pytest.raises(EngineFailure, match="cannot be written"):
        save_sprites(one_picture(write_blob(tmp_path / "mine.png")), tmp_path, DIGEST)
