"""What a page is told of the map of Slime Mind."""

from engine.games.slime_mind.events import Died, Merged, Nothing, Reason
from engine.games.slime_mind.orders import Command
from server.games.boards.slime_mind import view, words
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime, an_enemy


def test_a_side_is_bitten_where_something_stands_and_else_stepped_on() -> None:
    board = a_board(
        """
        . p . #
        . A B .
        . C . .
        """,
        C=a_slime(5),
    )
    (slime, friend) = view(board, 1, (1,), ()).slimes
    assert slime.square == "1, 1"
    assert slime.sides == {
        "0, 1": Command.LEFT,
        "1, 0": Command.BITEUP,
        "2, 1": Command.BITERIGHT,
    }  # below is a friend, whom a click takes up
    assert Command.BITEDOWN not in slime.no_effect
    assert friend.sides == {"0, 2": Command.LEFT, "2, 2": Command.RIGHT}


def test_what_would_do_nothing_is_told_with_the_reason() -> None:
    (slime,) = view(a_board("A . # B"), 1, (1,), ()).slimes
    assert slime.no_effect == {
        Command.LEFT: Reason.EDGE,
        Command.UP: Reason.EDGE,
        Command.DOWN: Reason.EDGE,
        Command.BITELEFT: Reason.NO_TARGET,
        Command.BITERIGHT: Reason.NO_TARGET,
        Command.BITEUP: Reason.NO_TARGET,
        Command.BITEDOWN: Reason.NO_TARGET,
        Command.SPLIT: Reason.LOW_LEVEL,
    }


def test_up_is_where_the_map_says() -> None:
    board = a_board("A B\n. .", y_up=True)
    (slime,) = view(board, 1, (1,), ()).slimes
    assert slime.sides == {"0, 1": Command.UP, "1, 0": Command.BITERIGHT}


def test_only_those_in_the_queue_wait_and_one_is_asked() -> None:
    board = a_board("A . B C", queue=(5, 2), C=a_slime(5))
    shown = view(board, 1, (1,), ())
    assert [(slime.id, slime.is_waiting) for slime in shown.slimes] == [(1, False), (5, True)]
    assert shown.acting == 5


def test_what_others_have_is_told_in_words() -> None:
    board = a_board("A # p B", p=a_plant(3, level=4, hp=20), B=an_enemy(2, xp=33))
    assert view(board, 1, (1,), ()).others == {
        "1, 0": "a rock",
        "2, 0": "a plant of level 4, 20 hp",
        "3, 0": "a slime of team 2, level 5, 28 hp",
    }
    assert view(board, None, (), ()).slimes == []


def test_what_happened_is_told_where_a_reader_wants_to_know() -> None:
    assert words(Merged(1, 3, 20, 11)) == "slime 1 merged with slime 3"
    assert words(Died(7, 1)) == "slime 1 has bitten piece 7 away"
    assert words(Nothing(1, Reason.EDGE)) is None
