"""Orders given ahead: kept as a draft, sent together, and played as the slimes are asked."""

from pathlib import Path
from typing import Any

import pytest

from engine.replays.reading import Replay
from engine.replays.verifying import verify
from runners.storage.database import Stale
from server.games.clocks import read_control
from server.games.game_rows import Premoves, Terms
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.positions import Position, load_position
from server.http.errors import ActionRefused
from tests.server.playing import Now, SilentBotSeats, a_game_service, nearest_food, start_game
from tests.server.test_app import Browser
from tests.shell import eventually

SMALL: dict[str, Any] = {"columns": 10, "rows": 6, "max_turns": 6, "slime_pairs": 2}
SMALL |= {"plant_pairs": 4, "rock_pairs": 1}


@pytest.fixture
def game_service(path: Path, now: Now) -> GameService:
    return a_game_service(path, nearest_food, now)


def start_small_game(game_service: GameService, who: str = "pb", **changes: Any) -> str:
    return start_game(game_service, "slime_mind", who, **{**SMALL, **changes})


def position(game_service: GameService, game: str, team: int = 1) -> Position:
    return load_position(game_service, game, (team,))


def mine(game_service: GameService, game: str, team: int = 1) -> list[int]:
    """Return the slimes of a team that have yet to act."""
    board: Any = position(game_service, game, team).board
    return [slime.id for slime in board.slimes if slime.is_waiting]


def send(
    game_service: GameService,
    game: str,
    orders: dict[int, Any],
    team: int = 1,
    *,
    is_sent: bool = True,
) -> None:
    turn = position(game_service, game, team).turn
    ahead = Premoves(turn=turn, orders=tuple(orders.items()), is_sent=is_sent)
    game_service.save_premoves(game, team, ahead)


def show_premoves(game_service: GameService, game: str, team: int = 1) -> dict[int, Any]:
    (ahead,) = position(game_service, game, team).premoves
    return dict(ahead.orders)


def test_a_draft_is_kept_and_plays_nothing(game_service: GameService, path: Path) -> None:
    game = start_small_game(game_service)
    first, second = mine(game_service, game)
    send(game_service, game, {first: "LEFT", second: "EAT"}, is_sent=False)
    found = position(a_game_service(path, nearest_food), game)
    assert (found.turn, found.step) == (1, 0)
    assert dict(found.premoves[0].orders) == {first: "LEFT", second: "EAT"}
    assert position(game_service, game, 2).premoves[0].orders == ()


def test_orders_that_are_sent_play_the_turn(game_service: GameService) -> None:
    game = start_small_game(game_service)
    send(game_service, game, dict.fromkeys(mine(game_service, game), "WAIT"))
    eventually(lambda: position(game_service, game).turn == 2)
    assert show_premoves(game_service, game) == {}


def test_a_slime_without_an_order_is_waited_for(game_service: GameService) -> None:
    game = start_small_game(game_service)
    first, second = mine(game_service, game)
    send(game_service, game, {first: "WAIT"})
    eventually(lambda: mine(game_service, game) == [second])
    assert position(game_service, game).turn == 1
    send(game_service, game, {second: "WAIT"})
    eventually(lambda: position(game_service, game).turn == 2)


def test_errands_are_proposed_again_in_the_next_turn_and_not_played_unsent(
    game_service: GameService,
) -> None:
    game = start_small_game(game_service, max_turns=30)
    first, second = mine(game_service, game)
    send(game_service, game, {first: "EAT", second: ["GO", 0, 0]})
    eventually(lambda: position(game_service, game).turn == 2)
    assert show_premoves(game_service, game) == {first: "EAT", second: ["GO", 0, 0]}
    assert mine(game_service, game) == [first, second]


def test_two_people_order_ahead_and_the_turn_is_played_once_both_have(
    game_service: GameService,
) -> None:
    game = start_small_game(game_service, "pp")
    send(game_service, game, dict.fromkeys(mine(game_service, game), "EAT"))
    assert position(game_service, game).turn == 1
    assert len(mine(game_service, game)) == 1  # the other team's first slime is asked
    send(game_service, game, dict.fromkeys(mine(game_service, game, 2), "EAT"), 2)
    assert position(game_service, game).turn == 2
    assert (
        show_premoves(game_service, game, 1).keys().isdisjoint(show_premoves(game_service, game, 2))
    )


def test_what_was_sent_is_played_after_the_server_was_killed(path: Path) -> None:
    silent: Any = SilentBotSeats()
    game_service = GameService(GameStorage(path), silent)
    game = start_small_game(game_service)
    first, second = mine(game_service, game)
    send(game_service, game, {first: "WAIT", second: "WAIT"})
    assert mine(game_service, game) == [second]  # the bot never answers
    again = a_game_service(path, nearest_food)
    again.go_on_with_all()
    eventually(lambda: position(again, game).turn == 2)


def test_a_whole_game_of_errands_is_recorded_as_any_other(
    game_service: GameService, tmp_path: Path
) -> None:
    game = start_small_game(game_service, "pp")
    while position(game_service, game).outcome is None:
        for team in (1, 2):
            slimes = mine(game_service, game, team)
            if slimes:
                send(game_service, game, dict.fromkeys(slimes, "EAT"), team)
    with game_service.open_session(game) as session:
        session.record(tmp_path / "played.jsonl.gz")
    assert verify(Replay(tmp_path / "played.jsonl.gz")) is None


def test_late_ones_are_stale(game_service: GameService) -> None:
    game = start_small_game(game_service)
    slimes = dict.fromkeys(mine(game_service, game), "WAIT")
    send(game_service, game, slimes)
    eventually(lambda: position(game_service, game).turn == 2)
    ahead = Premoves(turn=1, orders=tuple(slimes.items()), is_sent=True)
    with pytest.raises(Stale):
        game_service.save_premoves(game, 1, ahead)


@pytest.mark.parametrize(
    ("order", "message"),
    [("FLY", "'FLY' is none of"), (["GO", 99, 0], "there is no square 99, 0"), ({}, "none of")],
)
def test_what_is_refused_leaves_what_was_kept(
    game_service: GameService, order: Any, message: str
) -> None:
    game = start_small_game(game_service)
    first, second = mine(game_service, game)
    send(game_service, game, {first: "LEFT"}, is_sent=False)
    with pytest.raises(ActionRefused, match=message):
        send(game_service, game, {second: order})
    (enemy, _) = mine(game_service, game, 2)
    with pytest.raises(ActionRefused, match=f"team 1 has no slime {enemy}"):
        send(game_service, game, {enemy: "EAT"})
    ahead = Premoves(turn=1, orders=((first, "EAT"),) * 2001)
    with pytest.raises(ActionRefused, match="2000 are the most"):
        game_service.save_premoves(game, 1, ahead)
    assert show_premoves(game_service, game) == {first: "LEFT"}


def test_games_without_them_say_so(path: Path) -> None:
    game_service = a_game_service(path)
    game = start_game(game_service, "smack", "pp")
    with pytest.raises(ActionRefused, match="nothing can be ordered ahead in Smack!"):
        game_service.save_premoves(game, 1, Premoves(turn=0))
    assert load_position(game_service, game, (1,)).premoves == ()


def test_who_was_away_is_back_with_what_they_order_ahead(
    game_service: GameService, now: Now
) -> None:
    terms = Terms(clock=read_control("1d"), absent_turns=1)
    game = start_game(game_service, "slime_mind", "pp", terms, **SMALL)
    now.seconds += 2 * 86_400
    game_service.call_time()
    with game_service.open_session(game) as session:
        assert session.is_away(1)
    if slimes := mine(game_service, game):
        send(game_service, game, dict.fromkeys(slimes, "WAIT"))
    with game_service.open_session(game) as session:
        assert not session.is_away(1)


def test_over_the_network_only_the_own_team_is_ordered_for(game_service: GameService) -> None:
    game = start_small_game(game_service, "pp")
    browser = Browser(game_service)
    with browser.client:
        browser.sit_down(game, 1)

        def put(team: int, turn: int = 1, **changes: Any) -> Any:
            (first, _) = mine(game_service, game, team)
            body = {"team": team, "turn": turn, "orders": [[first, "EAT"]], "is_sent": False}
            path = f"/api/v1/games/{game}/premoves"
            return browser.client.put(path, json={**body, **changes})

        assert put(1).status_code == 200
        assert put(2).status_code == 403
        assert put(1, turn=2).status_code == 409
        assert put(1, orders=[["x", "EAT"]]).status_code == 400
        refused = put(1, orders=[[1, "FLY"]])
        assert refused.status_code == 422
        assert "'FLY' is none of LEFT" in refused.json()["error"]
