"""What changed against an earlier run of the benchmarks."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks import __main__ as program
from benchmarks.comparison import Run, as_comparison, read_run
from benchmarks.table import Figure, Of, Target


def a_figure(
    name: str, ours: float, reference: float | None = 5.0, target: Target | None = None
) -> Figure:
    return Figure(
        name=name, what="a thing", unit="us", ours=ours, reference=reference, target=target
    )


BEFORE = [
    a_figure("ratio", 10.0, target=Target.at_most(2)),
    a_figure("alone", 4.0, reference=None, target=Target.at_most(5, Of.OURS)),
    a_figure("more", 6.0, target=Target.at_most(2, Of.DIFFERENCE)),
    a_figure("gone", 1.0),
]
NOW = [
    a_figure("ratio", 15.0, target=Target.at_most(2)),
    a_figure("alone", 3.0, reference=None, target=Target.at_most(5, Of.OURS)),
    a_figure("more", 5.5, target=Target.at_most(2, Of.DIFFERENCE)),
    a_figure("new", 1.0),
]


def test_ratios_differences_and_plain_figures_are_compared() -> None:
    shown = as_comparison(Run("a CPU", BEFORE), Run("a CPU", NOW))
    assert shown.splitlines() == [
        "| name  | what it measures | before | now   | unit | change | met before | met now |",
        "| ----- | ---------------- | ------ | ----- | ---- | ------ | ---------- | ------- |",
        "| ratio | a thing          | 2.00x  | 3.00x |      | +50%   | yes        | NO      |",
        "| alone | a thing          | 4      | 3     | us   | -25%   | yes        | yes     |",
        "| more  | a thing          | +1.00  | +0.50 |      | -0.50  | yes        | yes     |",
        "",
        "before: a CPU",
        "now: a CPU",
        "Not measured before: new.",
        "Not measured now: gone.",
    ]


def test_of_another_machine_only_what_has_a_reference_is_compared() -> None:
    shown = as_comparison(Run("a CPU", BEFORE), Run("another CPU", NOW))
    assert "| ratio" in shown
    assert "| alone" not in shown
    assert "figures without a reference are left out" in shown


def test_a_run_that_was_kept_is_read_again(tmp_path: Path) -> None:
    saved = Run("a CPU", BEFORE)
    file = tmp_path / "run.json"
    file.write_text(saved.to_json(), encoding="utf-8")
    assert read_run(file) == saved


@pytest.mark.parametrize(("text", "message"), [(None, "cannot be read"), ("[]", "is not what")])
def test_what_is_no_run_is_refused_before_anything_is_measured(
    tmp_path: Path, text: str | None, message: str
) -> None:
    file = tmp_path / "run.json"
    if text is not None:
        file.write_text(text, encoding="utf-8")
    done = CliRunner().invoke(program.main, ["T9", "--compare", str(file)])
    assert done.exit_code == 2
    assert message in done.output
    assert "measuring" not in done.output
