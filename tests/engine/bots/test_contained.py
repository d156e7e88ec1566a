"""No bad bot does anything beyond its own worker: tried as an ordinary user."""

from collections.abc import Iterator

import pytest

from engine.bots.sandbox import Level
from tests import needs
from tests.engine.bots.attacks import ATTACKS
from tests.engine.bots.bad_bots import bad_bots
from tests.engine.bots.house import CannotHouse, House, opening_house, what_it_tries
from tests.engine.bots.test_faults import EXPECTED, HARMLESS

SEEN_WITHOUT = {
    "daemonises": "processes are left",
    "listens": "escaped: listens at",
    "reads_the_opponent": "escaped: listdir",
    "talks_to_services": "connections: 0 -> 1",
}
"""Bots that do no lasting harm where nothing stops them, and a word of what is then seen."""


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    yield from opening_house(Level.DEFAULT)


@pytest.fixture(scope="module")
def open_house() -> Iterator[House]:
    yield from opening_house(Level.OFF)


@pytest.mark.variants(12)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if number % 3 else ())
        for number, name in enumerate(ATTACKS)
    ],
)
def test_an_attack_comes_to_nothing(name: str, house: House) -> None:
    verdict = house.try_out(name)
    assert verdict.breaches == ()
    assert set(verdict.causes) <= ATTACKS[name]
    assert bool(verdict.causes) == bool(ATTACKS[name])


@pytest.mark.slow
@pytest.mark.variants(1, all=12)
@pytest.mark.parametrize("name", [*EXPECTED, *HARMLESS])
def test_a_broken_bot_breaks_itself_alone(name: str, house: House) -> None:
    verdict = house.try_out(name)
    assert verdict.breaches == ()
    assert verdict.causes == (() if name in HARMLESS else (EXPECTED[name][0],))


@pytest.mark.parametrize("name", SEEN_WITHOUT)
def test_what_an_attack_does_where_nothing_stops_it_is_seen(name: str, open_house: House) -> None:
    assert SEEN_WITHOUT[name] in " ".join(open_house.try_out(name).breaches)


def test_a_worker_reads_copies_that_are_private() -> None:
    try:
        house = House(umask=0o077)
    except CannotHouse as reason:
        needs.skip(str(reason))
    with house:
        verdict = house.try_out("own_json")
        copies = [path for path in house.folder.rglob("*") if "bots" in path.parts]
        assert {path.stat().st_mode & 0o077 for path in copies} == {0}
    assert (verdict.causes, verdict.breaches) == ((), ())


def test_every_bad_bot_says_in_a_line_what_it_tries() -> None:
    lines = [what_it_tries(name) for name in bad_bots()]
    assert [line for line in lines if not line.endswith(".")] == []
    assert len(set(lines)) == len(lines)
