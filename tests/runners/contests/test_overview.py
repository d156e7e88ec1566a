"""What follows from a ledger."""

from runners.contests.standings import Overview, overview_of
from runners.statistics.ratings import RatingKind
from tests.runners.contests.fields import a_field, a_ledger, play_all


def overview(size: int, breaks: tuple[int, ...] = (), **changes: object) -> Overview:
    field = a_field(size, **changes)
    return overview_of(a_ledger(field, play_all(field, breaks=breaks)))


def test_everybody_has_a_place_a_rating_and_a_history() -> None:
    seen = overview(4)
    assert [row.number for row in seen.standings.rows] == [0, 1, 2, 3]
    assert [rating.entrant for rating in seen.ratings] == [0, 1, 2, 3]
    assert [rating.games for rating in seen.ratings] == [6, 6, 6, 6]
    assert [seen.histories.get_history(number)[-1][0] for number in range(4)] == [6, 6, 6, 6]


def test_forfeits_say_nothing_of_strength() -> None:
    seen = overview(4, breaks=(3,), quarantine=1)
    assert [rating.games for rating in seen.ratings] == [5, 4, 4, 1]


def test_a_tournament_without_a_result_rates_nobody() -> None:
    seen = overview_of(a_ledger(a_field(3), {}))
    assert {rating.kind for rating in seen.ratings} == {RatingKind.NOT_COMPARABLE}
    assert seen.standings.open == 6
