"""What players do about each other counts in each process that serves a database."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL
from tests.server.games.test_lobby_pages import waiting
from tests.server.members import Browser, Server, read_link, serving
from tests.server.strangers.talking import avoid, between, say, texts

Both = tuple[Server, Server]


@pytest.fixture
def both(postgresql: PostgreSQL, tmp_path: Path) -> Iterator[Both]:
    """Return what two processes have of one database."""
    url = postgresql.new_url()
    with (
        serving(tmp_path / "one", url) as one,
        serving(tmp_path / "other", url, is_web_only=True) as other,
    ):
        yield one, other


def at(server: Server, browser: Browser) -> Browser:
    """Return the same browser, as it asks another process."""
    there = server.browser()
    there.client.cookies.update(browser.client.cookies)
    return there


@pytest.mark.parametrize("kind", ["mute", "block"])
@pytest.mark.parametrize("everywhere", [False, True])
def test_who_is_avoided_in_one_process_is_so_in_the_other(
    both: Both, kind: str, *, everywhere: bool
) -> None:
    one, other = both
    ann, bob = one.member("Ann"), one.member("Bob")
    game = between(ann, bob)
    say(at(other, bob), game, "before")
    assert texts(at(other, ann), game) == ["before"]
    avoid(ann, game, 2, kind, everywhere=everywhere)
    assert texts(at(other, ann), game) == []
    code, _ = say(at(other, bob), game)
    assert code == (200 if kind == "mute" else 422)
    assert texts(at(other, ann), game) == texts(ann, game) == []
    avoid(at(other, ann), game, 2, None)
    assert texts(ann, game)[0] == "before"


def test_a_seat_that_one_process_has_closed_is_closed_in_the_other(both: Both) -> None:
    one, other = both
    host, friend = one.browser(), one.browser()
    made = host.post("/play/smack", {"name": "Zoe", "opponent": "friend"})
    (game,) = waiting(one)
    friend.post(read_link(made), {"name": "Fred"})
    there = at(other, friend)
    assert say(there, game.id)[0] == 200
    one.game_service.close_seat(game.id, 2)
    other.game_service.on_external_change(game.id)  # as it is notified
    assert say(there, game.id)[0] == say(friend, game.id)[0] == 403
    assert texts(host, game.id) == ["hello"]
