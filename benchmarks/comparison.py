"""What changed against an earlier run of the benchmarks, which was kept with `--json`."""

from collections.abc import Sequence
from pathlib import Path

import click
import msgspec

from benchmarks.table import NONE, Figure, Of, comparison_text, in_columns, number

HEADINGS = ("name", "what it measures", "before", "now", "unit", "change", "met before", "met now")
MET = {None: NONE, True: "yes", False: "NO"}


class Run(msgspec.Struct, frozen=True):
    """All that was measured at once."""

    machine: str
    """As `benchmarks.cores.machine` says it."""
    figures: list[Figure]

    def to_json(self) -> str:
        """Return all fields, and what follows from them, as JSON."""
        figures = [
            {**msgspec.to_builtins(one), "compared": one.compared, "met": one.is_met}
            for one in self.figures
        ]
        content = {"machine": self.machine, "figures": figures}
        return msgspec.json.format(msgspec.json.encode(content)).decode()


def read_run(file: Path) -> Run:
    """Read what `--json` printed. Raises: click.UsageError where it is something else."""
    try:
        return msgspec.json.decode(file.read_bytes(), type=Run)
    except OSError as error:
        raise click.UsageError(f"--compare {file}: cannot be read: {error.strerror}") from error
    except msgspec.MsgspecError as error:
        raise click.UsageError(
            f"--compare {file}: is not what `python3 -m benchmarks --json` prints: {error}"
        ) from error


def as_comparison(before: Run, now: Run) -> str:
    """Return a table of all figures of both runs.

    Of figures with a reference these comparisons are shown, since they bear another day's noise;
    others only where both runs are of one machine.
    """
    is_same = before.machine == now.machine
    known = {_key(one): one for one in before.figures}
    rows = [
        _row(known[_key(one)], one)
        for one in now.figures
        if _key(one) in known and (is_same or one.compared is not None)
    ]
    lines = [in_columns([HEADINGS, *rows]), "", f"before: {before.machine}", f"now: {now.machine}"]
    if not is_same:
        lines.append("Another machine or system: figures without a reference are left out.")
    for label, missing in {
        "Not measured before": _others(now, before),
        "Not measured now": _others(before, now),
    }.items():
        if missing:
            lines.append(f"{label}: {', '.join(missing)}.")
    return "\n".join(lines)


def _others(run: Run, other: Run) -> Sequence[str]:
    """Return the names of figures that only the first run has."""
    known = set(map(_key, other.figures))
    return [one.name for one in run.figures if _key(one) not in known]


def _key(figure: Figure) -> tuple[str, str]:
    """Return what tells figures apart: some share a name."""
    return figure.name, figure.what


def _row(before: Figure, now: Figure) -> tuple[str, ...]:
    if now.compared is None or before.compared is None:
        shown = number(before.ours), number(now.ours), now.unit
        change = _share(before.ours, now.ours)
    else:
        shown = comparison_text(before), comparison_text(now), ""
        change = _share(before.compared, now.compared)
        if now.target is not None and now.target.of is Of.DIFFERENCE:
            change = f"{now.compared - before.compared:+.2f}"
    return (now.name, now.what, *shown, change, MET[before.is_met], MET[now.is_met])


def _share(before: float, now: float) -> str:
    return f"{100 * (now / before - 1):+.0f}%" if before else NONE
