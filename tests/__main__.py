"""`python3 -m tests`: the tests of every feature, in parallel, within minutes.

`--all` adds the slow ones: endurance, and the long runs of browsers, clusters, kills and crash
recovery; and properties are tried with more examples. `--every` also plays all variants of tests
that have a hundred, of which `--all` plays some thirty. Other arguments go to pytest, which runs in
the project's folder wherever this is called from.
"""

import os
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
sys.path[0] = str(HOME)  # `python3 somewhere/tests` would look for modules in tests/

import bootstrap

bootstrap.ensure(dev=True)

import pytest


ALL, EVERY = "--all", "--every"
FORMER = "--quick"  # what is the usual run today
THOROUGH = ("--hypothesis-profile", "thorough")
USUAL = ("-m", "not slow")


def for_pytest(words: list[str]) -> list[str]:
    """Return the words of a command line as pytest understands them."""
    theirs = [word for word in words if word not in (ALL, EVERY, FORMER)]
    return [*(THOROUGH if {ALL, EVERY}.intersection(words) else USUAL), *theirs]


if __name__ == "__main__":
    os.chdir(HOME)
    if EVERY in sys.argv:
        os.environ["SLIME_MIND_EVERY_VARIANT"] = "1"
    sys.exit(pytest.main(for_pytest(sys.argv[1:])))
