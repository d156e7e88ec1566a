"""The starter kit: bots to begin with, rules, documents, and this program to play them at home."""

import threading
from collections.abc import Iterator, Sequence
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path

from starlette.responses import Response
from starlette.routing import Route

from engine.bots.finding import TEMPLATE
from engine.bots.own_files import SUFFIX, is_passed_over
from engine.bots.syntax_hints import THIS_PYTHON
from engine.catalog import GAMES, find_game
from runners.configuration import HOME
from server.bots.zips import make_zip
from server.games.recorded_matches import STARTER
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part
from server.http.permissions import Permission

FOLDER = "slime-mind-kit"
NEW_BOT = "player_mine"
PARTS = (
    *("main.py", "replay.py", "bootstrap.py", "hatch_build.py", "pyproject.toml", "LICENSE"),
    *("cli", "clients", "server", "report", "runners", "visualizer", "engine", "resources", "docs"),
    "slime_mind_arena",
)
"""What of the program is in it; of the bots only those that every author is given."""
README = f"""\
1. Here Python 3.11 or newer plays, on the server {THIS_PYTHON}; only the first run is online.
2. Your bots are {{mine}}: change what they decide.
3. docs/rules/ has the rules of each game, docs/api/ all that a bot can ask.
4. Play: python3 main.py -1 {NEW_BOT} -2 {STARTER} (to watch: --render web; other games: -g NAME).
5. Submit: python3 main.py submit {NEW_BOT} --server {{address}}, with a token from your page there.
"""


MAX_CACHED_KITS = 4


class StarterKit(Part):
    """The starter kit of this server."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._lock = threading.Lock()
        self._contents: dict[str, bytes] = {}
        """The zip by the address of the server that stands in it."""

    @property
    def routes(self) -> Sequence[Route]:
        return [self._pages.route("/kit.zip", Permission.ANYBODY, self._send)]

    def _send(self, request: PageRequest) -> Response:
        content = self.zip_bytes(request.link("").rstrip("/"))
        tag = f'"{sha256(content).hexdigest()[:16]}"'
        headers = {
            "content-disposition": f'attachment; filename="{FOLDER}.zip"',
            "etag": tag,
            "cache-control": "no-cache",
        }
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=HTTPStatus.NOT_MODIFIED, headers=headers)
        return Response(content, media_type="application/zip", headers=headers)

    def zip_bytes(self, address: str) -> bytes:
        """Return the zip, which is made once for each of the few addresses that we are known by."""
        with self._lock:
            if address not in self._contents:
                if len(self._contents) == MAX_CACHED_KITS:
                    self._contents.clear()
                self._contents[address] = make_zip(dict(_kit_files(address)))
            return self._contents[address]


def _kit_files(address: str) -> Iterator[tuple[str, bytes]]:
    for part in PARTS:
        for path in _files_inside(HOME / part):
            yield _name(path.relative_to(HOME)), path.read_bytes()
    own = []
    for game in GAMES:
        folder = Path("playerCode") / find_game(game).bots
        template = HOME / folder / f"{TEMPLATE}{SUFFIX}"
        for bot in (TEMPLATE, STARTER):
            for path in _files_inside(HOME / folder / f"{bot}{SUFFIX}"):
                yield _name(path.relative_to(HOME)), path.read_bytes()
        if template.is_file():  # whoever runs the server may have removed it
            own.append(str(folder / f"{NEW_BOT}{SUFFIX}"))
            yield _name(folder / f"{NEW_BOT}{SUFFIX}"), template.read_bytes()
    yield _name(Path("README.txt")), README.format(mine=", ".join(own), address=address).encode()


def _files_inside(path: Path) -> Iterator[Path]:
    """Yield the files of a part of the program; an installed copy lacks some parts."""
    if path.is_file():
        yield path
    elif path.is_dir():
        for inner in sorted(path.iterdir()):
            if not is_passed_over(inner.name):
                yield from _files_inside(inner)


def _name(path: Path) -> str:
    return f"{FOLDER}/{path.as_posix()}"
