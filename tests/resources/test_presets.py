"""Presets: settings with a name."""

from pathlib import Path
from typing import Any

import pytest

from engine.catalog import GAMES
from engine.games.slime_mind.settings import Settings
from runners.configuration import HOME, Configuration
from runners.match_request import MatchRequest, settings_for
from tests.cases import for_each

ALL = sorted((HOME / "resources/presets").glob("*/*.toml"))
NOTHING_CONFIGURED = Configuration(Path("config.toml"))


def load(name: str, game: str = "slime_mind") -> Any:
    return settings_for(MatchRequest(game=game, preset=name), NOTHING_CONFIGURED)


@for_each("path", ALL)
def test_a_preset_is_of_a_game_and_can_be_played(path: Path) -> None:
    game = GAMES[path.parent.name]
    assert isinstance(load(path.stem, game.name), game.settings)


@for_each("path", ALL)
def test_a_preset_says_what_it_is_for(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("# ")


def test_standard_is_the_default() -> None:
    assert load("standard") == Settings()


@pytest.mark.parametrize("name", ["small", "large"])
def test_small_and_large_maps_are_as_dense_as_the_standard_one(name: str) -> None:
    standard, preset = Settings(), load(name)
    share = preset.columns * preset.rows / (standard.columns * standard.rows)
    for pieces in ("slime_pairs", "plant_pairs", "rock_pairs"):
        assert getattr(preset, pieces) == round(getattr(standard, pieces) * share)


def test_the_large_map_is_100_by_60() -> None:
    assert (load("large").columns, load("large").rows) == (100, 60)
