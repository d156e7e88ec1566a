"""A match without a loop."""

from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import Act, Ask, Event, Outcome, Refusal, Stage
from engine.match import play_match
from engine.observer import Observer
from engine.stepper import Stepper
from tests.engine.seats import Recorder, ScriptedSeat
from tests.engine.toys import Cards, Drawn, Numbers, Peeked, a_spec


def start_stepper(game: Any, *observers: Observer, **settings: int) -> Stepper[Any, Any, Any]:
    stepper = Stepper[Any, Any, Any](game, a_spec(game, **settings), observers)
    stepper.start()
    return stepper


def test_nothing_is_asked_before_a_match_begins() -> None:
    stepper = Stepper[Any, Any, Any](Numbers(), a_spec(Numbers()))
    assert (list(stepper.asks), stepper.outcome) == ([], None)


def test_a_decision_is_played_when_its_last_order_is_in() -> None:
    recorder = Recorder()
    stepper = start_stepper(Numbers(), recorder)
    assert stepper.open_asks == [Ask(1), Ask(2)]
    assert not stepper.take(Ask(2), 5)
    assert stepper.open_asks == [Ask(1)]
    assert recorder.orders == []
    assert stepper.take(Ask(1), 3)
    assert recorder.orders == [(Ask(1), 3), (Ask(2), 5)]
    assert stepper.state.scores == (3.0, 5.0)
    assert stepper.open_asks == [Ask(1), Ask(2)]


def test_an_order_can_be_changed_and_taken_back_until_it_is_played() -> None:
    stepper = start_stepper(Numbers())
    stepper.take(Ask(1), 3)
    stepper.take(Ask(1), 4)
    stepper.take_back_order(Ask(1))
    assert stepper.open_asks == [Ask(1), Ask(2)]
    stepper.take(Ask(1), 6)
    stepper.take(Ask(2), 0)
    assert stepper.state.scores == (6.0, 0.0)


def test_a_refused_answer_leaves_the_ask_open() -> None:
    stepper = start_stepper(Numbers())
    assert stepper.check(Ask(1), "three") == Refusal("'three' is no number")
    assert stepper.open_asks == [Ask(1), Ask(2)]


def test_a_fault_is_taken_in_place_of_an_order() -> None:
    recorder = Recorder()
    stepper = start_stepper(Numbers(), recorder)
    late = Fault(Cause.LATE, "after three days")
    stepper.take(Ask(1), late)
    stepper.take(Ask(2), 2)
    assert recorder.faults == [(Ask(1), late)]
    assert recorder.orders == [(Ask(1), late), (Ask(2), 2)]


def test_a_match_that_is_over_asks_nothing() -> None:
    recorder = Recorder()
    stepper = start_stepper(Numbers(), recorder, last_turn=1)
    stepper.take(Ask(1), 1)
    stepper.take(Ask(2), 2)
    assert (list(stepper.asks), stepper.outcome) == ([], Outcome((1.0, 2.0), "last turn"))
    assert recorder.outcome is None
    stepper.end()
    assert recorder.outcome == stepper.outcome


def test_it_comes_to_what_the_match_loop_does() -> None:
    looped, stepped = Recorder(), Recorder()
    seats = [ScriptedSeat(lambda ask, state: ask.team * state.turn) for _ in range(2)]
    play_match(Numbers(), a_spec(Numbers(), last_turn=5), seats, [looped])
    stepper = start_stepper(Numbers(), stepped, last_turn=5)
    while stepper.outcome is None:
        ask = stepper.open_asks[-1]
        stepper.take(ask, ask.team * stepper.state.turn)
    stepper.end()
    assert (stepped.events, stepped.orders) == (looped.events, looped.orders)
    assert stepped.outcome == looped.outcome


def test_each_listener_learns_what_it_may_know_and_the_public_no_secret() -> None:
    game = Cards()
    heard: dict[int | None, list[Event]] = {1: [], 2: [], None: []}
    listeners: dict[int | None, Any] = {team: events.append for team, events in heard.items()}
    stepper = Stepper[Any, Any, Any](game, a_spec(game), listeners=listeners)
    stepper.start()
    first, second = stepper.state.cards
    assert heard[1] == [Drawn(1, first), Peeked(1), Drawn(2, None), Stage(1, "numbers")]
    assert heard[2] == [Drawn(1, None), Drawn(2, second), Peeked(2), Stage(1, "numbers")]
    assert heard[None] == [Drawn(1, None), Drawn(2, None), Stage(1, "numbers")]
    assert [stepper.known[team].cards for team in (1, 2, None)] == [
        [first, None],
        [None, second],
        [None, None],
    ]
    assert stepper.view(Ask(2)) == f"your card is {second}"


def test_a_game_without_acts_refuses_to_play_one() -> None:
    with pytest.raises(NotImplementedError, match="Numbers has no acts"):
        start_stepper(Numbers()).act(Act(1, 0, "resign"))
