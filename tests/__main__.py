"""`python3 -m tests`: all tests, in parallel; `--quick` leaves out the slow ones.

Other arguments go to pytest, which runs in the project's folder wherever this is called from.
"""

import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path[0] = str(HOME)  # `python3 somewhere/tests` would look for modules in tests/

import bootstrap

bootstrap.ensure(dev=True)

import pytest


OURS = {"--quick": ["-m", "not slow"]}


def for_pytest(words: list[str]) -> list[str]:
    """Our words in pytest's; those that are not ours as they are."""
    return [meant for word in words for meant in OURS.get(word, [word])]


if __name__ == "__main__":
    os.chdir(HOME)
    sys.exit(pytest.main(for_pytest(sys.argv[1:])))
