"""A server that serves, for browsers."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher
from sqlalchemy import create_engine

from engine.game import Ask
from runners.contests import player, publishing
from runners.storage import database, schema
from runners.storage.schema import make_file
from server.games import advice
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.games.game_storage import GameStorage
from server.identity import passwords
from server.runs import runs
from server.site.application import Application, GamesAtHome
from server.site.site import Site
from tests.server.members import DATABASE, Browser, Server, serving
from tests.server.playing import Now, a_game_service, no_orders, start_game
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
    """Let processes that are nice to others have their share beside the tests of this machine."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (player, publishing, advice, runs):  # each has the number by its name
            patch.setattr(module, "NICENESS", 0)
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


Visit = Callable[..., Any]


@pytest.fixture
def visit(server: Server, serve: Serve, new_context: NewContext) -> Iterator[Visit]:
    """Open a page in a browser of its own, which has the cookies of another if one is named.

    Errors of its scripts fail the test in the end.
    """
    home, errors = serve(server.game_service, server.site), list[str]()

    def open_page(path: str = "/", by: Browser | None = None, **options: Any) -> Any:
        context = new_context(base_url=home, **options)
        jar = [] if by is None else list(by.client.cookies.jar)
        context.add_cookies([{"name": one.name, "value": one.value, "url": home} for one in jar])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(path)
        return page

    yield open_page
    assert errors == []


class Board:
    """A game of two people, Smack! unless another was started, and the pages of its board."""

    def __init__(self, service: GameService, address: str, open_board: Callable[..., Any]) -> None:
        self.service, self.address, self.id = service, address, ""
        self._open_board = open_board

    def start(self, game: str = "smack", who: str = "pp", **settings: Any) -> None:
        self.id = start_game(self.service, game, who, **settings)

    def open(self, *teams: int, **options: Any) -> Any:
        """Open the page of the game, of these seats or of a visitor."""
        if not self.id:
            self.start()
        return self._open_board(self.service, self.address, self.id, *teams, **options)

    def session(self) -> AbstractContextManager[GameSession]:
        return self.service.open_session(self.id)

    def answer(self, ask: Ask, step: int, orders: Any) -> None:
        self.service.answer(self.id, ask, step, orders)


@pytest.fixture
def board(game_service: GameService, serve: Serve, open_board: Callable[..., Any]) -> Board:
    return Board(game_service, serve(game_service), open_board)


@pytest.fixture
def board_of_smac(tmp_path: Path, serve: Serve, open_board: Callable[..., Any]) -> Board:
    """Return a game of SMAC of two people, in which bots do nothing."""
    service = a_game_service(tmp_path / "smac.sqlite", no_orders)
    board = Board(service, serve(service), open_board)
    board.start("smac", "pp")
    return board


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
