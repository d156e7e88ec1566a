"""A server that serves, for browsers."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from argon2 import PasswordHasher
from jinja2 import BytecodeCache, Environment
from jinja2.bccache import Bucket

from server import pages, passwords
from server.app import Members, Web
from server.limits import AddressLimits
from server.listening import LOOPBACK, listen
from server.lobby import Lobby
from tests.server.members import Server, serving
from tests.shell import eventually

QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
Serve = Callable[..., str]
"""Serves the games of a lobby, with its members if they are named; returns the address."""


class KeptBytecode(BytecodeCache):
    """The bytecode of templates, by what jinja2 calls their keys."""

    def __init__(self) -> None:
        self._kept: dict[str, bytes] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        if bucket.key in self._kept:
            bucket.bytecode_from_string(self._kept[bucket.key])

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._kept[bucket.key] = bucket.bytecode_to_string()


@pytest.fixture(autouse=True)
def quick_passwords(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hash with the least memory; a test of the usual hashes asks for `usual_passwords`."""
    if "usual_passwords" not in request.fixturenames:
        monkeypatch.setattr(passwords, "HASHER", QUICK)
        monkeypatch.setattr(passwords, "NOBODYS", QUICK.hash(""))


@pytest.fixture(scope="session", autouse=True)
def templates_compiled_once() -> Iterator[None]:
    """Compile each template once for all servers of this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "Environment", partial(Environment, bytecode_cache=KeptBytecode()))
        yield


@pytest.fixture
def usual_passwords() -> None:
    """Hash passwords as users' are."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server with accounts, in this process."""
    with serving(tmp_path) as server:
        yield server


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    running: list[tuple[uvicorn.Server, Web, threading.Thread]] = []

    def begin(
        lobby: Lobby, members: Members | None = None, address_limits: AddressLimits | None = None
    ) -> str:
        listener = listen(LOOPBACK, 0)
        address = f"{LOOPBACK}:{listener.getsockname()[1]}"
        web = Web(lobby, [address], members, out=tmp_path, address_limits=address_limits)
        server = uvicorn.Server(
            uvicorn.Config(web.app, log_level="warning", timeout_graceful_shutdown=1)
        )

        def run() -> None:
            asyncio.run(server.serve([listener]))

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        assert eventually(lambda: server.started)
        running.append((server, web, thread))
        return f"http://{address}"

    yield begin
    for server, _, thread in running:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def open_board(chromium: Any, serve: Serve) -> Iterator[Callable[..., Any]]:
    """Open a game's page in a browser of its own, seated or not."""
    contexts: list[Any] = []

    def open_it(lobby: Lobby, address: str, game: str, *teams: int, **options: Any) -> Any:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "reduced_motion": "reduce", **options}
        )
        contexts.append(context)
        page = context.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.on("console", lambda line: line.type == "error" and page.errors.append(line.text))
        key = f"?key={lobby.new_key(game, teams)}" if teams else ""
        page.goto(f"{address}/games/{game}{key}")
        return page

    yield open_it
    for context in contexts:
        context.close()
