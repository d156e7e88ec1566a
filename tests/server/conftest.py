"""A server that serves, for browsers."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import create_engine

from runners.contests import publishing
from runners.execution import pool
from runners.storage import database, schema
from runners.storage.schema import make_file
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.identity import passwords
from server.site.application import Application, GamesAtHome
from server.site.site import Site
from tests.server.members import DATABASE, Server, serving
from tests.server.playing import Now, a_game_service
from tests.server.serving import serving_app
from tests.template import make_once, shared_folder

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
NewContext = Callable[..., Any]
Serve = Callable[..., str]
"""Serves games, with the site of its members if there is one; returns the address."""


class KeptStatements(dict[Any, Any]):
    """What statements were compiled to, by the name of the dialect in place of its object."""

    def get(self, key: Any, default: Any = None) -> Any:
        return super().get((key[0].name, *key[1:]), default)

    def __setitem__(self, key: Any, compiled: Any) -> None:
        super().__setitem__((key[0].name, *key[1:]), compiled)


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """Compile each statement once for all databases of this process, as for the one of a server."""
    saved = {"compiled_cache": KeptStatements()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "create_engine", partial(create_engine, execution_options=saved))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_niceness() -> Iterator[None]:
    """Let the processes of ladders have their share of a machine that runs other tests, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pool, "NICENESS", 0)
        patch.setattr(publishing, "NICENESS", 0)
        yield


@pytest.fixture(name="database")
def a_database(tmp_path: Path) -> Iterator[database.Database]:
    """Return a new database, with all tables."""
    with closing(database.Database(tmp_path / "games.sqlite")) as made:
        schema.ensure_schema(made)
        yield made


@pytest.fixture(scope="session", autouse=True)
def tables_made_once() -> Iterator[None]:
    """Make the tables once for all files of this run, whose databases begin as copies."""
    with make_once("tables") as folder:
        if folder is not None:
            GameStorage(folder / DATABASE).close()

    def copy(path: Path, fill: object, *, is_private: bool) -> None:
        made = partial(shutil.copyfile, shared_folder("tables") / DATABASE)
        make_file(path, made, is_private=is_private)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "make_file", copy)
        yield


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with the least memory; a test of the usual hashes asks for `usual_passwords`."""
    if "usual_passwords" not in request.fixturenames:
        monkeypatch.setattr(passwords, "HASHER", QUICK)
        monkeypatch.setattr(passwords, "DUMMY_HASH", QUICK.hash(""))


@pytest.fixture
def usual_passwords() -> None:
    """Hash passwords as users' are."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server with accounts, in this process."""
    with serving(tmp_path) as server:
        yield server


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return one for all tests of a module that do not mind what the others leave there."""
    with serving(tmp_path_factory.mktemp("lasting")) as server:
        yield server


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return where there is no database yet."""
    return tmp_path / DATABASE


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def game_service(tmp_path: Path) -> GameService:
    return a_game_service(tmp_path / DATABASE)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    with ExitStack() as running:

        def start(game_service: GameService, members: Site | GamesAtHome | None = None) -> str:
            def make(address: str) -> Application:
                return Application(game_service, [address], members, out=tmp_path)

            return running.enter_context(serving_app(make))

        yield start


@pytest.fixture
def new_context(chromium: Any, serve: Serve) -> Iterator[NewContext]:
    """Begin browsers of their own, on a desktop unless options say otherwise.

    They end before the server does, which would wait for them.
    """
    contexts: list[Any] = []

    def begin(**options: Any) -> Any:
        usual = {"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce"}
        contexts.append(chromium.new_context(**{**usual, **options}))
        return contexts[-1]

    yield begin
    for context in contexts:
        context.close()


def new_page(context: Any) -> Any:
    """Return a page that notes what goes wrong in its scripts, as `errors`."""
    page = context.new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on("console", lambda line: line.type == "error" and page.errors.append(line.text))
    return page


class People:
    """Browsers, one for each person."""

    def __init__(self, new_context: NewContext, home: str) -> None:
        self._new_context, self._home = new_context, home
        self._pages: list[Any] = []

    @property
    def errors(self) -> list[str]:
        """Return what went wrong in the scripts of their pages."""
        return [error for page in self._pages for error in page.errors]

    def browser(self) -> Any:
        self._pages.append(new_page(self._new_context(base_url=self._home)))
        return self._pages[-1]

    def join(self, link: str, name: str) -> Any:
        """Return the browser of somebody who has followed the link of an invitation."""
        page = self.browser()
        page.goto(link)
        page.get_by_label("Name").fill(name)
        page.locator("main form button").first.click()
        page.get_by_role("heading", name=f"Welcome, {name}").wait_for()
        return page


@pytest.fixture
def people(server: Server, serve: Serve, new_context: NewContext) -> People:
    return People(new_context, serve(server.game_service, server.site))


@pytest.fixture
def open_board(new_context: NewContext) -> Callable[..., Any]:
    """Open a game's page in a browser of its own, seated or not."""

    def open_it(
        game_service: GameService, address: str, game: str, *teams: int, **options: Any
    ) -> Any:
        page = new_page(new_context(**options))
        key = f"?key={game_service.keys.new_key(game, teams)}" if teams else ""
        page.goto(f"{address}/games/{game}{key}")
        return page

    return open_it
