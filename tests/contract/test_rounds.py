"""Rounds in which several are asked at once, and what any round owes to bots and viewers."""

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from engine.bots.local_seat import LocalSeat
from engine.bots.process_seat import SeatConfig
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, MatchEnded, Stage
from engine.limits import Limits
from engine.match import play_match
from engine.observer import Observer
from engine.streams import Streams
from runners.configuration import HOME
from tests.contract.playing import (
    Matches,
    a_spec,
    counts_for,
    few,
    play_orders,
    seeds,
    simultaneous_asks,
)
from tests.contract.samples import Sample
from tests.engine.advancing import advance
from tests.engine.seats import Recorder, ScriptedSeat, copy_over_wire
from tests.loaded_bots import load_player

TEMPLATE = "player_base"
LOOKED_AT = 40
"""Rounds of a match; looking at all takes too long."""


class Round(NamedTuple):
    """What was asked, answered and ordered, and the state before that."""

    state: Any
    asks: tuple[Ask, ...]
    answers: tuple[Any, ...]
    orders: tuple[Any, ...]


class Rounds(Observer):
    """Answers legally for all teams, and keeps the first rounds of a match."""

    def __init__(self, sample: Sample, dice: Random) -> None:
        self._sample = sample
        self._dice = dice
        self._answers: dict[Ask, Any] = {}
        self._state: Any = None
        self.kept: list[Round] = []

    def answer(self, ask: Ask, known: Any) -> Any:
        self._answers[ask] = answer = self._sample.answer(known, ask, self._dice)
        return answer

    def on_start(self, state: Any) -> None:
        self._state = state

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        if len(self.kept) < LOOKED_AT:
            answers = tuple(self._answers[ask] for ask in asks)
            self.kept.append(
                Round(copy_over_wire(self._state), tuple(asks), answers, tuple(orders))
            )


def play_rounds(game: AnyGame, sample: Sample, board: Any, seed: int) -> list[Round]:
    """Return the rounds of a match of legal answers, of any number of teams."""
    dice = Random(seed)
    rounds, teams = Rounds(sample, dice), dice.choice(counts_for(game, board))
    seats = [ScriptedSeat(rounds.answer) for _ in range(teams)]
    play_match(game, a_spec(game, board, seed, teams), seats, [rounds])
    return rounds.kept


def structs_in(value: Any) -> Iterator[msgspec.Struct]:
    """A value's structs, and theirs."""
    if isinstance(value, msgspec.Struct):
        yield value
        value = [getattr(value, name) for name in value.__struct_fields__]
    elif isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple | set | frozenset):
        return
    for part in value:
        yield from structs_in(part)


def teams_named_in(events: Iterable[Event]) -> set[int]:
    """Return what is called `team` anywhere in them."""
    parts = (part for event in events for part in structs_in(event))
    named = {getattr(part, "team", 0) for part in parts}
    return {team for team in named if isinstance(team, int)}


@few
@given(data=st.data(), seed=seeds)
def test_rules_say_what_happens_and_change_nothing_themselves(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    for before, _, _, orders in play_rounds(game, sample, data.draw(sample.settings), seed):
        state, found = copy_over_wire(before), copy_over_wire(before)
        for event in play_orders(game, state, orders, Streams(seed)):
            assert state == found, event
            state.apply(event)
            found.apply(event)
        assert state == found


@few
@given(data=st.data(), seed=seeds)
def test_who_is_asked_in_a_round_is_asked_of_each_thing_once(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    for state, asks, *_ in play_rounds(game, sample, data.draw(sample.settings), seed):
        assert len({(ask.team, ask.piece_id) for ask in asks}) == len(asks) > 0
        assert simultaneous_asks(game, state) == list(asks)  # of the state alone


@few
@given(data=st.data(), seed=seeds)
def test_answers_of_a_round_may_come_in_any_order(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    """One answer is checked without the others, and checking it leaves no trace."""
    for state, asks, answers, orders in play_rounds(game, sample, data.draw(sample.settings), seed):
        before, places = copy_over_wire(state), Random(seed).sample(range(len(asks)), len(asks))
        checked = {place: game.check(state, asks[place], answers[place]) for place in places}
        assert tuple(checked[place] for place in range(len(asks))) == orders
        assert state == before


@few
@given(data=st.data(), seed=seeds, cause=st.sampled_from(Cause))
def test_a_fault_in_a_round_spoils_no_order_of_others(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, cause: Cause
) -> None:
    """Whatever one of them did, the others' orders are played, and the match goes on or ends."""
    for before, asks, _, orders in play_rounds(game, sample, data.draw(sample.settings), seed):
        state, spoilt = copy_over_wire(before), list(orders)
        spoilt[Random(seed).randrange(len(asks))] = Fault(cause, "why")
        advance(state, play_orders(game, state, spoilt, Streams(seed)))
        assert game.outcome(state) is not None or game.asks(state)


def test_events_name_teams_of_the_match(game: AnyGame, matches: Matches) -> None:
    """0 is nobody."""
    for match in matches:
        assert teams_named_in(match.record.events) <= set(range(match.teams + 1))


def test_scores_and_turns_are_numbers_one_can_draw(game: AnyGame, matches: Matches) -> None:
    for match in matches:
        state, turn = copy_over_wire(match.record.first_state), 0
        for event in match.record.events:
            state.apply(event)
            standing = game.standing(state)
            assert turn <= standing.turn == state.turn <= standing.last_turn
            assert all(isfinite(score) for score in standing.scores)
            turn = standing.turn
        assert match.outcome.reason.isprintable()
        assert match.outcome.reason
        assert match.outcome.winner in (None, *range(1, match.teams + 1))


def test_every_team_hears_how_the_match_ended_and_what_turn_it_is(
    game: AnyGame, matches: Matches
) -> None:
    """Leave stages out where things are hidden: that something happens in one can be a secret."""
    for match in matches:
        public = MatchEnded | Stage if game.open_information else MatchEnded
        ends = [event for event in match.record.events if isinstance(event, public)]
        for seat in match.seats:
            assert [event for event in seat.told if isinstance(event, public)] == ends
            assert seat.state.turn == match.record.state.turn


def test_what_one_team_does_with_its_state_reaches_nobody(game: AnyGame, matches: Matches) -> None:
    """A copy holds nothing of what it was copied from: events change the one, not the other."""
    for match in matches:
        one, other = (copy_over_wire(match.record.first_state) for _ in range(2))
        advance(one, match.record.events)
        assert other == match.record.first_state
        assert one == match.record.state


def test_a_bot_is_told_its_limits_before_it_is_made(game: AnyGame) -> None:
    limits = Limits(cpu_ms=123, wall_ms=456, bank_s=789)
    template: Any = load_template(game)
    received: list[Limits] = []

    class Player(template):  # type: ignore[misc]
        def __init__(self, *facts: Any) -> None:
            received.append(self.limits)
            super().__init__(*facts)

    state = game.new(game.settings(), game.team_counts[0])
    advance(state, game.start(state, Streams(1)))
    ask = game.asks(state)[0]
    host = game.host(Player, state, ask.team, limits)
    host.decide(ask.piece_id, game.view(state, ask))
    assert set(received) == {limits}


def test_the_template_plays_without_a_fault_on_what_it_knows(game: AnyGame, tmp_path: Path) -> None:
    """A bot is asked with nothing but its own copy of what its team knows."""
    teams = counts_for(game, game.settings())[-1]
    spec = a_spec(game, game.settings(), 1, teams)
    seats = [
        LocalSeat(
            SeatConfig(
                name=TEMPLATE,
                bot=template_path(game),
                log=tmp_path / f"{team}.log",
                team=team,
                game=game.name,
                match_seed=spec.seed,
                limits=spec.limits,
            ),
            game,
        )
        for team in range(1, teams + 1)
    ]
    record, enough = Recorder(), Enough()
    try:
        play_match(game, spec, seats, [record, enough])
    except EnoughSeen:
        assert record.orders
    assert record.faults == []


class EnoughSeen(Exception):
    """The rest of a long match is like its beginning."""


class Enough(Observer):
    """Ends a match after so many rounds."""

    def __init__(self) -> None:
        self._left = 300

    def on_decision(self, asks: Sequence[Ask], orders: Sequence[Any]) -> None:
        self._left -= 1
        if not self._left:
            raise EnoughSeen


def template_path(game: AnyGame) -> Path:
    return HOME / "playerCode" / game.bots / f"{TEMPLATE}.py"


def load_template(game: AnyGame) -> type:
    return load_player(template_path(game), TEMPLATE, game.player)
