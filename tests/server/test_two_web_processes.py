"""Two web processes of one database, asked in turns, as by a proxy that remembers nobody."""

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import cycle
from pathlib import Path

import httpx2
import pytest

from server.games.game_storage import GameStorage
from server.identity.people import Kind, People
from tests.postgresql import PostgreSQL
from tests.server.deployed import deployed
from tests.shell import Shell

SHOWN = re.compile(r'readonly value="([^"]+)"')


class Browser:
    """A browser whose requests go to one process and the other in turns."""

    def __init__(self, ports: list[int]) -> None:
        self._client = httpx2.Client(timeout=60)
        self._bases = cycle(f"http://127.0.0.1:{port}" for port in ports)

    def close(self) -> None:
        self._client.close()

    def ask(self, method: str, path: str, fields: dict[str, str] | None = None) -> httpx2.Response:
        """Send one request, and follow no redirection."""
        base = next(self._bases)
        headers = {"origin": base} if method == "POST" else {}
        answer = self._client.request(method, base + path, data=fields, headers=headers)
        assert answer.status_code in (200, 303), answer.text
        return answer

    def post(self, path: str, fields: dict[str, str] | None = None) -> str:
        """Send a form; return the path of the page that comes next, which is not asked for."""
        target = self.ask("POST", path, fields).headers["location"]
        return str(httpx2.URL(target).raw_path.decode())

    def read_secrets(self, path: str) -> list[str]:
        """Return the links and tokens that a page shows once."""
        return SHOWN.findall(self.ask("GET", path).text)


@contextmanager
def serving(url: str, home: Path) -> Iterator[list[int]]:
    """Serve a database by two web processes; yield their ports."""
    shell = Shell(home)
    parts = ["serve", "--role", "web", "--port", "8000", "--out", str(home / "results")]
    env = os.environ | {"SLIME_MIND_DATABASE": url}
    with deployed(shell, parts, env) as one, deployed(shell, parts, env) as two:
        yield [one.port, two.port]


@pytest.mark.slow
def test_what_is_shown_once_is_shown_whichever_process_is_asked(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    url = postgresql.new_url()
    with closing(GameStorage(url)) as storage:
        key = People(storage.database).new_link(Kind.ORGANIZER, made_by=None)
    with serving(url, tmp_path) as ports, closing(Browser(ports)) as browser:
        browser.post(f"/welcome/{key}", {"name": "Olga"})
        seats = {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend"}
        waiting = browser.post("/lobby/new", seats)
        forms = [
            ("/me/tokens", {"name": "laptop"}),
            ("/me/device-link", {}),
            ("/me/feed", {}),
            ("/admin/invitations", {"note": "Ann", "days": "7"}),
            (f"{waiting}/link", {"team": "2"}),
        ]
        seen: list[str] = []
        for path, fields in [*forms, *forms]:
            page = browser.post(path, fields)
            shown = browser.read_secrets(page)
            assert len(shown) == 1, path
            assert browser.read_secrets(page) == browser.read_secrets(page) == []
            seen += shown
            # Each form goes to one process at first, and to the other one the second time.
            if len(seen) == len(forms):
                browser.ask("GET", "/contests")
        assert len(set(seen)) == 2 * len(forms)
        tokens = [text for text in seen if text.startswith("slime_")]
        assert len(tokens) == 2
