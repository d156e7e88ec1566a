"""Whom limits count: what a client makes up about itself never gives it more."""

import pytest

from server.identity import rate_limits
from server.identity.rate_limits import KEY_BYTES, MAX_SHARERS, Asker, RateLimit, in_words


def allows(limit: RateLimit, *keys: str) -> bool:
    """Count a try if it is one of those count_allowed."""
    if limit.wait_s(*keys):
        return False
    limit.count(*keys)
    return True


def count_allowed(limit: RateLimit, askers: list[Asker]) -> int:
    return sum(allows(limit, *one.keys) for one in askers)


def test_another_cookie_with_each_request_gives_an_address_no_more() -> None:
    limit = RateLimit(2, 10)
    askers = [Asker("192.0.2.1", cookie=str(number)) for number in range(30)]
    assert count_allowed(limit, askers * 3) == 2 * MAX_SHARERS
    assert count_allowed(limit, [Asker("192.0.2.2", cookie="elsewhere")] * 3) == 2
    assert count_allowed(limit, [Asker("192.0.2.1", person="ann")] * 3) == 2


def test_one_guest_of_many_at_an_address_has_no_more_than_their_own() -> None:
    limit = RateLimit(2, 10)
    assert count_allowed(limit, [Asker("192.0.2.1", cookie="loop")] * 30) == 2
    assert count_allowed(limit, [Asker("192.0.2.1", cookie="another")] * 30) == 2


def test_another_network_of_a_larger_one_with_each_request_gives_no_more() -> None:
    limit = RateLimit(2, 10)
    askers = [Asker(f"2001:db8:0:{number:x}::1") for number in range(30)]
    assert count_allowed(limit, askers) == 2 * MAX_SHARERS
    assert count_allowed(limit, [Asker("2001:db8:1::1")] * 3) == 2


def test_refused_tries_with_made_up_cookies_are_not_remembered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 40)
    limit = RateLimit(1, 10)
    assert not [allows(limit, "ann") for _ in range(2)][1]
    count_allowed(limit, [Asker("192.0.2.1", cookie=str(number)) for number in range(100)])
    assert not allows(limit, "ann")
    assert len(limit) == 2 + MAX_SHARERS


def test_how_long_to_wait_is_said_of_what_was_used_up() -> None:
    time_s = 0.0
    limit = RateLimit(1, 10, clock=lambda: time_s)
    for number in range(MAX_SHARERS):
        time_s = float(number)
        assert allows(limit, "at", str(number))
    assert limit.wait_s("at", "another") == 1.0
    limit.give_back("at", "0")
    assert limit.wait_s("at", "another") == 0.0


def test_a_limit_is_for_each_key_and_forgets() -> None:
    time_s = 0.0
    limit = RateLimit(2, 10, clock=lambda: time_s)
    assert [allows(limit, "a"), allows(limit, "a"), allows(limit, "a")] == [True, True, False]
    assert allows(limit, "b")
    time_s = 4.0
    assert (limit.wait_s("a"), limit.wait_s("b")) == (6.0, 0.0)
    time_s = 10.0
    assert allows(limit, "a")


def test_a_try_that_is_given_back_does_not_count() -> None:
    limit = RateLimit(1, 10)
    for _ in range(3):
        assert allows(limit, "a")
        limit.give_back("a")
    assert allows(limit, "a")
    assert not allows(limit, "a")


def test_keys_of_a_limit_are_short_and_go_when_their_time_is_over() -> None:
    time_s = 0.0
    limit = RateLimit(2, 10, clock=lambda: time_s)
    for number in range(1_000):
        allows(limit, f"{number} " + "\ufdfa" * 10_000)
    assert sum(map(len, limit._past)) == 1_000 * KEY_BYTES
    time_s = 11.0
    allows(limit, "another")
    assert len(limit) == 1


@pytest.mark.parametrize(
    ("wait_s", "text"), [(0.2, "1 second"), (60, "60 seconds"), (61, "2 minutes")]
)
def test_a_wait_is_never_said_to_be_shorter_than_it_is(wait_s: float, text: str) -> None:
    assert in_words(wait_s) == text
