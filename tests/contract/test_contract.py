"""What the engine, the replay and the tournaments rely on, for every game of the catalogue."""

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.bots.fault import Cause, Fault
from engine.catalogue import GAMES
from engine.game import Ask, Event, Game, MatchEnded, Outcome, Refusal, Standing
from engine.match import Watcher, play_match
from engine.spec import MatchSpec, decode_spec
from engine.streams import Streams
from tests.contract.samples import SAMPLES, Sample
from tests.engine.seats import Answer, Recorder, ScriptedSeat, copy_of

AnyGame = Game[Any, Any, Any]
seeds = st.integers(0, 2**64 - 1)
few = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])

garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@pytest.fixture(scope="module", params=[*GAMES.values()], ids=[*GAMES])
def game(request: pytest.FixtureRequest) -> AnyGame:
    picked: AnyGame = request.param
    return picked


@pytest.fixture(scope="module")
def sample(game: AnyGame) -> Sample:
    return SAMPLES[game.name]


class Onlooker(Watcher):
    """Looks at the state after every seventh event and at the end, in every way there is."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game
        self._seen = 0
        self.outcomes: list[Outcome | None] = []

    def began(self, state: Any) -> None:
        self._state = state
        self._teams = game_teams(self._game)

    def happened(self, event: Event) -> None:
        self._seen += 1
        if self._seen % 7 and not isinstance(event, MatchEnded):
            return
        before = copy_of(self._state)
        assert before == self._state
        self._look()
        assert self._state == before  # looking changes nothing
        self.outcomes.append(self._game.outcome(self._state))

    def _look(self) -> None:
        standing = self._game.standing(self._state)
        assert isinstance(standing, Standing)
        assert len(standing.scores) == self._teams
        assert self._game.text(self._state)
        for team in range(1, self._teams + 1):
            assert self._game.describe(self._state, team)


class Match:
    """A match that was played, and all that was told of it."""

    def __init__(self, game: AnyGame, board: Any, seed: int, *answers: Answer) -> None:
        self.spec = a_spec(game, board, seed, len(answers))
        self.seats = [ScriptedSeat(answer) for answer in answers]
        self.record, self.onlooker = Recorder(), Onlooker(game)
        self.outcome = play_match(game, self.spec, self.seats, [self.record, self.onlooker])


def game_teams(game: AnyGame) -> int:
    return game.team_counts[0]


def a_spec(game: AnyGame, board: Any, seed: int, teams: int) -> MatchSpec:
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=board,
        limits=game.limits,
        bots=tuple(f"bot {team}" for team in range(1, teams + 1)),
        seed=seed,
    )


def a_random_match(game: AnyGame, sample: Sample, board: Any, seed: int) -> Match:
    """Legal answers mostly, some that are not, and a fault now and then."""

    def answer_of(dice: Random) -> Answer:
        def answer(ask: Ask, known: Any) -> Any:
            draw = dice.random()
            if draw < 0.05:
                return Fault(dice.choice([*Cause]), "why")
            return None if draw < 0.08 else sample.answer(known, ask, dice)

        return answer

    dices = [Random(f"{seed}/{team}") for team in range(game_teams(game))]
    return Match(game, board, seed, *map(answer_of, dices))


def through_the_wire(events: list[Event], game: AnyGame) -> Iterator[Event]:
    for event in events:
        decoded = msgspec.json.decode(msgspec.json.encode(event), type=game.event)
        assert (type(decoded), decoded) == (type(event), event)
        yield decoded


def rebuilt(first_state: Any, events: list[Event], game: AnyGame) -> Any:
    state = copy_of(first_state)
    for event in through_the_wire(events, game):
        state.apply(event)
    return state


def advance(state: Any, events: Iterable[Event]) -> list[Event]:
    """Apply each event before the rule resumes."""
    told = []
    for event in events:
        state.apply(event)
        told.append(event)
    return told


def test_every_game_has_a_sample() -> None:
    assert SAMPLES.keys() == GAMES.keys()


def test_the_catalogue_knows_a_game_by_its_own_name(game: AnyGame) -> None:
    assert GAMES[game.name] is game
    assert game.title
    assert len(game.team_counts) > 0


@few
@given(data=st.data(), seed=seeds)
def test_the_events_rebuild_the_state(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    match = a_random_match(game, sample, data.draw(sample.settings), seed)
    record = match.record
    assert rebuilt(record.first_state, record.events, game) == record.state


@few
@given(data=st.data(), seed=seeds)
def test_what_a_team_was_told_rebuilds_what_it_knows(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    match = a_random_match(game, sample, data.draw(sample.settings), seed)
    for seat in match.seats:
        assert rebuilt(seat.first_state, seat.told, game) == seat.state
        if game.open_information:
            assert seat.told == match.record.events


@few
@given(data=st.data(), seed=seeds)
def test_the_same_seed_and_orders_give_the_same_stream(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    board = data.draw(sample.settings)
    first, second = (a_random_match(game, sample, board, seed).record for _ in range(2))
    assert msgspec.json.encode(first.events) == msgspec.json.encode(second.events)


@few
@given(data=st.data(), seed=seeds)
def test_the_rules_alone_make_the_same_stream_of_the_recorded_orders(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    match = a_random_match(game, sample, data.draw(sample.settings), seed)
    orders = iter([order for _, order in match.record.orders])
    state, streams = game.new(match.spec.settings, game_teams(game)), Streams(seed)
    events = advance(state, game.start(state, streams))
    while game.outcome(state) is None:
        together = [next(orders) for _ in game.asks(state)]
        events += advance(state, game.play(state, together, streams))
    assert events == match.record.events


@few
@given(data=st.data(), seed=seeds)
def test_orders_survive_the_wire(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    record = a_random_match(game, sample, data.draw(sample.settings), seed).record
    for _, order in record.orders:
        if not isinstance(order, Fault):
            assert msgspec.json.decode(msgspec.json.encode(order), type=game.order) == order


@few
@given(data=st.data(), seed=seeds)
def test_there_is_always_someone_to_ask_and_it_is_a_team_of_the_match(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    record = a_random_match(game, sample, data.draw(sample.settings), seed).record
    assert record.orders
    assert {ask.team for ask, _ in record.orders} <= set(range(1, game_teams(game) + 1))


@few
@given(data=st.data(), seed=seeds)
def test_scores_are_stable(game: AnyGame, sample: Sample, data: st.DataObject, seed: int) -> None:
    match = a_random_match(game, sample, data.draw(sample.settings), seed)
    record = match.record
    *before, last = match.onlooker.outcomes
    assert set(before) <= {None}  # no outcome before the end
    assert last == match.outcome == record.outcome == game.outcome(copy_of(record.state))
    assert record.events[-1] == MatchEnded(match.outcome.scores, match.outcome.reason)
    assert game.standing(record.state).scores == match.outcome.scores
    assert len(match.outcome.scores) == game_teams(game)


@few
@given(data=st.data(), seed=seeds, answers=st.lists(garbage, min_size=1, max_size=20))
def test_a_garbage_answer_is_refused_with_a_reason(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, answers: list[Any]
) -> None:
    checked: list[Any] = []

    def answer(ask: Ask, known: Any) -> Any:
        return answers[len(checked) % len(answers)]

    class Checked(Watcher):
        def decided(self, asks: Any, orders: Any) -> None:
            checked.extend(orders)

    seats = [ScriptedSeat(answer) for _ in range(game_teams(game))]
    spec = a_spec(game, data.draw(sample.settings), seed, len(seats))
    play_match(game, spec, seats, [Checked()])
    assert checked
    for order in checked:
        if isinstance(order, Fault):  # by luck, something may be an order
            assert order.cause is Cause.ILLEGAL
            assert order.detail
            assert order.detail.isprintable()


def test_a_refusal_says_why_and_does_not_repeat_an_endless_answer(game: AnyGame) -> None:
    state = game.new(game.settings(), game_teams(game))
    advance(state, game.start(state, Streams(1)))
    ask = game.asks(state)[0]
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    for answer in ("x" * 100_000, [1] * 100_000, deep, {"x": "y" * 100_000}, 10**4000, "\0\n\x1b"):
        refusal = game.check(state, ask, answer)
        assert isinstance(refusal, Refusal)
        assert 0 < len(refusal.reason) < 300


@pytest.mark.parametrize("cause", list(Cause))
def test_faults_instead_of_orders_are_accepted_and_two_teams_of_only_faults_draw(
    game: AnyGame, sample: Sample, cause: Cause
) -> None:
    @settings(max_examples=5, database=None)
    @given(data=st.data(), seed=seeds)
    def holds(data: st.DataObject, seed: int) -> None:
        silent: list[Answer] = [lambda ask, known: Fault(cause)] * game_teams(game)
        match = Match(game, data.draw(sample.settings), seed, *silent)
        assert match.outcome.winner is None
        assert {fault.cause for _, fault in match.record.faults} == {cause}

    holds()


@few
@given(data=st.data(), seed=seeds)
def test_a_spec_survives_the_wire(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    spec = a_spec(game, data.draw(sample.settings), seed, game_teams(game))
    decoded = decode_spec(msgspec.json.encode(spec))
    assert (decoded, decoded.key) == (spec, spec.key)
