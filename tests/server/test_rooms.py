"""Games of people: rows, played through the rules."""

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from sqlalchemy import update

from engine.game import CLAIM, Act, Ask
from engine.games.smack import rules
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.spec import encode_spec
from runners.storage.database import Stale
from runners.storage.game_tables import games
from server.games.errors import ActionRefused, NoSuchGame, OtherRules
from server.games.game_service import Lobby
from server.games.game_storage import Storage
from server.site.application import Web
from tests.server.in_process import client_of
from tests.server.members import HOST
from tests.server.playing import (
    ScriptedThinkers,
    SilentThinkers,
    a_lobby,
    begin,
    first_move,
    no_orders,
)
from tests.shell import eventually


def plies(lobby: Lobby, game: str) -> list[int]:
    with lobby.room(game) as room:
        return [half.ply for half in room.stepper.state.halves]


def step_of(lobby: Lobby, game: str, ask: Ask) -> int:
    with lobby.room(game) as room:
        return room.step_of(ask)


def test_an_order_is_played_and_kept(lobby: Lobby, path: Path) -> None:
    game = begin(lobby)
    assert lobby.answer(game, Ask(1, 1), 0, "A6-B6") == 1
    assert plies(lobby, game) == [1, 0]
    assert plies(a_lobby(path), game) == [1, 0]  # as another process finds it


def test_a_refused_order_costs_nothing(lobby: Lobby) -> None:
    game = begin(lobby)
    with pytest.raises(ActionRefused, match="A6-A9"):
        lobby.answer(game, Ask(1, 1), 0, "A6-A9")
    assert plies(lobby, game) == [0, 0]
    assert lobby.answer(game, Ask(1, 1), 0, "A6-B6") == 1


def test_the_same_order_again_is_harmless_and_another_is_stale(lobby: Lobby) -> None:
    game = begin(lobby)
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    lobby.answer(game, Ask(2, 1), 1, "H9-H10")
    assert lobby.answer(game, Ask(1, 1), 0, {"move": "A6-B6", "end": False}) == 2
    with pytest.raises(Stale):
        lobby.answer(game, Ask(1, 1), 0, "A7-B7")
    assert plies(lobby, game) == [2, 0]


def test_a_move_on_the_other_board_makes_no_order_stale(lobby: Lobby) -> None:
    game = begin(lobby)
    lobby.answer(game, Ask(2, 2), 0, "A6-B6")
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    assert plies(lobby, game) == [1, 1]


def test_an_ask_that_is_not_open_is_stale(lobby: Lobby) -> None:
    game = begin(lobby)
    for ask in (Ask(2, 1), Ask(1, 7), Ask(9, 1)):
        with pytest.raises(Stale):
            lobby.answer(game, ask, 0, "A6-B6")


def test_bots_move_when_it_is_their_turn(lobby: Lobby) -> None:
    game = begin(lobby, who="pb")
    assert plies(lobby, game) == [0, 1]  # the bot has the nerds of board 2
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    assert plies(lobby, game) == [2, 1]


def test_two_bots_play_to_the_end(lobby: Lobby) -> None:
    game = begin(lobby, who="bb", ply_limit=6)
    with lobby.room(game) as room:
        assert room.outcome is not None
        assert [half.ply for half in room.stepper.state.halves] == [6, 6]


def test_a_bot_that_was_asked_before_a_restart_is_asked_again(path: Path) -> None:
    thinkers: Any = SilentThinkers()
    game = begin(Lobby(Storage(path), thinkers), who="pb")
    again = a_lobby(path)
    assert plies(again, game) == [0, 0]
    again.go_on_with_all()
    assert plies(again, game) == [0, 1]


@pytest.mark.slow
def test_a_bot_whose_process_is_lost_again_and_again_is_asked_again(path: Path) -> None:
    thinkers: Any = ScriptedThinkers(first_move)
    thinkers.lost = 4
    said = list[str]()
    lobby = Lobby(Storage(path), thinkers, report=said.append)
    game = begin(lobby, who="pb")
    assert eventually(lambda: plies(lobby, game) == [0, 1])
    assert len(thinkers.asked) == 5
    assert [re.sub("^game .*?: ", "", words) for words in said] == [
        f"team 2 could not be asked: a process was killed; again in {wait} s"
        for wait in ("0.4", "0.8", "1.6")
    ]


def test_acts_are_played_and_what_is_not_possible_is_refused(lobby: Lobby) -> None:
    game = begin(lobby)
    lobby.act(game, Act(2, 1, rules.OFFER))
    for act in (Act(2, 1, rules.ACCEPT), Act(1, 3, rules.RESIGN), Act(1, 1, "bribe")):
        with pytest.raises(ActionRefused, match="not possible now"):
            lobby.act(game, act)
    lobby.act(game, Act(1, 1, rules.ACCEPT))
    with lobby.room(game) as room:
        assert room.stepper.state.halves[0].ending == rules.AGREEMENT


def test_nobody_is_overdue_without_a_clock(lobby: Lobby) -> None:
    game = begin(lobby)
    with pytest.raises(ActionRefused):
        lobby.act(game, Act(2, 1, CLAIM))


def test_orders_of_a_simultaneous_turn_wait_for_the_last(path: Path) -> None:
    lobby = a_lobby(path, no_orders)
    game = begin(lobby, "smac", "ppb")
    lobby.answer(game, Ask(1), 0, {"bid": 1})
    with lobby.room(game) as room:
        assert (len(room.log), set(room.waiting)) == (0, {Ask(1), Ask(3)})
    lobby = a_lobby(path, no_orders)  # sealed orders survive a restart
    with lobby.room(game) as room:
        assert set(room.waiting) == {Ask(1), Ask(3)}
    lobby.answer(game, Ask(2), 0, {})
    with lobby.room(game) as room:
        assert (len(room.log), room.waiting.keys() & {Ask(1), Ask(2)}) == (1, set())


def test_a_sealed_order_can_be_taken_back_and_changed(path: Path) -> None:
    lobby = a_lobby(path, no_orders)
    game = begin(lobby, "smac", "pp")
    lobby.answer(game, Ask(1), 0, {"bid": 1})
    lobby.take_back(game, Ask(1), 0)
    with lobby.room(game) as room:
        assert room.waiting == {}
    lobby.answer(game, Ask(1), 0, {"bid": 2})
    lobby.answer(game, Ask(1), 0, {"bid": 3})
    lobby.answer(game, Ask(2), 0, {})
    with lobby.room(game) as room:
        assert room.decisions[0].orders[0].bid == 3
    with pytest.raises(Stale):
        lobby.take_back(game, Ask(1), 0)


def test_an_act_plays_a_round_that_waited_for_that_half_alone(lobby: Lobby) -> None:
    game = begin(lobby, pace="lockstep")
    lobby.answer(game, Ask(2, 2), 0, "A6-B6")
    assert plies(lobby, game) == [0, 0]
    lobby.act(game, Act(1, 1, rules.RESIGN))
    assert plies(lobby, game) == [0, 1]


def test_two_processes_do_not_both_decide(lobby: Lobby, path: Path) -> None:
    other, game = a_lobby(path), begin(lobby)
    assert plies(other, game) == [0, 0]
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    with pytest.raises(Stale):
        other.answer(game, Ask(1, 1), 0, "A7-B7")
    assert plies(other, game) == [1, 0]
    other.answer(game, Ask(2, 1), 1, "H9-H10")
    assert plies(a_lobby(path), game) == [2, 0]


def test_who_is_several_decisions_behind_is_told_so_and_catches_up(
    lobby: Lobby, path: Path
) -> None:
    other, game = a_lobby(path), begin(lobby)
    assert plies(other, game) == [0, 0]
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    lobby.answer(game, Ask(2, 1), 1, "H9-H10")
    lobby.answer(game, Ask(1, 1), 2, "B6-C6")  # nothing that follows from A7-B7
    with pytest.raises(Stale):
        other.answer(game, Ask(1, 1), 0, "A7-B7")
    with lobby.room(game) as room, other.room(game) as same:
        assert same.log == room.log


def test_an_order_for_a_former_step_costs_no_rebuilding(lobby: Lobby) -> None:
    game = begin(lobby)
    lobby.answer(game, Ask(1, 1), 0, "A6-B6")
    with lobby.room(game) as room, pytest.raises(Stale):
        lobby.answer(game, Ask(1, 1), 0, "A7-B7")
    with lobby.room(game) as same:
        assert same is room


def test_a_game_that_does_not_exist_is_unknown(lobby: Lobby) -> None:
    with pytest.raises(NoSuchGame), lobby.room("nothing"):
        pass


def test_drafts_are_kept_for_their_turn(path: Path) -> None:
    lobby = a_lobby(path, no_orders)
    game = begin(lobby, "smac", "pb")
    lobby.keep_draft(game, Ask(1), 0, [["bid", 2]])
    assert a_lobby(path, no_orders).draft(game, Ask(1)) == [["bid", 2]]
    lobby.answer(game, Ask(1), 0, {})
    assert lobby.draft(game, Ask(1)) == []
    with pytest.raises(Stale):
        lobby.keep_draft(game, Ask(1), 0, [])
    with pytest.raises(ActionRefused, match="2000 are the most"):
        lobby.keep_draft(game, Ask(1), step_of(lobby, game, Ask(1)), [1] * 3000)


def test_what_each_viewer_is_told_holds_no_secret_of_another(path: Path) -> None:
    lobby = a_lobby(path, no_orders)
    game = begin(lobby, "smac", "pp")
    lobby.answer(game, Ask(1), 0, {"bid": 4})
    lobby.answer(game, Ask(2), 0, {"bid": 0})
    with lobby.room(game) as room:
        told = {viewer: repr(events) for viewer, events in room.told.items()}
    assert "Bid(team=1, points=4" in told[1]
    assert "Bid(team=1" not in told[2]
    assert "Bid(" not in told[None]


def random_answers(lobby: Lobby, game: str, dice: Random) -> Iterator[int]:
    """Play a game of Smack! to its end: the number of decisions after each."""
    while True:
        with lobby.room(game) as room:
            if room.outcome is not None:
                return
            ask = dice.choice(list(room.stepper.asks))
            step = room.step_of(ask)
            moves = room.stepper.state.halves[ask.piece_id - 1].position.moves()
        yield lobby.answer(game, ask, step, str(dice.choice(moves)))


def test_a_whole_game_is_recorded_as_it_was_and_verified(lobby: Lobby, tmp_path: Path) -> None:
    game = begin(lobby, ply_limit=20)
    assert list(random_answers(lobby, game, Random(1))) == list(range(1, 41))
    with lobby.room(game) as room:
        room.record(tmp_path / "replay")
        outcome = room.outcome
    replay = Replay(tmp_path / "replay")
    assert verify(replay) is None
    assert replay.outcome == outcome
    assert [bot.digest for bot in replay.bots] == ["person:1", "person:2"]


def test_a_link_is_good_for_once_and_a_token_for_its_game(lobby: Lobby) -> None:
    game, other = begin(lobby), begin(lobby)
    key = lobby.new_key(game, [2])
    assert lobby.game_of(key) == game
    token = lobby.exchange(key, game)
    assert token is not None
    assert lobby.exchange(key, game) is None
    assert lobby.game_of(key) is None
    assert lobby.teams_of(token, game) == (2,)
    assert lobby.teams_of(token, other) == lobby.teams_of(key, game) == ()


def test_an_order_for_a_half_that_an_act_closes_waits_no_longer(lobby: Lobby) -> None:
    game = begin(lobby, pace="lockstep")
    lobby.answer(game, Ask(2, 2), 0, "A6-B6")
    lobby.act(game, Act(2, 2, rules.RESIGN))
    with lobby.room(game) as room:
        assert room.waiting == {}


def test_a_game_that_was_begun_under_other_rules_waits_and_the_others_go_on(path: Path) -> None:
    lobby = a_lobby(path)
    former, present = begin(lobby), begin(lobby)
    with lobby.room(former) as room:
        spec = room.stored.spec
    older = msgspec.structs.replace(spec, rules_version=spec.rules_version - 1)
    storage = Storage(path)
    with storage.database.writing() as connection:
        changed = update(games).where(games.c.id == former)
        connection.execute(changed.values(spec=encode_spec(older).decode()))
    warnings = list[str]()
    again = a_lobby(path, report=warnings.append)
    again.go_on_with_all()
    words = f"version {older.rules_version} of the rules of Smack!, and this server plays version"
    with pytest.raises(OtherRules, match=words), again.room(former):
        pass
    (warning,) = warnings
    assert "were begun under other rules than ours, and wait: 1;" in warning
    assert again.answer(present, Ask(1, 1), 0, "A6-B6") == 1
    web = Web(again, [HOST])
    with client_of(web.app, f"http://{HOST}") as client:
        for address in (f"/games/{former}", f"/api/v1/games/{former}"):
            answer = client.get(address)
            assert answer.status_code == 409
            assert "nothing of it is lost" in answer.text
        assert client.get(f"/games/{present}").status_code == 200
        assert client.get("/").status_code == 200
