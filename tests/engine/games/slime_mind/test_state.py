"""The board: applying is the only way to change it."""

import pytest

from engine.game import Event, MatchEnded
from engine.games.slime_mind.events import Died, Grown, Moved
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime


class Unheard(Event, tag="unheard", frozen=True):
    """An event of no game."""


@pytest.mark.parametrize("event", [Unheard(), Moved(99, 0, 0), Grown(99, 1, 6, 3), Died(99, 1)])
def test_an_event_that_is_not_of_this_board_is_an_error(event: Event) -> None:
    with pytest.raises(KeyError):
        a_board("A B").apply(event)


def test_two_boards_share_nothing() -> None:
    first, second = a_board("A . B"), a_board("A . B")
    first.apply(Moved(1, 1, 0))
    assert second == a_board("A . B")


def test_the_end_of_a_match_leaves_nobody_in_the_queue() -> None:
    board = a_board("A B")
    board.apply(MatchEnded((0.2, 0.2), "last turn"))
    assert (board.queue, board.ending) == ([], MatchEnded((0.2, 0.2), "last turn"))


def test_empty_squares_around_are_listed_row_by_row() -> None:
    board = a_board(
        """
        . p .
        . A #
        B . .
        """
    )
    assert board.empty_around(1, 1) == [(0, 0), (2, 0), (0, 1), (1, 2), (2, 2)]
    assert board.empty_around(0, 0) == [(0, 1)]


def test_slimes_are_counted_by_team() -> None:
    board = a_board("A C B p", C=a_slime(5), p=a_plant(3))
    assert board.slimes_of == {1: 2, 2: 1}
    board.apply(Died(5, by=2))
    assert board.slimes_of == {1: 1, 2: 1}
