"""What is known of a bot, from its matches."""

from tests.visualizer.site.made_up import a_match, a_team
from visualizer.site.dossier import FAULTY_LISTED, Dossier, Faults, Spread
from visualizer.site.report import Match


def dossier_of(*matches: Match, bot: int = 1) -> Dossier:
    dossier = Dossier()
    for number, match in enumerate(matches):
        seat = next(seat for seat, team in enumerate(match.teams) if team.bot == bot)
        dossier.add(match, seat, f"#{number}")
    return dossier


def test_a_record_counts_by_opponent() -> None:
    met = dossier_of(a_match(1, 2), a_match(2, 1), a_match(1, 3, pairing=2)).opponents
    assert (met[2].wins, met[2].draws, met[2].losses, met[2].share) == (1, 0, 1, 0.5)
    assert (met[3].wins, met[3].share) == (1, 1.0)


def test_a_pairing_is_linked_at_its_first_match() -> None:
    met = dossier_of(a_match(1, 2), a_match(2, 1, match_number=2), a_match(1, 2, round=2)).opponents
    assert met[2].links == {(1, 1): "#0", (2, 1): "#2"}


def test_a_record_counts_by_side() -> None:
    sides = dossier_of(a_match(1, 2), a_match(2, 1), a_match(3, 1)).sides
    assert [(side, record.games, record.share) for side, record in sides.items()] == [
        (1, 1, 1.0),
        (2, 2, 0.0),
    ]


def test_in_a_match_of_three_each_opponent_counts_for_itself() -> None:
    teams = (a_team(1, 0.5), a_team(2, 1.0), a_team(3, 0.0))
    dossier = dossier_of(a_match(teams=teams))
    assert [dossier.opponents[other].share for other in (2, 3)] == [0.0, 1.0]
    assert (dossier.sides[1].draws, dossier.sides[1].points) == (1, 0.5)


def test_an_open_match_counts_for_nothing() -> None:
    dossier = dossier_of(a_match(teams=(a_team(1, None), a_team(2, None))))
    assert (dossier.opponents, dossier.sides, dossier.calls) == ({}, {}, 0)


def test_a_forfeit_counts_but_has_no_score() -> None:
    teams = (a_team(1, 0.0, score=None, calls=0), a_team(2, 1.0, score=None, calls=0))
    side = dossier_of(a_match(teams=teams, state="forfeited")).sides[1]
    assert (side.losses, side.mean_score) == (1, None)


def test_faults_are_summed_by_cause_with_the_first_words() -> None:
    matches = [
        a_match(
            teams=(a_team(1, faults={"timeout": n}, details={"timeout": f"word {n}"}), a_team(2))
        )
        for n in (3, 4)
    ]
    assert dossier_of(*matches).faults == {"timeout": Faults(rounds=7, matches=2, words="word 3")}


def test_only_so_many_faulty_matches_are_listed() -> None:
    match = a_match(teams=(a_team(1, faults={"timeout": 1}), a_team(2)))
    dossier = dossier_of(*[match] * (FAULTY_LISTED + 5))
    assert (len(dossier.faulty), dossier.faulty_count) == (FAULTY_LISTED, FAULTY_LISTED + 5)


def test_cpu_time_is_spread_over_matches() -> None:
    matches = [a_match(teams=(a_team(1, median_us=n), a_team(2))) for n in range(1, 101)]
    spreads = dict(dossier_of(*matches).cpu())
    assert spreads["the median call"] == Spread(50.5, 95, 100)


def test_a_bot_that_was_never_asked_has_no_cpu_time() -> None:
    match = a_match(teams=(a_team(1, calls=0), a_team(2)))
    assert list(dossier_of(match).cpu()) == []
