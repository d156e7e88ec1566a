"""Whom limits count: what a client makes up about itself never gives it more."""

import pytest

from server.identity import rate_limits
from server.identity.rate_limits import MAX_SHARERS, Asker, RateLimit


def allowed(limit: RateLimit, askers: list[Asker]) -> int:
    return sum(limit.allows(*one.keys) for one in askers)


def test_another_cookie_with_each_request_gives_an_address_no_more() -> None:
    limit = RateLimit(2, 10)
    askers = [Asker("192.0.2.1", cookie=str(number)) for number in range(30)]
    assert allowed(limit, askers * 3) == 2 * MAX_SHARERS
    assert allowed(limit, [Asker("192.0.2.2", cookie="elsewhere")] * 3) == 2
    assert allowed(limit, [Asker("192.0.2.1", person="ann")] * 3) == 2


def test_one_guest_of_many_at_an_address_has_no_more_than_their_own() -> None:
    limit = RateLimit(2, 10)
    assert allowed(limit, [Asker("192.0.2.1", cookie="loop")] * 30) == 2
    assert allowed(limit, [Asker("192.0.2.1", cookie="another")] * 30) == 2


def test_another_network_of_a_larger_one_with_each_request_gives_no_more() -> None:
    limit = RateLimit(2, 10)
    askers = [Asker(f"2001:db8:0:{number:x}::1") for number in range(30)]
    assert allowed(limit, askers) == 2 * MAX_SHARERS
    assert allowed(limit, [Asker("2001:db8:1::1")] * 3) == 2


def test_refused_tries_with_made_up_cookies_are_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 40)
    limit = RateLimit(1, 10)
    assert not [limit.allows("ann") for _ in range(2)][1]
    allowed(limit, [Asker("192.0.2.1", cookie=str(number)) for number in range(100)])
    assert not limit.allows("ann")
    assert len(limit) == 2 + MAX_SHARERS


def test_how_long_to_wait_is_said_of_what_was_used_up() -> None:
    time_s = 0.0
    limit = RateLimit(1, 10, clock=lambda: time_s)
    for number in range(MAX_SHARERS):
        time_s = float(number)
        assert limit.allows("at", str(number))
    assert limit.wait_s("at", "another") == 1.0
    limit.give_back("at", "0")
    assert limit.wait_s("at", "another") == 0.0
