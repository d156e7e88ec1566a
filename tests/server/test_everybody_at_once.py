"""A class is told "now everybody join": all sit down in the same moment, and all are seated."""

import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import insert

from runners.storage.database import Database, now
from runners.storage.game_tables import people, sessions
from runners.storage.schema import ensure_schema
from server.games.open_games import OpenGames, SeatKind, WaitingSeat
from server.http.page_requests import FORM_THREADS
from server.identity.people import People, Person, hash_key, new_account
from server.site import application
from tests.examples import at_length
from tests.postgresql import PostgreSQL
from tests.server.deployed import deployed
from tests.server.members import Server
from tests.server.playing import a_spec
from tests.shell import Shell, eventually

FORM = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open"}
MORE = 30
"""People; more than a process has connections."""
PEOPLE = 60
ROUNDS = at_length(10, else_=1)
SPECTATORS = 10


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | str:
    """Return where a new database is to be, of each kind."""
    if request.param == "sqlite":
        (tmp_path / "results").mkdir()
        return tmp_path / "results" / "games.sqlite"
    server: PostgreSQL = request.getfixturevalue("postgresql")
    return server.new_url()


def join(database: Database, count: int) -> list[Person]:
    """Make people who are signed in, each with their id as the token of their session."""
    rows = [new_account(f"Ann {number}", None, is_organizer=False) for number in range(count)]
    with database.transaction() as connection:
        connection.execute(insert(people), rows)
        times = {"created_at": now(), "used_at": now()}
        signed_in = [
            {"hash": hash_key(str(row["id"])), "person": row["id"], **times} for row in rows
        ]
        connection.execute(insert(sessions), signed_in)
    found = {person.id: person for person in People(database).find_all()}
    return [found[str(row["id"])] for row in rows]


def offer_games(database: Database, makers: Sequence[Person]) -> list[str]:
    """Make a game of each, in which the second seat is open."""
    spec = a_spec("smack", (), pace="free")
    open_games = OpenGames(database)
    return [
        open_games.add(
            spec,
            [
                WaitingSeat(kind=SeatKind.PERSON, name=maker.name, person=maker.id),
                WaitingSeat(kind=SeatKind.OPEN),
            ],
            maker.id,
        ).id
        for maker in makers
    ]


def at_once(do: Sequence[Callable[[], object]]) -> list[object]:
    """Do all in the same moment, each in a thread of its own; return what they return."""
    ready = threading.Barrier(len(do))

    def start(one: Callable[[], object]) -> object:
        ready.wait()
        return one()

    with ThreadPoolExecutor(len(do)) as threads:
        return list(threads.map(start, do))


def test_all_are_seated_who_sit_down_in_the_same_moment(where: Path | str) -> None:
    with closing(Database(where)) as database:
        ensure_schema(database)
        everybody = join(database, MORE)
        open_games = OpenGames(database)
        games = offer_games(database, everybody)
        at_once(
            [
                partial(open_games.take, game, 2, one)
                for game, one in zip(games, reversed(everybody), strict=True)
            ]
        )
        assert all(game.is_full for game in open_games.find_waiting())


def test_who_would_wait_for_too_long_is_told_to_try_again(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(application, "MAX_REQUEST_WAIT_S", 0.05)
    ann = server.member("Ann")
    with server.storage.database.transaction():
        answer = ann.post("/lobby/new", FORM)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "3")
    assert "nothing was done: try again in a few seconds" in answer.text
    assert server.said[-1].endswith("others have been writing for 0.05 s")
    assert ann.post("/lobby/new", FORM).status_code == 200


def test_pages_do_not_wait_for_forms_that_wait_for_each_other(server: Server) -> None:
    ann = server.member("Ann")
    with ThreadPoolExecutor(PEOPLE) as threads, server.storage.database.transaction():
        for _ in range(PEOPLE - 1):
            threads.submit(ann.post, "/lobby/new", FORM)
        limiter = server.site.pages._form_threads
        assert eventually(lambda: limiter.statistics().tasks_waiting == PEOPLE - 1 - FORM_THREADS)
        looking = threads.submit(ann.get, "/lobby")
        is_answered = eventually(looking.done, 5)
    assert is_answered


class Class:
    """People who are signed in on a server in another process."""

    def __init__(self, port: int, everybody: Sequence[Person], stack: ExitStack) -> None:
        self._base = f"http://127.0.0.1:{port}"
        self.browsers = [stack.enter_context(self._browser(one.id)) for one in everybody]

    def _browser(self, token: str) -> httpx2.Client:
        return httpx2.Client(
            base_url=self._base,
            timeout=60,
            verify=False,
            headers={"origin": self._base, "cookie": f"session={token}", "connection": "close"},
        )

    def take_seat(self, browser: httpx2.Client, game: str) -> int:
        return browser.post(f"/lobby/{game}/take", data={"team": "2"}).status_code

    def take_seats(self, games: Sequence[str]) -> list[object]:
        """Have each sit down in a game, all in the same moment; return what they are answered."""
        return at_once(
            [
                partial(self.take_seat, browser, game)
                for browser, game in zip(self.browsers, games, strict=True)
            ]
        )

    @contextmanager
    def watching(self, game: str) -> Iterator[list[int]]:
        """Have some look at a game again and again; yield what they are answered."""
        answers: list[int] = []
        is_over = threading.Event()

        def watch(browser: httpx2.Client) -> None:
            while not is_over.is_set():
                paths = (f"/games/{game}", f"/api/v1/games/{game}")
                answers.extend(browser.get(path).status_code for path in paths)
                time.sleep(0.1)

        with ThreadPoolExecutor(SPECTATORS) as threads, ExitStack() as stack:
            for _ in range(SPECTATORS):
                threads.submit(watch, stack.enter_context(self._browser("")))
            try:
                yield answers
            finally:
                is_over.set()
                threads.shutdown()


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_class_sits_down_again_and_again_and_spectators_notice_nothing(
    where: Path | str, tmp_path: Path
) -> None:
    with closing(Database(where)) as database, ExitStack() as stack:
        ensure_schema(database)
        everybody = join(database, PEOPLE)
        parts = ["serve", "--no-exhibitions", "--port", "8000", "--out", "results"]
        env = os.environ | ({} if isinstance(where, Path) else {"SLIME_MIND_DATABASE": where})
        web = stack.enter_context(deployed(Shell(tmp_path), parts, env, cwd=tmp_path))
        them = Class(web.port, everybody, stack)
        [watched] = offer_games(database, everybody[:1])
        assert them.take_seat(them.browsers[1], watched) == 303
        watching = stack.enter_context(them.watching(watched))
        for _ in range(ROUNDS):
            games = offer_games(database, everybody)
            assert them.take_seats([*games[1:], games[0]]) == [303] * PEOPLE
        assert OpenGames(database).find_waiting() == []
    assert set(watching) == {200}
