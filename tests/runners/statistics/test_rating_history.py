"""Ratings over time."""

from runners.statistics.live_ratings import MAX_MOMENTS, Histories
from runners.statistics.scores import Score

FIRST_WINS = Score((0, 1), (1.0, 0.0))


def test_who_wins_goes_up_from_the_middle() -> None:
    histories = Histories([0, 1])
    histories.add(FIRST_WINS)
    assert [games for games, _ in histories.get_history(0)] == [0, 1]
    (_, before), (_, after) = histories.get_history(0)
    assert before == 1500 < after


def test_who_played_nobody_has_no_history() -> None:
    histories = Histories([0, 1, 2])
    histories.add(FIRST_WINS)
    assert histories.get_history(2) == ()


def test_a_long_history_has_few_moments_with_the_first_and_the_last() -> None:
    histories = Histories([0, 1])
    for _ in range(1_000):
        histories.add(FIRST_WINS)
    games = [games for games, _ in histories.get_history(0)]
    assert len(games) <= MAX_MOMENTS + 1
    assert (games[0], games[-1]) == (0, 1_000)
    assert games == sorted(set(games))


def test_a_bot_against_itself_moves_nothing() -> None:
    histories = Histories([0])
    histories.add(Score((0, 0), (1.0, 0.0)))
    assert histories.get_history(0) == ()
