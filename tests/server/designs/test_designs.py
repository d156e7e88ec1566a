"""The designer's page, and what its scripts are answered."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from engine.bots.finding import Packed
from server.bots.examining import examine_source
from server.designs import designs_part
from server.designs.designs_part import SavedDesigns
from server.runs import runs as running
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import await_checks
from tests.server.members import Browser, Server, page_text, serving
from tests.shell import eventually

BLOCK = {"name": "Block", "rows": ["##", "##"], "behavior": "Runner"}
OWN = {"name": "Own", "rows": ["###"], "behavior": "written", "code": "def update(self):\n    pass"}
ARMY = {"name": "Blocks", "types": [BLOCK], "placements": [[0, 28, -1], [0, 28, 3]]}


def make_army(*types: dict[str, Any], at: Any = ([0, 28, 0],), **fields: Any) -> dict[str, Any]:
    return {"name": "Mine", "types": list(types), "placements": list(at), **fields}


def ask(browser: Browser, what: str, **body: Any) -> tuple[int, Any]:
    answer = browser.client.post(f"/api/v1/designs/{what}", json=body)
    return answer.status_code, answer.json()


def ask_successfully(browser: Browser, what: str, **body: Any) -> Any:
    status, answer = ask(browser, what, **body)
    assert status == 200, answer
    return answer


def test_everybody_may_draw(lasting: Server) -> None:
    assert "Design an army" in lasting.browser().text("/design")
    offered = lasting.browser().get("/api/v1/designs")
    assert offered.status_code == 200
    found = json.loads(offered.content)
    assert [one["name"] for one in found["opponents"]][:2] == ["player_four", "player_one"]
    assert [one["name"] for one in found["behaviors"]] == [
        *("Runner", "Hunter", "Breaker", "Guard", "Defender")
    ]
    assert found["grids"][0] == {
        "name": "small",
        "max_cells": 120,
        "columns": 30,
        "first_row": -28,
        "last_row": 31,
        "sure_first_row": -12,
        "sure_last_row": 15,
        "home": [4, 4, 4],
    }
    assert [one["name"] for one in found["ladders"]] == ["Game of Death"]


def test_the_armies_to_start_from_have_no_mistake(lasting: Server) -> None:
    browser = lasting.browser()
    armies = json.loads(browser.get("/api/v1/designs").content)["armies"]
    assert [army["name"] for army in armies] == ["Raid", "Hunt", "Fort"]
    for army in armies:
        assert ask_successfully(browser, "inspect", army=army)["mistakes"] == []


def test_figures_come_with_every_drawing_that_is_a_shape(lasting: Server) -> None:
    apart = {**BLOCK, "name": "Apart", "rows": ["#.#"]}
    found = ask_successfully(lasting.browser(), "inspect", army=make_army(BLOCK, apart))
    assert found["cells"] == 4
    assert found["figures"][0]["sides"][0] == {
        "side": "forward",
        "thickness": "4/2",
        "attack": 2,
        "defense": 1,
    }
    assert found["figures"][1] is None
    assert [(one["type"], one["placement"]) for one in found["mistakes"]] == [(1, None)]


@pytest.mark.parametrize(
    ("army", "text", "place"),
    [
        (make_army(BLOCK, at=[]), "no shape is placed", (None, None)),
        (make_army(BLOCK, at=[[0, 4, 0]]), "is taken by the home", (None, 0)),
        (make_army(BLOCK, at=[[0, 29, 0]]), "is outside the zone", (None, 0)),
        (make_army(BLOCK, at=[[7, 28, 0]]), "type number 7 does not exist", (None, 0)),
        (make_army({**BLOCK, "rows": ["#"]}), "a shape has 2 to 120", (0, None)),
        (make_army({**BLOCK, "rows": ["#x"]}), "'x' is neither # nor .", (0, None)),
        (make_army({**BLOCK, "behavior": "Dancer"}), "'Dancer' is no behavior", (0, None)),
        (make_army({**OWN, "code": "def update(self)"}), "syntax error in line 1:", (0, None)),
        (make_army({**OWN, "code": "x = (\n" * 3_000}), "class Own: ", (0, None)),
        (
            make_army({**OWN, "code": "def update(self):\n    self.move('up')"}),
            "line 2 of its code: move 'up': expected one of forward",
            (0, None),
        ),
        (make_army(BLOCK, name=""), "the army needs a name", (None, None)),
    ],
)
def test_what_is_wrong_is_said_beside_what_it_is_about(
    lasting: Server, army: Any, text: str, place: tuple[int | None, int | None]
) -> None:
    mistakes = ask_successfully(lasting.browser(), "inspect", army=army)["mistakes"]
    found = [one for one in mistakes if text in one["words"]]
    assert [(one["type"], one["placement"]) for one in found] == [place]
    status, answer = ask(lasting.browser(), "file", army=army)
    assert status == 422
    assert mistakes[0]["words"] in answer["error"]


@pytest.mark.parametrize(
    ("what", "body", "message"),
    [
        ("inspect", {"army": {**ARMY, "types": [BLOCK] * 27}}, "length <= 26"),
        ("inspect", {"army": {**ARMY, "placements": [[0, 1, 1]] * 501}}, "length <= 500"),
        ("inspect", {"army": make_army({**BLOCK, "rows": ["#" * 65]})}, "length <= 64"),
        ("inspect", {"army": make_army({**OWN, "code": "x" * 20_001})}, "length <= 20000"),
        ("inspect", {"army": {**ARMY, "placements": [[0, 1_001, 1]]}}, "<= 1000"),
        ("inspect", {"army": {**ARMY, "more": 1}}, "unknown field `more`"),
        ("inspect", {"army": "x"}, "Expected `object`"),
        ("fill", {"army": ARMY, "type": 3, "count": 1}, "there is no type 3"),
        ("fill", {"army": ARMY, "type": 0, "count": 501}, "<= 500"),
        ("open", {"source": "x = 1"}, "it was not made by the designer"),
        ("open", {"source": "#| {"}, "its data were changed"),
        ("open", {"source": "x" * 200_001}, "length <= 200000"),
        ("battle", {"army": ARMY, "opponent": "../player"}, "there is no starter army '../player'"),
        ("battle", {"army": make_army(BLOCK, at=[]), "opponent": "player_four"}, "no shape is"),
        ("battle", {"army": make_army(OWN), "opponent": "player_four"}, "once you have signed in"),
    ],
)
def test_what_cannot_be_is_refused_in_words(
    lasting: Server, what: str, body: Any, message: str
) -> None:
    status, answer = ask(lasting.browser(), what, **body)
    assert status in (400, 401, 422)
    assert message in answer["error"]


def test_a_grid_that_is_not_known_is_the_small_one() -> None:
    assert designs_part.grid_settings("../small") == designs_part.grid_settings("small")
    assert designs_part.grid_settings("standard").max_cells == 500


def test_what_was_drawn_is_a_file_and_opens_again(lasting: Server) -> None:
    browser = lasting.browser()
    army = make_army(BLOCK, OWN, at=[[0, 28, -1], [1, 20, 5]])
    file = ask_successfully(browser, "file", army=army)
    assert file["name"] == "player_mine.py"
    packed = Packed(files={file["name"]: file["source"].encode()}, is_folder=False)
    assert examine_source(packed, ()).is_good
    again = ask_successfully(browser, "open", source=file["source"])
    assert ask_successfully(browser, "file", army=again) == file


def test_shapes_are_placed_where_there_is_room(lasting: Server) -> None:
    browser = lasting.browser()
    filled = ask_successfully(browser, "fill", army=make_army(BLOCK, at=[]), type=0, count=500)
    found = ask_successfully(browser, "inspect", army=filled)
    assert (found["cells"], found["mistakes"]) == (120, [])


def test_nobody_asks_without_end(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"draw.asker": 2}) as server:
        asked = [ask(server.browser("1.2.3.4"), "inspect", army=ARMY) for _ in range(3)]
    assert [status for status, _ in asked] == [200, 200, 429]
    assert "please try again in" in asked[2][1]["error"].lower()


def test_what_was_drawn_is_handed_in_as_any_bot(tmp_path: Path) -> None:
    with serving(tmp_path / "results", new_examiner=ExaminedAtOnce) as server:
        ann = server.member("Ann")
        file = ask_successfully(ann, "file", army=ARMY)
        files = {file["name"]: base64.b64encode(file["source"].encode()).decode()}
        body = {"files": files, "name": "Blocks", "game": "game_of_death"}
        answer = ann.client.post("/api/v1/bots", json=body)
        assert answer.status_code == 200, answer.text
        assert "Blocks, version 1" in ann.text(answer.json()["path"])


def test_the_lobby_leads_to_rooms(lasting: Server) -> None:
    ann = lasting.member("Ann")
    assert "for Game of Death" in ann.text("/lobby")
    assert ann.get("/lobby/new?game=game_of_death").url.path == "/rooms/new"
    assert "leave the enemy no living shape" in ann.text("/how-to-play/game_of_death")


def test_what_a_member_draws_is_kept_until_they_leave(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    own = "/api/v1/designs/mine"
    assert ann.client.get(own).json() == {"design": None, "armies": []}
    for army in (ARMY, make_army(OWN)):
        assert ann.client.put(own, json={"army": army}).status_code == 200
    assert ann.client.get(own).json()["design"]["army"]["types"][0]["name"] == "Own"
    assert bob.client.get(own).json() == {"design": None, "armies": []}
    assert server.browser().get(own).status_code == 401
    assert '"name":"Own"' in ann.get("/me/export").text.replace(" ", "")
    saved = SavedDesigns(server.storage.database)
    person_id = server.person_id("Ann")
    ann.post("/me/delete", {"name": "Ann"})
    assert saved.load(person_id).design is None


def over(browser: Browser, run_id: str) -> Any:
    """Return what came of a battle, once it is over."""
    found: dict[str, Any] = {}

    def is_over() -> bool:
        found.update(json.loads(browser.get(f"/api/v1/runs/{run_id}").content))
        return found["state"] in ("over", "failed")

    assert eventually(is_over, 60)
    return found


def test_an_army_that_was_drawn_beats_the_weakest_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "draw_seed", lambda: 1)
    with serving(tmp_path / "results") as server:
        browser = server.browser()
        bar = {**BLOCK, "rows": ["###"]}
        army = ask_successfully(browser, "fill", army=make_army(bar, at=[]), type=0, count=40)
        begun = ask_successfully(browser, "battle", army=army, opponent="player_four")
        assert begun["state"] == "waiting"
        came = over(browser, begun["id"])
        assert (came["state"], came["winner"]) == ("over", 1)
        assert came["words"].startswith("Mine won against player_four")
        page = browser.get(begun["path"])
        assert "Mine : player_four" in page_text(page)
        assert '<svg id="poster"' in page.text
        scene = browser.get(f"/api/v1/runs/{begun['id']}/scene")
        assert '"isGrowing":false' in scene.text
        assert browser.get("/runs/none/watch").status_code == 404


def test_code_of_ones_own_plays_for_whoever_is_signed_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "draw_seed", lambda: 1)
    with serving(tmp_path / "results") as server:
        ann = server.member("Ann")
        army = make_army({**OWN, "code": "def update(self):\n    self.nothing()"}, at=[[0, 20, 0]])
        begun = ask_successfully(ann, "battle", army=army, opponent="player_four")
        came = over(ann, begun["id"])
        assert came["winner"] == 2
        assert "has no attribute 'nothing'" in came["words"]


def test_armies_of_the_ladder_are_fought_where_their_authors_let_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "draw_seed", lambda: 1)
    with serving(tmp_path / "results", new_examiner=ExaminedAtOnce) as server:
        ann, bob = server.member("Ann"), server.member("Bob")
        few = make_army(
            {**OWN, "code": "secret = 1\n\ndef update(self):\n    self.rest()"}, at=[[0, 20, 0]]
        )
        file = ask_successfully(ann, "file", army=few)
        files = {file["name"]: base64.b64encode(file["source"].encode()).decode()}
        body = {"files": files, "name": "Few", "game": "game_of_death"}
        version = ann.client.post("/api/v1/bots", json=body).json()
        await_checks(server, "Few", game="game_of_death")
        opponent = f"ladder/{version['bot']}"
        army = ask_successfully(
            bob, "fill", army=make_army({**BLOCK, "behavior": "Hunter"}, at=[]), type=0, count=30
        )
        status, answer = ask(bob, "battle", army=army, opponent=opponent)
        assert (status, "does not let people play" in answer["error"]) == (422, True)
        ann.post(f"/bots/{version['bot']}/open", {"open": "yes"})
        offered = json.loads(bob.get("/api/v1/designs").content)["opponents"]
        assert [one["name"] for one in offered if not one["is_starter"]] == [opponent]
        assert f'"/design?against={opponent}"' in bob.get(f"/bots/{version['bot']}").text
        begun = ask_successfully(bob, "battle", army=army, opponent=opponent)
        assert over(bob, begun["id"])["winner"] == 1
        scene = bob.get(f"/api/v1/stream?topic=runs/{begun['id']}/scene").text
        assert "team 1 may read Own of team 2" in scene
        assert "secret" not in scene
