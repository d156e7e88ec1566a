"""The table of all starter bots against each other."""

from benchmarks.audits.starter_bots import as_table, rate_of_first


def make_seats(*points: float) -> dict[str, list[dict[str, float]]]:
    return {"tallies": [{"points": each} for each in points]}


def test_at_a_table_of_four_a_bot_is_compared_with_the_other_bot_alone() -> None:
    assert rate_of_first(make_seats(1, 1 / 3, 2 / 3, 0)) == 1
    assert rate_of_first(make_seats(1 / 3, 1, 0, 2 / 3)) == 0
    assert rate_of_first(make_seats(1, 2 / 3, 0, 1 / 3)) == 0.5


def test_a_pair_that_was_not_played_is_left_empty() -> None:
    scores = {"player_one": [4.0], "player_two": [2.0], "player_three": []}
    rates = {("player_one", "player_two"): 0.75, ("player_two", "player_one"): 0.25}
    assert as_table(rates, scores).splitlines()[2:] == [
        "| `player_one` |  | 75 |  | 75 | 4 |",
        "| `player_two` | 25 |  |  | 25 | 2 |",
    ]
