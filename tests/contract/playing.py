"""Matches of any game, played by dice: what the tests of the contract are made of."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import msgspec
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, MatchEnded, Outcome, Standing
from engine.match import play_match
from engine.observer import Observer
from engine.spec import MatchSpec
from engine.streams import Streams
from tests.contract.samples import SAMPLES, Sample
from tests.engine.advancing import advance
from tests.engine.seats import Answer, Recorder, ScriptedSeat, copy_over_wire
from tests.examples import examples

seeds = st.integers(0, 2**64 - 1)
garbage = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)
few = settings(max_examples=examples(25), suppress_health_check=[HealthCheck.too_slow])


class Onlooker(Observer):
    """Looks at the state at first, after every seventh event and at the end, in every way."""

    def __init__(self, game: AnyGame, teams: int) -> None:
        self._game = game
        self._teams = teams
        self._seen = 0
        self.outcomes: list[Outcome | None] = []

    def on_start(self, state: Any) -> None:
        self._state = state
        self._look()

    def on_event(self, event: Event) -> None:
        self._seen += 1
        if self._seen % 7 and not isinstance(event, MatchEnded):
            return
        before = copy_over_wire(self._state)
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
        self.teams = len(answers)
        self.spec = a_spec(game, board, seed, self.teams)
        self.seats = [ScriptedSeat(answer) for answer in answers]
        self.record, self.onlooker = Recorder(), Onlooker(game, self.teams)
        self.outcome = play_match(game, self.spec, self.seats, [self.record, self.onlooker])

    def __repr__(self) -> str:
        """Return how a random match is played again."""
        return f"a_random_match(game, sample, {self.spec.settings!r}, {self.spec.seed})"


Matches = tuple[Match, ...]


def a_spec(game: AnyGame, board: Any, seed: int, teams: int) -> MatchSpec:
    return MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=board,
        limits=game.limits,
        bots=tuple(f"bot {team}" for team in range(1, teams + 1)),
        seed=seed,
    )


def counts_for(game: AnyGame, board: Any) -> list[int]:
    """Return how many teams can play on a board."""
    return [count for count in game.team_counts if game.why_not_played(board, count) is None]


def a_random_match(game: AnyGame, sample: Sample, board: Any, seed: int) -> Match:
    """Return a match of random answers: legal ones mostly, some illegal, some faults."""

    def random_answer(dice: Random) -> Answer:
        def answer(ask: Ask, known: Any) -> Any:
            draw = dice.random()
            if draw < 0.05:
                return Fault(dice.choice([*Cause]), "why")
            return None if draw < 0.08 else sample.answer(known, ask, dice)

        return answer

    teams = Random(seed).choice(counts_for(game, board))
    dices = [Random(f"{seed}/{team}") for team in range(teams)]
    return Match(game, board, seed, *map(random_answer, dices))


@cache
def random_matches(name: str) -> Matches:
    """Return random matches of a game, played once for all tests of this process."""
    game, sample, matches = GAMES[name], SAMPLES[name], list[Match]()

    @settings(few, database=None, phases=[Phase.generate])
    @given(data=st.data(), seed=seeds)
    def play(data: st.DataObject, seed: int) -> None:
        matches.append(a_random_match(game, sample, data.draw(sample.settings), seed))

    play()
    return tuple(matches)


def through_the_wire(events: list[Event], game: AnyGame) -> Iterator[Event]:
    for event in events:
        decoded = msgspec.json.decode(msgspec.json.encode(event), type=game.event)
        assert (type(decoded), decoded) == (type(event), event)
        yield decoded


def rebuilt(first_state: Any, events: list[Event], game: AnyGame) -> Any:
    state = copy_over_wire(first_state)
    for event in through_the_wire(events, game):
        state.apply(event)
    return state


def simultaneous_asks(game: AnyGame, state: Any) -> list[Ask]:
    """Return the asks whose orders the match loop plays together."""
    asks = list(game.asks(state))
    return asks[:1] if game.asks_are_separate(state) else asks


def play_orders(
    game: AnyGame, state: Any, orders: Sequence[Any], streams: Streams
) -> Iterator[Event]:
    """Yield what follows from the orders of `decided_together`."""
    if game.asks_are_separate(state):
        return game.play_one(state, game.asks(state)[0], orders[0], streams)
    return game.play(state, orders, streams)


def by_the_rules(
    game: AnyGame, board: Any, teams: int, seed: int, given_orders: Iterable[tuple[Ask, Any]]
) -> list[Event]:
    """Return the events that the rules alone make of all orders of a match."""
    orders = iter([order for _, order in given_orders])
    state, streams = game.new(board, teams), Streams(seed)
    events = advance(state, game.start(state, streams))
    while game.outcome(state) is None:
        together = [next(orders) for _ in simultaneous_asks(game, state)]
        events += advance(state, play_orders(game, state, together, streams))
    assert next(orders, None) is None
    return events
