"""Runs main.py as a user does, and shows nothing of it."""

import subprocess
import sys
from pathlib import Path

MAIN = Path(__file__).resolve().parents[1] / "main.py"


def run_main(*words: object) -> None:
    """Raises: CalledProcessError if it fails."""
    subprocess.run(
        [str(word) for word in (sys.executable, MAIN, *words)],
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
