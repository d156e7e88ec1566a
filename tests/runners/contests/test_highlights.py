"""Which matches are worth watching."""

import msgspec

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


def test_the_finals_of_a_knockout_come_first() -> None:
    field = a_field(8, format="single_elimination")
    labels = [
        each.words
        for each in highlights(field, play_all(field))
        if each.kind is HighlightKind.FINAL
    ]
    assert labels == ["final"] * 2 + ["semi-final"] * 4 + ["quarter-final"] * 8


def test_where_there_is_no_final_the_best_meet_each_other() -> None:
    field = a_field(6)
    interesting = highlights(field, play_all(field))
    assert kinds(interesting) == {HighlightKind.TOP}
    assert [each.entry.pairing.entrants for each in interesting[::2]] == [(0, 1), (0, 2), (1, 2)]


def test_a_winner_that_is_rated_far_lower_is_an_upset() -> None:
    field = a_field(5)
    elo: dict[int, float | None] = {3: 1400.0, 4: 1600.0}
    upsets = [
        each for each in highlights(field, play_all(field), elo) if each.kind is HighlightKind.UPSET
    ]
    assert [each.words for each in upsets] == ["the winner is rated 200 lower"] * 2


def test_a_little_lower_is_no_upset() -> None:
    field = a_field(2)
    assert HighlightKind.UPSET not in kinds(
        highlights(field, play_all(field), {0: 1500.0, 1: 1550.0})
    )


def test_level_matches_are_close() -> None:
    field = a_field(8)
    close = [
        each
        for each in highlights(field, play_all(field, tie_all))
        if each.kind is HighlightKind.CLOSE
    ]
    assert {each.words for each in close} == {"tied"}


def test_the_first_match_of_each_bot_with_each_cause_is_shown() -> None:
    field = a_field(7)
    results = {
        key: msgspec.structs.replace(
            result,
            teams=tuple(
                msgspec.structs.replace(team, faults={Cause.TIMEOUT: 3}) for team in result.teams
            ),
        )
        for key, result in play_all(field).items()
    }
    faulty = [each for each in highlights(field, results) if each.kind is HighlightKind.FAULT]
    assert {each.words for each in faulty} == {"3 forfeited turns, timeout"}
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
