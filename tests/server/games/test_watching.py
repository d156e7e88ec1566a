"""Watching games of the server: what spectators are sent, and what they are not."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from engine.catalog import find_game
from engine.game import Act, Ask
from engine.games.smac.events import Bid, Selected
from engine.games.smac.orders import ORDERS
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.streams import seed_hash
from server.games.game_service import GameService
from server.games.game_sessions import AGREE, ASK_TAKEBACK, GameSession
from server.http.limits import RateLimits
from server.site.application import GamesAtHome
from tests.server.conftest import NewContext, Serve, new_page
from tests.server.playing import a_game_service, first_move, no_orders, start_game
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
def watching(address: str, game: str, last: str = "") -> Iterator[Stream]:
    headers = {"last-event-id": last} if last else {}
    path = f"{address}/api/v1/games/{game}/scene"
    with httpx2.stream("GET", path, headers=headers, timeout=PATIENCE_S) as response:
        assert response.status_code == 200
        yield Stream(response)


def play(game_service: GameService, game: str, plies: int = 1, board: int = 1) -> None:
    """Play moves on a board of Smack!, the first legal one each time."""
    for _ in range(plies):
        with game_service.open_session(game) as session:
            ask = next(ask for ask in session.stepper.asks if ask.piece_id == board)
            order, step = first_move(session.stepper, ask), session.ask_step(ask)
        game_service.answer(game, ask, step, order)


def resign_all(game_service: GameService, game: str) -> None:
    for half in (1, 2):
        game_service.perform_act(game, Act(1, half, "resign"))


def test_who_joins_late_gets_all_that_was_and_then_what_comes(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 3)
    with watching(address, game) as stream:
        _, message = stream.next()
        assert message["facts"]["game"] == "Smack!"
        assert len(message["columns"]["turn"]) == 3
        play(game_service, game)
        _, more = stream.next()
    assert "facts" not in more
    assert len(more["columns"]["turn"]) == 1
    assert (more["isGrowing"], more["seed"]) == (True, None)


def test_who_was_away_gets_what_is_new_alone(game_service: GameService, serve: Serve) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 2)
    with watching(address, game) as stream:
        last, whole = stream.next()
    play(game_service, game, 3)
    with watching(address, game, last) as stream:
        _, rest = stream.next()
    with watching(address, game) as stream:
        _, both = stream.next()
    for name, numbers in both["columns"].items():
        before, after = (part["columns"].get(name, []) for part in (whole, rest))
        assert before + after == numbers, name
    assert whole["words"] + rest.get("words", []) == both["words"]


def test_an_unknown_last_event_is_answered_with_everything(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 2)
    for last in ("7", "ffffffffffffffff", "x" * 200):
        with watching(address, game, last) as stream:
            assert "facts" in stream.next()[1]


def test_a_stream_of_a_game_that_is_removed_ends(game_service: GameService, serve: Serve) -> None:
    address, game = serve(game_service), start_game(game_service)
    with watching(address, game) as stream:
        stream.next()
        game_service._remove(game)
        with pytest.raises(AssertionError, match="the stream has ended"):
            stream.next()


def test_another_server_goes_on_where_the_one_before_ended(
    game_service: GameService, serve: Serve, tmp_path: Path
) -> None:
    game = start_game(game_service)
    play(game_service, game, 2)
    with watching(serve(game_service), game) as stream:
        last, _ = stream.next()
    later = a_game_service(tmp_path / "games.sqlite")
    play(later, game)
    with watching(serve(later), game, last) as stream:
        _, message = stream.next()
    assert "facts" not in message
    assert len(message["columns"]["turn"]) == 1


def test_the_hash_of_the_seed_is_shown_from_the_start_and_the_seed_at_the_end(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game)
    with watching(address, game) as stream:
        _, message = stream.next()
        assert (message["seed"], message["seedHash"]) == (None, seed_hash(1 << 100))
        resign_all(game_service, game)
        while message["isGrowing"]:
            _, message = stream.next()
    assert message["seed"] == f"0x{1 << 100:032x}"
    assert not message["isWhole"]


def test_after_the_end_there_is_the_whole_replay(game_service: GameService, serve: Serve) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 4)
    resign_all(game_service, game)
    with watching(address, game) as stream:
        _, message = stream.next()
    assert (message["isWhole"], message["isContinuable"]) == (True, True)
    assert message["ending"]["winners"] == [2]
    assert sum(message["decisions"]) == 6


def test_the_page_has_no_script_and_no_style_of_its_own(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    page = httpx2.get(f"{address}/games/{game}/watch")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert page.text.count("<script") == 1
    assert "<style" not in page.text
    assert "style=" not in page.text
    for name in ("live.js", "viewer.js", "details.css", "page.css", "live.css"):
        assert httpx2.get(f"{address}/static/viewer/{name}").status_code == 200


def test_the_board_is_in_the_page_until_its_program_runs_and_hides_what_the_game_does(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    for path in (f"/games/{game}", f"/games/{game}/watch"):
        assert '<svg id="poster"' in httpx2.get(address + path).text
    late = start_game(game_service, "game_of_death", "pp")
    assert "poster" not in httpx2.get(f"{address}/games/{late}/watch").text


@pytest.mark.parametrize("path", ["/games/{}/watch", "/api/v1/games/{}/scene"])
def test_a_game_that_does_not_exist_is_not_found(
    game_service: GameService, serve: Serve, path: str
) -> None:
    assert httpx2.get(serve(game_service) + path.format("0" * 16)).status_code == 404


# -- what is hidden --------------------------------------------------------------------------------


def order_all(game_service: GameService, game: str, first: dict[str, Any]) -> None:
    """Let team 1 of SMAC order this, and the others nothing."""
    with game_service.open_session(game) as session:
        asks = [(ask, session.ask_step(ask)) for ask in session.stepper.asks]
    for ask, step in asks:
        game_service.answer(game, ask, step, first if ask.team == 1 else {})


def is_placing(game_service: GameService, game: str) -> bool:
    with game_service.open_session(game) as session:
        return bool(session.stepper.state.stage != ORDERS)


def read_stream(address: str, game: str) -> str:
    with watching(address, game) as stream:
        stream.next()
        return "\n".join(stream.read)


def a_game_of_smac(game_service: GameService, bid: int, turn: dict[str, Any]) -> str:
    game = start_game(game_service, "smac", "pp", specials_from_turn=1)
    while is_placing(game_service, game):
        order_all(game_service, game, {"bid": bid, "centers": []})
    order_all(game_service, game, turn)
    return game


def private_events(game_service: GameService, game: str, kind: type) -> list[Any]:
    with game_service.open_session(game) as session:
        return [one for events in session.observed[1] for one in events if type(one) is kind]


def test_spectators_are_sent_nothing_that_is_hidden(tmp_path: Path, serve: Serve) -> None:
    """Two games differ in what is hidden alone; what spectators are sent does not differ."""
    game_service = a_game_service(tmp_path / "smac.sqlite", no_orders)
    address = serve(game_service)
    plain = a_game_of_smac(game_service, 1, {})
    secretive = a_game_of_smac(game_service, 2, {"select": "SHELL"})
    assert private_events(game_service, plain, Bid) != private_events(game_service, secretive, Bid)
    assert private_events(game_service, secretive, Selected) != private_events(
        game_service, plain, Selected
    )
    ask = Ask(1)
    with game_service.open_session(secretive) as session:
        step = session.ask_step(ask)
    game_service.save_draft(secretive, ask, step, [{"select": "BLIGHT"}])
    game_service.answer(secretive, ask, step, {"select": "NUKE"})
    assert read_stream(address, plain) == read_stream(address, secretive)


def test_no_team_is_shown_its_bank(tmp_path: Path, serve: Serve) -> None:
    game_service = a_game_service(tmp_path / "smac.sqlite", no_orders)
    sent = read_stream(serve(game_service), a_game_of_smac(game_service, 1, {}))
    assert "bank" not in sent
    assert '"skipped' not in sent.partition('"columns"')[2]


def test_a_game_whose_public_sees_everything_is_shown_after_its_end(
    game_service: GameService, serve: Serve
) -> None:
    assert find_game("game_of_death").public_is_late
    game = start_game(game_service, "game_of_death", "pp")
    with watching(serve(game_service), game) as stream:
        _, message = stream.next("wait")
    assert "once it is over" in message["words"]


# -- playing on ------------------------------------------------------------------------------------


def post_continue(address: str, game: str, step: Any, team: Any) -> httpx2.Response:
    return httpx2.post(
        f"{address}/api/v1/games/{game}/continue",
        json={"step": step, "team": team},
        timeout=PATIENCE_S,
    )


def test_a_person_plays_on_from_the_middle_of_a_game_that_is_over(
    game_service: GameService, serve: Serve, tmp_path: Path
) -> None:
    address, game = serve(game_service), start_game(game_service, who="pb")
    play(game_service, game, 2)
    resign_all(game_service, game)
    answer = post_continue(address, game, 2, 2)
    new = answer.json()["id"]
    assert answer.json()["address"] == f"/games/{new}"
    assert f"seat-{new}" in answer.headers["set-cookie"]
    with game_service.open_session(game) as old, game_service.open_session(new) as session:
        fingerprint = old.record(tmp_path / "old")
        assert session.log[:2] == old.log[:2]
        assert [seat.is_person for seat in session.stored.seats] == [False, True]
        assert session.stored.seats[0].name == "player_one"
        origin = session.stored.spec.origin
        assert origin is not None
        assert (origin.fingerprint, origin.step) == (fingerprint, 2)
        assert session.stored.spec.seed != old.stored.spec.seed
    for half in (1, 2):
        game_service.perform_act(new, Act(2, half, "resign"))
    with game_service.open_session(new) as session:
        session.record(tmp_path / "new")
    assert verify(Replay(tmp_path / "new")) is None


@pytest.mark.parametrize(
    ("step", "team", "status", "message"),
    [
        (4, 1, 422, "expected 0 to 3"),
        (-1, 1, 422, "expected 0 to 3"),
        (0, 3, 422, "expected 1 to 2"),
        ("1", 1, 400, "step"),
    ],
)
def test_what_cannot_be_played_on_is_refused(
    game_service: GameService, serve: Serve, step: Any, team: Any, status: int, message: str
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 2)
    resign_all(game_service, game)
    answer = post_continue(address, game, step, team)
    assert answer.status_code == status
    assert message in answer.json()["error"]


def test_a_move_that_was_taken_back_is_not_shown(game_service: GameService, serve: Serve) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 3)
    with watching(address, game) as stream:
        last, message = stream.next()
        game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
        game_service.perform_act(game, Act(2, 1, AGREE))
        while "facts" not in (again := stream.next()[1]):
            assert again["columns"].get("turn", []) == []
    assert len(message["columns"]["turn"]) == 3
    assert len(again["columns"]["turn"]) == 2
    with watching(address, game, last) as stream:
        assert len(stream.next()[1]["columns"]["turn"]) == 2


def test_nobody_plays_on_from_a_game_that_is_not_over(
    game_service: GameService, serve: Serve
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 2)
    answer = post_continue(address, game, 1, 1)
    assert answer.status_code == 422
    assert "not over" in answer.json()["error"]


def test_who_has_begun_too_many_games_costs_no_more_work(
    game_service: GameService, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, game = (
        serve(game_service, GamesAtHome(game_service, RateLimits({"play_on.guest_address": 0}))),
        start_game(game_service),
    )
    play(game_service, game)
    resign_all(game_service, game)
    monkeypatch.setattr(
        GameSession, "record", lambda session, path: pytest.fail("it was played again")
    )
    monkeypatch.setattr(game_service, "open_session", lambda _: pytest.fail("it was looked at"))
    assert post_continue(address, game, 0, 1).status_code == 429


# -- in a browser ----------------------------------------------------------------------------------


@pytest.fixture
def open_watch(new_context: NewContext) -> Any:
    def open_it(address: str, game: str) -> Any:
        page = new_page(new_context())
        page.goto(f"{address}/games/{game}/watch")
        page.wait_for_selector("body:not(.loading)")
        return page

    return open_it


def position(page: Any) -> int:
    return int(page.evaluate("viewer.cursor.position"))


def shown_things(page: Any) -> Any:
    return page.evaluate(
        "() => [...viewer.cursor.things].map(([id, t]) => [id, t.appearance])"
        ".sort(([a], [b]) => a - b)"
    )


@pytest.mark.slow
def test_a_page_follows_the_game_and_shows_the_same_as_the_replay(
    game_service: GameService, serve: Serve, open_watch: Any
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 3)
    page = open_watch(address, game)
    assert eventually(lambda: position(page) == 3)
    play(game_service, game, 4)
    assert eventually(lambda: position(page) == 7)
    live = shown_things(page)
    resign_all(game_service, game)
    page.get_by_text("Show the whole replay").wait_for()
    page.evaluate("viewer.go((playback) => playback.step(7 - playback.position()))")
    assert eventually(lambda: position(page) == 7)
    assert shown_things(page) == live
    page.get_by_text("Show the whole replay").click()
    page.wait_for_selector("#play-as")
    page.evaluate("viewer.go((playback) => playback.step(7 - playback.position()))")
    assert eventually(lambda: position(page) == 7)
    assert shown_things(page) == live
    assert page.errors == []


@pytest.mark.slow
def test_one_click_plays_on_from_where_the_playhead_is(
    game_service: GameService, serve: Serve, open_watch: Any
) -> None:
    address, game = serve(game_service), start_game(game_service)
    play(game_service, game, 5)
    resign_all(game_service, game)
    page = open_watch(address, game)
    page.evaluate("viewer.go((playback) => playback.step(3))")
    assert eventually(lambda: position(page) == 3)
    page.select_option("#play-as", "2")
    page.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(lambda url: game not in url)
    new = page.url.rsplit("/", 1)[1]
    with game_service.open_session(new) as session:
        assert session.stored.spec.origin is not None
        assert session.stored.spec.origin.step == 3
