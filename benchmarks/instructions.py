"""instructions: how many instructions of the CPU the engine takes, as Valgrind counts them.

Seconds differ from run to run; these numbers hardly do, on any machine with the same build of
Python, so a change of a few percent is seen. Each program runs with some work and with twice as
much: the difference is free of the start of Python and of preparations. `python3 -m
benchmarks.instructions PROGRAM COUNT` is what is counted.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.cores import cores
from benchmarks.table import SMALL, Effort, Figure, Pair, figure

HOME = Path(__file__).resolve().parents[1]
KEPT = HOME / "benchmarks" / "instructions.json"
"""The figures that a test compares with; CONTRIBUTING.md says how they are renewed."""
COUNTING = (
    *("valgrind", "--tool=cachegrind", "--cache-sim=no", "--branch-sim=no"),
    "--cachegrind-out-file=/dev/null",
)
COUNTED = re.compile(r"I\s+refs:\s+([\d,]+)")


def rules(orders: int) -> None:
    """Play random orders by the rules of Slime Mind."""
    from benchmarks.rules import order_us

    order_us(orders)


def match_loop(turns: int) -> None:
    """Play a match of Slime Mind in this process, with a replay in memory."""
    from benchmarks.boards import GAME
    from benchmarks.seats import make_match
    from engine.game import Ask
    from engine.match import play_match
    from engine.seat import Seat

    class Still(Seat):
        def prepare(self, state: object) -> None:
            """Ignore the state: the answer is always the same."""

        def put(self, ask: Ask, view: object) -> None:
            """Ignore what is asked."""

        def take(self) -> object:
            return "MERGE"

    settings = GAME.settings(max_turns=turns, plant_pairs=0)
    play_match(GAME, make_match(GAME, settings, "a", "b"), [Still(), Still()])


def orders(turns: int) -> None:
    """Play a match whose workers answer at once: all that the engine does for an order."""
    from tempfile import TemporaryDirectory

    from benchmarks.instant import play_at_once
    from benchmarks.match_loop import IDLE

    with TemporaryDirectory() as folder:
        play_at_once("player_idle", {**IDLE, "max_turns": turns}, Path(folder))


def smack_moves(rounds: int) -> None:
    """List the moves of positions of Smack!."""
    from benchmarks.moves import draw_positions

    positions = draw_positions()[::8]
    for _ in range(rounds):
        for position in positions:
            position.moves()


def smac_turns(turns: int) -> None:
    """Play the same turn of SMAC on a full dish."""
    import msgspec

    from benchmarks.dishes import SIDES, encode, full_dish, play_turn, some_placements
    from engine.games.smac.state import Dish

    dish = full_dish(SIDES[0])
    answers = [some_placements(dish, team) for team in (1, 2)]
    content = encode(dish)
    for _ in range(turns):
        play_turn(msgspec.json.decode(content, type=Dish), answers)


def reference(rounds: int) -> None:
    """Do what every program in Python does: calls, attributes, dictionaries and lists."""

    class Counter:
        def __init__(self) -> None:
            self.seen: dict[int, int] = {}

        def take(self, number: int) -> int:
            self.seen[number % 64] = self.seen.get(number % 64, 0) + 1
            return len(self.seen)

    counter, found = Counter(), list[int]()
    for number in range(rounds):
        found.append(counter.take(number))
        if len(found) > 64:
            found.clear()


Program = Callable[[int], None]
PROGRAMS: Mapping[str, tuple[Program, int, str]] = {
    "rules": (rules, 1_000, "the rules of an order of Slime Mind, random orders"),
    "match": (match_loop, 30, "a turn of a match of ten slimes, in one process"),
    "order": (orders, 5, "a turn of 100 orders: asking, checking, playing, recording them"),
    "smack": (smack_moves, 4, "listing the moves of 40 positions of Smack!"),
    "smac": (smac_turns, 3, "a turn of SMAC on a full dish of 20 by 20"),
    "reference": (reference, 20_000, "a step of a loop in Python"),
}
"""What is counted, with how much work, and in words."""


def measure(effort: Effort) -> list[Figure]:
    """Count instructions, two programs at once; nothing where there is no Valgrind."""
    if shutil.which(COUNTING[0]) is None:
        return []
    share = 1 if effort.orders >= SMALL else 4
    with ThreadPoolExecutor(len(cores())) as threads:
        found = dict(
            zip(PROGRAMS, threads.map(lambda name: per_unit(name, share), PROGRAMS), strict=True)
        )
    base = found.pop("reference")
    return [
        figure(f"instructions {name}", "instructions", Pair(count, base)).says(
            f"{PROGRAMS[name][2]}; {PROGRAMS['reference'][2]}"
        )
        for name, count in found.items()
    ]


def per_unit(name: str, share: int = 1) -> float:
    """Return the instructions of a unit of work; `share`: by how much less work that is found."""
    count = max(1, PROGRAMS[name][1] // share)
    return (count_instructions(name, 2 * count) - count_instructions(name, count)) / count


def count_instructions(name: str, count: int) -> int:
    """Return the instructions of a whole program."""
    done = subprocess.run(
        [*COUNTING, sys.executable, "-m", "benchmarks.instructions", name, str(count)],
        cwd=HOME,
        env=os.environ | {"PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    found = COUNTED.search(done.stderr)
    assert found is not None, done.stderr
    return int(found[1].replace(",", ""))


if __name__ == "__main__":
    PROGRAMS[sys.argv[1]][0](int(sys.argv[2]))
