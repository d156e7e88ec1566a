"""End and score (docs/rules/slime_mind.md 7)."""

from typing import Any

from engine.game import MatchEnded, Outcome, Stage
from engine.games.slime_mind.events import Levelled, Moved, Nothing, Reason
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.rules import scores
from engine.games.slime_mind.settings import LEVELS
from tests.engine.games.slime_mind.boards import a_board, a_slime, an_enemy, play


def test_7_1_a_match_ends_after_its_last_turn() -> None:
    board = a_board("A . B", turn=2, max_turns=2)
    assert play(board, "LEFT", "RIGHT") == [
        Nothing(1, Reason.EDGE),
        Nothing(2, Reason.EDGE),
        Stage(2, "scoring"),
        MatchEnded((0.2, 0.2), "last turn"),
    ]


def test_7_1_a_match_does_not_end_before_its_last_turn() -> None:
    board = a_board("A . B", turn=2, max_turns=3, queue=[1])
    assert Stage(3, "plants") in play(board, "LEFT")
    assert board.ending is None


def test_7_2_levels_are_settled_before_scoring() -> None:
    board = a_board(
        "A . B", A=a_slime(xp=5, level=4, hp=20), B=an_enemy(xp=70, level=4), queue=[1], max_turns=2
    )
    assert play(board, "RIGHT") == [
        Moved(1, 1, 0),
        Stage(2, "scoring"),
        Levelled(1, level=2, attack=4, max_hp=13, hp=13),
        Levelled(2, level=6, attack=16, max_hp=35, hp=35),
        MatchEnded((0.4, 29.9), "last turn"),
    ]


def test_10_8_the_score_is_the_sum_of_the_points_of_levels() -> None:
    board = a_board("A C D B", A=a_slime(xp=695), C=a_slime(3), D=a_slime(4))
    assert scores(board) == (555.7, 0.2)


def test_7_3_sums_are_exact_to_the_tenth() -> None:
    levels = [1, 1, 1, 4, 4, 4, 5]  # floats added up: 29.900000000000002
    names = "CDEFGHI"
    pieces: dict[str, Any] = {
        name: a_slime(number, xp=LEVELS[level].min_xp)
        for number, (name, level) in enumerate(zip(names, levels, strict=True), 3)
    }
    board = a_board(" ".join(["A", *names, "B"]), **pieces)
    assert scores(board) == (30.1, 0.2)


def test_7_3_a_team_without_slimes_has_0() -> None:
    assert scores(a_board("A . .")) == (0.2, 0.0)


def test_7_3_the_higher_score_wins() -> None:
    outcomes = [Outcome((5.2, 0.4), "last turn"), Outcome((0.4, 5.2), "last turn")]
    assert [outcome.winner for outcome in outcomes] == [1, 2]


def test_7_3_equal_scores_are_a_draw() -> None:
    assert Outcome((5.2, 5.2), "last turn").winner is None


def test_7_the_outcome_is_what_the_end_said() -> None:
    board = a_board("A . B", queue=[1], max_turns=2)
    assert SlimeMind().outcome(board) is None
    play(board, "LEFT")
    assert SlimeMind().outcome(board) == Outcome((0.2, 0.2), "last turn")
