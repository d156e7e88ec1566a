"""What a match is played with, and what is said of wrong settings."""

from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.errors import BadSettings
from runners import configuration
from runners.configuration import (
    Configuration,
    find_presets_folder,
    note_on_python_file,
    preset_names,
    presets_text,
    read_configuration,
)
from runners.match_request import MatchRequest, limits_for, settings_for

GAME = GAMES["slime_mind"]
NONE = Configuration(Path("config.toml"))


def settings(configuration: Configuration = NONE, **said: Any) -> Any:
    return settings_for(MatchRequest(game=GAME.name, **said), configuration)


def test_without_a_file_nothing_is_configured(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    assert read_configuration(path) == Configuration(path)


def test_the_tables_of_the_file_are_read(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[settings]\nrows = 9\n[options]\nseed = 1\n")
    assert read_configuration(path) == Configuration(
        path, settings={"rows": 9}, options={"seed": 1}
    )


@pytest.mark.parametrize("content", ["[seting]", "rows = 1", "settings = 1"])
def test_an_unknown_table_is_refused_with_the_possible_ones(tmp_path: Path, content: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(content)
    with pytest.raises(BadSettings) as refusal:
        read_configuration(path)
    name = content.strip("[]").split()[0]
    assert str(refusal.value) == (
        f"{path}: unknown '{name}'; there may be the tables [settings], [limits], [options]"
    )


def test_render_above_all_tables_is_told_where_it_belongs(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("render = 0\n[settings]\nrows = 9\n")
    with pytest.raises(BadSettings, match=r"render belongs under \[options\]"):
        read_configuration(path)


RENDER = "say --render none (or auto), or put into config.toml the two lines [options] and "


@pytest.mark.parametrize(
    ("code", "noted"),
    [
        ("render=True", ["`render=True`", RENDER]),
        ("rows = 3\nrender = 0 # none\n", ["`render = 0 # none`", RENDER, "`rows = 3` say --set"]),
        ("columns = 9\nINSTALLED = []\nrows = 3\n", ["of `columns = 9`, `rows = 3` say --set"]),
        ("rendered = 1\nrows == 3\nDEBUG = True\n    rows = 3\n", []),
        ("", []),
    ],
)
def test_a_python_file_is_answered_with_each_setting_that_it_has(
    tmp_path: Path, code: str, noted: list[str]
) -> None:
    path = tmp_path / "config.py"
    path.write_text(code)
    note = note_on_python_file(path)
    assert bool(note) == bool(noted)
    assert [part for part in noted if part not in note] == []
    assert "INSTALLED" not in note


def test_a_python_file_that_cannot_be_read_is_not_spoken_of(tmp_path: Path) -> None:
    path = tmp_path / "config.py"
    assert note_on_python_file(path) == ""
    path.write_bytes(b"render = \xff")
    assert note_on_python_file(path) == ""


def test_each_word_wins_over_what_was_said_before(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("columns = 40\nrows = 40\n")
    configured = Configuration(
        Path("config.toml"), settings={"columns": 99, "rows": 99, "max_turns": 99, "bite_hp": 9}
    )
    chosen = settings(configured, preset="small", settings_file=file, settings=["rows=50"])
    assert (chosen.bite_hp, chosen.max_turns, chosen.columns, chosen.rows) == (9, 300, 40, 50)


def test_limits_come_from_the_game_the_file_and_the_command_line() -> None:
    configured = Configuration(Path("config.toml"), limits={"cpu_ms": 7, "wall_ms": 70})
    limits = limits_for(MatchRequest(game=GAME.name, limits=["wall_ms=80"]), configured)
    assert (limits.cpu_ms, limits.wall_ms, limits.load_ms) == (7, 80, GAME.limits.load_ms)


def test_an_unknown_preset_is_refused_with_the_possible_ones() -> None:
    with pytest.raises(BadSettings) as refusal:
        settings(preset="smal")
    known = "large, people, small, standard; did you mean 'small'?"
    assert str(refusal.value) == f"--preset smal: Slime Mind has the presets {known}"


@pytest.mark.parametrize("name", ["", "../slime_mind/small", "small.toml", "."])
def test_a_preset_is_a_name_and_no_path(name: str) -> None:
    with pytest.raises(BadSettings):
        settings(preset=name)


def test_the_presets_of_several_games_are_listed_by_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("chess/blitz", "chess/slow", "go/small"):
        path = tmp_path / f"{name}.toml"
        path.parent.mkdir(exist_ok=True)
        path.touch()
    monkeypatch.setattr(configuration, "find_presets_folder", tmp_path.joinpath)
    assert presets_text(["chess"]) == "blitz, slow"
    assert presets_text(["chess", "go", "draughts"]) == "chess: blitz, slow; go: small"


def test_presets_are_the_files_of_the_game() -> None:
    assert preset_names(GAME.name) == sorted(
        path.stem for path in find_presets_folder(GAME.name).iterdir()
    )


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"settings": ["rows=1"]}, "--set: rows = 1: expected a whole number >= 2"),
        ({"settings": ["rows"]}, "--set rows: expected NAME=VALUE, for example --set rows=20"),
        ({"settings": ["=1"]}, "--set: unknown setting ''; possible are:"),
        ({"settings_file": Path("none.toml")}, "none.toml: cannot be read"),
    ],
    ids=str,
)
def test_a_wrong_setting_is_told_with_where_it_was_said(said: dict[str, Any], message: str) -> None:
    with pytest.raises(BadSettings) as refusal:
        settings(**said)
    assert str(refusal.value).startswith(message)


def test_a_wrong_setting_of_the_file_names_the_file() -> None:
    with pytest.raises(BadSettings, match=r"^config.toml: rows = 1: expected a whole number >= 2"):
        settings(Configuration(Path("config.toml"), settings={"rows": 1}))
