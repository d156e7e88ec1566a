"""The match loop: ask, play, apply, tell."""

from collections.abc import Sequence
from typing import Any

import pytest

from engine.fault import Cause, Fault
from engine.game import Ask, Event, MatchEnded, Outcome, Stage
from engine.match import play_match
from engine.observer import Observer
from engine.seat import Seat
from tests.engine.seats import Recorder, ScriptedSeat, copy_over_wire
from tests.engine.toys import Cards, Drawn, Numbers, Peeked, Scored, a_spec

TIMEOUT = Fault(Cause.TIMEOUT, "too late")


def says(*answers: Any) -> ScriptedSeat:
    """A seat that gives these answers, the last one again and again."""
    left = list(answers)
    return ScriptedSeat(lambda ask, state: left.pop(0) if len(left) > 1 else left[0])


class LoggingSeat(Seat):
    """Writes into a log that all seats share, and answers with a number of its own."""

    def __init__(self, log: list[tuple[Any, ...]], team: int) -> None:
        self._log, self._team, self._piece_id = log, team, 0
        self.notify = lambda event: log.append(("tell", team, event))

    def prepare(self, state: Any) -> None:
        self._log.append(("begin", self._team))

    def put(self, ask: Ask, view: Any) -> None:
        assert ask.team == self._team
        self._piece_id = ask.piece_id
        self._log.append(("put", self._team, ask.piece_id))

    def take(self) -> Any:
        self._log.append(("take", self._team, self._piece_id))
        return 10 * self._team + self._piece_id


class LoggingWatcher(Observer):
    """Writes down what it is told."""

    def __init__(self, log: list[tuple[Any, ...]], name: str) -> None:
        self._log, self._name = log, name

    def on_start(self, state: Any) -> None:
        self._log.append((self._name, "began"))

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        self._log.append((self._name, "faulted", ask, fault))

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        self._log.append((self._name, "decided", list(asks), list(orders)))

    def on_event(self, event: Event) -> None:
        self._log.append((self._name, "happened", event))

    def on_end(self, outcome: Outcome) -> None:
        self._log.append((self._name, "ended", outcome))


def filter_asks(log: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [entry for entry in log if entry[0] in ("put", "take")]


def test_a_match_is_played_to_its_end() -> None:
    outcome = play_match(Numbers(), a_spec(Numbers()), [says(3, 4), says(5, 1)])
    assert outcome == Outcome((7.0, 6.0), "last turn")


def test_teams_are_asked_side_by_side() -> None:
    log: list[tuple[Any, ...]] = []
    seats = [LoggingSeat(log, team) for team in (1, 2, 3)]
    play_match(Numbers(), a_spec(Numbers(), teams=3, last_turn=1), seats)
    kinds = [kind for kind, *_ in filter_asks(log)]
    assert kinds == ["put"] * 3 + ["take"] * 3
    assert sorted(entry[1] for entry in filter_asks(log)[:3]) == [1, 2, 3]


def test_the_asks_of_one_team_are_put_one_after_another_in_their_order() -> None:
    log: list[tuple[Any, ...]] = []
    seats = [LoggingSeat(log, team) for team in (1, 2)]
    play_match(Numbers(), a_spec(Numbers(), last_turn=1, asks_each=3), seats)
    for team in (1, 2):
        assert [(kind, piece_id) for kind, who, piece_id in filter_asks(log) if who == team] == [
            (kind, piece_id) for piece_id in range(3) for kind in ("put", "take")
        ]


def test_orders_come_in_the_order_of_the_asks() -> None:
    log: list[tuple[Any, ...]] = []
    recorder = Recorder()
    seats = [LoggingSeat(log, team) for team in (1, 2)]
    play_match(Numbers(), a_spec(Numbers(), last_turn=1, asks_each=2), seats, [recorder])
    assert recorder.orders == [(Ask(1, 0), 10), (Ask(2, 0), 20), (Ask(1, 1), 11), (Ask(2, 1), 21)]


def test_a_team_with_fewer_asks_does_not_hold_up_the_other() -> None:
    class Uneven(Numbers):
        def asks(self, state: Any) -> Sequence[Ask]:
            return (Ask(2, 1), Ask(1, 2), Ask(2, 3))

    log: list[tuple[Any, ...]] = []
    recorder = Recorder()
    seats = [LoggingSeat(log, team) for team in (1, 2)]
    play_match(Uneven(), a_spec(Numbers(), last_turn=1), seats, [recorder])
    assert recorder.orders == [(Ask(2, 1), 21), (Ask(1, 2), 12), (Ask(2, 3), 23)]
    assert filter_asks(log)[4:] == [("put", 2, 3), ("take", 2, 3)]


def test_observers_are_told_of_everything_in_order() -> None:
    log: list[tuple[Any, ...]] = []
    play_match(
        Numbers(),
        a_spec(Numbers(), teams=1, last_turn=1),
        [says(4)],
        [LoggingWatcher(log, "first"), LoggingWatcher(log, "second")],
    )
    found = [
        ("began",),
        ("happened", Stage(1, "numbers")),
        ("decided", [Ask(1, 0)], [4]),
        ("happened", Scored((4.0,))),
        ("happened", MatchEnded((4.0,), "last turn")),
        ("ended", Outcome((4.0,), "last turn")),
    ]
    assert log == [(name, *entry) for entry in found for name in ("first", "second")]


def test_an_event_is_applied_before_anyone_is_told_and_before_the_rule_resumes() -> None:
    seen = []

    class Onlooker(Observer):
        def on_start(self, state: Any) -> None:
            self.state = state

        def on_event(self, event: Event) -> None:
            seen.append((event, copy_over_wire(self.state)))

    play_match(Numbers(), a_spec(Numbers(), last_turn=1), [says(4), says(2)], [Onlooker()])
    scored, ended = seen[1], seen[2]
    assert (scored[0], scored[1].scores) == (Scored((4.0, 2.0)), (4.0, 2.0))
    assert ended[0] == MatchEnded((4.0, 2.0), "last turn")  # the rule read the new scores


def test_a_refusal_becomes_a_fault_with_its_reason() -> None:
    recorder = Recorder()
    seats = [says("many", 2), says(1)]
    outcome = play_match(Numbers(), a_spec(Numbers()), seats, [recorder])
    illegal = Fault(Cause.ILLEGAL, "'many' is no number")
    assert recorder.orders[:2] == [(Ask(1), illegal), (Ask(2), 1)]
    assert recorder.faults == [(Ask(1), illegal)]
    assert outcome.scores == (2.0, 2.0)


def test_a_seats_fault_is_handed_on_unchecked() -> None:
    recorder = Recorder()
    play_match(Numbers(), a_spec(Numbers(), last_turn=1), [says(TIMEOUT), says(1)], [recorder])
    assert recorder.orders == [(Ask(1), TIMEOUT), (Ask(2), 1)]
    assert recorder.faults == [(Ask(1), TIMEOUT)]


def test_observers_hear_of_a_fault_before_the_decision() -> None:
    log: list[tuple[Any, ...]] = []
    play_match(
        Numbers(),
        a_spec(Numbers(), teams=1, last_turn=1),
        [says(TIMEOUT)],
        [LoggingWatcher(log, "first")],
    )
    assert log[2:4] == [
        ("first", "faulted", Ask(1), TIMEOUT),
        ("first", "decided", [Ask(1)], [TIMEOUT]),
    ]


def test_our_own_bug_is_raised_and_charged_to_nobody() -> None:
    class Buggy(Numbers):
        def check(self, state: Any, ask: Ask, answer: Any) -> int:
            raise ZeroDivisionError

    recorder = Recorder()
    with pytest.raises(ZeroDivisionError):
        play_match(Buggy(), a_spec(Numbers()), [says(1), says(1)], [recorder])
    assert (recorder.faults, recorder.outcome) == ([], None)


def test_where_everybody_sees_everything_all_seats_are_told_all_events() -> None:
    seats, recorder = [says(1), says(2)], Recorder()
    play_match(Numbers(), a_spec(Numbers()), seats, [recorder])
    assert [seat.told for seat in seats] == [recorder.events] * 2
    assert [seat.state for seat in seats] == [recorder.state] * 2


def test_seats_are_told_only_what_their_team_may_know() -> None:
    seats, recorder = [says(1), says(2)], Recorder()
    play_match(Cards(), a_spec(Cards(), last_turn=1), seats, [recorder])
    first, peeked_1, second, peeked_2, *rest = recorder.events
    assert (first, peeked_1) == (Drawn(1, recorder.state.cards[0]), Peeked(1))
    assert (second, peeked_2) == (Drawn(2, recorder.state.cards[1]), Peeked(2))
    assert seats[0].told == [first, Peeked(1), Drawn(2, None), *rest]
    assert seats[1].told == [Drawn(1, None), second, Peeked(2), *rest]


def test_what_a_team_cannot_know_is_unknown_in_its_copy_of_the_state() -> None:
    seats, recorder = [says(1), says(2)], Recorder()
    play_match(Cards(), a_spec(Cards()), seats, [recorder])
    cards = recorder.state.cards
    assert None not in cards
    assert [seat.state.cards for seat in seats] == [[cards[0], None], [None, cards[1]]]
    for seat in seats:
        assert (seat.state.turn, seat.state.scores) == (2, recorder.state.scores)


def test_the_asked_team_is_shown_its_view() -> None:
    views = []

    class Looking(ScriptedSeat):
        def put(self, ask: Ask, view: Any) -> None:
            views.append((ask.team, view))
            super().put(ask, view)

    seats, recorder = [Looking(lambda ask, state: 1) for _ in range(2)], Recorder()
    play_match(Cards(), a_spec(Cards(), last_turn=1), seats, [recorder])
    assert sorted(views) == [
        (team, f"your card is {recorder.state.cards[team - 1]}") for team in (1, 2)
    ]


def test_the_seed_of_the_spec_decides_the_chance_of_the_match() -> None:
    cards = []
    for seed in (1, 1, 2):
        recorder = Recorder()
        play_match(Cards(), a_spec(Cards(), seed=seed), [says(1), says(2)], [recorder])
        cards.append(recorder.state.cards)
    assert cards[0] == cards[1] != cards[2]
