"""The time of a decision in other frameworks, beside ours: `python3 -m benchmarks peers`.

It installs them, from the package index, into an environment of its own that is removed again; so
it runs when it is named, and never with all the others. Run as a program, in that environment, it
plays one of them, and prints the time per decision.
"""

import json
import os
import subprocess
import sys
import time
import venv
from collections.abc import Callable
from contextlib import closing
from importlib import import_module
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # not in the environment of the others
    from benchmarks.table import Effort, Figure

PACKAGES = {
    "pelita": ("pelita",),
    "pettingzoo": ("pettingzoo", "pygame"),
    "kaggle": ("kaggle-environments",),
    "openspiel": ("open-spiel",),
}
"""What each needs to be installed; pygame is imported by the games of PettingZoo."""
WHAT = {
    "pelita": "a decision in Pelita (ZeroMQ, a process per team)",
    "pettingzoo": "a decision in PettingZoo, in process (tic-tac-toe)",
    "kaggle": "a decision in kaggle-environments, in process (connect four)",
    "openspiel": "a decision in OpenSpiel, in process (tic-tac-toe)",
}
STANDING = 'TEAM_NAME = "standing"\n\n\ndef move(bot, state):\n    return bot.position\n'
"""A bot of Pelita that does nothing."""
FEW_ROUNDS, MANY_ROUNDS = 10, 110
MOVES = 4
"""How many bots move in a round of Pelita."""
GAMES = 30


def measure(effort: "Effort") -> "list[Figure]":
    """Install the others, and measure each in turns with ours; one that fails is left out."""
    from benchmarks.cores import one_core
    from benchmarks.match_loop import IDLE, MatchLoop
    from benchmarks.table import Figure
    from engine.bots.launching import new_launcher

    figures: list[Figure] = []
    with TemporaryDirectory(prefix="slime-mind-peers-") as name:
        home = Path(name)
        venv.create(home / "environment", with_pip=True)
        python = home / "environment" / ("Scripts" if os.name == "nt" else "bin") / "python"
        for peer in PACKAGES:
            try:
                _install(python, peer)
                other = _measure_us(python, peer)  # once before it counts: it may compile
            except subprocess.CalledProcessError as error:
                sys.stderr.write(f"{peer} is left out: {_last_line(error)}\n")
                continue
            with one_core(), closing(new_launcher()) as launcher:
                match = MatchLoop(launcher, home, effort.orders)
                pairs = [
                    (match.order_us("player_idle", IDLE), _measure_us(python, peer))
                    for _ in range(effort.repeats)
                ]
            ours, other = (median(side) for side in zip(*pairs, strict=True))
            what = f"an order in a whole match, in a process with its replay; {WHAT[peer]}"
            figures.append(Figure(name=peer, what=what, unit="us", ours=ours, reference=other))
    return figures


def _install(python: Path, peer: str) -> None:
    """Raises: CalledProcessError."""
    _run(python, "-m", "pip", "install", "--quiet", *PACKAGES[peer])


def _measure_us(python: Path, peer: str) -> float:
    """Return the time per decision, us. Raises: CalledProcessError."""
    printed: float = json.loads(_run(python, "-P", str(Path(__file__)), peer).splitlines()[-1])
    return printed


def _run(*command: Path | str) -> str:
    arguments = [str(word) for word in command]
    return subprocess.run(arguments, check=True, text=True, capture_output=True).stdout


def _last_line(error: subprocess.CalledProcessError) -> str:
    written: str = error.stderr
    return (written.strip().splitlines() or [str(error)])[-1]


# -- in the environment of the others --------------------------------------------------------------


def pelita_us() -> float:
    """Return what a move takes: of two lengths, so that starting does not count."""
    with TemporaryDirectory() as name:
        bot = Path(name) / "standing.py"
        bot.write_text(STANDING)

        def seconds(rounds: int) -> float:
            pelita = str(Path(sys.executable).with_name("pelita"))
            command = [pelita, str(bot), str(bot), "--null", "--seed", "1", "--rounds"]
            began = time.perf_counter()
            subprocess.run([*command, str(rounds)], check=True, stdout=subprocess.DEVNULL)
            return time.perf_counter() - began

        extra = seconds(MANY_ROUNDS) - seconds(FEW_ROUNDS)
    return extra / (MOVES * (MANY_ROUNDS - FEW_ROUNDS)) * 1e6


def pettingzoo_us() -> float:
    """Return what a step takes, with the observation that it is decided on."""
    env = import_module("pettingzoo.classic.tictactoe_v3").env()

    def play() -> int:
        env.reset(seed=1)
        decisions = 0
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            over = ended or cut
            env.step(None if over else int(observation["action_mask"].argmax()))
            decisions += not over
        return decisions

    return _us_per_decision(play)


def kaggle_us() -> float:
    """Return what an agent's turn takes, of a whole episode."""
    make = import_module("kaggle_environments").make

    def first_free(observation: Any) -> int:
        column: int = observation.board.index(0)  # its rows are one after the other
        return column

    def play() -> int:
        env = make("connectx")
        return len(env.run([first_free, first_free])) - 1

    return _us_per_decision(play)


def openspiel_us() -> float:
    """Return what a move takes, with the observation that it is decided on."""
    game = import_module("pyspiel").load_game("tic_tac_toe")

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            state.observation_tensor()
            state.apply_action(state.legal_actions()[0])
            decisions += 1
        return decisions

    return _us_per_decision(play)


def _us_per_decision(play: Callable[[], int]) -> float:
    play()
    began, decisions = time.perf_counter(), 0
    for _ in range(GAMES):
        decisions += play()
    return (time.perf_counter() - began) / decisions * 1e6


if __name__ == "__main__":
    sys.stdout.write(f"\n{globals()[f'{sys.argv[1]}_us']()}\n")
