"""The list of moves of a board game."""

from visualizer.backends.arcade.replay_view import MoveList
from visualizer.model.timeline import ReplayTimeline


def test_every_move_is_in_the_list_of_its_board_in_order(smack_timeline: ReplayTimeline) -> None:
    moves = MoveList(smack_timeline)
    moves.add_new_moves()
    first, second = moves.boards
    assert len(first) > 4
    assert len(second) > 4
    for board in (first, second):
        positions = [move.position for move in board]
        assert positions == sorted(positions)
        assert all("-" in move.words for move in board)
    moves.add_new_moves()
    assert (len(first), len(second)) == tuple(map(len, moves.boards))


def test_the_last_move_is_that_at_the_playhead_or_before_it(smack_timeline: ReplayTimeline) -> None:
    moves = MoveList(smack_timeline)
    moves.add_new_moves()
    third = moves.boards[0][2]
    assert moves.last_move_number(0, 0) is None
    assert moves.last_move_number(0, third.position) == 2
    assert moves.last_move_number(0, third.position - 1) == 1
    assert moves.last_move_number(0, smack_timeline.steps) == len(moves.boards[0]) - 1


def test_a_game_without_moves_has_no_list(smac_timeline: ReplayTimeline) -> None:
    moves = MoveList(smac_timeline)
    moves.add_new_moves()
    assert moves.boards == []
