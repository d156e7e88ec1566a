"""What is known of a bot, from its matches."""

from engine.fault import Cause
from report.dossier import FAULTY_LISTED, Dossier, Faults, Spread
from runners.contests.ledger import LedgerEntry, State
from runners.statistics.sequential import Verdict
from tests.report.made_up import a_team, an_entry, cpu_use

TIMEOUT = Cause.TIMEOUT


def make_dossier(*entries: LedgerEntry) -> Dossier:
    """That of entrant 1."""
    dossier = Dossier()
    for number, entry in enumerate(entries):
        dossier.add(entry, entry.fixture.seats.index(1), f"#{number}")
    return dossier


def test_a_record_counts_by_opponent() -> None:
    met = make_dossier(an_entry(1, 2), an_entry(2, 1), an_entry(1, 3, pairing=2)).opponents
    assert (met[2].wins, met[2].draws, met[2].losses, met[2].share) == (1, 0, 1, 0.5)
    assert (met[3].wins, met[3].share) == (1, 1.0)


def test_side_swapped_pairs_are_compared_as_versus_does() -> None:
    won = [
        an_entry(*seats, shares=shares, seed=seed, key=f"{seed}/{seats}")
        for seed in range(9)
        for seats, shares in (((1, 2), (1.0, 0.0)), ((2, 1), (0.0, 1.0)))
    ]
    found = make_dossier(*won).opponents[2].test.assess()
    assert found.describe() == "A is better than B: at least +38 Elo, after 9 side-swapped pairs"
    half = make_dossier(*won[:-1]).opponents[2].test.assess()
    assert (half.verdict, half.pairs) == (Verdict.UNDECIDED, 8)


def test_two_matches_of_two_maps_are_no_pair() -> None:
    matches = [an_entry(1, 2, seed=seed, key=str(seed)) for seed in (1, 2)]
    assert make_dossier(*matches).opponents[2].test.assess().pairs == 0


def test_a_pairing_is_linked_at_its_first_match() -> None:
    met = make_dossier(
        an_entry(1, 2), an_entry(2, 1, match=1), an_entry(1, 2, round_number=2)
    ).opponents
    assert met[2].links == {(1, 1): "#0", (2, 1): "#2"}


def test_a_record_counts_by_side() -> None:
    sides = make_dossier(an_entry(1, 2), an_entry(2, 1), an_entry(3, 1)).sides
    assert [(side, record.games, record.share) for side, record in sides.items()] == [
        (1, 1, 1.0),
        (2, 2, 0.0),
    ]


def test_in_a_match_of_three_each_opponent_counts_for_itself() -> None:
    dossier = make_dossier(an_entry(1, 2, 3, shares=(0.5, 1.0, 0.0)))
    assert [dossier.opponents[other].share for other in (2, 3)] == [0.0, 1.0]
    assert (dossier.sides[1].draws, dossier.sides[1].points) == (1, 0.5)


def test_an_open_match_counts_for_nothing() -> None:
    dossier = make_dossier(an_entry(1, 2, state=State.OPEN))
    assert (dossier.opponents, dossier.sides, dossier.calls) == ({}, {}, 0)


def test_a_forfeit_counts_but_has_no_score() -> None:
    side = make_dossier(an_entry(1, 2, shares=(0.0, 1.0), state=State.FORFEITED)).sides[1]
    assert (side.losses, side.mean_score) == (1, None)


def test_faults_are_summed_by_cause_with_the_first_words() -> None:
    matches = [
        an_entry(
            1, 2, teams=(a_team(faults={TIMEOUT: n}, details={TIMEOUT: f"word {n}"}), a_team())
        )
        for n in (3, 4)
    ]
    assert make_dossier(*matches).faults == {TIMEOUT: Faults(rounds=7, matches=2, words="word 3")}


def test_only_so_many_faulty_matches_are_listed() -> None:
    match = an_entry(1, 2, teams=(a_team(faults={TIMEOUT: 1}), a_team()))
    dossier = make_dossier(*[match] * (FAULTY_LISTED + 5))
    assert (len(dossier.faulty), dossier.faulty_count) == (FAULTY_LISTED, FAULTY_LISTED + 5)


def test_cpu_time_is_spread_over_matches() -> None:
    uses = [cpu_use(median_us=n) for n in range(1, 101)]
    entries = [an_entry(1, 2, teams=(a_team(cpu=use), a_team())) for use in uses]
    spreads = dict(make_dossier(*entries).cpu_figures())
    assert spreads["median call"] == Spread(50.5, 95, 100)


def test_a_bot_that_was_never_asked_has_no_cpu_time() -> None:
    entry = an_entry(1, 2, teams=(a_team(cpu=cpu_use(calls=0)), a_team()))
    assert list(make_dossier(entry).cpu_figures()) == []
