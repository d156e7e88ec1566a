"""The stream of a remote bot: what it is told, what it is told again, and when it ends."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from engine.bots.programs.protocol import Start
from server.games.game_sessions import AGREE, ASK_TAKEBACK
from server.remote_bots import event_stream
from server.remote_bots.event_stream import STREAMS, Progress
from tests.server.bots.submitting import bearer
from tests.server.conftest import Serve
from tests.server.members import Server
from tests.server.playing import choose_orders
from tests.server.remote_bots.programs import Program, make_program

SIGNS = 50
MAX_SIGNS = 4
"""Signs of life while an event is waited for."""
Event = tuple[str, Any, str]
"""Its kind, its data, and its id."""


class Stream:
    """An open stream of events."""

    def __init__(self, answer: httpx2.Response) -> None:
        self.status = answer.status_code
        self._lines = answer.iter_lines()

    def next(self, kind: str = "") -> Event:
        """Return the next event, or the next one of a kind."""
        fields: dict[str, str] = {}
        quiet = 0
        for line in self._lines:
            quiet += line.startswith(":")
            if quiet > MAX_SIGNS:
                break
            if line:
                name, _, value = line.partition(": ")
                fields[name] = value
            elif "data" in fields and kind in ("", fields["event"]):
                return fields["event"], json.loads(fields["data"]), fields["id"]
            else:
                fields = {}
        raise EOFError

    def is_over(self) -> bool:
        """Wait for the end, for so many signs of life."""
        return all(number < SIGNS for number, _ in enumerate(self._lines))


Follow = Callable[..., Stream]


@pytest.fixture(name="follow")
def a_follower(server: Server, serve: Serve) -> Iterator[Follow]:
    """Return what follows the stream of a program on a port of this machine."""
    address = serve(server.game_service, server.site)
    with ExitStack() as opened:

        def follow(program: Program, last: str = "", **query: Any) -> Stream:
            headers = bearer(program.token) | ({"last-event-id": last} if last else {})
            client = opened.enter_context(httpx2.Client(timeout=30, headers=headers))
            answer = opened.enter_context(
                client.stream("GET", f"{address}/api/v1/me/events", params=query)
            )
            return Stream(answer)

        yield follow


@pytest.fixture(name="ann")
def anns_program(server: Server) -> Program:
    server.member("Ann")
    server.member("Bob")
    return make_program(server, "Ann")


@pytest.fixture(name="bob")
def bobs_program(server: Server, ann: Program) -> Program:
    return make_program(server, "Bob")


def start_game(ann: Program, bob: Program) -> str:
    """Begin a game of Smack! of two remote bots; Ann's has seat 1."""
    game = str(ann.challenge({"player": "Bob"}, team=1)["id"])
    bob.request("POST", f"/challenges/{game}/accept")
    return game


def order_first_move(program: Program, ask: Any) -> None:
    body = {name: ask[name] for name in ("team", "piece", "step")} | {"order": ask["legal"][0]}
    program.request("POST", f"/games/{ask['game']}/orders", body)


def test_a_program_is_told_of_challenges_as_they_come_and_go(
    ann: Program, bob: Program, follow: Follow
) -> None:
    stream = follow(bob)
    game = ann.challenge({"player": "Bob"})["id"]
    kind, found, _ = stream.next()
    assert (kind, found["id"], found["kind"], found["made_by"]) == (
        "challenge",
        game,
        "received",
        "Ann",
    )
    ann.request("DELETE", f"/challenges/{game}")
    assert stream.next()[:2] == ("withdrawn", {"id": game})


def test_the_challenger_is_told_of_the_answer(ann: Program, bob: Program, follow: Follow) -> None:
    stream = follow(ann)
    first, second = (ann.challenge({"player": "Bob"}, team=1)["id"] for _ in range(2))
    assert {stream.next("challenge")[1]["id"] for _ in range(2)} == {first, second}
    bob.request("POST", f"/challenges/{first}/decline")
    found = stream.next("challenge")[1]
    assert (found["id"], found["seats"][1]["kind"]) == (first, "declined")
    bob.request("POST", f"/challenges/{second}/accept")
    assert stream.next("start")[1]["game"] == second


def test_a_game_is_told_as_the_protocol_of_bots_has_it(
    ann: Program, bob: Program, follow: Follow
) -> None:
    game, stream = start_game(ann, bob), follow(ann, legal=True)
    _, found, last = stream.next("start")
    assert (found["game"], found["clock"], last) == (game, "15+10", f"{game}:0")
    assert found["players"] == ["Ann (remote bot)", "Bob (remote bot)"]
    start = found["start"]
    assert set(start) == {"type", *Start.__struct_fields__}
    assert (start["type"], start["game"], start["team"]) == ("start", "smack", 1)
    _, ask, _ = stream.next("ask")
    assert (ask["team"], ask["step"], ask["events"]) == (1, 0, None)
    assert ask["state"] == start["state"]
    assert ask["clock_s"] > 0
    order_first_move(ann, ask)


def test_asks_have_the_events_since_the_last_one(
    ann: Program, bob: Program, follow: Follow
) -> None:
    start_game(ann, bob)
    anns, bobs = follow(ann, legal=True, wants="events"), follow(bob, legal=True, wants="events")
    first = anns.next("ask")[1]
    assert (first["state"], first["events"]) == (None, [])
    bobs.next("start")
    order_first_move(ann, first)
    asked = [bobs.next("ask")[1]]
    while asked[-1]["piece"] != first["piece"]:
        asked.append(bobs.next("ask")[1])
    moved = [event for one in asked for event in one["events"] if event[0] == "moved"]
    assert len(moved) == 1
    assert moved[0][1:3] == [first["piece"], 1]


def test_who_comes_back_is_told_what_happened_meanwhile_and_asked_again(
    ann: Program, bob: Program, follow: Follow
) -> None:
    game, stream = start_game(ann, bob), follow(ann, legal=True, wants="events")
    _, ask, last = stream.next("ask")
    order_first_move(ann, ask)
    answered = follow(bob, legal=True, wants="events")
    while True:
        _, reply, _ = answered.next("ask")
        if reply["piece"] == ask["piece"]:
            break
    order_first_move(bob, reply)
    again = follow(ann, last, wants="events")
    kind, found, new_last = again.next()
    assert (kind, found["game"]) == ("ask", game)  # and no start
    assert [event[0] for event in found["events"]].count("moved") == 2
    assert new_last == f"{game}:2"


def test_a_game_that_ended_meanwhile_is_over(ann: Program, bob: Program, follow: Follow) -> None:
    game, stream = start_game(ann, bob), follow(ann)
    *_, last = stream.next("ask")
    for half in (1, 2):
        bob.request("POST", f"/games/{game}/acts", {"team": 2, "piece": half, "name": "resign"})
    assert stream.next("over")[1]["outcome"]["winner"] == 1
    kind, found, new_last = follow(ann, last).next()
    assert (kind, found["game"], found["outcome"]["winner"]) == ("over", game, 1)
    assert new_last == "-"


def test_a_move_that_is_taken_back_starts_the_game_anew(
    server: Server, ann: Program, follow: Follow
) -> None:
    game = str(ann.challenge({}, team=2)["id"])
    bob = server.browser()
    bob.client.cookies.set("session", server.site.people.new_session(server.person_id("Bob")))
    bob.post(f"/lobby/{game}/take", {"team": "1"})
    stream = follow(ann, wants="events")
    assert stream.next("start")[1]["game"] == game
    _, body = next(choose_orders(bob.client.get(f"/api/v1/games/{game}").json()))
    piece = body["piece"]
    assert bob.client.post(f"/api/v1/games/{game}/orders", json=body).status_code == 200
    while stream.next("ask")[1]["piece"] != piece:
        pass
    act = {"team": 1, "piece": piece, "name": ASK_TAKEBACK}
    assert bob.client.post(f"/api/v1/games/{game}/acts", json=act).status_code == 200
    assert stream.next()[0] == "start"  # a remote bot agrees at once
    assert AGREE not in [one["name"] for one in ann.position(game)["acts"]]


def test_what_is_hidden_from_a_team_stays_hidden(
    ann: Program, bob: Program, follow: Follow
) -> None:
    game = ann.challenge({"player": "Bob"}, game="smac", team=1, clock="1d")["id"]
    bob.request("POST", f"/challenges/{game}/accept")
    for program, own in ((ann, 0), (bob, 1)):
        stream = follow(program)
        start, ask = stream.next("start")[1]["start"], stream.next("ask")[1]
        for state in (start["state"], ask["state"]):
            banks = [team["bank"] for team in state["teams"]]
            assert [bank is None for bank in banks] == [own == 1, own == 0]


def test_a_revoked_token_ends_the_stream(
    server: Server, ann: Program, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(event_stream, "POLL_S", 0.1)
    stream = follow(ann)
    ann_id = server.person_id("Ann")
    server.site.tokens.revoke(ann_id, server.site.tokens.find_tokens(ann_id)[0].id)
    assert stream.is_over()
    assert follow(ann).status == 401


def test_one_account_has_so_many_streams(ann: Program, follow: Follow) -> None:
    streams = [follow(ann) for _ in range(STREAMS)]
    ann.challenge({})
    assert all(stream.next()[0] == "challenge" for stream in streams)
    assert follow(ann).status == 429


def test_of_streams_that_are_asked_for_at_once_as_many_are_open(
    ann: Program, follow: Follow
) -> None:
    with ThreadPoolExecutor(20) as together:
        answers = list(together.map(lambda _: follow(ann).status, range(20)))
    assert sorted(answers) == [200] * STREAMS + [429] * (20 - STREAMS)


def test_what_another_process_does_is_seen_after_a_while(
    server: Server, ann: Program, bob: Program, follow: Follow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.site.open_games, "_on_change", [])  # as if it were elsewhere
    monkeypatch.setattr(event_stream, "POLL_S", 0.1)
    stream = follow(bob)
    game = ann.challenge({"player": "Bob"})["id"]
    assert stream.next()[1]["id"] == game


@pytest.mark.parametrize(
    "last", ["", "-", "x", "1:2,3", "\x00", "a:9999999999", "f" * 5_000, ",".join(["a:1"] * 999)]
)
def test_whatever_was_seen_last_is_read(last: str) -> None:
    assert len(Progress(last).decisions) <= 1


def test_a_position_that_nobody_can_know_is_told_anew(
    ann: Program, bob: Program, follow: Follow
) -> None:
    game = start_game(ann, bob)
    assert follow(ann, f"{game}:999").next()[0] == "start"
    kind, found, _ = follow(ann, "0123456789abcdef:3").next()
    assert (kind, found) == ("over", {"game": "0123456789abcdef", "outcome": None})


def test_strangers_follow_nothing(server: Server, ann: Program, follow: Follow) -> None:
    assert follow(Program(ann.browser, "slime_x")).status == 401
    assert follow(ann, wants="all").status == 400
