"""Challenges: how remote bots find opponents, and who is told what plays."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from server.games.open_games import MAX_WAITING_GAMES
from server.identity.people import BUILT_IN_OWNER
from server.identity.tokens import Scope
from server.messages.block_list import Restriction
from server.remote_bots import challenges
from tests.server.members import Browser, Server, serving
from tests.server.remote_bots.programs import Program, make_program

ANN = {"player": "Ann"}
BOB = {"player": "Bob"}


@pytest.fixture(name="ann")
def anns_program(server: Server) -> Program:
    server.member("Ann")
    return make_program(server, "Ann")


def kinds(program: Program) -> dict[str, str]:
    """Return what each waiting game is to a program."""
    return {one["id"]: one["kind"] for one in program.request("GET", "/challenges")["challenges"]}


def challenge_by_page(browser: Browser, server: Server, name: str, **said: str) -> str:
    """Challenge somebody's remote bot as people do; return the id of the game."""
    fields = {"game": "smack", "seats": "2", "mine": "1", **said}
    answer = browser.post("/lobby/new", {"other-1": f"remote:{server.person_id(name)}", **fields})
    assert answer.status_code == 200, answer.text
    return str(answer.url.path).rpartition("/")[2]


# -- accepting and declining ----------------------------------------------------------------------


def test_a_program_challenges_another_and_the_game_begins(server: Server, ann: Program) -> None:
    server.member("Bob")
    bob = make_program(server, "Bob")
    made = ann.challenge(BOB, team=2)
    assert made["kind"] == "made"
    assert [seat["kind"] for seat in made["seats"]] == ["challenged", "remote"]
    assert kinds(bob) == {made["id"]: "received"}
    accepted = bob.request("POST", f"/challenges/{made['id']}/accept")
    assert accepted["has_begun"]
    position = bob.position(made["id"])
    assert [seat["name"] for seat in position["seats"]] == ["Bob (remote bot)", "Ann (remote bot)"]
    assert [seat["kind"] for seat in position["seats"]] == ["remote", "remote"]
    assert [seat["is_yours"] for seat in position["seats"]] == [True, False]
    assert not position["is_rated"]
    assert kinds(ann) == kinds(bob) == {}


def test_a_person_challenges_a_remote_bot_that_is_online(server: Server, ann: Program) -> None:
    bob = server.member("Bob")
    assert "remote bot)" not in bob.text("/lobby/new?game=smack")
    assert kinds(ann) == {}  # by which it is online
    assert "Ann (remote bot)" in bob.text("/lobby/new?game=smack")
    game = challenge_by_page(bob, server, "Ann", clock="5+5")
    assert "Seat 2 Ann is challenged" in bob.text(f"/lobby/{game}")
    ann.request("POST", f"/challenges/{game}/accept")
    assert "Ann (remote bot)" in bob.text("/")
    assert bob.get(f"/lobby/{game}").url.path == f"/games/{game}"


def test_who_is_challenged_may_sit_down_instead_of_the_program(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    made = make_program(server, "Bob").challenge(ANN, team=1)["id"]
    assert "Bob challenges you" in ann.text("/")
    page = ann.text("/lobby")
    assert "you are challenged Take seat 2 Decline" in page
    assert "Seat 1 Bob remote bot" in page
    ann.post(f"/lobby/{made}/take", {"team": "2"})
    seats = make_program(server, "Ann").position(made)["seats"]
    assert [(seat["kind"], seat["is_yours"]) for seat in seats] == [
        ("remote", False),
        ("person", False),  # her program may not play for her
    ]
    assert "Bob (remote bot)" in ann.text("/")
    assert "Your move" not in bob.text("/")  # it is the program's


def test_a_challenge_is_declined_and_its_maker_is_told(server: Server, ann: Program) -> None:
    bob = server.member("Bob")
    game = challenge_by_page(bob, server, "Ann")
    assert ann.request("POST", f"/challenges/{game}/decline")["seats"][1]["kind"] == "declined"
    assert "Ann has declined" in bob.text(f"/lobby/{game}")
    assert bob.client.get(f"/api/v1/lobby/{game}").json() == {"has_begun": False, "declined": 1}
    assert kinds(ann) == {}
    assert "404" in ann.request_refusal("POST", f"/challenges/{game}/accept")
    other = make_program(server, "Bob").challenge(ANN)["id"]
    assert server.member("Eve").post(f"/lobby/{other}/decline").status_code == 409
    assert game not in server.member("Ida").text("/lobby")


def test_a_page_declines_too(server: Server, ann: Program) -> None:
    bob = server.member("Bob")
    game = ann.challenge(BOB)["id"]
    assert bob.post(f"/lobby/{game}/decline").url.path == "/lobby"
    assert "SMAC by" not in bob.text("/lobby")
    assert "you are challenged" not in bob.text("/lobby")
    ann.request("DELETE", f"/challenges/{game}")
    assert "404" in ann.request_refusal("DELETE", f"/challenges/{game}")


def test_a_program_opens_a_game_for_people_and_for_programs(server: Server, ann: Program) -> None:
    bob, eve = server.member("Bob"), server.member("Eve")
    first, second = (ann.challenge({}, team=1)["id"] for _ in range(2))
    assert "Seat 1 Ann remote bot Seat 2 open Take seat 2" in bob.text("/lobby")
    bob.post(f"/lobby/{first}/take", {"team": "2"})
    eves = make_program(server, "Eve")
    assert kinds(eves) == {second: "open"}
    eves.request("POST", f"/challenges/{second}/accept")
    assert "Eve (remote bot)" in eve.text(f"/games/{second}/plain")


def test_a_program_plays_a_bot_of_the_server_at_once(ann: Program) -> None:
    made = ann.challenge({"bot": "player_one"}, team=1, clock="none")
    assert made["has_begun"]
    assert [seat["kind"] for seat in ann.position(made["id"])["seats"]] == ["remote", "bot"]


def test_smac_is_played_by_several(server: Server, ann: Program) -> None:
    server.member("Bob")
    said: Any = {"game": "smac", "team": 2, "clock": "1d"}
    made = ann.challenge(BOB, {"bot": "player_one"}, {}, **said)
    found = [(seat["kind"], seat["name"]) for seat in made["seats"]]
    assert found == [("challenged", "Bob"), ("remote", "Ann"), ("bot", "player_one"), ("open", "")]


# -- what is refused ------------------------------------------------------------------------------


def test_an_open_seat_of_a_person_is_for_people(server: Server, ann: Program) -> None:
    bob = server.member("Bob")
    path = bob.post("/lobby/new", {"game": "smack", "seats": "2", "other-1": "open"}).url.path
    game = str(path).rpartition("/")[2]
    assert kinds(ann) == {}
    assert "404" in ann.request_refusal("POST", f"/challenges/{game}/accept")
    assert "404" in ann.request_refusal("POST", f"/challenges/{game}/decline")
    assert "404" in ann.request_refusal("DELETE", f"/challenges/{game}")


def test_a_remote_bot_plays_no_rated_game(server: Server, ann: Program) -> None:
    game = challenge_by_page(server.member("Bob"), server, "Ann", rated="yes")
    assert "422: this game is rated" in ann.request_refusal("POST", f"/challenges/{game}/accept")


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"game": "game_of_death", "opponents": [{}]}, "422: 'game_of_death' is not a game of"),
        ({"game": "smack", "opponents": [{}, {}]}, "422: Smack! has 2 seats"),
        ({"game": "smac", "opponents": [{}] * 6}, "422: SMAC has 2 to 6 seats"),
        ({"game": "smack", "opponents": []}, "400: "),
        ({"game": "smack", "opponents": [{}], "team": 3}, "422: your seat is one of 1 to 2"),
        ({"game": "smack", "opponents": [{}], "clock": "1+0"}, "422: that clock"),
        ({"game": "smack", "opponents": [{"bot": "../x"}]}, "422: there is no bot '../x'"),
        ({"game": "smack", "opponents": [{"player": "Nobody"}]}, "422: 'Nobody' cannot be"),
        ({"game": "smack", "opponents": [ANN]}, "422: 'Ann' cannot be challenged"),
        ({"game": "smack", "opponents": [{"player": BUILT_IN_OWNER}]}, "422: 'house' cannot be"),
        ({"game": "smack", "opponents": [{**BOB, "bot": "player_one"}]}, "422: an opponent is"),
        ({"game": "smack", "opponents": [{}], "rated": True}, "400: "),
        ({"game": "x" * 300_000, "opponents": [{}]}, "413: that is too much"),
    ],
    ids=str,
)
def test_a_challenge_that_cannot_be_is_refused(ann: Program, body: Any, why: str) -> None:
    assert ann.request_refusal("POST", "/challenges", body).startswith(why)


def test_a_block_keeps_programs_apart_and_is_not_told(server: Server, ann: Program) -> None:
    bob = server.member("Bob")
    bobs = make_program(server, "Bob")
    before, own = ann.challenge(BOB)["id"], ann.challenge({})["id"]
    assert kinds(bobs) == {before: "received", own: "open"}
    server.site.mutes.set_everywhere(
        server.person_id("Bob"), server.person_id("Ann"), Restriction.BLOCK
    )
    assert kinds(bobs) == {}
    for game in (before, own):
        assert "404" in bobs.request_refusal("POST", f"/challenges/{game}/accept")
    body = {"game": "smack", "opponents": [BOB]}
    assert "422: 'Bob' cannot be challenged" in ann.request_refusal("POST", "/challenges", body)
    assert "Ann" not in bob.text("/lobby")
    assert "(remote bot)" not in bob.text("/lobby/new?game=smack")
    fields = {"game": "smack", "seats": "2", "other-1": f"remote:{server.person_id('Ann')}"}
    assert bob.post("/lobby/new", fields).status_code == 422


def test_who_is_banned_or_leaves_plays_no_more(server: Server, ann: Program) -> None:
    organizer, bob = server.organizer(), server.member("Bob")
    game = challenge_by_page(bob, server, "Ann")
    organizer.post(f"/admin/people/{server.person_id('Ann')}/ban")
    assert "401" in ann.request_refusal("GET", "/challenges")
    assert "has declined" in bob.text(f"/lobby/{game}")
    assert "(remote bot)" not in bob.text("/lobby/new?game=smack")
    other = make_program(server, "Bob")
    body = {"game": "smack", "opponents": [ANN]}
    assert "cannot be challenged" in other.request_refusal("POST", "/challenges", body)


def test_a_program_plays_and_makes_so_many_games_and_no_more(
    server: Server, ann: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MAX_GAMES", 2)
    body = {"game": "smack", "opponents": [{"bot": "player_one"}], "clock": "none"}
    for _ in range(2):
        ann.request("POST", "/challenges", body)
    assert "play 2 games" in ann.request_refusal("POST", "/challenges", body)
    game = challenge_by_page(server.member("Bob"), server, "Ann")
    assert "play 2 games" in ann.request_refusal("POST", f"/challenges/{game}/accept")
    monkeypatch.setattr(challenges, "MAX_GAMES", 100)
    for _ in range(MAX_WAITING_GAMES):
        ann.challenge({})
    assert "wait already" in ann.request_refusal("POST", "/challenges", body)
    answers = [ann.send("POST", "/challenges", body) for _ in range(30)]
    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["retry-after"]) > 0


def test_of_games_that_are_made_and_accepted_at_once_all_are_counted(
    ann: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(challenges, "MAX_GAMES", 3)
    body = {"game": "smack", "opponents": [{"bot": "player_one"}], "clock": "none"}
    waits = body | {"opponents": [{}]}
    with ThreadPoolExecutor(10) as together:
        answers = list(
            together.map(lambda sent: ann.send("POST", "/challenges", sent), [body, waits] * 5)
        )
    assert sorted(answer.status_code for answer in answers) == [200] * 3 + [422] * 7


# -- tokens ---------------------------------------------------------------------------------------


def test_a_token_does_what_it_was_made_for(server: Server, ann: Program) -> None:
    handing_in = make_program(server, "Ann", Scope.HAND_IN)
    assert "403: this token may not play games" in handing_in.request_refusal("GET", "/challenges")
    assert "403: this token may not hand in bots" in ann.request_refusal("POST", "/bots")
    assert "403" in ann.request_refusal("GET", "/me/avoided")
    both = make_program(server, "Ann", *Scope)
    assert both.request("GET", "/challenges") == {"challenges": []}
    assert both.request("GET", "/me/avoided") == {"people": []}
    assert "401: a token is needed" in Program(ann.browser, "slime_x").request_refusal(
        "GET", "/challenges"
    )
    session = server.member("Bob")
    assert session.client.get("/api/v1/challenges").status_code == 401


def test_the_page_makes_tokens_of_each_kind(server: Server) -> None:
    ann = server.member("Ann")
    for scope in ("", "hand_in", "play", "both"):
        assert ann.post("/me/tokens", {"name": f"for {scope}", "scope": scope}).status_code == 200
    may = {one.name: one.may for one in server.site.tokens.find_tokens(server.person_id("Ann"))}
    assert may == {
        "for": "hand in bots",
        "for hand_in": "hand in bots",
        "for play": "play games",
        "for both": "hand in bots and play games",
    }
    assert "for play play games" in ann.text("/me")
    assert ann.post("/me/tokens", {"scope": "admin"}).status_code == 422


def test_an_organizer_allows_no_remote_bots(tmp_path: Path) -> None:
    with serving(tmp_path, has_remote_bots=False) as server:
        ann = server.member("Ann")
        assert "remote bot" not in ann.text("/me")
        assert ann.post("/me/tokens", {"scope": "play"}).status_code == 403
        program = make_program(server, "Ann", *Scope)
        assert "403: remote bots are not allowed" in program.request_refusal("GET", "/challenges")
        assert program.request("GET", "/me/avoided") == {"people": []}
        assert "remote bot" not in server.member("Bob").text("/lobby/new?game=smack")
