"""Games of people: rows, played through the rules."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from engine.game import CLAIM_ACT, Act, Ask
from engine.games.smack import rules
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.spec import encode_spec
from runners.storage.database import Stale
from runners.storage.game_tables import games
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.http.errors import ActionRefused, NoSuchGame, OtherRules
from server.site.application import Application
from tests.server.in_process import make_client
from tests.server.members import HOST
from tests.server.playing import (
    ScriptedBotSeats,
    SilentBotSeats,
    a_game_service,
    first_move,
    no_orders,
    read_plies,
    start_game,
)
from tests.shell import eventually


def ask_step(game_service: GameService, game: str, ask: Ask) -> int:
    with game_service.open_session(game) as session:
        return session.ask_step(ask)


def test_an_order_is_played_and_kept(game_service: GameService, path: Path) -> None:
    game = start_game(game_service)
    assert game_service.answer(game, Ask(1, 1), 0, "A6-B6") == 1
    assert read_plies(game_service, game) == [1, 0]
    assert read_plies(a_game_service(path), game) == [1, 0]  # as another process finds it


def test_a_refused_order_costs_nothing(game_service: GameService) -> None:
    game = start_game(game_service)
    with pytest.raises(ActionRefused, match="A6-A9"):
        game_service.answer(game, Ask(1, 1), 0, "A6-A9")
    assert read_plies(game_service, game) == [0, 0]
    assert game_service.answer(game, Ask(1, 1), 0, "A6-B6") == 1


def test_the_same_order_again_is_harmless_and_another_is_stale(game_service: GameService) -> None:
    game = start_game(game_service)
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    game_service.answer(game, Ask(2, 1), 1, "H9-H10")
    assert game_service.answer(game, Ask(1, 1), 0, {"move": "A6-B6", "end": False}) == 2
    with pytest.raises(Stale):
        game_service.answer(game, Ask(1, 1), 0, "A7-B7")
    assert read_plies(game_service, game) == [2, 0]


def test_a_move_on_the_other_board_makes_no_order_stale(game_service: GameService) -> None:
    game = start_game(game_service)
    game_service.answer(game, Ask(2, 2), 0, "A6-B6")
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    assert read_plies(game_service, game) == [1, 1]


def test_an_ask_that_is_not_open_is_stale(game_service: GameService) -> None:
    game = start_game(game_service)
    for ask in (Ask(2, 1), Ask(1, 7), Ask(9, 1)):
        with pytest.raises(Stale):
            game_service.answer(game, ask, 0, "A6-B6")


def test_bots_move_when_it_is_their_turn(game_service: GameService) -> None:
    game = start_game(game_service, who="pb")
    assert read_plies(game_service, game) == [0, 1]  # the bot has the nerds of board 2
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    assert read_plies(game_service, game) == [2, 1]


def test_two_bots_play_to_the_end(game_service: GameService) -> None:
    game = start_game(game_service, who="bb", ply_limit=6)
    with game_service.open_session(game) as session:
        assert session.outcome is not None
        assert [half.ply for half in session.stepper.state.halves] == [6, 6]


def test_a_bot_that_was_asked_before_a_restart_is_asked_again(path: Path) -> None:
    bot_seats: Any = SilentBotSeats()
    game = start_game(GameService(GameStorage(path), bot_seats), who="pb")
    again = a_game_service(path)
    assert read_plies(again, game) == [0, 0]
    again.go_on_with_all()
    assert read_plies(again, game) == [0, 1]


@pytest.mark.slow
def test_a_bot_whose_process_is_lost_again_and_again_is_asked_again(path: Path) -> None:
    bot_seats: Any = ScriptedBotSeats(first_move)
    bot_seats.lost = 4
    said = list[str]()
    game_service = GameService(GameStorage(path), bot_seats, report=said.append)
    game = start_game(game_service, who="pb")
    assert eventually(lambda: read_plies(game_service, game) == [0, 1])
    assert len(bot_seats.asked) == 5
    assert [re.sub("^game .*?: ", "", words) for words in said] == [
        f"team 2 could not be asked: a process was killed; again in {wait} s"
        for wait in ("0.4", "0.8", "1.6")
    ]


def test_acts_are_played_and_what_is_not_possible_is_refused(game_service: GameService) -> None:
    game = start_game(game_service)
    game_service.perform_act(game, Act(2, 1, rules.OFFER))
    for act in (Act(2, 1, rules.ACCEPT), Act(1, 3, rules.RESIGN), Act(1, 1, "bribe")):
        with pytest.raises(ActionRefused, match="not possible now"):
            game_service.perform_act(game, act)
    game_service.perform_act(game, Act(1, 1, rules.ACCEPT))
    with game_service.open_session(game) as session:
        assert session.stepper.state.halves[0].ending == rules.AGREEMENT


def test_nobody_is_overdue_without_a_clock(game_service: GameService) -> None:
    game = start_game(game_service)
    with pytest.raises(ActionRefused):
        game_service.perform_act(game, Act(2, 1, CLAIM_ACT))


def test_orders_of_a_simultaneous_turn_wait_for_the_last(path: Path) -> None:
    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", "ppb")
    game_service.answer(game, Ask(1), 0, {"bid": 1})
    with game_service.open_session(game) as session:
        assert (len(session.log), set(session.waiting)) == (0, {Ask(1), Ask(3)})
    game_service = a_game_service(path, no_orders)  # sealed orders survive a restart
    with game_service.open_session(game) as session:
        assert set(session.waiting) == {Ask(1), Ask(3)}
    game_service.answer(game, Ask(2), 0, {})
    with game_service.open_session(game) as session:
        assert (len(session.log), session.waiting.keys() & {Ask(1), Ask(2)}) == (1, set())


def test_a_sealed_order_can_be_taken_back_and_changed(path: Path) -> None:
    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", "pp")
    game_service.answer(game, Ask(1), 0, {"bid": 1})
    game_service.take_back_order(game, Ask(1), 0)
    with game_service.open_session(game) as session:
        assert session.waiting == {}
    game_service.answer(game, Ask(1), 0, {"bid": 2})
    game_service.answer(game, Ask(1), 0, {"bid": 3})
    game_service.answer(game, Ask(2), 0, {})
    with game_service.open_session(game) as session:
        assert session.decisions[0].orders[0].bid == 3
    with pytest.raises(Stale):
        game_service.take_back_order(game, Ask(1), 0)


def test_an_act_plays_a_round_that_waited_for_that_half_alone(game_service: GameService) -> None:
    game = start_game(game_service, pace="lockstep")
    game_service.answer(game, Ask(2, 2), 0, "A6-B6")
    assert read_plies(game_service, game) == [0, 0]
    game_service.perform_act(game, Act(1, 1, rules.RESIGN))
    assert read_plies(game_service, game) == [0, 1]


def test_two_processes_do_not_both_decide(game_service: GameService, path: Path) -> None:
    other, game = a_game_service(path), start_game(game_service)
    assert read_plies(other, game) == [0, 0]
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    with pytest.raises(Stale):
        other.answer(game, Ask(1, 1), 0, "A7-B7")
    assert read_plies(other, game) == [1, 0]
    other.answer(game, Ask(2, 1), 1, "H9-H10")
    assert read_plies(a_game_service(path), game) == [2, 0]


def test_who_is_several_decisions_behind_is_told_so_and_catches_up(
    game_service: GameService, path: Path
) -> None:
    other, game = a_game_service(path), start_game(game_service)
    assert read_plies(other, game) == [0, 0]
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    game_service.answer(game, Ask(2, 1), 1, "H9-H10")
    game_service.answer(game, Ask(1, 1), 2, "B6-C6")  # nothing that follows from A7-B7
    with pytest.raises(Stale):
        other.answer(game, Ask(1, 1), 0, "A7-B7")
    with game_service.open_session(game) as session, other.open_session(game) as same:
        assert same.log == session.log


def test_an_order_for_a_former_step_costs_no_rebuilding(game_service: GameService) -> None:
    game = start_game(game_service)
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    with game_service.open_session(game) as session, pytest.raises(Stale):
        game_service.answer(game, Ask(1, 1), 0, "A7-B7")
    with game_service.open_session(game) as same:
        assert same is session


def test_a_game_that_does_not_exist_is_unknown(game_service: GameService) -> None:
    with pytest.raises(NoSuchGame), game_service.open_session("nothing"):
        pass


def test_drafts_are_kept_for_their_turn(path: Path) -> None:
    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", "pb")
    game_service.save_draft(game, Ask(1), 0, [["bid", 2]])
    assert a_game_service(path, no_orders).load_draft_orders(game, Ask(1)) == [["bid", 2]]
    game_service.answer(game, Ask(1), 0, {})
    assert game_service.load_draft_orders(game, Ask(1)) == []
    with pytest.raises(Stale):
        game_service.save_draft(game, Ask(1), 0, [])
    with pytest.raises(ActionRefused, match="2000 are the most"):
        game_service.save_draft(game, Ask(1), ask_step(game_service, game, Ask(1)), [1] * 3000)


def test_what_each_viewer_is_told_holds_no_secret_of_another(path: Path) -> None:
    game_service = a_game_service(path, no_orders)
    game = start_game(game_service, "smac", "pp")
    game_service.answer(game, Ask(1), 0, {"bid": 4})
    game_service.answer(game, Ask(2), 0, {"bid": 0})
    with game_service.open_session(game) as session:
        found = {viewer: repr(events) for viewer, events in session.observed.items()}
    assert "Bid(team=1, points=4" in found[1]
    assert "Bid(team=1" not in found[2]
    assert "Bid(" not in found[None]


def random_answers(game_service: GameService, game: str, dice: Random) -> Iterator[int]:
    """Play a game of Smack! to its end: the number of decisions after each."""
    while True:
        with game_service.open_session(game) as session:
            if session.outcome is not None:
                return
            ask = dice.choice(list(session.stepper.asks))
            step = session.ask_step(ask)
            moves = session.stepper.state.halves[ask.piece_id - 1].position.moves()
        yield game_service.answer(game, ask, step, str(dice.choice(moves)))


def test_a_whole_game_is_recorded_as_it_was_and_verified(
    game_service: GameService, tmp_path: Path
) -> None:
    game = start_game(game_service, ply_limit=20)
    assert list(random_answers(game_service, game, Random(1))) == list(range(1, 41))
    with game_service.open_session(game) as session:
        session.record(tmp_path / "replay")
        outcome = session.outcome
    replay = Replay(tmp_path / "replay")
    assert verify(replay) is None
    assert replay.outcome == outcome
    assert [bot.digest for bot in replay.bots] == ["person:1", "person:2"]


def test_a_link_is_good_for_once_and_a_token_for_its_game(game_service: GameService) -> None:
    game, other = start_game(game_service), start_game(game_service)
    key = game_service.keys.new_key(game, [2])
    assert game_service.keys.find_game(key) == game
    token = game_service.keys.exchange(key, game)
    assert token is not None
    assert game_service.keys.exchange(key, game) is None
    assert game_service.keys.find_game(key) is None
    assert game_service.keys.find_teams(token, game) == (2,)
    assert (
        game_service.keys.find_teams(token, other) == game_service.keys.find_teams(key, game) == ()
    )


def test_an_order_for_a_half_that_an_act_closes_waits_no_longer(game_service: GameService) -> None:
    game = start_game(game_service, pace="lockstep")
    game_service.answer(game, Ask(2, 2), 0, "A6-B6")
    game_service.perform_act(game, Act(2, 2, rules.RESIGN))
    with game_service.open_session(game) as session:
        assert session.waiting == {}


def test_a_game_that_was_begun_under_other_rules_waits_and_the_others_go_on(path: Path) -> None:
    game_service = a_game_service(path)
    former, present = start_game(game_service), start_game(game_service)
    with game_service.open_session(former) as session:
        spec = session.stored.spec
    older = msgspec.structs.replace(spec, rules_version=spec.rules_version - 1)
    storage = GameStorage(path)
    changed = update(games).where(games.c.id == former)
    storage.database.write(changed.values(spec=encode_spec(older).decode()))
    warnings = list[str]()
    again = a_game_service(path, report=warnings.append)
    again.go_on_with_all()
    text = f"version {older.rules_version} of the rules of Smack!, and this server plays version"
    with pytest.raises(OtherRules, match=text), again.open_session(former):
        pass
    (warning,) = warnings
    assert "were begun under other rules than ours, and wait: 1;" in warning
    assert again.answer(present, Ask(1, 1), 0, "A6-B6") == 1
    web = Application(again, [HOST])
    with make_client(web.app, f"http://{HOST}") as client:
        for address in (f"/games/{former}", f"/api/v1/games/{former}"):
            answer = client.get(address)
            assert answer.status_code == 409
            assert "nothing of it is lost" in answer.text
        assert client.get(f"/games/{present}").status_code == 200
        assert client.get("/").status_code == 200
