"""Watching games of the server: what spectators are sent, and what they are not."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from engine.catalogue import game_named
from engine.game import Act, Ask
from engine.games.smac.events import Bid, Selected
from engine.games.smac.orders import ORDERS
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.streams import seed_hash
from server.games.game_service import Lobby
from server.games.game_sessions import AGREE, ASK_TAKEBACK, Room
from server.identity.rate_limits import AddressLimits
from tests.server.conftest import Serve
from tests.server.playing import a_lobby, begin, first_move, no_orders
from tests.shell import eventually

PATIENCE_S = 20


class Stream:
    """A stream of what there is to see, as a browser reads it."""

    def __init__(self, response: httpx2.Response) -> None:
        self._lines = response.iter_lines()
        self.read: list[str] = []

    def next(self, kind: str = "scene") -> tuple[str, Any]:
        """Return the number and the data of the next event of a kind."""
        number, name = "", ""
        for line in self._lines:
            self.read.append(line)
            field, _, value = line.partition(": ")
            if field == "id":
                number = value
            elif field == "event":
                name = value
            elif field == "data" and name == kind:
                return number, json.loads(value)
        raise AssertionError("the stream has ended")


@contextmanager
def watched(address: str, game: str, last: str = "") -> Iterator[Stream]:
    headers = {"last-event-id": last} if last else {}
    path = f"{address}/api/v1/games/{game}/scene"
    with httpx2.stream("GET", path, headers=headers, timeout=PATIENCE_S) as response:
        assert response.status_code == 200
        yield Stream(response)


def play(lobby: Lobby, game: str, plies: int = 1, board: int = 1) -> None:
    """Play moves on a board of Smack!, the first legal one each time."""
    for _ in range(plies):
        with lobby.room(game) as room:
            ask = next(ask for ask in room.stepper.asks if ask.piece_id == board)
            order, step = first_move(room.stepper, ask), room.step_of(ask)
        lobby.answer(game, ask, step, order)


def resign_all(lobby: Lobby, game: str) -> None:
    for half in (1, 2):
        lobby.act(game, Act(1, half, "resign"))


def test_who_joins_late_gets_all_that_was_and_then_what_comes(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 3)
    with watched(address, game) as stream:
        _, message = stream.next()
        assert message["facts"]["game"] == "Smack!"
        assert len(message["columns"]["turn"]) == 3
        play(lobby, game)
        _, more = stream.next()
    assert "facts" not in more
    assert len(more["columns"]["turn"]) == 1
    assert (more["isGrowing"], more["seed"]) == (True, None)


def test_who_was_away_gets_what_is_new_alone(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 2)
    with watched(address, game) as stream:
        last, whole = stream.next()
    play(lobby, game, 3)
    with watched(address, game, last) as stream:
        _, rest = stream.next()
    with watched(address, game) as stream:
        _, both = stream.next()
    for name, numbers in both["columns"].items():
        before, after = (part["columns"].get(name, []) for part in (whole, rest))
        assert before + after == numbers, name
    assert whole["words"] + rest.get("words", []) == both["words"]


def test_an_unknown_last_event_is_answered_with_everything(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 2)
    for last in ("7", "ffffffffffffffff", "x" * 200):
        with watched(address, game, last) as stream:
            assert "facts" in stream.next()[1]


def test_a_stream_of_a_game_that_is_removed_ends(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    with watched(address, game) as stream:
        stream.next()
        lobby._remove(game)
        with pytest.raises(AssertionError, match="the stream has ended"):
            stream.next()


def test_another_server_goes_on_where_the_one_before_ended(
    lobby: Lobby, serve: Serve, tmp_path: Path
) -> None:
    game = begin(lobby)
    play(lobby, game, 2)
    with watched(serve(lobby), game) as stream:
        last, _ = stream.next()
    later = a_lobby(tmp_path / "games.sqlite")
    play(later, game)
    with watched(serve(later), game, last) as stream:
        _, message = stream.next()
    assert "facts" not in message
    assert len(message["columns"]["turn"]) == 1


def test_the_hash_of_the_seed_is_shown_from_the_start_and_the_seed_at_the_end(
    lobby: Lobby, serve: Serve
) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game)
    with watched(address, game) as stream:
        _, message = stream.next()
        assert (message["seed"], message["seedHash"]) == (None, seed_hash(1 << 100))
        resign_all(lobby, game)
        while message["isGrowing"]:
            _, message = stream.next()
    assert message["seed"] == f"0x{1 << 100:032x}"
    assert not message["isWhole"]


def test_after_the_end_there_is_the_whole_replay(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 4)
    resign_all(lobby, game)
    with watched(address, game) as stream:
        _, message = stream.next()
    assert (message["isWhole"], message["isContinuable"]) == (True, True)
    assert message["ending"]["winners"] == [2]
    assert sum(message["decisions"]) == 6


def test_the_page_has_no_script_and_no_style_of_its_own(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    page = httpx2.get(f"{address}/games/{game}/watch")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.text.count("<script") == 1
    assert "<style" not in page.text
    assert "style=" not in page.text
    for path in ("/static/page/live.js", "/static/page/viewer.js", "/static/page/page.css"):
        assert httpx2.get(address + path).status_code == 200


@pytest.mark.parametrize("path", ["/games/{}/watch", "/api/v1/games/{}/scene"])
def test_a_game_that_does_not_exist_is_not_found(lobby: Lobby, serve: Serve, path: str) -> None:
    assert httpx2.get(serve(lobby) + path.format("0" * 16)).status_code == 404


# -- what is hidden --------------------------------------------------------------------------------


def order_all(lobby: Lobby, game: str, first: dict[str, Any]) -> None:
    """Let team 1 of SMAC order this, and the others nothing."""
    with lobby.room(game) as room:
        asks = [(ask, room.step_of(ask)) for ask in room.stepper.asks]
    for ask, step in asks:
        lobby.answer(game, ask, step, first if ask.team == 1 else {})


def is_placing(lobby: Lobby, game: str) -> bool:
    with lobby.room(game) as room:
        return bool(room.stepper.state.stage != ORDERS)


def all_that_is_sent(address: str, game: str) -> str:
    with watched(address, game) as stream:
        stream.next()
        return "\n".join(stream.read)


def a_game_of_smac(lobby: Lobby, bid: int, turn: dict[str, Any]) -> str:
    game = begin(lobby, "smac", "pp", specials_from_turn=1)
    while is_placing(lobby, game):
        order_all(lobby, game, {"bid": bid, "centers": []})
    order_all(lobby, game, turn)
    return game


def private_events(lobby: Lobby, game: str, kind: type) -> list[Any]:
    with lobby.room(game) as room:
        return [one for events in room.told[1] for one in events if type(one) is kind]


def test_spectators_are_sent_nothing_that_is_hidden(tmp_path: Path, serve: Serve) -> None:
    """Two games differ in what is hidden alone; what spectators are sent does not differ."""
    lobby = a_lobby(tmp_path / "smac.sqlite", no_orders)
    address = serve(lobby)
    plain = a_game_of_smac(lobby, 1, {})
    secretive = a_game_of_smac(lobby, 2, {"select": "SHELL"})
    assert private_events(lobby, plain, Bid) != private_events(lobby, secretive, Bid)
    assert private_events(lobby, secretive, Selected) != private_events(lobby, plain, Selected)
    ask = Ask(1)
    with lobby.room(secretive) as room:
        step = room.step_of(ask)
    lobby.keep_draft(secretive, ask, step, [{"select": "BLIGHT"}])
    lobby.answer(secretive, ask, step, {"select": "NUKE"})
    assert all_that_is_sent(address, plain) == all_that_is_sent(address, secretive)


def test_no_team_is_shown_its_bank(tmp_path: Path, serve: Serve) -> None:
    lobby = a_lobby(tmp_path / "smac.sqlite", no_orders)
    sent = all_that_is_sent(serve(lobby), a_game_of_smac(lobby, 1, {}))
    assert "bank" not in sent
    assert '"skipped' not in sent.partition('"columns"')[2]


def test_a_game_whose_public_sees_everything_is_shown_after_its_end(
    lobby: Lobby, serve: Serve
) -> None:
    assert game_named("game_of_death").public_is_late
    game = begin(lobby, "game_of_death", "pp")
    with watched(serve(lobby), game) as stream:
        _, message = stream.next("wait")
    assert "once it is over" in message["words"]


# -- playing on ------------------------------------------------------------------------------------


def continued(address: str, game: str, step: Any, team: Any) -> httpx2.Response:
    return httpx2.post(
        f"{address}/api/v1/games/{game}/continue",
        json={"step": step, "team": team},
        timeout=PATIENCE_S,
    )


def test_a_person_plays_on_from_the_middle_of_a_game_that_is_over(
    lobby: Lobby, serve: Serve, tmp_path: Path
) -> None:
    address, game = serve(lobby), begin(lobby, who="pb")
    play(lobby, game, 2)
    resign_all(lobby, game)
    answer = continued(address, game, 2, 2)
    new = answer.json()["id"]
    assert answer.json()["address"] == f"/games/{new}"
    assert f"seat-{new}" in answer.headers["set-cookie"]
    with lobby.room(game) as old, lobby.room(new) as room:
        fingerprint = old.record(tmp_path / "old")
        assert room.log[:2] == old.log[:2]
        assert [seat.is_person for seat in room.stored.seats] == [False, True]
        assert room.stored.seats[0].name == "player_one"
        origin = room.stored.spec.origin
        assert origin is not None
        assert (origin.fingerprint, origin.step) == (fingerprint, 2)
        assert room.stored.spec.seed != old.stored.spec.seed
    for half in (1, 2):
        lobby.act(new, Act(2, half, "resign"))
    with lobby.room(new) as room:
        room.record(tmp_path / "new")
    assert verify(Replay(tmp_path / "new")) is None


@pytest.mark.parametrize(
    ("step", "team", "status", "words"),
    [
        (4, 1, 422, "expected 0 to 3"),
        (-1, 1, 422, "expected 0 to 3"),
        (0, 3, 422, "expected 1 to 2"),
        ("1", 1, 400, "step"),
    ],
)
def test_what_cannot_be_played_on_is_refused(
    lobby: Lobby, serve: Serve, step: Any, team: Any, status: int, words: str
) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 2)
    resign_all(lobby, game)
    answer = continued(address, game, step, team)
    assert answer.status_code == status
    assert words in answer.json()["error"]


def test_a_move_that_was_taken_back_is_not_shown(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 3)
    with watched(address, game) as stream:
        last, message = stream.next()
        lobby.act(game, Act(1, 1, ASK_TAKEBACK))
        lobby.act(game, Act(2, 1, AGREE))
        while "facts" not in (again := stream.next()[1]):
            assert again["columns"].get("turn", []) == []
    assert len(message["columns"]["turn"]) == 3
    assert len(again["columns"]["turn"]) == 2
    with watched(address, game, last) as stream:
        assert len(stream.next()[1]["columns"]["turn"]) == 2


def test_nobody_plays_on_from_a_game_that_is_not_over(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 2)
    answer = continued(address, game, 1, 1)
    assert answer.status_code == 422
    assert "not over" in answer.json()["error"]


def test_so_many_games_are_begun_from_an_address_and_no_more(lobby: Lobby, serve: Serve) -> None:
    address, game = serve(lobby, address_limits=AddressLimits(play_ons=2)), begin(lobby)
    play(lobby, game)
    resign_all(lobby, game)
    assert [continued(address, game, 0, 1).status_code for _ in range(3)] == [200, 200, 429]


def test_who_has_begun_too_many_games_costs_no_more_work(
    lobby: Lobby, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, game = serve(lobby, address_limits=AddressLimits(play_ons=0)), begin(lobby)
    play(lobby, game)
    resign_all(lobby, game)
    monkeypatch.setattr(Room, "record", lambda room, path: pytest.fail("it was played again"))
    monkeypatch.setattr(lobby, "room", lambda game_id: pytest.fail("it was looked at"))
    assert continued(address, game, 0, 1).status_code == 429


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture
def open_watch(chromium: Any) -> Iterator[Any]:
    contexts: list[Any] = []

    def open_it(address: str, game: str, **options: Any) -> Any:
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.troubles = []
        page.on("pageerror", lambda error: page.troubles.append(str(error)))
        page.on("console", lambda line: line.type == "error" and page.troubles.append(line.text))
        page.goto(f"{address}/games/{game}/watch")
        page.wait_for_selector("body:not(.loading)")
        return page

    yield open_it
    for context in contexts:
        context.close()


def position(page: Any) -> int:
    return int(page.evaluate("viewer.cursor.position"))


def shown(page: Any) -> Any:
    return page.evaluate(
        "() => [...viewer.cursor.things].map(([id, t]) => [id, t.appearance])"
        ".sort(([a], [b]) => a - b)"
    )


@pytest.mark.slow
def test_a_page_follows_the_game_and_shows_the_same_as_the_replay(
    lobby: Lobby, serve: Serve, open_watch: Any
) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 3)
    page = open_watch(address, game)
    assert eventually(lambda: position(page) == 3)
    play(lobby, game, 4)
    assert eventually(lambda: position(page) == 7)
    live = shown(page)
    resign_all(lobby, game)
    page.get_by_text("Show the whole replay").wait_for()
    page.evaluate("viewer.go((playback) => playback.step(7 - playback.position()))")
    assert eventually(lambda: position(page) == 7)
    assert shown(page) == live
    page.get_by_text("Show the whole replay").click()
    page.wait_for_selector("#play-as")
    page.evaluate("viewer.go((playback) => playback.step(7 - playback.position()))")
    assert eventually(lambda: position(page) == 7)
    assert shown(page) == live
    assert page.troubles == []


@pytest.mark.slow
def test_one_click_plays_on_from_where_the_playhead_is(
    lobby: Lobby, serve: Serve, open_watch: Any
) -> None:
    address, game = serve(lobby), begin(lobby)
    play(lobby, game, 5)
    resign_all(lobby, game)
    page = open_watch(address, game)
    page.evaluate("viewer.go((playback) => playback.step(3))")
    assert eventually(lambda: position(page) == 3)
    page.select_option("#play-as", "2")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: game not in url)
    new = page.url.rsplit("/", 1)[1]
    with lobby.room(new) as room:
        assert room.stored.spec.origin is not None
        assert room.stored.spec.origin.step == 3
