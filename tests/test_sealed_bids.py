"""The second example of the cookbook: what a team knows, and who gets how much."""

from typing import Any

import pytest

from engine.catalog import find_game
from engine.spec import MatchSpec
from engine.stepper import Stepper
from slime_mind_arena.testing import GameContract
from tests.game_packages import BIDS, Install


@pytest.fixture(autouse=True)
def installed(install: Install) -> None:
    install("sealed-bids", BIDS, BIDS)


class TestContract(GameContract):
    game = BIDS
    test_its_starter_bots_play_without_a_fault = None  # type: ignore[assignment]  # where it is installed


def start(**settings: Any) -> Stepper[Any, Any, Any]:
    game = find_game(BIDS)
    spec = MatchSpec(
        game=BIDS,
        rules_version=1,
        settings=game.settings(**settings),
        limits=game.limits,
        bots=("one", "two", "three"),
        seed=1,
    )
    stepper = Stepper[Any, Any, Any](game, spec, listeners=dict.fromkeys((None, 1, 2, 3), repr))
    stepper.start()
    return stepper


@pytest.mark.parametrize(
    ("bids", "coins"),
    [
        ((5, 4, 6), [5, 4, 6]),
        ((9, 2, 5), [0, 2, 5]),
        ((6, 6, 4), [0, 0, 4]),
        ((5, 5, 5), [5, 5, 5]),
    ],
)
def test_the_highest_get_nothing_where_all_want_too_much(
    bids: tuple[int, ...], coins: list[int]
) -> None:
    stepper = start(luck=0)
    stepper.decide(list(bids))
    assert stepper.state.coins == coins


def test_a_team_knows_its_own_coins_and_all_bids() -> None:
    stepper = start(last_turn=2)
    stepper.decide([4, 5, 6])
    for viewer in (None, 1, 2, 3):
        known = stepper.known[viewer]
        assert known.bids == [4, 5, 6]
        whose = [team for team, has in enumerate(known.coins, 1) if has is not None]
        assert whose == ([] if viewer is None else [viewer])
    stepper.decide([0, 0, 0])
    assert stepper.known[None].coins == stepper.state.coins
