"""No bad bot in C does anything beyond its own process, and the causes are the true ones."""

import re
from collections.abc import Iterator

import pytest

from engine.bots.sandbox import Level
from engine.fault import Cause
from tests import needs
from tests.engine.bots.attacks import (
    FORBIDDEN,
    ILLEGAL,
    PLAYS_ON,
    SIGNAL,
    SLEPT,
    TIMEOUT,
    UNREADABLE,
)
from tests.engine.bots.house import House, opening_house
from tests.engine.bots.programs import SOURCE

EXPECTED = {
    **dict.fromkeys(
        ("forks", "vforks", "fork_bombs", "daemonizes", "clones", "runs_a_shell"), FORBIDDEN
    ),
    **dict.fromkeys(("runs_itself_again", "runs_by_popen", "makes_old_calls"), FORBIDDEN),
    **dict.fromkeys(("overflows_its_stack", "crashes", "aborts", "divides_by_zero"), SIGNAL),
    "fills_memory": SIGNAL | TIMEOUT,  # where giving it the pages takes longer than its clock
    **dict.fromkeys(("loops", "ignores_signals_and_loops"), TIMEOUT),
    **dict.fromkeys(("sleeps", "answers_half_a_line", "keeps_its_answers"), SLEPT),
    **dict.fromkeys(("exits", "answers_half_and_exits"), frozenset({Cause.EXIT})),
    "answers_fly": ILLEGAL,
    **dict.fromkeys(
        (
            *("writes_a_banner", "answers_twice", "answers_100_mb", "answers_in_zeroes"),
            *("answers_an_old_nonce", "answers_brackets", "answers_broken_utf8"),
            *("answers_terminal_codes", "forges_a_problem", "closes_its_pipes"),
        ),
        UNREADABLE,
    ),
}
"""The others are refused what they try, and play on: no fault."""
NAMES = [name for name in re.findall(r"BOT\((\w+)\)", SOURCE.read_text()) if name != "name"]
USUAL = ("forks", "reads_secrets", "calls_the_network", "shares_memory", "ponders")
"""Those of the usual run; the others are slow together."""

pytestmark = needs.COMPILER


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    yield from opening_house(Level.DEFAULT)


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in NAMES]
)
def test_a_bad_program_is_contained_and_its_cause_is_true(name: str, house: House) -> None:
    verdict = house.try_out(f"c:{name}")
    assert verdict.breaches == ()
    causes = EXPECTED.get(name, PLAYS_ON)
    assert set(verdict.causes) <= causes
    assert bool(verdict.causes) == bool(causes)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forks", "reads_secrets", "calls_the_network"])
def test_what_a_bad_program_does_where_nothing_stops_it_is_seen(name: str) -> None:
    for house in opening_house(Level.OFF):
        assert house.try_out(f"c:{name}").breaches != ()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forks", "reads_secrets", "lists_its_neighbors", "reads_proc"])
def test_bad_programs_are_contained_in_a_bubblewrap_too(name: str) -> None:
    for house in opening_house(Level.BWRAP):
        assert house.try_out(f"c:{name}").breaches == ()
