"""Reads what people are shown of a server's database, by its pages and its API."""

import io
import json
import re
import time
from contextlib import closing
from html import unescape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile
from zlib import crc32

from engine.replays.reading import Replay
from tests.golden.databases.contents import HALF, make_password
from tests.golden.databases.packing import unpack
from tests.server.members import Browser, Page, Server
from tests.shell import eventually

WHO = ("Ann", "Bob", "Cid", "Olga", "Eve")
OURS = ("Endless", "Spring", "Approved")
"""The ladders that were made for it, beside the usual ones."""
TOURNAMENT_COLUMNS = ("Name", "Game", "Format", "Bots", "State", "First", "Begun")
PAGES = ("/", "/me", "/bots", "/admin", "/admin/contests", "/admin/export.zip", "/lobby/new")


def open_server(name: str, folder: Path, url: str | None = None, *, plays: bool = False) -> Server:
    """Return a server of such a folder, begun by the present version.

    `plays`: whether it plays tournaments; otherwise it only answers.
    """
    if not folder.exists():
        unpack(name, folder)
    return Server(folder, url=url, is_web_only=not plays)


def read_all(name: str, folder: Path) -> dict[str, Any]:
    """Return what is seen of such a folder, and what is seen of its tournaments at their ends."""
    with closing(open_server(name, folder)) as server:
        seen = read(server)
    with closing(open_server(name, folder, plays=True)) as server:
        finish(server)
        return {**seen, "finished": {one: tournament(server, one) for one in HALF}}


def sign_all_in(server: Server) -> dict[str, Browser]:
    """Return the browsers of everybody, and of a visitor."""
    browsers = {"": server.browser()}
    for name in WHO:
        browsers[name] = server.browser(address=f"{name}.test")
        browsers[name].post("/sign-in", {"name": name, "password": make_password(name)})
    return browsers


def read(server: Server) -> dict[str, Any]:
    """Return all of it."""
    browsers = sign_all_in(server)
    with ZipFile(io.BytesIO(browsers["Olga"].get("/admin/export.zip").content)) as exported:
        people = json.loads(exported.read("people.json"))
        ladders = {
            ladder["name"]: ladder
            for ladder in json.loads(exported.read("ladders.json"))
            if ladder["name"] in OURS
        }
        tables = {
            f"{name} {table}": json.loads(exported.read(f"ladders/{ladder['id']}/{table}.json"))
            for name, ladder in ladders.items()
            for table in ("table", "matches", "entries")
        }
    listed = read_tournaments(browsers[""])
    return {
        "people": people,
        "ladders": ladders,
        **tables,
        "seen": {name: _read_permissions(browser, ladders) for name, browser in browsers.items()},
        "accounts": {name: _account(browsers[name]) for name in WHO if name != "Eve"},
        "games": _games(browsers),
        "players": read_rows(browsers[""], "/players"),
        "tournaments": [[*TOURNAMENT_COLUMNS], *([*one.values()] for one in listed)],
        **{f"tournament {one['Name']}": tournament(server, one["Name"]) for one in listed},
    }


def tournament(server: Server, name: str) -> list[list[str]]:
    """Return the standings and the cross table of a tournament, as everybody sees them."""
    return read_rows(server.browser(), f"/contests/{name}")


def play_on(name: str, folder: Path, matches: int) -> list[dict[str, Any]]:
    """Return the matches of the endless ladder once so many were played."""
    unpack(name, folder)
    with closing(Server(folder, workers=1)) as server:
        organizer = sign_all_in(server)["Olga"]
        page = organizer.get("/contests").text
        (ladder,) = re.findall(r'href="/contests/([0-9a-f]+)">\s*Endless', page)
        assert organizer.post(f"/admin/contests/{ladder}/resume").status_code == 200

        def rows() -> list[dict[str, Any]]:
            time.sleep(0.3)
            return list(json.loads(organizer.get(f"/contests/{ladder}/matches.json").content))

        assert eventually(lambda: len(rows()) >= 2 * matches)
        return rows()


def finish(server: Server) -> None:
    """Let the tournaments that were paused be played to their ends."""
    organizer = sign_all_in(server)["Olga"]
    for name in HALF:
        assert organizer.post(f"/admin/contests/{name}/resume").status_code == 200
    assert eventually(lambda: _states(organizer) == dict.fromkeys((*HALF, "whole"), "over"))


def _states(browser: Browser) -> dict[str, str]:
    """Return the states of all tournaments."""
    return {one["Name"]: one["State"] for one in read_tournaments(browser)}


def read_tournaments(browser: Browser) -> list[dict[str, str]]:
    """Return the tournaments in the list of all contests, by its columns."""
    found = []
    for row in read_rows(browser, "/contests"):
        if row[0] == "Name":
            heading = row
        elif (one := dict(zip(heading, row, strict=True)))["Format"] not in ("ladder", "season"):
            found.append({column: one[column] for column in TOURNAMENT_COLUMNS})
    return found


def read_rows(browser: Browser, path: str) -> list[list[str]]:
    """Return the texts of the rows of a page's tables."""
    page = browser.get(path)
    assert page.status_code == 200, path
    rows = re.findall(r"<tr\b.*?</tr>", page.text, re.DOTALL)
    cells = re.compile(r"<t[hd]\b.*?</t[hd]>", re.DOTALL)
    return [[_text(cell) for cell in cells.findall(row)] for row in rows]


def _text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def _read_permissions(browser: Browser, ladders: Any) -> dict[str, str]:
    """Return what somebody may do: how pages are answered, and by which."""
    shown = [f"/contests/{ladder['id']}" for ladder in ladders.values()]
    sources = sorted({f"{link}/source.zip" for page in shown for link in _versions(browser, page)})
    answers = {path: browser.get(path) for path in (*PAGES, *shown, *sources)}
    return {path: f"{one.status_code} {one.url.path}" for path, one in answers.items()}


def _versions(browser: Browser, page: str) -> list[str]:
    bots = re.findall(r'href="(/bots/[0-9a-f]+)"', browser.get(page).text)
    return [f"{bot}/versions/1" for bot in dict.fromkeys(bots)]


def _account(browser: Browser) -> Any:
    """Return what is kept of somebody, but for what this visit adds to."""
    saved = json.loads(browser.get("/me/export").content)
    return {name: value for name, value in saved.items() if name not in ("sessions", "audit")}


def _games(browsers: dict[str, Browser]) -> dict[str, Any]:
    """Return every game as everybody sees it, and the keys of those that are over."""
    homes = "".join(browser.get("/").text for browser in browsers.values())
    found = sorted(set(re.findall(r'href="/games/([0-9a-f]+)"', homes)))
    return {game: _game(browsers, game) for game in found}


def _game(browsers: dict[str, Browser], game: str) -> dict[str, Any]:
    """Return what a visitor sees of a game, and what is otherwise for everybody else."""
    seen = {name: _position(browser, game) for name, browser in browsers.items()}
    visitor = seen.pop("")
    return {
        "key": _key(browsers[""].get(f"/games/{game}/replay")),
        "": visitor,
        **{name: _changes(visitor, position) for name, position in seen.items()},
    }


def _position(browser: Browser, game: str) -> Any:
    """Return a game as somebody sees it, with a checksum of its long board."""
    position = json.loads(browser.get(f"/api/v1/games/{game}").content)
    board = json.dumps(position["board"], sort_keys=True)
    return {**position, "board": f"{crc32(board.encode()):08x}"}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in after.items() if before.get(name) != value}


def _key(replay: Page) -> str:
    """Return the key of a game that is over; what runs has no replay."""
    if replay.status_code != 200:
        return ""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "replay.jsonl.gz"
        path.write_bytes(replay.content)
        return Replay(path).spec.key
