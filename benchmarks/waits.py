"""What people wait for: wall time on all cores, from a command or a click to what comes of it."""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks import chromium
from benchmarks.arena import measure_first_result
from benchmarks.command_line import HOME, run_main
from benchmarks.harness import new_site, serving
from benchmarks.pages import NUMBERS, TURNS, load_ms, make
from benchmarks.server import Player, Table
from benchmarks.table import SMALL, Effort, Figure, figure
from benchmarks.walkers import record

ONE, OTHER = HOME / "playerCode" / "player_one.py", HOME / "playerCode" / "player_five.py"
SHORT = ("--preset", "small", "--seed", "1", "--quiet")
BOTS, MOVES = 30, 9
PATIENT = """
from engine.games.slime_mind.player import BasePlayer

PARAMS = {"patience": 3}


class Player(BasePlayer):
    def decide(self, slime):
        return "RIGHT" if self.board.turn % PARAMS["patience"] else "UP"
"""
"""A bot with a number to tune."""


def measure(effort: Effort) -> list[Figure]:
    """Measure all of them; of a small effort less, and no clone, which installs packages."""
    is_small = effort.orders < SMALL
    with TemporaryDirectory() as name:
        folder = Path(name)
        return [
            *([] if is_small else [_clone(folder / "clone")]),
            *_commands(folder, is_small=is_small),
            *_page(folder, TURNS // 100 if is_small else TURNS),
            _first_move(1 if is_small else MOVES),
            *measure_first_result(),
        ]


def _clone(clone: Path) -> Figure:
    began = time.monotonic()
    subprocess.run(["git", "clone", "--quiet", HOME, clone], check=True)
    python = Path(sys.base_prefix, "bin", "python3")  # this one has our packages already
    arguments = (python, clone / "main.py", "-1", ONE, "-2", OTHER, *SHORT)
    subprocess.run(arguments, cwd=clone, check=True, stdin=subprocess.DEVNULL, capture_output=True)
    return _wait("clone", began).says("from git clone, with packages, to the end of a short match")


def _commands(folder: Path, *, is_small: bool) -> Iterator[Figure]:
    bots, patient = folder / "bots", folder / "player_patient.py"
    bots.mkdir()
    patient.write_text(PATIENT)
    for number in range(3 if is_small else BOTS):
        starter = (ONE, OTHER)[number % 2].read_text(encoding="utf-8")
        (bots / f"player_{number}.py").write_text(f"{starter}# {number}\n", encoding="utf-8")
    tuning = ("--param", "patience=1..9", "--iterations", 2 if is_small else 20, "--max-pairs", 0)
    many = sorted(bots.iterdir())
    for name, what, command in (
        ("check", "check of a starter bot", ("check", OTHER)),
        ("versus", "versus of two starter bots, to its verdict", ("versus", OTHER, ONE)),
        ("tune", "tune of one number, 20 iterations", ("tune", patient, *tuning)),
        ("tournament", "a round robin of 30 bots, 870 matches", ("tournament", *many)),
    ):
        began = time.monotonic()
        run_main(*command, *SHORT, "--out", folder / name)
        yield _wait(name, began).says(f"{what}, preset small")


def _page(folder: Path, turns: int) -> Iterator[Figure]:
    """Yield how long the page of a match takes in a browser; nothing where there is none."""
    if chromium.path() is not None:
        make(record(folder, NUMBERS, turns=turns), folder / "page.html")
        with chromium.chromium() as browser:
            took_ms = load_ms(browser, folder / "page.html")
        what = "opening the page of a match of 1000 turns in Chromium"
        yield figure("wait page", "s", took_ms / 1_000).says(what)


def _first_move(games: int) -> Figure:
    """Return what the first move on a board takes, with the position that is shown before it."""
    with new_site() as site:
        table, waits = Table(site), list[float]()
        with serving(site.path, games) as running:
            for _ in range(games):
                game = table.new_game()
                began = time.monotonic()
                Player(running, *game).move()
                waits.append(time.monotonic() - began)
    return figure("wait move", "s", median(waits)).says(
        "a first move on a board of Smack!, from asking for its position to the answer"
    )


def _wait(name: str, began: float) -> Figure:
    return figure(f"wait {name}", "s", time.monotonic() - began)
