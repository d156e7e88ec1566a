"""What holds for all boards, settings and orders."""

from collections.abc import Iterator
from random import Random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fault import Cause, Fault
from engine.game import Event, MatchEnded
from engine.games.slime_mind import events as ev
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pieces import Piece, Plant, Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from engine.limits import Limits
from engine.match import play_match
from engine.spec import MatchSpec
from tests.engine.games.slime_mind.strategies import seeds, settings_of_small_maps
from tests.engine.seats import Recorder, ScriptedSeat
from tests.examples import examples

GAME = SlimeMind()
# Bites and moves make matches eventful; MERGE and SPLIT seldom work and need many tries.
WORDS = [*Command, *[Command.SPLIT, Command.MERGE] * 2]


def a_match(board_settings: Settings, seed: int) -> Recorder:
    """Play with random orders, a fault among them now and then."""
    dice, recorder = Random(seed), Recorder()
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board_settings,
        limits=Limits(),
        bots=("a", "b"),
        seed=seed,
    )
    seats = [ScriptedSeat(lambda ask, state: an_answer(dice)) for _ in range(2)]
    play_match(GAME, spec, seats, [recorder])
    return recorder


def an_answer(dice: Random) -> Any:
    draw = dice.random()
    if draw < 0.05:
        return Fault(Cause.TIMEOUT)
    return "FLY" if draw < 0.1 else str(dice.choice(WORDS))


def replay_boards(recorder: Recorder) -> Iterator[tuple[Event, Board]]:
    board = GAME.new(recorder.first_state.settings, 2)
    for event in recorder.events:
        board.apply(event)
        yield event, board


matches = st.builds(a_match, settings_of_small_maps(), seeds)


@given(matches)
def test_a_square_holds_one_piece_and_the_squares_agree_with_the_pieces(match: Recorder) -> None:
    for _, board in replay_boards(match):
        pieces: list[Piece] = [*board.slimes.values(), *board.plants.values()]
        pieces += board.rocks.values()
        assert board.at == {(piece.x, piece.y): piece for piece in pieces}
        assert len(board.at) == len(pieces)
        assert all(board.is_on_map(piece.x, piece.y) for piece in pieces)


@given(matches)
def test_hp_is_within_0_and_the_most_and_0_only_until_the_piece_is_removed(match: Recorder) -> None:
    dying: set[int] = set()
    for event, board in replay_boards(match):
        pieces: list[Slime | Plant] = [*board.slimes.values(), *board.plants.values()]
        assert all(0 <= piece.current_hp <= piece.max_hp for piece in pieces)
        without_hp = {piece.id for piece in pieces if piece.current_hp == 0}
        assert without_hp <= ({event.target} if isinstance(event, ev.Bitten) else set())
        if isinstance(event, ev.Died):
            assert {event.piece} == dying
        dying = without_hp
    assert not dying


@given(matches)
def test_ids_count_up_and_are_never_used_again(match: Recorder) -> None:
    made = []
    for event, board in replay_boards(match):
        match event:
            case ev.SlimePlaced(slime):
                made.append(slime.id)
            case ev.RockPlaced(rock):
                made.append(rock.id)
            case ev.PlantPlaced(plant):
                made.append(plant.id)
            case ev.Split(_, _, child):
                made.append(child.id)
            case _:
                pass
        assert board.next_id == len(made) + 1
    assert made == list(range(1, len(made) + 1))


@given(matches)
def test_pieces_are_in_ascending_order_of_ids(match: Recorder) -> None:
    for _, board in replay_boards(match):
        for pieces in (board.slimes, board.plants, board.rocks):
            assert list(pieces) == sorted(pieces)
            assert all(piece.id == piece_id for piece_id, piece in pieces.items())


@given(matches)
def test_the_queue_holds_living_slimes_once_each_and_the_teams_alternate(match: Recorder) -> None:
    for event, board in replay_boards(match):
        assert len(set(board.queue)) == len(board.queue)
        assert set(board.queue) <= set(board.slimes)
        if isinstance(event, ev.Queued):
            assert set(board.queue) == set(board.slimes)
            teams = [board.slimes[slime].team for slime in board.queue]
            shorter = min(teams.count(1), teams.count(2))
            first = 1 if board.turn % 2 else 2
            assert teams[: 2 * shorter] == [first, 3 - first] * shorter


@given(matches)
def test_replaying_the_events_rebuilds_the_state(match: Recorder) -> None:
    *_, (_, rebuilt) = replay_boards(match)
    assert rebuilt == match.state
    assert list(rebuilt.slimes) == list(match.state.slimes)
    assert (rebuilt.at, rebuilt.slimes_of) == (match.state.at, match.state.slimes_of)


@given(matches)
def test_replaying_the_events_through_json_rebuilds_the_state(match: Recorder) -> None:
    rebuilt = GAME.new(match.first_state.settings, 2)
    for event in match.events:
        encoded = msgspec.json.encode(event)
        decoded = msgspec.json.decode(encoded, type=GAME.event)
        assert decoded == event
        assert type(decoded) is type(event)
        rebuilt.apply(decoded)
    assert rebuilt == match.state


@given(matches)
def test_a_board_survives_json_with_all_that_is_derived(match: Recorder) -> None:
    decoded = msgspec.json.decode(msgspec.json.encode(match.state), type=Board)
    assert decoded == match.state
    assert (decoded.at, decoded.slimes_of) == (match.state.at, match.state.slimes_of)
    assert list(decoded.plants) == list(match.state.plants)


@given(settings_of_small_maps(), seeds)
@settings(max_examples=examples(30))
def test_the_same_spec_and_orders_give_the_same_bytes(board_settings: Settings, seed: int) -> None:
    first, second = (a_match(board_settings, seed) for _ in range(2))
    assert msgspec.json.encode(first.events) == msgspec.json.encode(second.events)


@given(matches)
def test_a_match_ends_and_nothing_happens_after_its_end(match: Recorder) -> None:
    ended = [event for event in match.events if isinstance(event, MatchEnded)]
    assert ended == [match.events[-1]]
    assert match.state.turn <= match.state.settings.max_turns
    alive = {slime.team for slime in match.state.slimes.values()}
    if ended[0].reason == "elimination":
        assert len(alive) == 1
    else:
        assert (alive, match.state.turn) == ({1, 2}, match.state.settings.max_turns)
