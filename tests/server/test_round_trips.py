"""How often a page waits for a database on another host."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from server.games.open_games import OpenGames, SeatKind, WaitingSeat
from tests.counting_proxy import CountingProxy, counting
from tests.postgresql import PostgreSQL
from tests.server.contests.field import bot_in, ladder_in, play_set
from tests.server.members import serving
from tests.server.playing import a_spec, start_game
from tests.server.test_who_may_what import STREAMS, Who, World, list_routes

MAX_ASKED = 12
"""How often a page is asked for that takes more than it may."""


class Far:
    """A server with one of everything and more, whose database is reached through a proxy."""

    def __init__(self, world: World, proxy: CountingProxy) -> None:
        self.world = world
        self._proxy = proxy
        self._clients = {who: world.client(who) for who in Who}

    def round_trips(self, path: str, who: Who, most: int) -> int:
        """Return how many a page takes that was asked for before.

        Now and then it takes one more, in which the driver has a statement prepared.
        """
        counts = [self._count_trips(path, who), self._count_trips(path, who)]
        while min(counts[1:]) > most and len(counts) < MAX_ASKED:
            counts.append(self._count_trips(path, who))
        return min(counts[1:])

    def _count_trips(self, path: str, who: Who) -> int:
        before = self._proxy.round_trips
        answer = self._clients[who].get(path)
        assert answer.status_code < 500, (path, answer.text)
        return self._proxy.round_trips - before


def fill(world: World) -> None:
    """Add running games, ladders, bots and matches that they have played."""
    server, database = world.server, world.server.storage.database
    author, member = server.person_id("Ann"), server.person_id("Mia")
    games = OpenGames(database)
    for number in range(10):
        game_id = start_game(server.game_service)
        server.game_service.conversations.say(game_id, 1, f"hello {number}")
        games.own(game_id, 1, author)
        games.own(game_id, 2, member)
    ladders = [ladder_in(database) for _ in range(5)]
    for number in range(20):
        made = bot_in(database, author if number < 10 else member, f"bot_{number}")
        enter(database, ladders[number % 5].id, made.id)
    spring = Ladders(database).ladder(world.parts["ladder"])
    assert spring is not None
    play_set(database, spring)
    seats = [
        WaitingSeat(kind=SeatKind.PERSON, name="Mia", person=member),
        WaitingSeat(kind=SeatKind.OPEN),
    ]
    for _ in range(3):
        games.add(a_spec("smack", ()), seats, member)


@pytest.fixture(scope="module")
def far(postgresql: PostgreSQL, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Far]:
    folder: Path = tmp_path_factory.mktemp("far") / "results"
    url = postgresql.new_url()
    with serving(folder, url) as server:
        world = World(server, folder)
        fill(world)
    with (
        counting(postgresql.port) as proxy,
        serving(folder, proxy.url(url), is_web_only=True) as world.server,
    ):
        yield Far(world, proxy)


USUAL = 4
"""Round trips of most pages, at most."""
MORE = {
    "/admin/export.zip": 65,
    "/admin/groups/{group}": 7,
    "/admin/groups/{group}/grades.{kind}": 8,
    "/admin/contests/{id}": 8,
    "/admin/contests/{id}/entries/{bot}": 7,
    "/admin/contests/{id}/matches/{match:int}": 5,
    "/api/v1/bots/{bot}/versions/{number}": 5,
    "/api/v1/designs": 6,
    "/api/v1/drafts/{draft}": 5,
    "/api/v1/drafts/{draft}/ladders": 5,
    "/api/v1/drafts/{draft}/opponents": 14,
    "/api/v1/drafts/{draft}/versions/{number}": 5,
    "/bots": 5,
    "/device/{key}": 8,
    "/games/{game}/rematch": 5,
    "/api/v1/contests": 5,
    "/contests": 5,
    "/contests/{id}/{table}.{kind}": 6,
    "/contests/{id}/matches.pgn": 6,
    "/join/{code:group_code}": 8,
    "/lobby": 5,
    "/lobby/new": 6,
    "/me/export": 49,
    "/seats/{game}/{team:int}/{key}": 8,
    "/welcome/{key}": 8,
}
"""Those that take more, and how many at most."""


def test_no_page_waits_often_for_the_database(far: Far) -> None:
    found = {}
    for route in sorted(list_routes(far.world) - STREAMS):
        method, pattern = route.split(" ")
        if method == "GET":
            who = Who.ORGANIZER if pattern.startswith("/admin") else Who.AUTHOR
            most = MORE.get(pattern, USUAL)
            found[pattern] = far.round_trips(far.world.path(pattern), who, most)

    assert MORE.keys() <= found.keys()
    too_many = {one: count for one, count in found.items() if count > MORE.get(one, USUAL)}
    assert too_many == {}


def test_a_visitor_waits_no_more_often_than_a_member(far: Far) -> None:
    for path in ("/", "/contests"):
        most = MORE.get(path, USUAL)
        assert far.round_trips(path, Who.NOBODY, most) <= most
