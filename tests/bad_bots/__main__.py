"""`python3 -m tests.bad_bots`: try out every bad bot, as an ordinary user; a table.

Names behind it try out only those; `--sandbox bwrap` puts each in a bubblewrap of its own.
"""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from engine.bots.sandbox import Level
from runners.cores import available_cores
from tests.engine.bots.contained import Verdict
from tests.engine.bots.house import CannotHouse, House, bad_bots, what_it_tries

HOUSED = (Level.DEFAULT, Level.BWRAP)


def main(names: list[str], level: Level) -> int:
    """Print a row for each; 1 if any bot did something to anybody else."""
    count = len(available_cores())
    houses: SimpleQueue[House] = SimpleQueue()
    try:
        for _ in range(count):
            houses.put(House(level))
    except CannotHouse as reason:
        print(reason)
        return 2
    with ThreadPoolExecutor(count) as pool:
        verdicts = []
        for verdict in pool.map(lambda name: _try_out(houses, name), names):
            verdicts.append(verdict)
            _print_row(verdict)
    while not houses.empty():
        houses.get().close()
    held = sum(not verdict.breaches for verdict in verdicts)
    print(f"\n{held} of {len(verdicts)} bad bots were held.")
    return int(held < len(verdicts))


def _try_out(houses: "SimpleQueue[House]", name: str) -> Verdict:
    house = houses.get()
    try:
        return house.try_out(name)
    finally:
        houses.put(house)


def _print_row(verdict: Verdict) -> None:
    causes = ", ".join(verdict.causes) or "plays on"
    held = "held" if not verdict.breaches else "NOT HELD"
    print(f"{held:8}  {verdict.bot:36}  {causes:30}  {what_it_tries(verdict.bot)}", flush=True)
    for breach in verdict.breaches:
        print(f"          {breach}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python3 -m tests.bad_bots")
    parser.add_argument("--sandbox", type=Level, choices=HOUSED, default=Level.DEFAULT)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a bad bot; default: all")
    words = parser.parse_args()
    sys.exit(main(words.names or bad_bots(), words.sandbox))
