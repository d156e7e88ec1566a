"""`python3 -m tests`: the small tests of every feature, in parallel.

`--all` adds the slow ones, of browsers, clusters, kills and whole commands, and tries properties
with more examples: what continuous integration runs. `--every` adds what is exhaustive: endurance,
soak, hostile clients, installations, benchmarks, and all variants of tests that have many. Other
arguments go to pytest, which runs in the project's folder wherever this is called from.
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
PROFILE = "--hypothesis-profile"
LEFT_OUT_OF_ALL = ("-m", "not exhaustive")
USUAL = ("-m", "not slow and not exhaustive")


def for_pytest(parts: list[str]) -> list[str]:
    """Return the words of a command line as pytest understands them."""
    other = [word for word in parts if word not in (ALL, EVERY, FORMER)]
    if EVERY in parts:
        return [PROFILE, "thorough", *other]
    if ALL in parts:
        return [PROFILE, "more", *LEFT_OUT_OF_ALL, *other]
    return [*USUAL, *other]


if __name__ == "__main__":
    os.chdir(HOME)
    if EVERY in sys.argv:
        os.environ["SLIME_MIND_EVERY_VARIANT"] = "1"
    sys.exit(pytest.main(for_pytest(sys.argv[1:])))
