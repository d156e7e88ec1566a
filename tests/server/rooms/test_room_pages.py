"""Rooms by browser: from the link to the score, what each role sees, and what is refused."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.replays.reading import Replay
from engine.replays.verifying import verify
from server.rooms import battles
from server.rooms.rooms import ready_armies
from server.runs.runs import Runs
from tests.server.killable_server import KillableServer
from tests.server.members import Browser, Server, page_text, serving
from tests.shell import Shell, eventually

BLOCK = {"name": "Hidden", "rows": ["##", "##"], "behavior": "Runner"}
CODE = "def update(self):\n    plan = 'over the river'\n    self.rest()"
OWN = {"name": "Hidden", "rows": ["####"], "behavior": "written", "code": CODE}
SECRETS = ("Ambush", "Hidden", "over the river")


def an_army(*types: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"name": "Ambush", "types": list(types or [BLOCK]), "placements": [[0, 20, 0]], **fields}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Yield a server on which battles wait until `play_battle`."""
    start = battles.Battles.start
    monkeypatch.setattr(battles.Battles, "start", lambda self: None)
    with serving(tmp_path / "results") as server:
        monkeypatch.setattr(battles.Battles, "start", start)
        yield server


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path / "shell")


def make_room(browser: Browser, **fields: str) -> str:
    """Make a room; return its path."""
    answer = browser.post("/rooms/new", {"name": "Gus", "other-1": "friend", **fields})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path)


def join(browser: Browser, room: str, **fields: str) -> None:
    answer = browser.post(f"{room}/join", {"name": "Fay", **fields})
    assert answer.status_code == 200, answer.text


def seal(browser: Any, room: str, army: dict[str, Any] | str) -> tuple[int, str]:
    client = getattr(browser, "client", browser)
    answer = client.put(f"/api/v1{room}/army", json={"army": army})
    return answer.status_code, answer.text


def state(browser: Browser, room: str) -> Any:
    return json.loads(browser.get(f"/api/v1{room}").content)


def play_battle(server: Server, room: str) -> None:
    def is_over() -> bool:
        server.site.rooms.battles.go_on()
        return bool(state(server.browser(), room)["phase"] != "battle")

    assert eventually(is_over, 120)


def test_a_sealed_army_is_seen_by_its_owner_alone_before_the_battle(server: Server) -> None:
    ann, bob, cid = server.member("Ann"), server.browser(), server.browser()
    room = make_room(ann)
    join(bob, room)
    assert seal(ann, room, an_army(OWN))[0] == 200
    assert "Ambush is sealed" in ann.text(room)
    assert CODE in state(ann, room)["army"]["types"][0]["code"]
    for browser in (bob, cid):
        pages = [browser.get(f"{base}{room}").text for base in ("", "/api/v1")]
        assert not [word for word in SECRETS for page in pages if word in page]
        assert "Ann" in pages[0]
        assert browser.get(f"{room}/battles/1/watch").status_code == 404
        assert state(browser, room)["army"] is None
    assert seal(cid, room, an_army())[0] == 403
    for what in ("bots", "leave"):
        assert cid.post(f"{room}/{what}").status_code == 403


@pytest.mark.parametrize(
    ("army", "status", "message"),
    [
        (an_army(placements=[]), 422, "no shape is placed"),
        (an_army(placements=[[0, 4, 0]]), 422, "is taken by the home"),
        (
            json.loads(json.dumps({"name": "Big", "types": [{**BLOCK, "rows": ["#" * 50] * 4}]}))
            | {"placements": [[0, 0, 5]]},
            422,
            "a shape has 2 to 120",
        ),
        (an_army(OWN), 401, "once you have signed in"),
        (an_army({**BLOCK, "source": "import os"}), 400, "unknown field"),
        (an_army({**BLOCK, "rows": ["##", "# import os"]}), 422, "is neither # nor ."),
        (an_army({**BLOCK, "numbers": {"import os": 1}}), 422, "has no number"),
        (an_army({**BLOCK, "name": "A:\n    import os"}), 422, "the name"),
    ],
)
def test_an_army_that_is_illegal_in_the_room_is_refused(
    server: Server, army: dict[str, Any], status: int, message: str
) -> None:
    ann = server.browser()
    found, text = seal(ann, make_room(ann), army)
    assert (found, message in text) == (status, True), text


def test_what_plays_battles_is_started_while_armies_are_designed(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = list[int]()
    monkeypatch.setattr(Runs, "warm_up", lambda runs: started.append(1))
    room = make_room(server.browser())
    assert not started  # nobody may come
    join(server.browser(), room)
    assert started


def test_code_that_hides_beside_a_behavior_is_left_out(server: Server) -> None:
    ann = server.browser()
    room = make_room(ann)
    assert seal(ann, room, an_army({**BLOCK, "code": CODE}))[0] == 200
    assert "over the river" not in ann.get(f"/api/v1{room}").text


def test_a_friend_who_never_comes_is_replaced_or_the_room_goes(server: Server) -> None:
    ann = server.browser()
    room, other = make_room(ann), make_room(ann)
    assert "1 seat free" in state(ann, room)["words"]
    ann.post(f"{room}/bots")
    assert state(ann, room)["phase"] == "designing"
    rooms = server.site.rooms.rooms
    with rooms.change_room(other.rpartition("/")[2]) as changed:
        assert changed.deadline is not None
        changed.deadline = changed.deadline.replace(year=2000)
    server.site.rooms.battles.go_on()
    assert ann.get(other).status_code == 404
    assert ann.get(room).status_code == 200


def test_strangers_meet_in_the_lobby(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    guest = server.browser().post("/rooms/new", {"name": "Gus", "other-1": "open"})
    assert "sign in to play with strangers" in page_text(guest)
    room = make_room(ann, **{"other-1": "open", "rated": "yes"})
    assert room in bob.get("/lobby").text
    assert "count for our ratings" in bob.text(f"{room}/join")
    join(bob, room, rated="yes")
    assert room not in bob.get("/lobby").text
    assert "rated" in bob.text(room)


@pytest.mark.parametrize(("rated", "is_rated"), [("yes", True), ("", False)])
def test_battles_are_rated_where_both_want_it(server: Server, rated: str, is_rated: bool) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    room = make_room(ann, rated="yes", rounds="1")
    join(bob, room, **({"rated": rated} if rated else {}))
    few = an_army(OWN)
    assert seal(ann, room, few)[0] == 200
    seal(bob, room, "Raid")
    play_battle(server, room)
    assert "you won" in bob.text(room)
    players = bob.text("/players")
    assert ("Game of Death" in players and "Bob" in players.split("Game of Death")[1]) == is_rated


def test_what_the_rules_disclose_is_read_by_whom_they_name_alone(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.rooms.rooms.secrets.randbits", lambda bits: 7)
    ann, bob, cid = server.member("Ann"), server.member("Bob"), server.browser()
    room = make_room(ann, rounds="3")
    join(bob, room)
    assert seal(ann, room, an_army(OWN))[0] == 200
    seal(bob, room, "Hunt")
    assert (state(cid, room)["phase"], state(cid, room)["run"]) == ("battle", "")
    server.site.rooms.battles.go_on()
    run = state(cid, room)["run"]
    assert "Ambush : Hunt" in cid.text(f"/runs/{run}/watch")
    play_battle(server, room)
    assert "over the river" not in cid.get(f"/api/v1/runs/{run}/scene").text
    assert state(cid, room)["number"] == 2
    scenes = {
        name: browser.get(f"/api/v1{room}/battles/1/scene").text
        for name, browser in (("ann", ann), ("bob", bob), ("cid", cid))
    }
    assert "over the river" in scenes["bob"]  # his blocks have killed the one shape that there is
    assert "over the river" not in scenes["cid"] + cid.get(room).text + bob.get(room).text
    replay = cid.get(f"{room}/battles/1/replay")
    file = server.folder / "public.jsonl.gz"
    file.write_bytes(replay.content)
    assert CODE not in "".join(map(str, Replay(file).entries()))
    assert verify(Replay(file)) is None


def test_four_people_fight_two_against_two(server: Server) -> None:
    ann = server.browser()
    friends = {f"other-{number}": "friend" for number in (1, 2, 3)}
    room = make_room(ann, seats="4", rounds="1", **friends)
    others = [server.browser(f"10.0.0.{number}") for number in range(3)]
    for number, browser in enumerate(others):
        join(browser, room, name=f"Guest {number}")
    for browser in (ann, *others):
        seal(browser, room, "Hunt" if browser is ann else "Raid")
    assert state(ann, room)["phase"] == "battle"
    play_battle(server, room)
    found = server.site.rooms.rooms.find(room.rpartition("/")[2])
    assert found is not None
    assert (found.phase, found.ending) == ("over", "")
    assert found.results[0].winners in ((), (1, 3), (2, 4))


def test_a_member_has_armies_in_store_and_leaves_with_them(server: Server) -> None:
    ann = server.member("Ann")
    room = make_room(ann)
    assert seal(ann, room, an_army())[0] == 200
    stored = json.loads(ann.get("/api/v1/designs/mine").content)["armies"]
    assert [one["army"]["name"] for one in stored] == ["Ambush"]
    exported = ann.get("/me/export").text
    assert "Ambush" in exported
    assert room.rpartition("/")[2] in exported
    ann.post("/me/delete", {"name": "Ann"})
    assert "somebody has left" in server.browser().text(room).lower()
    assert "Ann" not in server.browser().text(room)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_server_killed_in_each_phase_goes_on_where_it_was(shell: Shell, tmp_path: Path) -> None:
    server = KillableServer(shell, tmp_path / "results", "-j", "0")
    server.start()
    try:
        ann, bob = server.browser(), server.browser()
        room = str(ann.post("/rooms/new", data={"name": "Gus", "other-1": "friend"}).url.path)

        def found(name: str) -> Any:
            return ann.get(f"/api/v1{room}").json()[name]

        server.restart()
        assert found("phase") == "open"
        bob.post(f"{room}/join", data={"name": "Fay"})
        server.restart()
        assert found("phase") == "designing"
        seal(ann, room, "Raid")
        server.restart()
        assert found("army")["name"] == "Raid"
        seal(bob, room, "Hunt")
        server.restart()  # before the battle has begun, or in its middle
        assert found("phase") in ("battle", "designing")
        assert eventually(lambda: found("number") == 2, 200)
        server.restart()
        assert (found("phase"), found("number")) == ("designing", 2)
        page = ann.get(room).text
        assert re.search(r"(1 : 0|0 : 1|0 : 0)", page)
        file = tmp_path / "battle.jsonl.gz"
        file.write_bytes(ann.get(f"{room}/battles/1/replay").content)
        assert verify(Replay(file)) is None
    finally:
        server.close()


def test_every_ready_army_is_legal_on_every_grid() -> None:
    assert [army.name for army in ready_armies("standard")] == ["Raid", "Hunt", "Fort"]
