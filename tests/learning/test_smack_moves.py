"""Masks of Smack! are made of bitboards: they allow the orders that the game lists, no others."""

import numpy as np
import pytest

from engine.games.smack.orders import Order
from engine.games.smack.position import Position, Side, parse_squares
from engine.games.smack.squares import SQUARE_OF, SQUARES
from learning.encodings.smack import NUMBER_OF, PAIRS, MoveChoice, legal_move_numbers
from learning.match_env import MatchEnv

WITHOUT_MOVES = Position(parse_squares("H7"), 0, Side.BULLIES)


def order_to_action(order: Order) -> int:
    """Return the number of an order."""
    source, target = (NUMBER_OF[SQUARE_OF[name]] for name in order.move.split("-"))
    return order.end * PAIRS + source * len(SQUARES) + target


@pytest.mark.parametrize("offers", [False, True])
def test_a_mask_has_the_orders_that_the_game_lists(offers: bool) -> None:
    env = MatchEnv("smack", offers=offers, settings={"ply_limit": 120})
    env.reset(seed=1)
    chance = np.random.default_rng(1)
    for _ in range(200):
        stepper, ask = env.match.stepper, env.match.next_ask()
        assert ask is not None
        listed = env.match.game.legal_orders(stepper.state, ask)
        assert listed is not None
        orders = {order_to_action(order): order for order in listed if offers or not order.end}
        mask = env.observe(env.agent_selection)["action_mask"]
        assert [*np.flatnonzero(mask)] == sorted(orders) == sorted(env.legal_actions)
        choice = env.match.choice(ask)
        assert {action: choice.take(action) for action in orders} == orders
        assert not any(choice.allows(action) for action in range(300) if action not in orders)
        moves = [action for action, order in orders.items() if not order.end]
        env.step(chance.choice(moves))


def test_a_side_without_moves_has_no_legal_action() -> None:
    assert legal_move_numbers(WITHOUT_MOVES).tolist() == []
    assert not WITHOUT_MOVES.has_moves()


def test_the_numbers_of_moves_are_those_of_their_squares() -> None:
    position = Position(parse_squares("A6"), parse_squares("P6"), Side.NERDS)
    choice = MoveChoice(position, offers=True)
    assert choice.take(order_to_action(Order("A6-B6", True))) == Order("A6-B6", True)
    assert order_to_action(Order("A6-B6")) in choice.legal
