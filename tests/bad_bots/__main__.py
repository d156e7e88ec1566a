"""`python3 -m tests.bad_bots`: try out every bad bot, as an ordinary user; a table.

Each plays one match, in which anything it does to anybody else is seen. With `--matches` each
plays a series against playerCode/player_two instead, with the ordinary runner, and the table
says what it lost orders for. Names of bad bots choose some of them.
"""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[0] = str(HOME)  # `python3 somewhere/tests/bad_bots` would look for modules among them

import bootstrap

bootstrap.ensure()

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

import click

from engine.bots.sandbox import Level
from runners.execution.cores import available_cores
from tests.engine.bots.bad_series import play_series
from tests.engine.bots.contained import Verdict
from tests.engine.bots.bad_bots import bad_bots
from tests.engine.bots.house import CannotHouse, House, what_it_tries

HOUSED = (Level.DEFAULT, Level.BWRAP)


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(bad_bots()), metavar="[NAME]...")
@click.option("-m", "--matches", type=click.IntRange(1), metavar="N", help="A series of each.")
@click.option(
    "--turns",
    type=click.IntRange(1),
    metavar="N",
    default=10,
    show_default=True,
    help="How long the matches of a series are; a bot that sleeps takes a second per order.",
)
@click.option(
    "--sandbox",
    type=click.Choice([str(level) for level in HOUSED]),
    default=str(Level.DEFAULT),
    show_default=True,
    help="The layers alone, or a bubblewrap around each bot too.",
)
def main(names: tuple[str, ...], matches: int | None, turns: int, sandbox: str) -> None:
    chosen, level = names or bad_bots(), Level(sandbox)
    try:
        if matches is None:
            sys.exit(try_out(chosen, level))
        sys.exit(play_series(chosen, level, matches=matches, turns=turns))
    except CannotHouse as reason:
        click.echo(reason)
        sys.exit(2)


def try_out(names: Sequence[str], level: Level) -> int:
    """Print a row for each; 1 if any bot did something to anybody else. Raises: CannotHouse."""
    count = len(available_cores())
    houses: SimpleQueue[House] = SimpleQueue()
    for _ in range(count):
        houses.put(House(level))
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
    main(prog_name="python3 -m tests.bad_bots")
