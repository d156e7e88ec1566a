"""`python3 -m tests.faults [NAME...]`: seed faults, and show that the tests catch each.

Works on copies of the project. NAME is a part of a fault's name or of its file's; without one all
are tried. Ends with 1 where a fault was missed, or does not apply any more.
"""

import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[2]
sys.path[0] = str(HOME)

import bootstrap

bootstrap.ensure(dev=True)

import click

from tests.faults.catalog import FAULTS
from tests.faults.seeded import SeededFault
from tests.faults.trying import PASSED, Copy, Result, attempt_all, copies, pytest_command


@click.command(help=(__doc__ or "").partition("\n\n")[2])
@click.argument("names", metavar="[NAME]...", nargs=-1)
@click.option("--list", "is_listed", is_flag=True, help="List the faults, and try none.")
@click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="Faults tried at once."
)
def main(names: tuple[str, ...], is_listed: bool, jobs: int) -> None:
    faults = [fault for fault in FAULTS if is_wanted(fault, names)]
    if not faults:
        raise click.UsageError(f"no fault has {' or '.join(map(repr, names))} in its name or file")
    if is_listed:
        for fault in faults:
            click.echo(f"{fault.file}: {fault.name}")
        return
    with copies(HOME, min(jobs, len(faults)), pytest_command()) as made:
        require_passing(made[0], faults)
        results = []
        for number, trial in enumerate(attempt_all(made, faults), 1):
            click.echo(f"{number:3}/{len(faults)} {trial}")
            results.append(trial.result)
    counts = [f"{results.count(result)} {result}" for result in Result if result in results]
    click.echo(f"{len(faults)} faults: {', '.join(counts)}")
    sys.exit(set(results) != {Result.CAUGHT})


def is_wanted(fault: SeededFault, names: tuple[str, ...]) -> bool:
    return not names or any(name in fault.name or name in fault.file for name in names)


def require_passing(copy: Copy, faults: list[SeededFault]) -> None:
    """Run all tests without a fault; end here unless they pass."""
    tests = sorted({test for fault in faults for test in fault.tests})
    click.echo(f"{len(tests)} tests and files of tests, without a fault:", nl=False)
    run = copy.run(tests, is_first_enough=False)
    if run.code != PASSED:
        click.echo(" they do not pass, so they would show nothing")
        click.echo(run.output[-4_000:])
        sys.exit(1)
    click.echo(" passed")


if __name__ == "__main__":
    main()
