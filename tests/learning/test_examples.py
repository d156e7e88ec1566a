"""The example policies, their table, and the example that trains: with a fake of its library."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from engine.catalog import GAMES
from engine.games.smack.position import Move
from engine.games.smack.squares import SQUARES
from learning.examples import baselines
from learning.examples.policies import POLICIES
from learning.match_views import whole_number
from learning.single_agent import SingleAgentEnv
from tests.cases import for_each
from tests.learning.test_match_env import SMALL

EACH = [(game, name) for game, policies in POLICIES.items() for name in policies]


def test_every_game_has_policies_and_a_preset() -> None:
    assert [*POLICIES] == [*GAMES] == [*baselines.PRESET]


@for_each("game, name", EACH)
@for_each("team", [1, 2])
def test_a_policy_takes_legal_actions_alone(game: str, name: str, team: int) -> None:
    env = SingleAgentEnv(game, **{**SMALL[game], "observation": "dictionary"}, team=team)
    policy = POLICIES[game][name](env.encoding, np.random.default_rng(1))
    shown, info = env.reset(seed=3)
    for _ in range(60):
        shown, _, is_over, _, info = env.step(policy(shown, info["action_mask"]))
        assert info["was_legal"]
        if is_over:
            break


@pytest.mark.parametrize("team", [1, 2])
def test_the_capturing_policy_takes_the_most_that_a_move_can_take(team: int) -> None:
    env = SingleAgentEnv("smack", observation="dictionary", team=team)
    policy = POLICIES["smack"]["capturing"](env.encoding, np.random.default_rng(1))
    shown, info = env.reset(seed=3)
    captures = 0
    for _ in range(80):
        assert env._ask is not None
        position = env.match.stepper.state.halves[env._ask.piece_id - 1].position
        most = max(position.captured_by(move).bit_count() for move in position.moves())
        action = policy(shown, info["action_mask"])
        source, target = (SQUARES[number] for number in divmod(whole_number(action), len(SQUARES)))
        assert position.captured_by(Move(source, target)).bit_count() == most
        captures += most
        shown, _, is_over, _, info = env.step(action)
        if is_over:
            break
    assert captures > 5


def test_the_table_has_a_row_for_each_policy_and_good_ones_win() -> None:
    shown = CliRunner().invoke(baselines.main, ["smack", "--matches", "2"])
    assert shown.exit_code == 0, shown.output
    heading, _, random, capturing = shown.output.splitlines()
    assert heading == "| game, preset | policy | won | drawn | lost | mean reward |"
    assert random.startswith("| smack, standard | random |")
    assert capturing == "| smack, standard | capturing | 2 | 0 | 0 | +1.00 ± 0.00 |"


class FakeEnvs:
    """A vector of environments that is stepped by nobody but the fake learner."""

    def __init__(self, made: Any, **options: Any) -> None:
        self.envs: list[Any] = made.envs if isinstance(made, FakeEnvs) else [one() for one in made]

    def seed(self, seed: int) -> None:
        for number, env in enumerate(self.envs):
            env.reset(seed=seed + number)


class FakeLearner:
    """Plays at random, in the way that MaskablePPO asks its environments."""

    def __init__(self, policy: str, envs: FakeEnvs, **options: Any) -> None:
        self.envs = envs.envs
        self.chance = np.random.default_rng(options["seed"])

    def learn(self, steps: int) -> None:
        for _ in range(steps):
            for env in self.envs:
                mask = env.get_wrapper_attr("action_masks")()
                shown, _, is_over, _, _ = env.step(self.predict(None, action_masks=mask)[0])
                assert env.observation_space.contains(shown)
                if is_over:
                    env.reset()

    def save(self, path: Path) -> None:
        path.write_text("learned")

    def predict(self, shown: Any, action_masks: Any, **options: Any) -> tuple[Any, None]:
        return np.array(self.chance.choice(np.flatnonzero(action_masks))), None


def test_the_training_example_learns_and_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    parts: dict[str, dict[str, Any]] = {
        "sb3_contrib": {"MaskablePPO": FakeLearner},
        "stable_baselines3": {},
        "stable_baselines3.common": {},
        "stable_baselines3.common.vec_env": {"DummyVecEnv": FakeEnvs, "VecNormalize": FakeEnvs},
    }
    for name, values in parts.items():
        module = ModuleType(name)
        module.__dict__.update(values)
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.delitem(sys.modules, "learning.examples.maskable_ppo", raising=False)
    example = import_module("learning.examples.maskable_ppo")
    model = tmp_path / "model.zip"
    options = ["--steps", "20", "--matches", "2", "--model", str(model)]
    shown = CliRunner().invoke(example.main, options)
    monkeypatch.delitem(sys.modules, "learning.examples.maskable_ppo")
    assert shown.exit_code == 0, shown.output
    assert shown.output.startswith("| slime_mind, small | MaskablePPO, 20 steps |")
    assert model.read_text() == "learned"
