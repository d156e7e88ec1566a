"""Makes a server's folder with the code of a checkout of any version that has a server.

It runs with the modules of that checkout, as `python3 -m tests.golden.databases make` does it. All
is done as people do it, by pages and by the API.
"""

import json
import os
import re
import sqlite3
import sys
import tempfile
import time
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

os.environ.setdefault("SLIME_MIND_TESTS_FOLDER", tempfile.mkdtemp())

from contents import HALF, SOURCES, make_password  # type: ignore[import-not-found]

from tests.server.members import Browser, Server
from tests.shell import eventually

NAMES = ("walker", "biter", "eater", "stumbler")
FIELDS = (
    *("set-columns=8", "set-rows=5", "set-max_turns=6", "set-slime_pairs=1", "set-plant_pairs=3"),
    *("set-rock_pairs=1", "limit-cpu_ms=5000", "limit-wall_ms=20000"),
)
SEASON = {
    "game": "slime_mind",
    **dict(field.split("=") for field in FIELDS),
    "entry": "open",
    "source": "everybody after the end",
    "versions": "3",
    "cpu": "600",
    "matches_per_day": "50",
    "source_kb": "20",
    "files_kb": "100",
    "house": "no",
    "begins": "2026-05-01T08:00",
    "freezes": "",
    "ends": "",
}
TIME = "%Y-%m-%dT%H:%M"
DICE = Random(7)
PLAYS = "This is the version that plays."


def make(folder: Path) -> None:
    """Make all that in a folder."""
    server = Server(folder)
    with closing(server.storage), closing(server.site):
        people = _people(server)
        _games(people)
        ladders = _ladders(people)
        _half_tournaments(folder, people, ladders["Endless"])
        _whole_cup(people, ladders["Endless"])
    server = Server(folder, workers=1)
    with closing(server.storage), closing(server.site):
        organizer = _return_after_restart(server, people["Olga"])
        _rate(organizer, {name: ladders[name] for name in ("Endless", "Spring")})
        _end_season(organizer, ladders["Spring"])


# -- people and their games -------------------------------------------------------------------


def _people(server: Server) -> dict[str, Browser]:
    """Let an organizer and three people join; ban a fourth one, and invite one who is not here."""
    organizer = server.browser()
    fields = {"name": "Olga", "password": make_password("Olga")}
    _require(organizer.post(f"/welcome/{server.key}", fields))
    people = {name: server.member(name, make_password(name)) for name in ("Ann", "Bob", "Cid")}
    server.member("Eve")
    _require(organizer.post(f"/admin/people/{server.person_id('Eve')}/ban"))
    _require(organizer.post("/admin/invitations", {"note": "for Dot", "days": "30"}))
    return {"Olga": organizer, **people}


def _games(people: dict[str, Browser]) -> None:
    """Play games of every state; people take the seats in the order of their names."""
    ann, bob, cid = (people[name] for name in ("Ann", "Bob", "Cid"))
    resigned = _new_game([ann, bob], rated="yes", clock="3d")
    _play(resigned, [ann, bob], 8)
    for piece in (1, 2):
        _act(ann, resigned, {"team": 1, "piece": piece, "name": "resign"})
    rated = _new_game([bob, cid], rated="yes", clock="none")
    _play(rated, [bob, cid], 30)
    for piece in (1, 2):
        _act(cid, rated, {"team": 2, "piece": piece, "name": "resign"})
    running = _new_game([cid, ann], clock="none")
    _play(running, [cid, ann], 5)
    _require(_say(cid, running, "good luck"))
    (mover, team) = (cid, 1) if _position(cid, running)["asks"][0]["team"] == 2 else (ann, 2)
    acts = [act for act in _position(mover, running)["acts"] if "take back" in act["name"]]
    for act in acts[:1]:
        _act(mover, running, {"team": team, "piece": act["piece"], "name": act["name"]})
    sheets = _new_game([ann, bob, cid], game="smac", clock="none")
    _play(sheets, [ann, bob, cid], 4)  # in the second step two are still waited for
    (ask,) = [ask for ask in _position(bob, sheets)["asks"] if ask["team"] == 2]
    draft = {"step": ask["step"], "team": 2, "lines": []}
    _require(bob.client.put(f"/api/v1/games/{sheets}/draft", json=draft))
    _play(_new_game([bob, ann], game="smac", clock="none"), [bob, ann], 120)
    _lobby(ann, ["bot:player_three"], game="smack", clock="none")  # it never answers
    _lobby(bob, ["open"], game="smack", clock="7d", rated="yes")  # it waits for another player


def _new_game(players: list[Browser], **fields: str) -> str:
    """Begin a game of people; return its id."""
    fields = {"game": "smack", **fields}
    path = _lobby(players[0], ["open"] * (len(players) - 1), **fields)
    for team, player in enumerate(players[1:], 2):
        _require(player.post(f"{path}/take", {"team": str(team)}))
    return path.rsplit("/", 1)[1]


def _lobby(browser: Browser, others: list[str], **fields: str) -> str:
    seats = {f"other-{number}": said for number, said in enumerate(others, 1)}
    chosen = {"seats": str(len(others) + 1), "mine": "1", **seats, **fields}
    answer = browser.post("/lobby/new", chosen)
    _require(answer)
    return str(answer.url.path)


def _play(game: str, players: list[Browser], decisions: int) -> None:
    """Let people order at random so often, one after the other."""
    for number in range(decisions):
        for place in range(len(players)):
            team = 1 + (number + place) % len(players)
            player = players[team - 1]
            position = _position(player, game)
            own = [ask for ask in position["asks"] if ask["team"] == team]
            if not own:
                continue
            ask = DICE.choice(own)
            body = {name: ask[name] for name in ("step", "team", "piece")}
            order = _order(position, ask)
            _require(player.client.post(f"/api/v1/games/{game}/orders", json={**body, **order}))
            break


def _order(position: Any, ask: Any) -> dict[str, Any]:
    if "halves" not in position["board"]:
        return {"order": {}}
    half = position["board"]["halves"][ask["piece"] - 1]
    moves = [f"{source}-{to}" for source, targets in half["moves"].items() for to in targets]
    return {"order": DICE.choice(sorted(moves))}


def _position(browser: Browser, game: str) -> Any:
    return json.loads(browser.get(f"/api/v1/games/{game}").content)


def _act(browser: Browser, game: str, body: dict[str, object]) -> None:
    _require(browser.client.post(f"/api/v1/games/{game}/acts", json=body))


def _say(browser: Browser, game: str, text: str) -> Any:
    return browser.client.post(f"/api/v1/games/{game}/messages", json={"text": text})


# -- the arena --------------------------------------------------------------------------------


def _ladders(people: dict[str, Browser]) -> dict[str, str]:
    """Return the ids of an endless ladder and of a season, with bots that were handed in."""
    organizer = people["Olga"]
    for ladder in _links(organizer, "/admin/contests", "/admin/contests/"):
        _require(organizer.post(f"/admin/contests/{ladder}/pause"))
    ends = (datetime.now(UTC) + timedelta(days=1)).strftime(TIME)
    made = {}
    kinds = {
        "Endless": {"source": "nobody"},
        "Spring": {"ends": ends},
        "Approved": {"entry": "approved"},
    }
    for name, changes in kinds.items():
        before = _links(organizer, "/admin/contests", "/admin/contests/")
        _require(organizer.post("/admin/contests", {**SEASON, **changes, "name": name}))
        (made[name],) = _links(organizer, "/admin/contests", "/admin/contests/") - before
    for number, name in enumerate(NAMES):
        author = people[("Ann", "Bob", "Cid")[number % 3]]
        for ladder in ("Endless", "Spring"):
            _hand_in(author, made[ladder], f"{name} {ladder.lower()}", _source(name))
    _hand_in(people["Ann"], made["Endless"], "walker endless", _source("walker") + b"\n# faster\n")
    _hand_in(people["Bob"], made["Endless"], "broken", b"class Player(", says="syntax error")
    for name in ("refused", "waits"):
        _hand_in(people["Bob"], made["Approved"], name, _source("biter"))
    for bot in _links(organizer, f"/admin/contests/{made['Approved']}", '[^"]*/entries/'):
        page = f"/admin/contests/{made['Approved']}/entries/{bot}"
        if "refused" in organizer.text(page):
            _require(organizer.post(f"{page}/refuse", {"reason": "it copies another"}))
    _require(people["Ann"].post("/me/tokens", {"name": "laptop"}))
    for ladder in made.values():
        _require(organizer.post(f"/admin/contests/{ladder}/pause"))
    return made


def _source(name: str) -> bytes:
    return bytes(SOURCES[name].encode())


def _hand_in(author: Browser, ladder: str, name: str, source: bytes, *, says: str = PLAYS) -> None:
    files = [("files", ("player_bot.py", source))]
    origin = {"origin": str(author.client.base_url).rstrip("/")}
    fields = {"ladder": ladder, "name": name}
    answer = author.client.post("/submit", data=fields, files=files, headers=origin)
    _require(answer)
    path = str(answer.url.path)
    if not eventually(lambda: says in author.text(path)):
        raise AssertionError(author.text(path))


def _whole_cup(people: dict[str, Browser], ladder: str) -> None:
    _make_tournament(people["Olga"], ladder, "whole", {"format": "swiss", "rounds": "2"})
    assert eventually(lambda: " over " in people["Olga"].text("/contests/whole"))


def _half_tournaments(folder: Path, people: dict[str, Browser], ladder: str) -> None:
    """Make tournaments, and pause each in its middle."""
    organizer = people["Olga"]
    for name, format_ in HALF.items():
        before = _results(folder)
        _make_tournament(organizer, ladder, name, {"format": format_, "games": "3"})
        while _results(folder) < before + 5:  # pages show what was a few seconds ago
            time.sleep(0.002)
        _require(organizer.post(f"/admin/contests/{name}/pause"))
    time.sleep(1)


def _results(folder: Path) -> int:
    """Return how many matches of tournaments were played."""
    with closing(sqlite3.connect(folder / "games.sqlite")) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM matches").fetchone()[0])
        except sqlite3.OperationalError:  # it is being made
            return 0


def _make_tournament(organizer: Browser, ladder: str, name: str, fields: dict[str, str]) -> None:
    page = organizer.get(f"/admin/contests/new?ladder={ladder}").text
    chosen = dict.fromkeys(re.findall('name="(bot-[^"]+)"', page), "yes")
    form = {"ladder": ladder, "name": name, "games": "1", "rounds": "", "table": "2"}
    _require(organizer.post("/admin/contests", {**form, **chosen, **fields}))


def _rate(organizer: Browser, ladders: dict[str, str]) -> None:
    """Play both ladders for a while, and wait for their ratings."""
    for ladder in ladders.values():
        _require(organizer.post(f"/admin/contests/{ladder}/resume"))
    assert eventually(lambda: all(_count(organizer, one) >= 12 for one in ladders.values()))
    for ladder in ladders.values():
        _require(organizer.post(f"/admin/contests/{ladder}/pause"))
    for ladder in ladders.values():
        page = f"/admin/contests/{ladder}"
        matches = sorted(_links(organizer, page, '[^"]*/matches/', "[0-9]+"), key=int)
        reason = {"reason": "an unfair map"}
        # The first may be one that was dropped before it was played.
        answers = (organizer.post(f"{page}/matches/{one}/void", reason) for one in matches)
        assert any(answer.status_code == 200 for answer in answers)
    assert eventually(lambda: all(_is_rated(organizer, ladder) for ladder in ladders.values()))


def _end_season(organizer: Browser, ladder: str) -> None:
    ends = datetime.now(UTC).strftime(TIME)
    fields = {**SEASON, "name": "Spring", "ends": ends}
    _require(organizer.post(f"/admin/contests/{ladder}", fields))
    _require(organizer.post(f"/admin/contests/{ladder}/resume"))  # the final is played first
    assert eventually(lambda: "this table is final" in organizer.text(f"/contests/{ladder}"))


def _return_after_restart(server: Server, before: Browser) -> Browser:
    """Return the browser of somebody who comes back after a restart."""
    browser = server.browser()
    browser.client.cookies.update(before.client.cookies)
    return browser


def _count(browser: Browser, ladder: str) -> int:
    time.sleep(0.3)
    matches = json.loads(browser.get(f"/contests/{ladder}/matches.json").content)
    return len({row["match"] for row in matches})


def _is_rated(browser: Browser, ladder: str) -> bool:
    """Return whether the ratings are those of all matches that count."""
    time.sleep(0.3)
    rows = json.loads(browser.get(f"/contests/{ladder}/table.json").content)
    matches = json.loads(browser.get(f"/contests/{ladder}/matches.json").content)
    seats = sum(not row["is_void"] for row in matches)
    return bool(sum(row["games"] for row in rows) == seats)


# -- what the above have in common ------------------------------------------------------------


def _links(browser: Browser, page: str, prefix: str, id_: str = "[0-9a-f]+") -> set[str]:
    """Return the ids behind a prefix in the links of a page."""
    found = re.findall(f'href="{prefix}({id_})"', browser.get(page).text)
    return set(found)


def _require(answer: Any) -> None:
    if answer.status_code != 200:
        raise AssertionError(f"{answer.url}: {answer.status_code}: {answer.text}")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
