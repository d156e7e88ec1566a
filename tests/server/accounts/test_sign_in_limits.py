"""What counts of sign-ins, whatever names are typed."""

from types import SimpleNamespace
from typing import Any

import pytest

from server.accounts.sign_in_limits import MAX_FAILURES_PER_NAME, SignInLimits
from server.http.errors import Denied
from server.http.page_requests import count_try
from server.identity import rate_limits


def is_looked_at(limits: SignInLimits, name: str, address: str) -> bool:
    request: Any = SimpleNamespace(cookies={}, address=address, require=count_try)
    try:
        limits.begin(request, name, None)
    except Denied:
        return False
    return True


def test_made_up_names_push_no_other_out_of_what_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 40)
    limits = SignInLimits(wrong_passwords=20)
    assert sum(is_looked_at(limits, "Ann", "192.0.2.1") for _ in range(20)) == MAX_FAILURES_PER_NAME
    assert sum(is_looked_at(limits, f"nobody {n}", "192.0.2.2") for n in range(100)) == 20
    assert not is_looked_at(limits, "Ann", "192.0.2.1")


def test_who_is_refused_for_a_name_uses_up_nothing_of_their_address() -> None:
    limits = SignInLimits(wrong_passwords=MAX_FAILURES_PER_NAME + 1)
    assert sum(is_looked_at(limits, "Ann", "192.0.2.1") for _ in range(30)) == MAX_FAILURES_PER_NAME
    assert is_looked_at(limits, "Bob", "192.0.2.1")
