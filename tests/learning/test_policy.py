"""Compiled players: they decide as the bots do, and training makes the policy better."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import hypothesis
import numpy as np
import pytest
from click.testing import CliRunner
from numba import config

from engine.bots.finding import find_bots
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.player import BasePlayer
from engine.games.slime_mind.settings import Settings
from learning.slime_mind.features import FEATURE_COUNT, FEATURES, HAND_SET, OFFSETS
from learning.slime_mind.matches import Matches
from learning.slime_mind.notes import CHANCE, new_notes
from learning.slime_mind.players import Player, choose_order
from learning.slime_mind.ratings import Numbers
from learning.slime_mind.training import Opponent, Plan, Training, main, play, read, write
from runners.configuration import HOME
from tests.engine.games.slime_mind.strategies import settings_of_small_maps
from tests.examples import examples
from tests.loaded_bots import load_player

pytestmark = [pytest.mark.timeout(1_800), pytest.mark.slow]

SHARE = 8 if config.DISABLE_JIT else 1
"""Of the orders that are compared, one of so many is where nothing is compiled."""

SMALL = Settings(
    columns=16, rows=10, slime_pairs=2, plant_pairs=8, rock_pairs=2, max_turns=150, y_up=True
)
CROWDED = Settings(max_turns=150, plant_pairs=40, slime_pairs=90, slime_max_level=6)
"""Where each side has more slimes than search as far as usual."""
GROWN_OVER = Settings(max_turns=160, plant_pairs=60, slime_pairs=12, plant_level_chance_pct=60)
COMMANDS = [*Command]
SHIPPED = HOME / "playerCode/player_learned/weights.json"


compiles = pytest.mark.exhaustive
"""Marks what compiles the players first, which takes more than a minute."""


def read_shipped() -> Numbers:
    """Return the weights that the bot plays with."""
    return read(SHIPPED)


def load(name: str) -> Any:
    """Return the class of a starter bot."""
    bot = next(bot for bot in find_bots(HOME / "playerCode") if bot.name == name)
    entry = bot.path / "__init__.py" if bot.path.is_dir() else bot.path
    return load_player(entry, name, BasePlayer)


def compare(
    make: Any, player: Player, weights: Numbers, *, settings: Settings, count: int, dice: Random
) -> set[str]:
    """Compare the orders of a bot with those of a compiled player; return which there were.

    Some others than these are played, so that much happens.
    """
    seen, matches = set(), Matches(settings, [5])
    notes = new_notes(1)
    bots: dict[int, Any] = {}
    for _ in range(count):
        if matches.is_over[0]:
            matches.restart(0, dice.randrange(1000))
            notes, bots = new_notes(1), {}
        board = matches.board(0)
        slime = board.slimes[int(matches.acting[0])]
        if slime.team not in bots:
            bots[slime.team] = make(BoardView(board, slime.team), slime.team)
        bot = bots[slime.team]
        bot.board = BoardView(board, slime.team)
        own = bot.decide(slime)
        notes[0, CHANCE] = ALWAYS_DRAWN
        number = choose_order(matches.s, matches.rows[0], player, weights[None], notes[0])
        assert COMMANDS[number] == own
        seen.add(own)
        matches.play([number if dice.random() < 0.9 else dice.randrange(10)])
    return seen


ALWAYS_DRAWN = 1 << 45
"""A state of the random numbers; `drawn` has what is drawn from it."""


def draw_below(bound: int) -> int:
    """Return what a player draws below a bound from that state (xorshift)."""
    number = ALWAYS_DRAWN
    number ^= (number << 13) % (1 << 64)
    number ^= number >> 7
    number ^= (number << 17) % (1 << 64)
    return (number >> 32) % bound


@compiles
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("spread", [0.0, 1.0])
@pytest.mark.parametrize(
    "settings", [SMALL, GROWN_OVER, CROWDED], ids=["small", "grown over", "crowded"]
)
def test_the_bot_that_learned_decides_as_the_compiled_policy(
    spread: float, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare both with the shipped weights, and with some that take every option."""
    weights = read_shipped() + spread * np.random.default_rng(3).standard_normal(FEATURE_COUNT)
    dice = Random(int(spread))
    make = load("player_learned")
    listed = {
        kind: weights[begin : begin + len(names)].tolist()
        for begin, (kind, names) in zip(OFFSETS, FEATURES.items(), strict=False)
    }
    monkeypatch.setitem(make.decide.__globals__, "WEIGHTS", listed)
    found = compare(
        make, Player.LEARNED, weights, settings=settings, count=1_500 // SHARE, dice=dice
    )
    assert len(found) > 6


def test_the_bot_that_learned_has_the_features_of_the_compiled_policy() -> None:
    assert load("player_learned").decide.__globals__["FEATURES"] == FEATURES


@pytest.fixture
def player_six(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the class of the bot, which draws as the compiled one does."""
    make = load("player_six")

    class Chance:
        @staticmethod
        def choice(among: list[Any]) -> Any:
            return among[draw_below(len(among))]

    monkeypatch.setitem(make.decide.__globals__, "random", Chance)
    return make


@compiles
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("settings", [SMALL, GROWN_OVER, Settings(max_turns=130)])
def test_the_planner_decides_as_player_six(settings: Settings, player_six: Any) -> None:
    count, dice = 4_000 // SHARE, Random(2)
    found = compare(
        player_six, Player.PLANNER, read_shipped(), settings=settings, count=count, dice=dice
    )
    assert len(found) >= len(COMMANDS) - (SHARE > 1)


@compiles
@pytest.mark.usefixtures("compiled")
@hypothesis.settings(
    max_examples=examples(200, usual=4),
    suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture],
)
@hypothesis.given(settings=settings_of_small_maps())
def test_the_planner_decides_as_player_six_whatever_the_settings(
    settings: Settings, player_six: Any
) -> None:
    compare(
        player_six,
        Player.PLANNER,
        read_shipped(),
        settings=settings,
        count=150 // SHARE,
        dice=Random(2),
    )


def test_uncompiled_players_decide_as_the_bots_do() -> None:
    """The tests above, some of whose orders are compared where everything is Python."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "--numprocesses=0",
        "-k",
        "decides_as",
        __file__,
    ]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=HOME, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout.decode()
    assert b"10 passed" in done.stdout


@compiles
@pytest.mark.usefixtures("compiled")
def test_training_learns_to_beat_a_glutton_in_a_few_generations() -> None:
    plan = Plan(pairs=8, opponents=(Player.GLUTTON,) * 2, threads=1, settings=SMALL)
    training = Training(plan, seed=1, weights=np.zeros(FEATURE_COUNT))
    points = [training.generation() for _ in range(14)]
    assert points[0] < 0.1
    assert points[-1] > 0.6


@compiles
@pytest.mark.usefixtures("compiled")
def test_training_begins_for_the_shipped_weights_where_they_win_against_the_planner() -> None:
    """The weights that were set by hand are better than even; `docs/library.md` says so."""
    begun = read(HAND_SET)
    assert measure_points(begun, Player.PLANNER, Plan(threads=1)) > 0.5


@compiles
@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("player", [Player.GLUTTON, Player.PLANNER])
def test_the_shipped_weights_win_on_maps_they_never_saw(player: Player) -> None:
    plan = Plan(threads=1, settings=Settings(max_turns=400))
    assert measure_points(read_shipped(), player, plan) > 0.9


@compiles
@pytest.mark.usefixtures("compiled")
def test_the_same_seed_trains_the_same_weights() -> None:
    rivals = Player.LEARNED, Player.PLANNER, Player.RANDOM
    plan = Plan(pairs=2, opponents=rivals, threads=2, settings=SMALL, keep_every=1)
    one, other = (Training(plan, seed=4, weights=read_shipped()) for _ in range(2))
    for _ in range(3):
        assert one.generation() == other.generation()
    assert np.array_equal(one.weights, other.weights)


def test_weights_are_written_as_the_bot_reads_them(tmp_path: Path) -> None:
    write(tmp_path / "weights.json", read_shipped())
    written = (tmp_path / "weights.json").read_bytes()
    assert written == SHIPPED.read_bytes()


@compiles
@pytest.mark.usefixtures("compiled")
def test_training_goes_on_with_the_weights_of_a_file(tmp_path: Path) -> None:
    begun, trained = tmp_path / "begun.json", tmp_path / "trained.json"
    write(begun, read_shipped())
    options = "--generations", "1", "--step", "0", "--opponent", "glutton", "--threads", "1"
    done = CliRunner().invoke(main, [str(trained), "--start", str(begun), *options])
    assert done.exit_code == 0, done.output
    assert "generation 1, " in done.output
    assert trained.read_bytes() == begun.read_bytes()


@pytest.mark.parametrize("text", ["", "[1]", '{"plant": {"taste": 1.0}}'])
def test_a_file_of_other_weights_is_refused(text: str, tmp_path: Path) -> None:
    begun, trained = tmp_path / "begun.json", tmp_path / "trained.json"
    begun.write_text(text)
    done = CliRunner().invoke(main, [str(trained), "--start", str(begun)])
    assert done.exit_code == 1
    assert f"{begun}: " in done.output
    assert "expected a file of this program" in done.output
    assert not trained.exists()


def test_training_is_a_program_of_the_package_too() -> None:
    """There its own file has no name: what lies beside it is found by other modules."""
    module = "slime_mind_arena.learning.slime_mind.training"
    command = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--start" in done.stdout


def measure_points(weights: Numbers, player: Player, plan: Plan) -> float:
    """Return the points of weights against a player on 8 maps, from both sides."""
    opponents = [Opponent(player, weights)] * 8
    return float(play(plan, weights[None], [*range(8)], opponents)[0])
