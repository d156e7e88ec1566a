"""Playing on with a copy, as bots do that look ahead, for every game whose bots can."""

from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.game import AnyGame, Ask, MatchEnded, Refusal
from engine.simulation import IllegalOrder, Simulation, Simulator
from engine.stepper import Stepper
from tests.contract.playing import a_spec, few, seeds
from tests.contract.samples import SAMPLES, Sample

SIMULATED = ("slime_mind", "smack", "smac")
"""Shapes of the Game of Death decide alone, and have no board."""
FEW_STEPS = 12


@pytest.fixture(scope="module", params=SIMULATED)
def game(request: pytest.FixtureRequest) -> AnyGame:
    return GAMES[request.param]


@pytest.fixture(scope="module")
def sample(game: AnyGame) -> Sample:
    return SAMPLES[game.name]


def encode(state: Any) -> bytes:
    return msgspec.json.encode(state)


def under_way(
    game: AnyGame, sample: Sample, board: Any, seed: int, steps: int
) -> Stepper[Any, Any, Any]:
    """Return a match after some decisions of legal answers, perhaps over."""
    dice, teams = Random(seed), game.team_counts[0]
    listeners: dict[int | None, Any] = {team: lambda event: None for team in range(1, teams + 1)}
    match = Stepper(game, a_spec(game, board, seed, teams), (), listeners)
    match.start()
    for _ in range(steps):
        for ask in list(match.asks):
            if ask in match.asks:
                order = match.check(ask, sample.answer(match.known[ask.team], ask, dice))
                assert not isinstance(order, Refusal)
                match.take(ask, order)
    return match


def answers(simulation: Simulation[Any, Any, Any], sample: Sample, dice: Random) -> list[Any]:
    return [sample.answer(simulation.state, ask, dice) for ask in simulation.asks]


@few
@given(data=st.data(), seed=seeds, steps=st.integers(0, FEW_STEPS))
def test_a_simulation_is_played_to_its_end_and_changes_nothing_else(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, steps: int
) -> None:
    match = under_way(game, sample, data.draw(sample.settings), seed, steps)
    for team, known in match.known.items():
        assert team is not None
        before = encode(known)
        simulation, dice = Simulator(game, known, team)(seed), Random(seed)
        while simulation.outcome is None:
            simulation.play(*answers(simulation, sample, dice))
        assert encode(known) == before
        if match.outcome is None:
            assert isinstance(simulation.events[-1], MatchEnded)
            assert simulation.scores == simulation.outcome.scores


@few
@given(data=st.data(), seed=seeds, steps=st.integers(0, FEW_STEPS))
def test_from_the_same_seed_the_same_follows_and_copies_are_played_by_themselves(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, steps: int
) -> None:
    match = under_way(game, sample, data.draw(sample.settings), seed, steps)
    simulate = Simulator(game, match.known[1], 1)
    first, second = simulate(seed), simulate(seed)
    copied, as_copied = first.copy(seed), encode(first.state)
    dice, same = Random(seed), Random(seed)
    for _ in range(FEW_STEPS):
        if first.outcome is None:
            assert first.play(*answers(first, sample, dice)) == second.play(
                *answers(second, sample, same)
            )
    assert encode(first.state) == encode(second.state)
    assert encode(copied.state) == as_copied


@few
@given(data=st.data(), seed=seeds, steps=st.integers(0, FEW_STEPS))
def test_what_a_team_knows_stands_in_its_simulation_and_nothing_is_unknown(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int, steps: int
) -> None:
    match = under_way(game, sample, data.draw(sample.settings), seed, steps)
    for team, known in match.known.items():
        assert team is not None
        simulated = Simulator(game, known, team)(seed).state
        fields = zip(
            *(msgspec.to_builtins(state).items() for state in (known, simulated)), strict=True
        )
        for (name, found), (_, drawn) in fields:
            assert agrees(found, drawn), name


def agrees(told: Any, drawn: Any) -> bool:
    """Return whether all that is not None in one stands in the other."""
    if told is None:
        return True
    if isinstance(told, dict):
        return told.keys() == drawn.keys() and all(agrees(told[key], drawn[key]) for key in told)
    if isinstance(told, list | tuple):
        return len(told) == len(drawn) and all(map(agrees, told, drawn))
    return bool(told == drawn)


@few
@given(data=st.data(), seed=seeds)
def test_copies_of_a_state_share_nothing_that_changes(
    game: AnyGame, sample: Sample, data: st.DataObject, seed: int
) -> None:
    match = under_way(game, sample, data.draw(sample.settings), seed, 3)
    before, copied = encode(match.state), game.copy(match.state)
    assert encode(copied) == before
    simulation, dice = Simulation(game, copied, seed), Random(seed)
    for _ in range(FEW_STEPS):
        if simulation.outcome is None:
            simulation.play(*answers(simulation, sample, dice))
    assert encode(match.state) == before


def test_the_chance_of_a_simulation_is_not_that_of_the_match() -> None:
    game, sample = GAMES["slime_mind"], SAMPLES["slime_mind"]
    settings = game.settings()
    grown = set()
    for seed in (None, None, 1, 1):
        match = under_way(game, sample, settings, 7, 1)
        simulation = Simulator(game, match.state, 1)(seed)
        while simulation.turn < 3:
            simulation.play("UP")
        grown.add(encode(simulation.state.plants))
    assert len(grown) == 3


def test_an_order_that_is_refused_changes_nothing_and_says_why(
    game: AnyGame, sample: Sample
) -> None:
    match = under_way(game, sample, game.settings(), 1, 0)
    simulation = Simulator(game, match.known[1], 1)(1)
    before = encode(simulation.state)
    with pytest.raises(IllegalOrder, match=r"\w+ \w+"):
        simulation.play(*[object()] * len(simulation.asks))
    with pytest.raises(IllegalOrder, match="expected an order for each of"):
        simulation.play()
    assert encode(simulation.state) == before


@pytest.mark.parametrize("number", [np.int64, np.array, float])
def test_a_seed_of_numpy_is_a_seed(game: AnyGame, sample: Sample, number: Any) -> None:
    match = under_way(game, sample, game.settings(), 7, 1)
    simulator = Simulator(game, match.known[1], 1)
    assert encode(simulator(number(3)).state) == encode(simulator(3).state)


def test_an_order_in_a_text_of_numpy_is_an_order() -> None:
    game = GAMES["slime_mind"]
    match = under_way(game, SAMPLES["slime_mind"], game.settings(), 7, 1)
    simulation = Simulator(game, match.known[1], 1)(3)
    same = simulation.copy(3)
    assert simulation.play(np.str_("LEFT")) == same.play("LEFT")


def test_no_order_is_none(game: AnyGame, sample: Sample) -> None:
    match = under_way(game, sample, game.settings(), 1, 0)
    simulation = Simulator(game, match.known[1], 1)(1)
    assert simulation.play(*[None] * len(simulation.asks))


def test_listed_orders_can_be_played(game: AnyGame, sample: Sample) -> None:
    match = under_way(game, sample, game.settings(), 1, 0)
    simulation = Simulator(game, match.known[1], 1)(1)
    asks: list[Ask] = list(simulation.asks)
    if game.name == "smac":
        with pytest.raises(IllegalOrder, match="too many orders"):
            simulation.legal_orders()
        orders: list[Any] = [simulation.sheet(ask.team) for ask in asks]
    else:
        orders = [simulation.legal_orders(ask)[-1] for ask in asks]
    assert simulation.play(*orders)


def test_a_board_made_by_hand_says_that_it_has_no_match() -> None:
    with pytest.raises(TypeError, match="made without a game"):
        Simulator[Any, Any, Any](None, None, 1)()
