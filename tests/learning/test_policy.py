"""The policy that learns: compiled it decides as the bot does, and it learns to beat a glutton."""

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from engine.bots.finding import find_bots
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.player import BasePlayer
from engine.games.slime_mind.settings import Settings
from learning.slime_mind.matches import Matches
from learning.slime_mind.players import Player, order_of
from learning.slime_mind.policy import FEATURES, OPTIONS, Weights
from learning.slime_mind.training import Plan, Training, play, write
from runners.configuration import HOME
from tests.loaded_bots import load_player

pytestmark = [
    pytest.mark.usefixtures("compiled"),
    pytest.mark.timeout(1_800),
    pytest.mark.slow,  # the first one compiles, which takes half a minute
]

BOT = next(bot for bot in find_bots(HOME / "playerCode") if bot.name == "player_learned")
SMALL = Settings(
    columns=16, rows=10, slime_pairs=2, plant_pairs=8, rock_pairs=2, max_turns=150, y_up=True
)


def shipped() -> Weights:
    """Return the weights that the bot plays with."""
    by_option = json.loads((HOME / "playerCode/player_learned/weights.json").read_text())
    return np.array([[by_option[o][f] for o in OPTIONS] for f in FEATURES])


@pytest.mark.parametrize("spread", [0.0, 1.0])
def test_the_bot_decides_as_the_compiled_policy(
    spread: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare both with the shipped weights, and with some that take every option."""
    weights = shipped() + spread * np.random.default_rng(3).standard_normal((24, 8))
    matches, dice, commands = Matches(SMALL, [5]), Random(5), [*Command]
    seen = set()
    make: Any = load_player(BOT.path / "__init__.py", BOT.name, BasePlayer)
    by_option = {
        option: dict(zip(FEATURES, column.tolist(), strict=True))
        for option, column in zip(OPTIONS, weights.T, strict=True)
    }
    monkeypatch.setitem(make.decide.__globals__, "WEIGHTS", by_option)
    for _ in range(400):
        if matches.is_over[0]:
            matches.begin(0, dice.randrange(1000))
        board = matches.board(0)
        slime = board.slimes[int(matches.acting[0])]
        own = make(BoardView(board, slime.team), slime.team).decide(slime)
        number = order_of(matches.s, matches.rows[0], Player.LEARNED, weights[None])
        assert commands[number] == own
        seen.add(own)
        matches.play([number if dice.random() < 0.7 else dice.randrange(10)])
    assert len(seen) > 6


def test_training_learns_to_beat_a_glutton_in_a_few_generations() -> None:
    plan = Plan(pairs=8, maps=2, threads=1, settings=SMALL)
    training = Training(plan, seed=1)
    before = points_of(training.weights, plan)
    for _ in range(8):
        training.generation()
    after = points_of(training.weights, plan)
    assert after > before + 0.05, (before, after)


def test_training_on_the_standard_map_learns_to_win_nearly_all_matches() -> None:
    training = Training(Plan(pairs=12, maps=2, threads=1), seed=1)
    for _ in range(20):
        training.generation()
    assert points_of(training.weights, Plan(threads=1)) > 0.9


def test_the_shipped_weights_beat_a_glutton_on_maps_they_never_saw() -> None:
    assert points_of(shipped(), Plan(threads=1, settings=Settings(max_turns=400))) > 0.9


def test_the_same_seed_trains_the_same_weights() -> None:
    plan = Plan(pairs=2, maps=2, threads=2, settings=SMALL, keep_every=1)
    one, other = Training(plan, seed=4), Training(plan, seed=4)
    for _ in range(3):
        assert one.generation() == other.generation()
    assert np.array_equal(one.weights, other.weights)


def test_weights_are_written_as_the_bot_reads_them(tmp_path: Path) -> None:
    weights = shipped()
    write(tmp_path / "weights.json", weights)
    written = (tmp_path / "weights.json").read_bytes()
    assert written == (HOME / "playerCode/player_learned/weights.json").read_bytes()


def points_of(weights: Weights, plan: Plan) -> float:
    """Return the points of weights against a glutton on 8 maps, from both sides."""
    return float(play(plan, weights[None], [*range(8)], [None] * 8)[0])
