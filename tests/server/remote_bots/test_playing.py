"""What a remote bot may do at the board, and what it may not."""

from typing import Any

import pytest

from server.games.clocks import Kind
from server.games.open_games import NotPossible
from server.identity.names import BadName, validate_name
from tests.server.members import Server
from tests.server.playing import choose_orders
from tests.server.remote_bots.programs import Program, make_program


@pytest.fixture(name="ann")
def anns_program(server: Server) -> Program:
    server.member("Ann")
    return make_program(server, "Ann")


@pytest.fixture(name="game")
def a_game(server: Server, ann: Program) -> str:
    """Ann's remote bot has seat 1, and Bob, a person, seat 2."""
    game = str(ann.challenge({}, team=1, clock="5+5")["id"])
    server.member("Bob").post(f"/lobby/{game}/take", {"team": "2"})
    return game


def first_order(program: Program, game: str) -> Any:
    """Return an order for the first ask that a program may answer."""
    position = program.position(game)
    return next(body for _, body in choose_orders(position) if body["team"] == 1)


def test_a_program_orders_and_acts(ann: Program, game: str) -> None:
    body = first_order(ann, game)
    assert ann.request("POST", f"/games/{game}/orders", body) == {"step": 1}
    assert ann.request("POST", f"/games/{game}/orders", body) == {"step": 1}  # again does no harm
    resign = {"team": 1, "piece": 1, "name": "resign"}
    assert ann.request("POST", f"/games/{game}/acts", resign) == {"step": 2}
    assert "409" in ann.request_refusal(
        "POST", f"/games/{game}/orders", {**body, "step": 0, "order": "x"}
    )


def test_what_it_cannot_answer_is_forfeited(ann: Program, game: str) -> None:
    body = {**first_order(ann, game), "error": "ValueError: \x1b[31mx\n"}
    del body["order"]
    assert ann.request("POST", f"/games/{game}/failures", body) == {"step": 1}
    assert "409" in ann.request_refusal("POST", f"/games/{game}/failures", body)
    long = {**body, "error": "x" * 201}
    assert "400" in ann.request_refusal("POST", f"/games/{game}/failures", long)


def test_people_forfeit_nothing_so(server: Server, game: str) -> None:
    bob = server.browser()
    bob.client.cookies.set("session", server.site.people.new_session(server.person_id("Bob")))
    body = {"team": 2, "piece": 2, "step": 0, "error": "x"}
    answer = bob.client.post(f"/api/v1/games/{game}/failures", json=body)
    assert (answer.status_code, "remote bot" in answer.text) == (422, True)


def test_the_games_of_others_and_the_other_team_are_not_its_own(
    server: Server, ann: Program, game: str
) -> None:
    body = first_order(ann, game)
    server.member("Eve")
    eve = make_program(server, "Eve")
    assert "403: only who has a seat" in eve.request_refusal("POST", f"/games/{game}/orders", body)
    assert [seat["is_yours"] for seat in eve.position(game)["seats"]] == [False, False]
    assert "403: team 2" in ann.request_refusal(
        "POST", f"/games/{game}/orders", {**body, "team": 2}
    )
    bob = make_program(server, "Bob")  # Bob plays as a person, and no program for him
    assert "403" in bob.request_refusal("POST", f"/games/{game}/orders", {**body, "team": 2})
    assert "404" in ann.request_refusal("POST", "/games/0000000000000000/orders", body)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "messages", {"text": "hello"}),
        ("PUT", "avoided", {"team": 2, "kind": "mute"}),
        ("POST", "reports", {"team": 2, "reason": "spam"}),
        ("POST", "rematch", {}),
        ("PUT", "draft", {"team": 1, "step": 0, "lines": []}),
        ("PUT", "premoves", {"team": 1, "turn": 0, "orders": [], "is_sent": True}),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_token_does_nothing_at_the_board_but_play(
    ann: Program, game: str, method: str, path: str, body: Any
) -> None:
    assert "403: only who has a seat" in ann.request_refusal(method, f"/games/{game}/{path}", body)


def test_a_revoked_token_plays_no_more(server: Server, ann: Program, game: str) -> None:
    body = first_order(ann, game)
    ann_id = server.person_id("Ann")
    (token,) = server.site.tokens.find_tokens(ann_id)
    server.site.tokens.revoke(ann_id, token.id)
    assert "401: a token is needed" in ann.request_refusal("POST", f"/games/{game}/orders", body)
    program = make_program(server, "Ann")  # with a new one the game goes on
    program.request("POST", f"/games/{game}/orders", body)


def test_no_token_plays_where_remote_bots_are_not_allowed(
    server: Server, ann: Program, game: str
) -> None:
    body = first_order(ann, game)
    server.site.tokens.has_remote_bots = False  # as after a start with --no-remote-bots
    assert "403: remote bots are not allowed" in ann.request_refusal(
        "POST", f"/games/{game}/orders", body
    )
    assert [seat["is_yours"] for seat in ann.position(game)["seats"]] == [False, False]


def test_a_seat_that_is_open_to_people_is_not_taken_by_a_program(
    server: Server, ann: Program
) -> None:
    fields = {"game": "smac", "seats": "3", "mine": "1", "other-1": "open"}
    fields["other-2"] = f"remote:{server.person_id('Ann')}"
    game = str(server.member("Bob").post("/lobby/new", fields).url.path).rpartition("/")[2]
    taken = ann.request("POST", f"/challenges/{game}/accept")["seats"]
    assert [seat["kind"] for seat in taken] == ["person", "open", "remote"]
    person = server.site.people.find_person(server.person_id("Bob"))
    assert person is not None
    fields["other-2"] = "friend"
    second = str(server.member("Eve").post("/lobby/new", fields).url.path).rpartition("/")[2]
    with pytest.raises(NotPossible, match="for people"):
        server.site.open_games.take_as_remote_bot(second, person)


def test_its_owner_may_resign_for_it(server: Server, game: str) -> None:
    owner = server.browser()
    owner.client.cookies.set("session", server.site.people.new_session(server.person_id("Ann")))
    for half in (1, 2):
        body = {"team": 1, "piece": half, "name": "resign"}
        assert owner.client.post(f"/api/v1/games/{game}/acts", json=body).status_code == 200
    assert owner.client.get(f"/api/v1/games/{game}").json()["outcome"]["winner"] == 2


def test_a_rematch_is_another_challenge(server: Server, ann: Program, game: str) -> None:
    for half in (1, 2):
        ann.request("POST", f"/games/{game}/acts", {"team": 1, "piece": half, "name": "resign"})
    bob = server.browser()
    bob.client.cookies.set("session", server.site.people.new_session(server.person_id("Bob")))
    answer = bob.client.post(f"/api/v1/games/{game}/rematch", json={})
    assert (answer.status_code, "challenge it" in answer.text) == (422, True)


def test_it_has_the_clock_of_a_person(server: Server, ann: Program, game: str) -> None:
    position = ann.position(game)
    assert position["clock"] == "5+5"
    assert {one["team"] for one in position["clocks"]} == {1, 2}
    with server.game_service.open_session(game) as session:
        assert session.stored.terms.clock.kind is Kind.LIVE
        assert session.stored.seats[0].is_remote


def test_orders_are_limited_and_it_is_told_how_long_to_wait(
    server: Server, ann: Program, game: str
) -> None:
    server.site.limits._counting["order.person"].tries = 0
    answer = ann.send("POST", f"/games/{game}/orders", first_order(ann, game))
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) >= 1
    assert "orders of your remote bots" in answer.text


@pytest.mark.parametrize("name", ["Ann (remote bot)", "Ann (Remote Bot)", "Ann (guest)"])
def test_nobody_is_called_as_remote_bots_are(name: str) -> None:
    with pytest.raises(BadName, match="remote bots"):
        validate_name(name)
