"""How many matches a tournament will have."""

import pytest

from runners.contests.forecast import Trial, count_expected_fixtures, format_size, in_words
from runners.contests.plan import Field
from runners.formats import FORMATS
from tests.runners.contests.fields import a_field, a_ledger, play_all


def foretold(field: Field, known: int = 0) -> int:
    results = dict(list(play_all(field).items())[:known])
    ledger = a_ledger(field, results)
    list(ledger)
    return count_expected_fixtures(ledger)


@pytest.mark.variants(12)
@pytest.mark.parametrize("known", [0, 3, 1_000])
@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize("count", [2, 3, 7, 8])
def test_where_the_favorites_win_it_is_exact(name: str, count: int, known: int) -> None:
    field = a_field(count, format=name, games=2)
    assert foretold(field, known) == len(play_all(field))


def test_of_a_cluster_it_is_told_what_one_worker_would_take() -> None:
    trial = Trial(matches=2, wall_s=4.0, bytes=20_000)
    found = in_words(trial, a_field(4), matches=100, done=40, workers=None)
    assert found.splitlines()[2] == "  time     about 2.0 minutes of one worker of the cluster"


@pytest.mark.variants(4)
@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if kind.takes_tables])
@pytest.mark.parametrize("table", [3, 4])
def test_at_tables_it_is_exact_too(name: str, table: int) -> None:
    field = a_field(7, format=name, table=table, games=2)
    assert foretold(field) == len(play_all(field))


def test_what_a_table_plays_is_told() -> None:
    trial = Trial(matches=2, wall_s=4.0, bytes=20_000)
    found = in_words(trial, a_field(7, table=3, games=2), matches=210, done=0, workers=1)
    assert found.splitlines()[0] == (
        "tournament 'spring': round_robin, 7 bots, 2 maps for each 3-player pairing, in 3 rotations"
    )


@pytest.mark.slow
def test_it_is_told_of_many_bots_too() -> None:
    assert foretold(a_field(40, games=2)) == 40 * 39 * 2


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 KB"), (78_400, "78 KB"), (2.4e6, "2.4 MB"), (3e9, "3.0 GB")]
)
def test_a_size_is_told_in_the_unit_that_suits_it(count: float, text: str) -> None:
    assert format_size(count) == text


def test_what_is_done_takes_no_more_time() -> None:
    trial = Trial(matches=2, wall_s=4.0, bytes=20_000)
    found = in_words(trial, a_field(4), matches=100, done=40, workers=3)
    assert found.splitlines()[1:4] == [
        "  matches  100; 40 are done, 60 remaining",
        "  time     about 40 seconds, 3 matches at a time",
        "  disk     about 600 KB",
    ]
