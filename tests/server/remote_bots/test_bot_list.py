"""The list of bots to play against."""

from typing import Any

import pytest

from server.bots.bots import Bots
from server.identity.tokens import Scope
from server.remote_bots import remote_bots_part
from tests.server.contests.field import bot_in
from tests.server.members import Server
from tests.server.remote_bots.programs import Program, make_program


def list_bots(program: Program, query: str = "?game=smack") -> list[Any]:
    bots: list[Any] = program.request("GET", f"/bots{query}")["bots"]
    return bots


@pytest.fixture(name="stranger")
def a_stranger(server: Server) -> Program:
    return Program(server.browser(), "slime_x")


def test_starter_bots_and_open_bots_can_be_challenged(server: Server, stranger: Program) -> None:
    server.member("Ann")
    made = bot_in(server.storage.database, server.person_id("Ann"), "alpha", game="smack")
    names = [one["opponent"] for one in list_bots(stranger)]
    assert "player_one" in names
    assert "ladder/" + made.id not in names
    Bots(server.storage.database).set_open(made.id, True)
    (alpha,) = [one for one in list_bots(stranger) if one["id"] == made.id]
    assert alpha == {
        "opponent": "ladder/" + made.id,
        "id": made.id,
        "game": "smack",
        "name": "alpha",
        "author": "Ann",
        "elo": None,
        "is_yours": False,
    }
    # It is taken as it is listed: of this bot there are no files.
    body = {"game": "smack", "opponents": [{"bot": alpha["opponent"]}], "clock": "none"}
    assert make_program(server, "Ann").request("POST", "/challenges", body)["has_begun"]


def test_ones_own_bots_are_listed_for_oneself_alone(server: Server, stranger: Program) -> None:
    server.member("Ann")
    server.member("Bob")
    bot_in(server.storage.database, server.person_id("Ann"), "alpha", game="smack")

    def sees(program: Program) -> bool:
        return "alpha" in [one["name"] for one in list_bots(program) if one["is_yours"]]

    assert sees(make_program(server, "Ann", Scope.HAND_IN))
    assert not sees(make_program(server, "Ann", Scope.PLAY))  # it is for playing alone
    assert not sees(make_program(server, "Bob", Scope.HAND_IN))
    assert "alpha" not in [one["name"] for one in list_bots(stranger)]


def test_a_long_list_has_pages(stranger: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    every = [one["opponent"] for one in list_bots(stranger)]
    monkeypatch.setattr(remote_bots_part, "PER_PAGE", 3)
    pages = stranger.request("GET", "/bots?game=smack")["pages"]
    assert pages == -(-len(every) // 3)
    found = [
        one
        for page in range(1, pages + 1)
        for one in list_bots(stranger, f"?game=smack&page={page}")
    ]
    assert [one["opponent"] for one in found] == every


def test_what_there_is_not_is_said(stranger: Program) -> None:
    assert "404: there is no such game; one of" in stranger.request_refusal(
        "GET", "/bots?game=chess"
    )
    assert "400" in stranger.request_refusal("GET", "/bots")
    assert "400" in stranger.request_refusal("GET", "/bots?game=smack&page=0")
    assert list_bots(stranger, "?game=game_of_death") == []  # people do not play it
