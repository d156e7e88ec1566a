"""From a draft to a ladder and back, and the API as data."""

import re
from typing import Any

import pytest

from engine.catalog import GAMES
from server.writing.reference import make_reference
from tests.server.members import HOST, Browser, Server
from tests.server.writing.authors import API, call, make_draft, request


def test_a_draft_is_handed_in_by_one_click(lasting: Server) -> None:
    ann = lasting.member("Hana")
    draft = make_draft(ann, "Blue Ant")
    (ladder,) = request(ann, "GET", f"{API}/{draft['id']}/ladders")["ladders"]
    assert ladder["name"] == "Slime Mind"
    body = {"ladder": ladder["id"]}
    handed = request(ann, "POST", f"{API}/{draft['id']}/hand-in", body)
    assert (handed["version"], handed["is_identical"]) == (1, False)
    assert re.fullmatch(r"/bots/\w+/versions/1", handed["path"])
    assert "Blue Ant" in ann.text(handed["path"])
    again = request(ann, "POST", f"{API}/{draft['id']}/hand-in", body)
    assert again == {**handed, "is_identical": True}
    (version,) = request(ann, "GET", f"{API}/{draft['id']}")["versions"]
    assert version["note"] == "handed in"


def test_what_a_ladder_does_not_take_is_refused_with_its_reason(lasting: Server) -> None:
    ben = lasting.member("Bennet")
    draft = make_draft(ben, "No Bot")
    body = {"revision": 1, "name": "No Bot", "files": [{"name": "a.txt", "text": "x"}]}
    request(ben, "PUT", f"{API}/{draft['id']}", body)
    for ladder, words in (("Slime Mind", "there is no .py file"), ("none", "there is no")):
        path = f"{API}/{draft['id']}/hand-in"
        status, answer = call(ben, "POST", path, {"ladder": ladder})
        assert (status, words in answer["error"]) == (422, True), answer


def test_a_bot_that_was_handed_in_becomes_a_draft(lasting: Server) -> None:
    ida = lasting.member("Idaho")
    draft = make_draft(ida, "Green Ant", template="learning")
    path = request(ida, "POST", f"{API}/{draft['id']}/hand-in", {"ladder": "Slime Mind"})["path"]
    bot = path.split("/")[2]
    written = ida.post(f"/bots/{bot}/write", {"version": "1"})
    assert str(written.url).startswith(f"http://{HOST}/write/")
    found = request(ida, "GET", f"{API}/{str(written.url).rpartition('/')[2]}")
    assert (found["name"], found["game"]) == ("Green Ant", "slime_mind")
    assert {one["name"] for one in found["files"]} == {"__init__.py", "parameters.json"}
    assert found["versions"][0]["note"] == "version 1 as it was handed in"
    other = lasting.member("Other")
    assert other.post(f"/bots/{bot}/write", {"version": "1"}).status_code == 404
    assert ida.post(f"/bots/{bot}/write", {"version": "9"}).status_code == 404


@pytest.mark.parametrize("game", GAMES)
def test_the_api_of_every_game_is_there_as_data(lasting: Server, game: str) -> None:
    found = request(lasting.browser(), "GET", f"/api/v1/writing/{game}")
    entries = {(one["of"], one["name"]): one for one in found["entries"]}
    assert entries["", "BasePlayer"]["kind"] == "class"
    assert entries["BasePlayer", "log"]["signature"] == "Log"
    assert entries["Log", "info"]["signature"].startswith("(self, text: object")
    undescribed = [
        key for key, one in entries.items() if one["kind"] == "method" and not one["text"]
    ]
    assert undescribed == []
    assert not any(re.search(r"\bengine\.", one["signature"]) for one in found["entries"])
    assert lasting.browser().get(found["rules"]).status_code == 200
    assert lasting.browser().get(found["guide"]).status_code == 200


SEARCHES = {"slime_mind": "Monte Carlo", "smack": "Alpha-beta", "smac": "Plans"}


def test_entries_have_types_and_words() -> None:
    entries: dict[Any, Any] = {
        (one.of, one.name): one for one in make_reference("slime_mind").entries
    }
    assert entries["Slime", "current_hp"].text == "Hit points: at 0 it dies."
    assert entries["BasePlayer", "board"].signature == "BoardView"
    assert entries["BoardView", "rocks"].signature == "tuple[Rock, ...]"
    assert entries["Settings", "bite_hp"].text == "hp gained by a bite"
    assert entries["Settings", "bite_hp"].signature == "Amount"


@pytest.mark.parametrize("game", SEARCHES)
def test_examples_are_python_and_of_no_other_game(game: str) -> None:
    examples = make_reference(game).examples
    assert examples
    for one in examples:
        compile(one.code, one.title, "exec")
        assert not set("*`|") & set(one.text), one.text
    titles = [one.title for one in examples]
    assert len(set(titles)) == len(titles)
    assert f"Looking ahead: {SEARCHES[game]}" in titles
    assert sum(bool(one.text) for one in examples) > len(examples) / 2
    others = [one.title.rstrip("!") for name, one in GAMES.items() if name != game]
    assert not any(f"bot for {other}" in one.title for one in examples for other in others)
    assert not any("army" in one.title for one in examples)


def test_of_a_game_that_is_not_there_nothing_is_told(lasting: Server) -> None:
    status, answer = call(lasting.browser(), "GET", "/api/v1/writing/chess")
    assert (status, "no game 'chess'" in answer["error"]) == (404, True)


def test_a_guest_hands_in_nothing(lasting: Server) -> None:
    browser: Browser = lasting.browser()
    assert call(browser, "POST", f"{API}/none/hand-in", {"ladder": "Slime Mind"})[0] == 401
