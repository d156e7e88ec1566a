"""Every game is played order by order, as by a match loop; the public watches."""

from random import Random
from typing import Any

import msgspec

from engine.game import AnyGame, Event
from engine.stepper import Stepper
from tests.contract.playing import Match, Matches
from tests.engine.seats import Recorder, copy_over_wire


def step_again(
    game: AnyGame, match: Match, dice: Random
) -> tuple[Recorder, Stepper[Any, Any, Any]]:
    """Play the orders of a match again, each decision's in an order of its own."""
    recorder = Recorder()
    stepper = Stepper[Any, Any, Any](game, match.spec, [recorder])
    stepper.start()
    orders = iter(match.record.orders)
    while stepper.outcome is None:
        count = 1 if game.asks_are_separate(stepper.state) else len(stepper.asks)
        decided = [next(orders) for _ in range(count)]
        dice.shuffle(decided)
        for ask, order in decided:
            assert ask in stepper.open_asks
            stepper.take(ask, order)
    return recorder, stepper


def test_order_by_order_it_comes_to_the_same(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        recorder, stepper = step_again(game, match, Random(match.spec.seed))
        assert recorder.events == match.record.events
        assert recorder.orders == match.record.orders
        assert stepper.outcome == match.outcome


def test_the_public_folds_what_it_is_told_and_sees_the_end(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        received: list[Event] = []
        public = game.new(match.spec.settings, match.teams)
        state = copy_over_wire(public)
        for event in match.record.events:
            state.apply(event)
            observed = game.observed_event(state, event, None)
            if observed is not None:
                received.append(observed)
        for event in msgspec.json.decode(msgspec.json.encode(received), type=list[game.event]):  # type: ignore[name-defined]
            public.apply(event)
        assert game.outcome(public) == match.outcome
        if game.open_information:
            assert received == match.record.events
