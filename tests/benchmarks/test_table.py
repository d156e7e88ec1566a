"""Medians, ratios and targets of the benchmarks, and that each of them runs."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import bootstrap
from benchmarks import __main__ as program
from benchmarks.comparison import Run
from benchmarks.table import Effort, Figure, Of, Pair, Sense, Target, as_table, measure_interleaved

MEASURE = """
import sys
from benchmarks.__main__ import BENCHMARKS, ONLY_IF_NAMED
from benchmarks.comparison import Run
from benchmarks.table import TINY
sys.stdout.write(Run("", (BENCHMARKS | ONLY_IF_NAMED)[sys.argv[1]](TINY)).to_json())
"""


def a_figure(
    *, ours: float = 10.0, reference: float | None = 5.0, target: Target | None = None
) -> Figure:
    return Figure(
        name="T0", what="a thing", unit="us", ours=ours, reference=reference, target=target
    )


def of(*values: float) -> Callable[[], float]:
    """A measurement that gives these, one after the other."""
    return iter(values).__next__


def three_times() -> Effort:
    return Effort(repeats=3, orders=1, calls=1)


def test_the_medians_of_both_are_taken() -> None:
    assert measure_interleaved(three_times(), of(9, 1, 2), of(4, 40, 5)) == Pair(2, 5)


def test_ours_and_the_reference_take_turns() -> None:
    received: list[str] = []

    def measure(name: str) -> float:
        received.append(name)
        return 1.0

    measure_interleaved(three_times(), lambda: measure("ours"), lambda: measure("reference"))
    assert received == ["ours", "reference"] * 3


def test_ours_is_compared_with_the_reference_by_ratio() -> None:
    assert a_figure().compared == 2.0


@pytest.mark.parametrize(("of", "compared"), [(Of.INVERSE, 0.5), (Of.DIFFERENCE, 5.0)])
def test_a_target_says_how_ours_is_compared(of: Of, compared: float) -> None:
    assert a_figure(target=Target.at_least(1, of)).compared == compared


def test_without_a_reference_there_is_nothing_to_compare() -> None:
    assert a_figure(reference=None).compared is None


@pytest.mark.parametrize(
    ("target", "is_met"),
    [
        (None, None),
        (Target.at_most(2.0), True),
        (Target.at_most(1.9), False),
        (Target.at_least(2.0), True),
        (Target.at_least(2.1), False),
        (Target.at_least(0.5, Of.INVERSE), True),
        (Target.at_least(0.6, Of.INVERSE), False),
        (Target.at_most(5, Of.DIFFERENCE), True),
        (Target.at_most(4, Of.DIFFERENCE), False),
        (Target.at_most(10, Of.OURS), True),
        (Target.at_most(9, Of.OURS), False),
    ],
)
def test_a_target_is_met_at_its_limit_and_not_beyond(
    target: Target | None, is_met: bool | None
) -> None:
    assert a_figure(target=target).is_met is is_met


def test_the_table_shows_every_figure_in_columns() -> None:
    figures = [
        a_figure(target=Target.at_most(1.5)),
        a_figure(ours=5.123, target=Target.at_most(1, Of.DIFFERENCE)),
        a_figure(ours=1234.5, reference=None, target=Target.at_most(2000, Of.OURS)),
        a_figure(ours=0.123456),
    ]
    assert as_table(figures).splitlines() == [
        "| name | what it measures | ours  | reference | unit | compared | target  | met |",
        "| ---- | ---------------- | ----- | --------- | ---- | -------- | ------- | --- |",
        "| T0   | a thing          | 10    | 5         | us   | 2.00x    | <= 1.5x | NO  |",
        "| T0   | a thing          | 5.12  | 5         | us   | +0.12    | <= +1   | yes |",
        "| T0   | a thing          | 1234  | -         | us   | -        | <= 2000 | yes |",
        "| T0   | a thing          | 0.123 | 5         | us   | 0.02x    | -       | -   |",
    ]


def test_json_has_what_follows_from_a_figure_too() -> None:
    run = Run("a CPU", [a_figure(target=Target(Sense.AT_MOST, 3.0))])
    (figure,) = json.loads(run.to_json())["figures"]
    assert (figure["ours"], figure["compared"], figure["met"]) == (10.0, 2.0, True)
    assert figure["target"] == {"sense": "<=", "limit": 3.0, "of": "ours / reference"}


def test_a_benchmark_that_fails_costs_no_figures_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(effort: Effort) -> list[Figure]:
        raise ValueError(effort)

    measures = {"T1": lambda effort: [a_figure()], "T2": fail, "T3": lambda effort: [a_figure()]}
    monkeypatch.setattr(program, "BENCHMARKS", measures)
    done = CliRunner().invoke(program.main, ["--json"])
    assert len(json.loads(done.stdout)["figures"]) == 2
    assert done.exit_code == 1
    assert done.stderr.endswith("could not be measured: T2\n")


@pytest.mark.exhaustive
@pytest.mark.timeout(300)  # several matches each, with processes; seconds where nothing else runs
@pytest.mark.parametrize("name", [*program.BENCHMARKS, "waits"])
def test_every_benchmark_runs(name: str) -> None:
    """Run it in a process of its own: windows that come later would miss a screen that is gone.

    On a machine that lacks what it takes, a benchmark has no figures to show.
    """
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, name],
        cwd=bootstrap.HOME,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    for figure in msgspec.json.decode(done.stdout, type=dict[str, Any])["figures"]:
        assert figure["ours"] >= 0
