"""How often rules are compiled, and where they are kept: in a folder named after their content."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba import config

from learning.simulation import compiled
from learning.simulation.compiled import folder_of
from runners.configuration import HOME


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, Path]]:
    """Yield the folders of two games, of which what is compiled is kept in the same place."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "kept"))
    found = tmp_path / "smac", tmp_path / "smack"
    for game in found:
        game.mkdir()
        (game / "rules.py").write_text("LIMIT = 1\n")
    yield found
    folder_of.cache_clear()


def test_rules_that_changed_have_another_folder_and_the_outdated_one_is_removed(
    games: tuple[Path, Path],
) -> None:
    game, other = games
    kept, others = folder_of(game), folder_of(other)
    (game / "rules.py").write_text("LIMIT = 2\n")
    assert folder_of(game) == kept  # what a process has loaded does not change
    folder_of.cache_clear()
    assert folder_of(game) != kept
    assert folder_of(game).is_dir()
    assert not kept.exists()
    assert others.is_dir()


def test_rules_of_the_engine_that_changed_have_another_folder(
    games: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine_rules = tmp_path / "engine/games/smac"
    engine_rules.mkdir(parents=True)
    (tmp_path / "engine/streams.py").touch()
    monkeypatch.setattr(compiled, "ENGINE", tmp_path / "engine")
    kept, others = (folder_of(game) for game in games)
    (engine_rules / "combat.py").write_text("RELIEF = 3\n")
    folder_of.cache_clear()
    assert folder_of(games[0]) != kept
    assert folder_of(games[1]) == others


def test_without_a_place_of_its_own_it_is_beside_the_files(
    games: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert folder_of(games[0]).parent == games[0] / "__pycache__"


STEPS = """
import sys
import msgspec
import numpy as np
from engine.games.slime_mind.settings import Settings
from learning.slime_mind.players import Player
from learning.slime_mind.vector_env import SlimeMindVectorEnv
from tests.learning.test_slime_mind import TINY, compare

seen = set()
sys.settrace(lambda frame, event, argument: seen.add(frame.f_code.co_name))
compare(msgspec.convert({**TINY, "max_turns": 6}, Settings), 1, 100)
vector = SlimeMindVectorEnv(1, settings={**TINY, "max_turns": 4}, opponent=Player.PLANNER)
vector.reset(seed=1)
vector.step(np.array([1]))
sys.settrace(None)
assert {"new_match", "grow", "bite", "update_level", "draw_more", "planner", "look"} <= seen, seen
"""


def test_without_compilation_a_debugger_steps_through_the_same_rules() -> None:
    python = [sys.executable, "-W", "error", "-c", STEPS]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(python, cwd=HOME, env=environment, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 0, run.stderr.decode()
