"""Limits of what takes a while: guests who make up cookies never have those of members."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from server.http.errors import TooMany
from server.http.limits import ConcurrencyLimit
from server.identity.rate_limits import Asker

MEMBER = Asker("192.0.2.1", person="ann")


def guest(number: int, address: str = "192.0.2.1") -> Asker:
    return Asker(address, cookie=str(number))


def has_place(limit: ConcurrencyLimit, by: Asker) -> bool:
    try:
        limit.acquire(by)
    except TooMany:
        return False
    return True


@pytest.fixture
def limit() -> ConcurrencyLimit:
    return ConcurrencyLimit(20, 2, 6, "two of yours are not over", 1.0)


def test_a_browser_has_few_and_an_address_not_many(limit: ConcurrencyLimit) -> None:
    assert [has_place(limit, guest(1)) for _ in range(3)] == [True, True, False]
    assert sum(has_place(limit, guest(number)) for number in range(2, 30)) == 4
    assert has_place(limit, guest(99, "192.0.2.2"))


def test_networks_of_a_larger_one_have_no_more_than_an_address(limit: ConcurrencyLimit) -> None:
    found = [has_place(limit, guest(number, f"2001:db8:0:{number}::1")) for number in range(9)]
    assert sum(found) == 6


def test_guests_of_many_addresses_leave_half_to_members(limit: ConcurrencyLimit) -> None:
    guests = [guest(number, f"192.0.2.{number}") for number in range(30)]
    assert sum(has_place(limit, one) for one in guests) == 10
    members = [Asker("192.0.2.1", person=str(number)) for number in range(30)]
    assert sum(has_place(limit, one) for one in members) == 10


def test_a_place_that_is_left_is_anothers_to_take(limit: ConcurrencyLimit) -> None:
    for by in (MEMBER, guest(1)):
        for _ in range(2):
            limit.acquire(by)
        with pytest.raises(TooMany, match="two of yours"):
            limit.acquire(by)
        limit.release(by)
        limit.acquire(by)


def test_many_who_ask_in_one_moment_get_no_more(limit: ConcurrencyLimit) -> None:
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: has_place(limit, MEMBER), range(64)))
    assert sum(found) == 2
