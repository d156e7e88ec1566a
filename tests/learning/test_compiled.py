"""How often rules are compiled, and where they are kept: in a folder named after their content."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from numba import config

from learning.slime_mind import compiled
from learning.slime_mind.compiled import cache_folder
from runners.configuration import HOME


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder that has the sources `learning/rules.py` and `engine/games/slime_mind`."""
    engine_rules = tmp_path / "engine/games/slime_mind"
    engine_rules.mkdir(parents=True)
    (engine_rules / "settings.py").write_text("DIVISOR = 1\n")
    (tmp_path / "engine/streams.py").touch()
    (tmp_path / "learning").mkdir()
    (tmp_path / "learning/rules.py").write_text("LIMIT = 1\n")
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(compiled, "HERE", tmp_path / "learning")
    monkeypatch.setattr(compiled, "ENGINE_FOLDER", tmp_path / "engine")
    cache_folder.cache_clear()
    yield tmp_path
    cache_folder.cache_clear()


def test_rules_that_changed_have_another_folder_and_the_outdated_one_is_removed(
    rules: Path,
) -> None:
    for changed in ("learning/rules.py", "engine/games/slime_mind/settings.py"):
        saved = cache_folder()
        (rules / changed).write_text("LIMIT = 2\n")
        assert cache_folder() == saved  # what a process has loaded does not change
        cache_folder.cache_clear()
        assert cache_folder() != saved
        assert cache_folder().is_dir()
        assert not saved.exists()


def test_without_a_place_of_its_own_it_is_beside_the_files(
    rules: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", "")
    assert cache_folder().parent == rules / "learning/__pycache__"


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
named = {"new_match", "grow", "bite", "update_level", "draw_more", "planner", "observe"}
assert named <= seen, seen
"""


def test_without_compilation_a_debugger_steps_through_the_same_rules() -> None:
    python = [sys.executable, "-W", "error", "-c", STEPS]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run(python, cwd=HOME, env=environment, stderr=subprocess.PIPE, check=False)
    assert run.returncode == 0, run.stderr.decode()
