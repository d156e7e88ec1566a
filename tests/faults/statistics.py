"""Faults in the statistics."""

from tests.faults.seeded import SeededFault

FOLDER = "runners/statistics"
TESTS = "tests/runners/statistics"

FAULTS = (
    SeededFault(
        "The sequential test accepts H1 at the bound of H0's error rate.",
        f"{FOLDER}/sequential.py",
        "return log((1 - self.beta / 2) / (self.alpha / 2))",
        "return log((1 - self.alpha / 2) / (self.beta / 2))",
        (f"{TESTS}/test_sequential.py::test_each_of_the_two_tests_has_half_of_the_error",),
    ),
    SeededFault(
        "A test that crossed its lower bound finds A better.",
        f"{FOLDER}/sequential.py",
        "            ratio <= self.lower,",
        "            ratio >= self.upper,",
        (f"{TESTS}/test_sequential.py::test_a_bot_against_itself_makes_no_difference",),
    ),
    SeededFault(
        "A sequential test looks at pairs after its decision.",
        f"{FOLDER}/sequential.py",
        "            if running.is_over:\n                break\n",
        "",
        (
            f"{TESTS}/test_sequential.py::test_who_plays_the_same_games_again_and_again_is_told_so_and_plays_no_more",
        ),
    ),
    SeededFault(
        "Games that were seen before are new evidence.",
        f"{FOLDER}/sequential.py",
        "if pair.games and self._games.issuperset(pair.games):",
        "if pair.games and self._games == pair.games:",
        (f"{TESTS}/test_sequential.py::test_a_pair_whose_games_were_both_seen_is_no_new_evidence",),
    ),
    SeededFault(
        "Bets on a lower mean have the odds of those on a higher one.",
        f"{FOLDER}/sequential.py",
        "return log_wealth(1 - values, counts, 1 - mean)",
        "return log_wealth(1 - values, counts, mean)",
        (f"{TESTS}/test_betting.py",),
    ),
    SeededFault(
        "The ratio of the hypotheses is that of H0 to H1.",
        f"{FOLDER}/sequential.py",
        "np.asarray(of_h1 - of_h0)",
        "np.asarray(of_h0 - of_h1)",
        (f"{TESTS}/test_sequential.py::test_where_maps_decide_nothing_it_is_the_binomial_ratio",),
    ),
    SeededFault(
        "A lead in Elo means a share below a half.",
        f"{FOLDER}/elo.py",
        "1 / (1 + 10 ** (-elo / 400))",
        "1 / (1 + 10 ** (elo / 400))",
        (f"{TESTS}/test_elo.py",),
    ),
    SeededFault(
        "Intervals are of 90 % instead of 95 %.",
        f"{FOLDER}/likelihood.py",
        "LIMIT_95 = 1.920729410347062",
        "LIMIT_95 = 1.352771727047702",
        (f"{TESTS}/test_likelihood.py", f"{TESTS}/test_tallies.py"),
    ),
    SeededFault(
        "Ratings have intervals of one standard deviation's 90 %.",
        f"{FOLDER}/ratings.py",
        "Z_95 = 1.959963984540054",
        "Z_95 = 1.6448536269514722",
        (
            f"{TESTS}/test_ratings.py::test_the_interval_of_many_results_is_95_percent_of_the_normal_distribution",
        ),
    ),
    SeededFault(
        "Who won all matches has an upper limit.",
        f"{FOLDER}/ratings.py",
        "high=None if figure is None or kind is RatingKind.WON_ALL else figure.high",
        "high=None if figure is None or kind is RatingKind.LOST_ALL else figure.high",
        (
            f"{TESTS}/test_ratings.py::test_who_won_all_has_no_upper_limit_and_who_lost_all_no_lower_one",
        ),
    ),
    SeededFault(
        "Bots whom no match links are rated together.",
        f"{FOLDER}/ratings.py",
        "return max(groups, key=lambda group: (len(group), -group[0]), default=())",
        "return tuple(sorted(sum(groups, ())))",
        (f"{TESTS}/test_ratings.py::test_who_never_met_the_others_is_not_yet_comparable",),
    ),
    SeededFault(
        "A Bradley-Terry fit ignores who won.",
        f"{FOLDER}/resampling.py",
        "met - of_first, of_first)",
        "of_first, of_first)",
        (f"{TESTS}/test_bradley_terry.py",),
    ),
    SeededFault(
        "The prior of a fit is left out.",
        f"{FOLDER}/resampling.py",
        "won=won + prior.won.T[sides.order]",
        "won=won",
        (f"{TESTS}/test_bradley_terry.py",),
    ),
    SeededFault(
        "Entrants have the sums of others who met as many.",
        f"{FOLDER}/comparisons.py",
        "np.lexsort((places[own], _occurrence_numbers(own), met[own]))",
        "np.lexsort((_occurrence_numbers(own), places[own], met[own]))",
        (f"{TESTS}/test_newton.py", f"{TESTS}/test_bradley_terry.py"),
    ),
    SeededFault(
        "What is left over of a batch of rounds is not fitted.",
        f"{FOLDER}/resampling.py",
        "    if waiting:\n",
        "    if len(waiting) > 2:\n",
        (f"{TESTS}/test_ratings.py::test_two_who_shared_both_pairs_are_not_known_to_a_few_elo",),
    ),
    SeededFault(
        "The p-value is that of the other tail.",
        f"{FOLDER}/fairness.py",
        "    return tail\n",
        "    return 1 - tail\n",
        (f"{TESTS}/test_fairness.py::test_the_tails_of_chi_square_are_the_published_ones",),
    ),
    SeededFault(
        "The audit finds unfair what chance explains.",
        f"{FOLDER}/fairness.py",
        "return self.p_value >= SIGNIFICANCE_LEVEL",
        "return self.p_value < SIGNIFICANCE_LEVEL",
        (f"{TESTS}/test_fairness.py::test_a_bot_against_itself_needs_one_match_a_seed",),
    ),
    SeededFault(
        "The test of more seats has a degree of freedom too many.",
        f"{FOLDER}/fairness.py",
        "freedom = shares.shape[1] - 1",
        "freedom = shares.shape[1]",
        (
            f"{TESTS}/test_fairness.py::test_of_four_fair_seats_chance_favors_one_in_about_5_of_100_audits",
        ),
    ),
    SeededFault(
        "A draw is worth nothing.",
        f"{FOLDER}/scores.py",
        "return (own > other) + (own == other) / 2",
        "return float(own > other)",
        (f"{TESTS}/test_scores.py",),
    ),
    SeededFault(
        "A set that lacks a match counts as balanced.",
        f"{FOLDER}/scores.py",
        "return len(places) == everywhere and len(set(places.values())) == 1",
        "return len(set(places.values())) == 1",
        (f"{TESTS}/test_scores.py", f"{TESTS}/test_fairness.py"),
    ),
    SeededFault(
        "A mean place counts from 0.",
        "runners/series.py",
        "return 1 + (1 - self.rate) * (self.teams - 1) if self.games else None",
        "return (1 - self.rate) * (self.teams - 1) if self.games else None",
        (f"{TESTS}/test_tallies.py",),
    ),
    SeededFault(
        "A report takes matches of one map for pairs of two maps.",
        "report/dossier.py",
        "place = entry.pairing.place, entry.fixture.seed",
        "place = entry.pairing.place, 0",
        ("tests/report/test_dossier.py::test_two_matches_of_two_maps_are_no_pair",),
    ),
)
