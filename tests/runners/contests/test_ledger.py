"""What follows from results along a schedule."""

from collections.abc import Iterator, Sequence
from itertools import cycle, repeat
from random import Random
from typing import Any

import msgspec
import pytest

from engine.replays.writing import Contestant
from runners.contests.ledger import BATCH_SIZE, Ledger, State, forfeit_shares
from runners.contests.plan import MAX_EXTRA_MAPS, Entrant, Field, Secret
from runners.contests.standings import compute_standings
from runners.formats import FORMATS
from runners.series import map_seed
from runners.storage.store import StoredResult
from tests.runners.contests.fields import (
    SECRET,
    a_field,
    a_ledger,
    a_result,
    list_entries,
    play_all,
    tie_all,
)


def test_a_new_tournament_is_open_throughout() -> None:
    entries = list_entries(a_field(4, games=2), {})
    assert len(entries) == 6 * 2 * 2
    assert {entry.state for entry in entries} == {State.OPEN}
    assert len({entry.key for entry in entries}) == len(entries)


def test_every_map_is_played_from_both_sides() -> None:
    first, second, *_ = list_entries(a_field(4), {})
    assert first.fixture.seats == second.fixture.seats[::-1]
    assert first.fixture.seed == second.fixture.seed
    assert first.key != second.key


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_tournament_that_was_played_has_nothing_open(name: str) -> None:
    field = a_field(7, format=name)
    results = play_all(field)
    standings = compute_standings(a_ledger(field, results))
    assert standings.is_over
    assert standings.played == len(results)
    assert standings.rows[0].number == 0
    assert [row.rank for row in standings.rows] == [1, 2, 3, 4, 5, 6, 7]


@pytest.mark.parametrize("name", list(FORMATS))
def test_the_order_in_which_results_came_does_not_matter(name: str) -> None:
    field = a_field(6, format=name)
    results = play_all(field, breaks=[2])
    shuffled = list(results.items())
    Random(4).shuffle(shuffled)
    assert list_entries(field, dict(shuffled)) == list_entries(field, results)


def deciding_field(**changes: Any) -> Field:
    return a_field(3, games=12, decides=True, **changes)


def test_a_pairing_that_is_decided_ends_though_more_was_played() -> None:
    results = play_all(a_field(3, games=12))
    ledger = a_ledger(deciding_field(), results)
    entries = list(ledger)
    assert set(ledger.decided.values()) == {8}
    assert len(entries) == 3 * 8 * 2
    assert [
        (one.bots, one.map_pairs)
        for one in compute_standings(a_ledger(deciding_field(), results)).decided
    ] == [(("bot_1", "bot_2"), 8), (("bot_0", "bot_2"), 8), (("bot_0", "bot_1"), 8)]
    first = entries[0].pairing
    assert a_ledger(deciding_field(), results).is_decided(first)
    assert not a_ledger(a_field(3, games=12), results).is_decided(first)


def test_what_was_played_after_a_gap_decides_nothing_before_that_is_played() -> None:
    results = play_all(a_field(3, games=12))
    missing = list_entries(deciding_field(), results)[5]
    del results[missing.key]
    ledger = a_ledger(deciding_field(), results)
    entries = [entry for entry in ledger if entry.pairing == missing.pairing]
    assert missing.pairing not in ledger.decided
    assert len(entries) == 12 * 2
    assert [entry.key for entry in entries if entry.state is State.OPEN] == [missing.key]


def test_level_pairings_are_played_to_their_end_and_so_are_the_same_games_again() -> None:
    level = a_ledger(deciding_field(), play_all(a_field(3, games=12), tie_all))
    same = {
        key: msgspec.structs.replace(result, fingerprint="the same")
        for key, result in play_all(a_field(3, games=12)).items()
    }
    for ledger in (level, a_ledger(deciding_field(), same)):
        assert len(list(ledger)) == 3 * 12 * 2
        assert not ledger.decided


def test_what_is_forfeited_decides_nothing() -> None:
    ledger = a_ledger(deciding_field(), play_all(deciding_field(), breaks=[2]))
    assert list(ledger)
    assert [pairing.entrants for pairing in ledger.decided] == [(0, 1)]


def test_identical_bots_share_a_result() -> None:
    twin = Contestant(name="bot_x", digest="d1")
    field = a_field(2)
    field = Field(field.plan, (*field.entrants, Entrant(bot=twin, secret=SECRET)))
    keys = [entry.key for entry in list_entries(field, {}) if set(entry.fixture.seats) == {1, 2}]
    assert len(keys) == 2
    assert len(set(keys)) == 1  # d1 against d1: sides exchanged, the same match


def test_a_newcomer_leaves_the_keys_of_a_round_robin_as_they_were() -> None:
    before = {entry.key for entry in list_entries(a_field(5), {})}
    after = {entry.key for entry in list_entries(a_field(6), {})}
    assert before < after


def test_the_maps_of_a_pairing_follow_from_the_secret_of_who_entered_last() -> None:
    field = a_field(3)
    newest = msgspec.structs.replace(field.entrants[1], secret=Secret(2, 5))
    later = msgspec.structs.replace(field.entrants[2], secret=Secret(1, 6))
    changed = Field(field.plan, (field.entrants[0], newest, later))
    drawn = {
        entry.pairing.entrants: {
            secret
            for secret in (SECRET.value, 5, 6)
            if entry.fixture.seed
            == map_seed(secret, changed.map_name(entry.pairing, entry.fixture.map_number))
        }
        for entry in list_entries(changed, {})
    }
    assert {frozenset(who): secrets for who, secrets in drawn.items()} == {
        frozenset({0, 1}): {5},
        frozenset({0, 2}): {6},
        frozenset({1, 2}): {5},
    }


def test_maps_of_formats_in_which_some_meet_again_are_named_by_the_round() -> None:
    names = {
        form: [
            field.map_name(entry.pairing, entry.fixture.map_number)
            for entry in list_entries(field, {})
        ]
        for form in ("round_robin", "swiss")
        for field in [a_field(2, format=form, seed=7, games=2)]
    }
    assert names == {
        "round_robin": [f"7/bot_0|bot_1|map/{number}" for number in (0, 0, 1, 1)],
        "swiss": [f"7/round 1|bot_0|bot_1|map/{number}" for number in (0, 0, 1, 1)],
    }


def test_a_new_version_is_another_match() -> None:
    field = a_field(3)
    updated = msgspec.structs.replace(
        field.entrants[1], bot=Contestant(name="bot_1", digest="other")
    )
    changed = Field(field.plan, (field.entrants[0], updated, field.entrants[2]))
    before = {entry.key for entry in list_entries(field, {})}
    after = {entry.key for entry in list_entries(changed, {})}
    assert len(before & after) == 2  # of 0 against 2


def test_after_three_broken_fixtures_in_a_row_a_bot_forfeits_the_rest() -> None:
    field = a_field(5)
    results = play_all(field, breaks=[0])
    entries = list_entries(field, results)
    own = [entry for entry in entries if 0 in entry.fixture.seats]
    assert [entry.state for entry in own] == [State.PLAYED] * 3 + [State.FORFEITED] * 5
    assert all(entry.shares[entry.fixture.seats.index(0)] == 0 for entry in own[3:])
    standings = compute_standings(a_ledger(field, results))
    assert [row.number for row in standings.rows if row.is_quarantined] == [0]
    assert standings.forfeited == 5


@pytest.mark.parametrize("name", [name for name, kind in FORMATS.items() if kind.takes_tables])
def test_tables_of_three_are_played_to_the_end_in_every_format_that_has_them(name: str) -> None:
    field = a_field(7, format=name, table=3)
    results = play_all(field)
    entries = list_entries(field, results)
    standings = compute_standings(a_ledger(field, results))
    assert standings.is_over
    assert standings.rows[0].number == 0
    assert {len(entry.fixture.seats) for entry in entries} == {3}
    by_map: dict[int, list[tuple[int, ...]]] = {}
    for entry in entries:
        by_map.setdefault(entry.fixture.seed, []).append(entry.fixture.seats)
    for seats in by_map.values():
        assert [sorted(column) for column in zip(*seats, strict=True)] == [sorted(seats[0])] * 3


def test_two_who_forfeit_against_each_other_share() -> None:
    assert forfeit_shares((4, 7), (4, 7)) == (0.5, 0.5)
    assert forfeit_shares((4, 7), (7,)) == (1.0, 0.0)


def test_at_a_table_those_who_did_not_forfeit_share_what_is_left() -> None:
    assert forfeit_shares((4, 7, 9), (7,)) == (0.75, 0.0, 0.75)
    assert forfeit_shares((4, 7, 9, 1), (7, 1)) == (5 / 6, 1 / 6, 5 / 6, 1 / 6)


def test_at_tables_a_bot_in_quarantine_forfeits_and_those_beside_it_are_level() -> None:
    field = a_field(4, table=3)
    entries = list_entries(field, play_all(field, breaks=[3]))
    own = [entry for entry in entries if 3 in entry.fixture.seats]
    assert [entry.state for entry in own] == [State.PLAYED] * 3 + [State.FORFEITED] * 6
    for entry in own[3:]:
        assert sorted(entry.shares) == [0.0, 0.75, 0.75]
        assert entry.shares[entry.fixture.seats.index(3)] == 0
    others = [entry for entry in entries if 3 not in entry.fixture.seats]
    assert {entry.state for entry in others} == {State.PLAYED}


def break_first(field: Field, breaks: Iterator[bool]) -> dict[str, StoredResult]:
    """Return results of all matches; the first bot breaks in those of its own as `breaks` says."""
    results = {}
    for entry in list_entries(field, {}):
        seats = entry.fixture.seats
        broken = [seats.index(0)] if 0 in seats and next(breaks) else []
        results[entry.key] = a_result(entry.key, [1.0, 0.0], broken)
    return results


def test_results_from_beyond_the_quarantine_do_not_count() -> None:
    field = a_field(5)
    results = break_first(field, repeat(True))
    own = [entry for entry in list_entries(field, results) if 0 in entry.fixture.seats]
    assert [entry.state for entry in own] == [State.PLAYED] * 3 + [State.FORFEITED] * 5


def test_one_good_match_ends_the_row() -> None:
    field = a_field(5)
    results = break_first(field, cycle([True, True, False]))
    assert compute_standings(a_ledger(field, results)).forfeited == 0


def test_without_quarantine_all_is_played() -> None:
    field = a_field(5, quarantine=0)
    assert compute_standings(a_ledger(field, play_all(field, breaks=[0]))).forfeited == 0


def test_a_level_knockout_is_played_on_and_then_goes_to_the_one_seeded_first() -> None:
    field = a_field(2, format="single_elimination")
    results = play_all(field, tie_all)
    assert len(results) == 2 * (1 + MAX_EXTRA_MAPS)
    assert a_ledger(field, results).format.name == "single_elimination"
    assert compute_standings(a_ledger(field, results)).rows[0].number == 0


def test_a_level_round_robin_is_not_played_on() -> None:
    assert len(play_all(a_field(2), tie_all)) == 2


def test_results_are_looked_up_some_at_a_time_however_many_maps_a_pairing_has() -> None:
    asked: list[int] = []

    def find(keys: Sequence[str]) -> dict[str, StoredResult]:
        asked.append(len(keys))
        return {key: a_result(key, [1.0, 0.0]) for key in keys}

    standings = compute_standings(Ledger(a_field(3, games=700), find))
    assert standings.played == 3 * 700 * 2
    assert max(asked) == BATCH_SIZE
    assert sum(asked) == standings.played


@pytest.mark.parametrize("name", list(FORMATS))
def test_how_many_results_are_looked_up_at_once_changes_nothing(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = a_field(9, format=name)
    results = play_all(field, breaks=[2])
    usual = list_entries(field, results)
    monkeypatch.setattr("runners.contests.ledger.BATCH_SIZE", 1)
    assert list_entries(field, results) == usual
