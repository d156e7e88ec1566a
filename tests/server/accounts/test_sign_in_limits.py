"""What counts of sign-ins, whatever names are typed."""

from types import SimpleNamespace
from typing import Any

import pytest

from server.accounts.request_pages import count_sign_in
from server.http.errors import Denied
from server.http.limits import RateLimits
from server.identity import rate_limits
from server.identity.rate_limits import Asker


def is_looked_at(limits: RateLimits, name: str, address: str) -> bool:
    def count(action: str, key: str) -> None:
        limits.count(action, Asker(address), key)

    request: Any = SimpleNamespace(cookies={}, count=count)
    try:
        count_sign_in(request, name, None)
    except Denied:
        return False
    return True


def test_made_up_names_push_no_other_out_of_what_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_KEYS", 40)
    limits = RateLimits({"sign_in.address": 20})
    assert sum(is_looked_at(limits, "Ann", "192.0.2.1") for _ in range(20)) == 10
    assert sum(is_looked_at(limits, f"nobody {n}", "192.0.2.2") for n in range(100)) == 20
    assert not is_looked_at(limits, "Ann", "192.0.2.1")
