"""Floods of connections on a server with few descriptors: others are answered meanwhile."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path

import httpx2
import pytest

from server.games.game_storage import GameStorage
from tests import needs
from tests.server.deployed import Deployed, deployed
from tests.server.playing import game_service_on, start_game
from tests.server.test_behind_caddy import NAME, WEB_HOST, Site, behind_caddy
from tests.shell import PATIENCE_S, Shell

resource = needs.module("resource")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(150)]
STRANGER, OTHER = "127.0.0.5", "127.0.0.6"
"""Addresses of this machine that are no proxy's."""
PROXY = "127.0.0.1"
DESCRIPTORS = 256
MANY = 300
PROMPT_S = 10
"""Less than any of the limits in time: who is answered by then has not waited for one."""
MAX_LOGGED = 4_000
KINDS = {
    "half a head": "GET / HTTP/1.1\r\nHost: {host}\r\n",
    "half a body": "POST /sign-in HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99\r\n\r\nname=",
    "half an upload": "POST /submit HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999\r\n\r\nfile",
    "a stream": "GET /api/v1/games/{game}/events HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a scene": "GET /api/v1/games/{game}/scene HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "an answer": "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n",
    "a request that is none": "{host} \0\r\n\r\n",
}


class Flooded:
    """A server, and connections to it that stand."""

    def __init__(self, web: Deployed, game: str, stack: ExitStack) -> None:
        self.web = web
        self.game = game
        self.stack = stack
        self.standing: list[socket.socket] = []
        self._is_over = threading.Event()

    def flood(self, said: str, connect: Callable[[], socket.socket], host: str) -> None:
        """Open many connections, each of which says this; then drip into all of them."""
        content = said.format(host=host, game=self.game).encode()
        for _ in range(MANY):
            self.standing.append(client := self.stack.enter_context(connect()))
            with suppress(OSError):
                client.sendall(content)
        dripping = threading.Thread(target=self._drip)
        dripping.start()
        self.stack.callback(dripping.join)
        self.stack.callback(self._is_over.set)

    def _drip(self) -> None:
        while not self._is_over.wait(0.2):
            for client in self.standing:
                with suppress(OSError):
                    client.sendall(b"x")


@pytest.fixture
def errors(tmp_path: Path) -> Path:
    return tmp_path / "errors"


@pytest.fixture
def flooded(tmp_path: Path, errors: Path) -> Iterator[Flooded]:
    """Return a server with a game, and a low limit on descriptors that it cannot raise."""
    shell = Shell(tmp_path)
    with closing(GameStorage(tmp_path / "results" / "games.sqlite")) as storage:
        game = start_game(game_service_on(storage))
    text = f"serve --host 0.0.0.0 --port 0 --jobs 0 --public-name {NAME} --public-name {PROXY}"

    def with_few_descriptors() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, DESCRIPTORS))

    with (
        errors.open("wb") as stderr,
        deployed(
            shell,
            (*text.split(), "--public-name", WEB_HOST),
            {"FORWARDED_ALLOW_IPS": PROXY},
            preexec_fn=with_few_descriptors,
            stderr=stderr,
        ) as web,
        ExitStack() as stack,
    ):
        yield Flooded(web, game, stack)


def request_status(port: int, address: str) -> int:
    """Return the status of an answer to somebody at an address."""
    transport = httpx2.HTTPTransport(local_address=address)
    with httpx2.Client(transport=transport, timeout=PROMPT_S) as client:
        return client.get(f"http://{PROXY}:{port}/").status_code


@pytest.mark.variants(1, all=3)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("address", [STRANGER, PROXY])
def test_others_are_answered_while_a_flood_stands(
    flooded: Flooded, kind: str, address: str, errors: Path
) -> None:
    port = flooded.web.port

    def connect() -> socket.socket:
        return socket.create_connection((PROXY, port), PATIENCE_S, source_address=(address, 0))

    flooded.flood(KINDS[kind], connect, f"{PROXY}:{port}")
    assert [request_status(port, one) for one in (OTHER, PROXY, STRANGER) * 3] == [200] * 9
    assert len(errors.read_text()) < MAX_LOGGED
    assert "Traceback" not in errors.read_text()


@pytest.mark.variants(1, all=1)
@needs.CADDY
@pytest.mark.parametrize("kind", KINDS)
def test_others_are_answered_through_caddy_while_a_flood_stands(
    flooded: Flooded, kind: str, tmp_path: Path, errors: Path
) -> None:
    site = flooded.stack.enter_context(behind_caddy(tmp_path, [flooded.web]))
    there = (PROXY, int(site.base.rpartition(":")[2]))

    def connect() -> socket.socket:
        plain = socket.create_connection(there, PATIENCE_S, source_address=(STRANGER, 0))
        return site.trust.wrap_socket(plain, server_hostname=NAME)

    flooded.flood(KINDS[kind], connect, NAME)
    assert [request_status_through(site, one) for one in (OTHER, PROXY) * 3] == [200] * 6
    assert len(errors.read_text()) < MAX_LOGGED
    assert "Traceback" not in errors.read_text()


def request_status_through(site: Site, address: str) -> int:
    """Return the status of an answer to somebody at an address, through Caddy."""
    transport = httpx2.HTTPTransport(verify=site.trust, local_address=address)
    with httpx2.Client(transport=transport, headers=site.headers, timeout=PROMPT_S) as client:
        return site.ask(client, "GET", "/").status_code
