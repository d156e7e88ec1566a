"""A server on each kind of database, and people and guests who play there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.games.test_lobby_pages import waiting
from tests.server.members import Browser, Server, read_link, serving
from tests.server.strangers.talking import between


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql").new_url()
    with serving(tmp_path, url) as server:
        yield server


@pytest.fixture
def ann(server: Server) -> Browser:
    return server.member("Ann")


@pytest.fixture
def bob(server: Server) -> Browser:
    return server.member("Bob")


@pytest.fixture
def game(ann: Browser, bob: Browser) -> str:
    return between(ann, bob)


@pytest.fixture
def guests(server: Server) -> tuple[Browser, Browser, str]:
    """Return the browsers of two guests, and their game."""
    host, friend = server.browser(), server.browser()
    made = host.post("/play/smack", {"name": "Zoe", "opponent": "friend"})
    (game,) = waiting(server)
    assert friend.post(read_link(made), {"name": "Fred"}).status_code == 200
    return host, friend, game.id
