"""Which matches are worth watching."""

from msgspec.structs import replace

from engine.fault import Cause
from runners.contests.highlights import (
    Highlight,
    HighlightKind,
    find_highlights,
    one_of_each_pairing,
)
from runners.contests.plan import Field
from runners.storage.store import StoredResult
from tests.runners.contests.fields import a_field, list_entries, play_all, tie_all

NOBODY_RATED: dict[int, float | None] = {}


def highlights(
    field: Field,
    results: dict[str, StoredResult],
    elo: dict[int, float | None] = NOBODY_RATED,
    most: int = 100,
) -> list[Highlight]:
    ranking = range(len(field.entrants))
    return find_highlights(list_entries(field, results), ranking, elo, most)


def kinds(interesting: list[Highlight]) -> set[HighlightKind]:
    return {each.kind for each in interesting}


def words_of(interesting: list[Highlight], kind: HighlightKind) -> list[str]:
    return [each.words for each in interesting if each.kind is kind]


def test_the_finals_of_a_knockout_come_first() -> None:
    field = a_field(8, format="single_elimination")
    labels = words_of(highlights(field, play_all(field)), HighlightKind.FINAL)
    assert labels == ["final"] * 2 + ["semi-final"] * 4 + ["quarter-final"] * 8


def test_where_there_is_no_final_the_best_meet_each_other() -> None:
    field = a_field(6)
    interesting = highlights(field, play_all(field))
    assert kinds(interesting) == {HighlightKind.TOP}
    assert [each.entry.pairing.entrants for each in interesting[::2]] == [(0, 1), (0, 2), (1, 2)]


def test_a_winner_that_is_rated_far_lower_is_an_upset() -> None:
    field = a_field(5)
    elo: dict[int, float | None] = {3: 1400.0, 4: 1600.0}
    upsets = words_of(highlights(field, play_all(field), elo), HighlightKind.UPSET)
    assert upsets == ["the winner is rated 200 lower"] * 2


def test_a_little_lower_is_no_upset() -> None:
    field = a_field(2)
    found = highlights(field, play_all(field), {0: 1500.0, 1: 1550.0})
    assert HighlightKind.UPSET not in kinds(found)


def test_level_matches_are_close() -> None:
    field = a_field(8)
    assert set(words_of(highlights(field, play_all(field, tie_all)), HighlightKind.CLOSE)) == {
        "tied"
    }


def test_the_first_match_of_each_bot_with_each_cause_is_shown() -> None:
    field = a_field(7)
    results = play_all(field)
    for key, result in results.items():
        teams = tuple(replace(team, faults={Cause.TIMEOUT: 3}) for team in result.teams)
        results[key] = replace(result, teams=teams)
    faulty = words_of(highlights(field, results), HighlightKind.FAULT)
    assert set(faulty) == {"3 forfeited turns, timeout"}
    assert len(faulty) <= len(field.entrants)


def test_no_match_comes_twice_and_there_are_never_too_many() -> None:
    field = a_field(8, games=3)
    elo: dict[int, float | None] = {number: 1000.0 + 200 * number for number in range(8)}
    interesting = highlights(field, play_all(field), elo, most=9)
    keys = [each.entry.key for each in interesting]
    assert len(keys) == len(set(keys)) == 9
    assert {HighlightKind.TOP, HighlightKind.UPSET} <= kinds(interesting)


def test_none_are_wanted() -> None:
    field = a_field(3)
    assert highlights(field, play_all(field), most=0) == []


def test_a_match_is_called_by_what_is_rarer_than_being_among_the_best() -> None:
    field = a_field(3)
    elo: dict[int, float | None] = {0: 1400.0, 1: 1600.0, 2: 1650.0}
    assert HighlightKind.TOP not in kinds(highlights(field, play_all(field, tie_all), elo))


def test_a_pairing_is_shown_once() -> None:
    field = a_field(6, games=2)
    interesting = one_of_each_pairing(highlights(field, play_all(field)), most=6)
    assert [each.entry.pairing.entrants for each in interesting] == [(0, 1), (0, 2), (1, 2)]
    assert one_of_each_pairing(interesting, most=1) == interesting[:1]
