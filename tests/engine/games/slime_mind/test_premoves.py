"""What people order ahead for slimes: commands, and errands that last several turns."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.catalog import find_game
from engine.game import Ask, Refusal
from engine.games.slime_mind.events import Nothing
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.rules import ACTIONS
from engine.games.slime_mind.state import Board
from engine.streams import Streams
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime

GAME = find_game("slime_mind")
FIRST = Ask(1, 1)


def command(board: Board, ahead: object, ask: Ask = FIRST) -> Any:
    return GAME.premove(board, ask, ahead)


def lasts(board: Board, ahead: object) -> bool:
    return GAME.premove_lasts(board, FIRST, ahead)


@for_each("one", Command)
def test_each_command_may_be_ordered_ahead(one: Command) -> None:
    assert command(a_board("A . B"), str(one)) is one


def test_who_eats_goes_to_the_nearest_plant_and_bites_it() -> None:
    far = a_board(
        """
        A . . . q B
        . . . . . .
        p . . . . .
        """,
        q=a_plant(4),
    )
    assert command(far, "EAT") is Command.DOWN
    assert command(a_board("p A B"), "EAT") is Command.BITELEFT


def test_who_eats_passes_over_a_plant_to_which_no_way_leads() -> None:
    board = a_board(
        """
        p # . . . B
        # . A . . q
        """,
        q=a_plant(4),
    )
    assert command(board, "EAT") is Command.RIGHT


@for_each("ahead", ["EAT", "WAIT", ["GO", 1, 0]])
@for_each("drawing", ["# A B", ". A B", "B A .", "C A B"])
def test_without_anything_to_do_a_command_without_effect_is_given(
    ahead: object, drawing: str
) -> None:
    board = a_board(drawing, C=a_slime(5))
    done = ACTIONS[command(board, ahead)](board, board.slimes[1], Streams(0))
    assert type(done[0]) is Nothing


def test_who_goes_steps_on_an_empty_square_and_bites_what_stands_there() -> None:
    board = a_board(
        """
        A . . .
        . . B p
        """
    )
    assert command(board, ["GO", 3, 0]) is Command.RIGHT
    assert command(board, ["GO", 1, 0]) is Command.RIGHT
    beside = a_board("A B p")
    assert command(beside, ["GO", 1, 0]) is Command.BITERIGHT
    friends = a_board("A C B", C=a_slime(5))
    assert command(friends, ["GO", 1, 0]) not in {Command.RIGHT, Command.BITERIGHT}


def test_an_errand_lasts_until_it_is_done() -> None:
    board = a_board("A . B C", C=a_slime(5))
    assert lasts(board, "EAT")
    assert lasts(board, ["GO", 1, 0])
    assert lasts(board, ["GO", 2, 0])
    assert lasts(board, ["GO", 3, 0])
    assert not lasts(board, ["GO", 0, 0])
    assert not lasts(a_board("A C B", C=a_slime(5)), ["GO", 1, 0])
    assert not lasts(a_board("A # B"), ["GO", 1, 0])
    assert not any(lasts(board, one) for one in (*Command, "WAIT", "?"))
    assert not GAME.premove_lasts(board, Ask(1, 9), "EAT")


@pytest.mark.parametrize(
    ("ahead", "message"),
    [
        ("FLY", "'FLY' is none of LEFT, RIGHT"),
        (None, "None is none of"),
        (["GO", 3, 0], "there is no square 3, 0"),
        (["GO", -1, 0], "there is no square -1, 0"),
        (["GO", 1.5, 0], "is none of"),
        (["GO", True], "is none of"),
    ],
)
def test_what_is_no_order_is_refused_with_its_reason(ahead: object, message: str) -> None:
    refused = command(a_board("A . B"), ahead)
    assert isinstance(refused, Refusal)
    assert message in refused.reason


@pytest.mark.parametrize("ask", [Ask(1, 2), Ask(2, 1), Ask(1, 9)])
def test_slimes_of_others_and_those_that_are_gone_take_no_orders(ask: Ask) -> None:
    refused = command(a_board("A . B"), "EAT", ask)
    assert isinstance(refused, Refusal)
    assert f"team {ask.team} has no slime {ask.piece_id}" in refused.reason


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(ahead=JSON | st.tuples(st.just("GO"), st.integers(-9, 9), st.integers(-9, 9)).map(list))
def test_whatever_a_browser_sends_is_an_order_or_is_refused(ahead: object) -> None:
    board = a_board("A . p . B")
    assert type(command(board, json.loads(json.dumps(ahead)))) in {Command, Refusal}
    assert lasts(board, ahead) in {True, False}
