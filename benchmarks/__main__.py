"""`python3 -m benchmarks`: measures all published figures, or those named, as a table.

`--quick` measures for some minutes instead of half an hour, eight of them for T6; `--json` prints
the figures for programs, and `--compare FILE` what changed against a run that was kept so. `peers`
(other frameworks) and `waits` (what people wait for) install packages, and run only when they are
named. Give the machine rest while it runs: ratios bear noise, absolute times do not.
"""

import signal
import sys
import traceback
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path[0] = str(HOME)  # `python3 somewhere/benchmarks` would look for modules in benchmarks/

import bootstrap

bootstrap.ensure(dev=True)  # of the simulator, too, which needs the extra `learning`

import click

from benchmarks import (
    dishes,
    draws,
    arena,
    armies,
    environments,
    hogs,
    hung,
    instructions,
    layers,
    match_loop,
    memory,
    moves,
    pages,
    peers,
    pool_reference,
    programs,
    ratings,
    rules,
    runner_cost,
    series,
    server,
    side_by_side,
    simulator,
    video,
    waits,
    watching,
)
from benchmarks.cores import machine
from benchmarks.comparison import Run, as_comparison, read_run
from benchmarks.table import FULL, QUICK, Benchmark, Figure, as_table

BENCHMARKS: dict[str, Benchmark] = {
    "T1": match_loop.measure,
    "T2": pool_reference.measure,
    "T3": side_by_side.measure,
    "T4": layers.measure,
    "T5": hung.measure,
    "T6": hogs.measure,
    "T9": rules.measure,
    "draws": draws.measure,
    "simulator": simulator.measure,
    "environments": environments.measure,
    "programs": programs.measure,
    "video": video.measure,
    "memory": memory.measure,
    "page": pages.measure,
    "smack": moves.measure,
    "smac": dishes.measure,
    "death": armies.measure,
    "window": watching.measure,
    "ratings": ratings.measure,
    "series": series.measure,
    "runner": runner_cost.measure,
    "server": server.measure,
    "arena": arena.measure,
    "instructions": instructions.measure,
}
ONLY_IF_NAMED: dict[str, Benchmark] = {"peers": peers.measure, "waits": waits.measure}
"""They install packages: those of others, and ours in a clone."""
NAMES = [*BENCHMARKS, *ONLY_IF_NAMED]


def leave(signum: int, frame: object) -> None:
    """Raises: SystemExit."""
    sys.exit(128 + signum)


@click.command(help=__doc__)
@click.argument("names", nargs=-1, type=click.Choice(NAMES, case_sensitive=False))
@click.option("--quick", is_flag=True, help="Fewer repeats, shorter matches.")
@click.option("--json", "wants_json", is_flag=True, help="Figures for programs.")
@click.option(
    "--compare",
    "earlier",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Show what changed against what --json printed once.",
)
def main(names: tuple[str, ...], quick: bool, wants_json: bool, earlier: Path | None) -> None:
    before = None if earlier is None else read_run(earlier)
    signal.signal(signal.SIGTERM, leave)  # so that what was started is ended
    effort = QUICK if quick else FULL
    figures, failed = list[Figure](), list[str]()
    for name in names or BENCHMARKS:
        click.echo(f"measuring {name} ...", err=True)
        try:
            figures += (BENCHMARKS | ONLY_IF_NAMED)[name](effort)
        except Exception:  # noqa: BLE001 - the figures of the others are printed all the same
            traceback.print_exc()
            failed.append(name)
    now = Run(machine(), figures)
    if wants_json:
        click.echo(now.to_json())
    elif before is None:
        click.echo(f"{as_table(figures)}\n\n{now.machine}")
    else:
        click.echo(as_comparison(before, now))
    if failed:
        click.echo(f"could not be measured: {', '.join(failed)}", err=True)
        sys.exit(1)


if __name__ == "__main__":
    main(prog_name="python3 -m benchmarks")
