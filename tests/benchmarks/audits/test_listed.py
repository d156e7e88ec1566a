"""The list of audits."""

import subprocess
import sys
from pathlib import Path

import bootstrap
from benchmarks.audits.__main__ import AUDITS

NO_AUDITS = {"__init__", "__main__"}


def test_every_audit_is_listed_and_says_what_it_finds_out() -> None:
    modules = {path.stem for path in Path(bootstrap.HOME / "benchmarks/audits").glob("*.py")}
    assert set(AUDITS) == modules - NO_AUDITS
    listed = subprocess.run(
        [sys.executable, "-m", "benchmarks.audits"],
        cwd=bootstrap.HOME,
        check=False,  # without a name it shows its help, and ends with 2
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ).stdout
    _, _, commands = listed.partition("Commands:\n")
    shown = dict(line.split(maxsplit=1) for line in commands.splitlines())
    assert set(shown) == set(AUDITS)
    assert not [text for text in shown.values() if text.endswith("...")]


def test_an_audit_takes_options_of_its_own() -> None:
    command = [sys.executable, "-m", "benchmarks.audits", "perft", "--depth", "1"]
    table = subprocess.check_output(command, cwd=bootstrap.HOME, text=True).splitlines()
    assert [line.split()[:2] for line in table] == [["depth", "sequences"], ["1", "656"]]
