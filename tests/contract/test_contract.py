"""What the engine, the replay and the tournaments rely on, for every game of the catalog."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, MatchEnded, Refusal
from engine.match import play_match
from engine.observer import Observer
from engine.spec import decode_spec, encode_spec
from engine.streams import Streams
from tests.contract.playing import (
    Match,
    Matches,
    a_random_match,
    a_spec,
    by_the_rules,
    few,
    garbage,
    rebuilt,
    seeds,
)
from tests.contract.samples import SAMPLES, Sample
from tests.engine.advancing import advance
from tests.engine.seats import Answer, ScriptedSeat, copy_over_wire
from tests.examples import examples


def test_every_game_has_a_sample() -> None:
    assert SAMPLES.keys() == GAMES.keys()


def test_the_catalog_knows_a_game_by_its_own_name(game: AnyGame) -> None:
    assert GAMES[game.name] is game
    assert game.title
    assert len(game.team_counts) > 0


def test_the_events_rebuild_the_state(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        record = match.record
        assert rebuilt(record.first_state, record.events, game) == record.state


def test_what_a_team_was_told_rebuilds_what_it_knows(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        for seat in match.seats:
            assert rebuilt(seat.first_state, seat.told, game) == seat.state
            if game.open_information:
                assert seat.told == match.record.events


def test_the_same_seed_and_orders_give_the_same_stream(
    game: AnyGame, sample: Sample, matches: Matches
) -> None:
    for match in matches:
        again = a_random_match(game, sample, match.spec.settings, match.spec.seed)
        first, second = (msgspec.json.encode(one.record.events) for one in (match, again))
        assert first == second


def test_the_rules_alone_make_the_same_stream_of_the_recorded_orders(
    game: AnyGame, matches: Matches
) -> None:
    for match in matches:
        spec, orders = match.spec, match.record.orders
        assert by_the_rules(game, spec.settings, match.teams, spec.seed, orders) == (
            match.record.events
        )


def test_orders_survive_the_wire(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        record = match.record
        assert record.orders
        for _, order in record.orders:
            if not isinstance(order, Fault):
                assert msgspec.json.decode(msgspec.json.encode(order), type=game.order) == order


def test_there_is_always_someone_to_ask_and_it_is_a_team_of_the_match(
    game: AnyGame, matches: Matches
) -> None:
    for match in matches:
        assert match.record.orders
        assert {ask.team for ask, _ in match.record.orders} <= set(range(1, match.teams + 1))


def test_scores_are_stable(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        record = match.record
        *before, last = match.onlooker.outcomes
        assert set(before) <= {None}  # no outcome before the end
        assert last == match.outcome == record.outcome == game.outcome(copy_over_wire(record.state))
        assert record.events[-1] == MatchEnded(match.outcome.scores, match.outcome.reason)
        assert game.standing(record.state).scores == match.outcome.scores
        assert len(match.outcome.scores) == match.teams


@few
@given(data=st.data(), seed=seeds, answers=st.lists(garbage, min_size=1, max_size=20))
def test_a_garbage_answer_is_refused_with_a_reason(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, answers: list[Any]
) -> None:
    checked: list[Any] = []

    def answer(ask: Ask, known: Any) -> Any:
        return answers[len(checked) % len(answers)]

    class Checked(Observer):
        def on_decision(self, asks: Any, orders: Any) -> None:
            checked.extend(orders)

    seats = [ScriptedSeat(answer) for _ in range(game.team_counts[0])]
    spec = a_spec(game, data.draw(sample.settings), seed, len(seats))
    play_match(game, spec, seats, [Checked()])
    assert checked
    for order in checked:
        if isinstance(order, Fault):  # by luck, something may be an order
            assert order.cause is Cause.ILLEGAL
            assert order.detail
            assert order.detail.isprintable()


def test_a_refusal_says_why_and_does_not_repeat_an_endless_answer(game: AnyGame) -> None:
    state = game.new(game.settings(), game.team_counts[0])
    advance(state, game.start(state, Streams(1)))
    ask = game.asks(state)[0]
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    for answer in ("x" * 100_000, [1] * 100_000, deep, {"x": "y" * 100_000}, 10**4000, "\0\n\x1b"):
        refusal = game.check(state, ask, answer)
        assert isinstance(refusal, Refusal)
        assert 0 < len(refusal.reason) < 300


@pytest.mark.variants(24)
@pytest.mark.parametrize("cause", list(Cause))
def test_faults_instead_of_orders_are_accepted_and_two_teams_of_only_faults_draw(
    game: AnyGame, sample: Sample, cause: Cause
) -> None:
    @settings(max_examples=examples(5), database=None)
    @given(data=st.data(), seed=seeds)
    def holds(data: st.DataObject, seed: int) -> None:
        board = sample.settings if sample.idle is None else sample.idle
        silent: list[Answer] = [lambda ask, known: Fault(cause)] * game.team_counts[0]
        match = Match(game, data.draw(board), seed, *silent)
        assert match.outcome.winner is None
        assert {fault.cause for _, fault in match.record.faults} == {cause}

    holds()


@few
@given(data=st.data(), seed=seeds)
def test_a_spec_survives_the_wire(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    spec = a_spec(game, data.draw(sample.settings), seed, game.team_counts[0])
    decoded = decode_spec(encode_spec(spec))
    assert (decoded, decoded.key) == (spec, spec.key)
