"""Players who write to each other, and what they do where they do not get on."""

import json
from itertools import product
from typing import Any

from tests.server.games.test_lobby_pages import new_game
from tests.server.members import HOST, Browser


def send(browser: Browser, method: str, path: str, body: object) -> Any:
    headers = {"origin": f"http://{HOST}"}
    return browser.client.request(method, f"/api/v1{path}", json=body, headers=headers)


def say(browser: Browser, game: str, text: str = "hello") -> tuple[int, str]:
    answer = send(browser, "POST", f"/games/{game}/messages", {"text": text})
    return answer.status_code, answer.json().get("error", "")


def position(browser: Browser, game: str) -> Any:
    return json.loads(browser.get(f"/api/v1/games/{game}").content)


def texts(browser: Browser, game: str) -> list[str]:
    return [one["text"] for one in position(browser, game)["messages"]]


def avoid(
    browser: Browser, game: str, team: int, kind: str | None, *, everywhere: bool = False
) -> int:
    body = {"team": team, "kind": kind, "everywhere": everywhere}
    return int(send(browser, "PUT", f"/games/{game}/avoided", body).status_code)


def between(one: Browser, *others: Browser, are_strangers: bool = False) -> str:
    """Begin a game of SMAC, or of Smack! for two, in which they have the seats in this order.

    They read each other's messages unless they are strangers.
    """
    name = "smack" if len(others) == 1 else "smac"
    path = new_game(one, *["open" for _ in others], game=name)
    for team, browser in enumerate(others, 2):
        browser.post(f"{path}/take", {"team": str(team)})
    game, players = path.rpartition("/")[2], (one, *others)
    for (team, browser), other in product(enumerate(players, 1), range(1, len(players) + 1)):
        if team != other and not are_strangers:
            avoid(browser, game, other, None)
    return game
