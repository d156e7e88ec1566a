"""Runs programs as users do: main.py, of which nothing is shown, and benchmarks on their own."""

import subprocess
import sys
from pathlib import Path
from typing import TypeVar

import msgspec

T = TypeVar("T")
HOME = Path(__file__).resolve().parents[1]


def run_main(*arguments: object) -> None:
    """Raises: CalledProcessError if it fails."""
    subprocess.run(
        [str(word) for word in (sys.executable, HOME / "main.py", *arguments)],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )


def in_a_process(module: str, word: object, printed: type[T]) -> T:
    """Return what a benchmark prints, as JSON, that does nothing else in a fresh process."""
    command = [sys.executable, "-m", module, str(word)]
    done = subprocess.run(command, cwd=HOME, stdout=subprocess.PIPE, check=True)
    return msgspec.json.decode(done.stdout, type=printed)
