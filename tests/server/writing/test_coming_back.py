"""Whoever wrote when a server ended comes back in the moment in which it is there again."""

import shutil
import threading
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path

import httpx2
import pytest

from runners.configuration import HOME
from tests.examples import at_length
from tests.server.killable_server import KillableServer
from tests.server.writing.authors import API
from tests.shell import Shell

STARTS = at_length(20, else_=3)
CLIENTS = 10
GAMES = ("slime_mind", "smack", "smac", "game_of_death")
PATHS = (API, "/write", *(f"/api/v1/writing/{game}" for game in GAMES), "/docs", "/sign-in", "/")
"""What pages ask for when they come back, and what others open in that moment."""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[KillableServer]:
    shell = Shell(tmp_path)
    shutil.copytree(HOME / "playerCode", shell.home / "playerCode", dirs_exist_ok=True)
    with closing(KillableServer(shell, shell.home / "contest", "--jobs", "0")) as made:
        yield made


@pytest.mark.slow
@pytest.mark.timeout(60 * STARTS)
def test_nobody_who_comes_back_after_a_start_is_answered_with_500(server: KillableServer) -> None:
    answers = Counter[int]()

    def come_back(number: int, is_up: threading.Event) -> list[int]:
        found: list[int] = []
        with server.browser() as client:
            for path in PATHS[number % 2 :] + PATHS[: number % 2]:
                while True:
                    with suppress(httpx2.TransportError):
                        found.append(client.get(path).status_code)
                        break
                    is_up.wait(0.05)
        return found

    for _ in range(STARTS):
        is_up = threading.Event()
        with ThreadPoolExecutor(CLIENTS) as pool:
            coming = [pool.submit(come_back, number, is_up) for number in range(CLIENTS)]
            server.start()
            is_up.set()
            for one in coming:
                answers.update(one.result())
        server.kill()
    assert answers == {200: STARTS * CLIENTS * len(PATHS)}
