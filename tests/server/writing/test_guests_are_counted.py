"""Guests may have another cookie with each request: it is their address that counts, too."""

from collections.abc import Iterator

import pytest

from server.http.errors import TooMany
from server.http.limits import ConcurrencyLimit
from server.identity.people import hash_key
from server.identity.rate_limits import MAX_SHARERS, Asker
from server.writing.writers import COOKIE
from tests.server.members import Server, serving
from tests.server.writing.authors import API, call, make_draft

BODY = {"game": "slime_mind", "template": "simple", "name": "Mine"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder, limits = tmp_path_factory.mktemp("served") / "results", {"new_draft.guest_asker": 1}
    with serving(folder, guests_write=True, limits=limits) as made:
        yield made


def test_a_new_cookie_with_each_draft_fills_no_more_than_a_share(server: Server) -> None:
    for made_up in range(MAX_SHARERS):
        guest = server.browser("198.51.100.7")
        if made_up % 2:  # a browser's own, or one that the server has never given to anybody
            guest.client.cookies.set(COOKIE, f"made up {made_up}")
        make_draft(guest)
    refused = call(server.browser("198.51.100.7"), "POST", API, BODY)
    assert refused[0] == 429
    assert "new drafts without an account" in refused[1]["error"]
    make_draft(server.browser("198.51.100.8"))
    make_draft(server.member("Ann"))


def test_what_a_guest_has_played_is_counted_for_the_cookie_and_the_address(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.browser("203.0.113.9")
    draft = make_draft(guest)
    asked = list[Asker]()

    def full(_: ConcurrencyLimit, by: Asker) -> None:
        asked.append(by)
        raise TooMany("full", 1.0)

    monkeypatch.setattr(ConcurrencyLimit, "acquire", full)
    own = f"{API}/{draft['id']}"
    requests = {
        f"{own}/check": None,
        f"{own}/runs": {"opponent": "player_two"},
        f"{own}/versus": {"against": "player_two", "games": 10},
        "/api/v1/courses/slime_mind/steps/1/try": {"draft": draft["id"]},
    }
    assert [call(guest, "POST", path, body)[0] for path, body in requests.items()] == [429] * 4
    keys = ("at 203.0.113.9", f"guest {hash_key(guest.client.cookies[COOKIE])}")
    assert [by.keys for by in asked] == [keys] * 4
