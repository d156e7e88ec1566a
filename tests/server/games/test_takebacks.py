"""Moves that are taken back by agreement."""

from pathlib import Path
from typing import Any

import pytest

from engine.game import Act, Ask
from engine.games.smack import rules
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from runners.storage.database import Stale
from server.games.game_service import GameService
from server.games.game_sessions import AGREE, ASK_TAKEBACK, DECLINE
from server.games.game_storage import GameStorage
from server.games.positions import make_position
from server.http.errors import ActionRefused
from tests.server.playing import a_game_service, no_orders, start_game


def move(game_service: GameService, game: str, team: int, board: int, text: str) -> None:
    game_service.answer(game, Ask(team, board), ask_step(game_service, game, team, board), text)


def ask_step(game_service: GameService, game: str, team: int, board: int) -> int:
    with game_service.open_session(game) as session:
        return session.ask_step(Ask(team, board))


def list_moves(game_service: GameService, game: str, board: int) -> list[str]:
    with game_service.open_session(game) as session:
        shown: Any = make_position(session, (1, 2)).board
        half = shown.halves[board - 1]
        assert half.ply == len(half.history)
        return list(half.history)


def takeback_acts(game_service: GameService, game: str, team: int, board: int = 1) -> list[str]:
    """Return what a team may do about moves taken back."""
    known = {ASK_TAKEBACK, AGREE, DECLINE}
    with game_service.open_session(game) as session:
        acts = [act for act in session.open_acts(team) if act.piece_id == board]
    return [act.name for act in acts if act.name in known]


@pytest.fixture
def game(game_service: GameService) -> str:
    """Two moves on board 1, one on board 2; nobody has taken anything back."""
    game = start_game(game_service)
    move(game_service, game, 1, 1, "A6-B6")
    move(game_service, game, 2, 1, "H9-H10")
    move(game_service, game, 2, 2, "A7-B7")
    return game


def test_the_opponent_is_asked_and_agrees(game_service: GameService, game: str) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    assert list_moves(game_service, game, 1) == ["A6-B6", "H9-H10"]
    assert (takeback_acts(game_service, game, 1), takeback_acts(game_service, game, 2)) == (
        [],
        [AGREE, DECLINE],
    )
    game_service.perform_act(game, Act(2, 1, AGREE))
    assert list_moves(game_service, game, 1) == []
    assert list_moves(game_service, game, 2) == ["A7-B7"]  # the other board is another game
    move(game_service, game, 1, 1, "A7-B7")
    assert list_moves(game_service, game, 1) == ["A7-B7"]


def test_the_opponent_declines(game_service: GameService, game: str) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, DECLINE))
    assert list_moves(game_service, game, 1) == ["A6-B6", "H9-H10"]
    assert (takeback_acts(game_service, game, 1), takeback_acts(game_service, game, 2)) == (
        [ASK_TAKEBACK],
        [ASK_TAKEBACK],
    )


def test_a_move_is_an_answer_too(game_service: GameService, game: str) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    move(game_service, game, 1, 2, "H9-H10")
    assert takeback_acts(game_service, game, 2) == [AGREE, DECLINE]  # that was on the other board
    move(game_service, game, 1, 1, "A7-B7")
    assert takeback_acts(game_service, game, 2) == [ASK_TAKEBACK]
    with pytest.raises(ActionRefused):
        game_service.perform_act(game, Act(2, 1, AGREE))


def test_only_the_own_last_move_is_taken_back(game_service: GameService, game: str) -> None:
    game_service.perform_act(game, Act(2, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(1, 1, AGREE))
    assert list_moves(game_service, game, 1) == ["A6-B6"]
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, AGREE))
    assert list_moves(game_service, game, 1) == []
    assert (
        takeback_acts(game_service, game, 1) == takeback_acts(game_service, game, 2) == []
    )  # there is nothing left


def test_a_bot_agrees_at_once(game_service: GameService) -> None:
    game = start_game(game_service, who="pb")
    move(game_service, game, 1, 1, "A6-B6")
    assert len(list_moves(game_service, game, 1)) == 2
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    assert list_moves(game_service, game, 1) == []
    move(game_service, game, 1, 1, "A7-B7")
    assert len(list_moves(game_service, game, 1)) == 2  # the bot plays on from there


def test_offers_made_since_are_undone_as_well(game_service: GameService, game: str) -> None:
    game_service.perform_act(game, Act(2, 1, rules.OFFER))
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, AGREE))
    with game_service.open_session(game) as session:
        assert not session.stepper.state.halves[0].is_offered_by(2)


def test_what_is_taken_back_stays_in_the_database_and_does_not_count(
    game_service: GameService, game: str, path: Path, tmp_path: Path
) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, AGREE))
    move(game_service, game, 1, 1, "A7-B7")
    assert [row.split(",")[0] for row in GameStorage(path).decisions(game)] == [
        '["!one"',
        '["!one"',
        '["!one"',
        '["!undone"',
        '["!one"',
    ]
    again = a_game_service(path)
    assert list_moves(again, game, 1) == ["A7-B7"]
    assert list_moves(again, game, 2) == ["A7-B7"]
    for team, board in ((2, 1), (1, 2)):
        assert ask_step(again, game, team, board) == ask_step(game_service, game, team, board)
    with again.open_session(game) as session:
        session.record(tmp_path / "replay")
    replay = Replay(tmp_path / "replay")
    assert verify(replay) is None
    assert len([entry for entry in replay.entries() if getattr(entry, "orders", ())]) == 2


def test_a_request_is_kept_over_a_restart(game_service: GameService, game: str, path: Path) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    again = a_game_service(path)
    assert takeback_acts(again, game, 2) == [AGREE, DECLINE]
    again.perform_act(game, Act(2, 1, AGREE))
    assert list_moves(again, game, 1) == []


def test_an_order_from_before_is_stale_and_not_played_again(
    game_service: GameService, game: str
) -> None:
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, AGREE))
    with pytest.raises(Stale):
        game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    assert list_moves(game_service, game, 1) == []
    # The same order again stays harmless where nothing was taken back.
    assert game_service.answer(game, Ask(2, 2), 0, "A7-B7") == 4


def test_another_server_process_notices(game_service: GameService, game: str, path: Path) -> None:
    other = a_game_service(path)
    assert list_moves(other, game, 1) == ["A6-B6", "H9-H10"]
    game_service.perform_act(game, Act(1, 1, ASK_TAKEBACK))
    game_service.perform_act(game, Act(2, 1, AGREE))
    with pytest.raises(Stale):
        move(other, game, 1, 1, "A7-B7")
    assert list_moves(other, game, 1) == []


def test_games_whose_turns_are_run_together_take_nothing_back_but_orders(path: Path) -> None:
    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", "pb")
    game_service.answer(game, Ask(1), 0, {})
    with game_service.open_session(game) as session:
        assert [act.name for act in session.open_acts(1)] == []
