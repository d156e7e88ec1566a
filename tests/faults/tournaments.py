"""Faults in series, formats and tournaments."""

from tests.faults.seeded import SeededFault

FORMATS = "runners/formats"
OF_FORMATS = "tests/runners/formats"
TOURNAMENT = "runners/contests"
OF_LEDGER = ("tests/runners/contests/test_ledger.py",)
OF_CLUSTERS = "tests/runners/execution/test_cluster.py"

FAULTS = (
    SeededFault(
        "A tournament may be called as a folder of recordings is.",
        "engine/result_folder.py",
        "or name in (*ResultFolder, *OutName)",
        "or name in (*ResultFolder, OutName.BOTS)",
        ("tests/runners/contests/test_names.py",),
    ),
    SeededFault(
        "A day ends with a midnight that may not exist.",
        f"{TOURNAMENT}/times.py",
        "return min(after, default=at)",
        "return at",
        ("tests/runners/contests/test_times.py",),
    ),
    SeededFault(
        "A tournament plays bots in its own process where single matches are to be played so.",
        f"{TOURNAMENT}/plan.py",
        "play=play.for_rated_match,",
        "play=play,",
        (
            "tests/runners/contests/test_tournament.py::test_a_tournament_is_judged_whatever_single_matches_are_configured_to_be",
        ),
    ),
    SeededFault(
        "What is forfeited decides a pairing.",
        f"{TOURNAMENT}/ledger.py",
        "self._is_open &= len(played) == len(of_map)",
        "self._is_open &= True",
        (f"{OF_LEDGER[0]}::test_what_is_forfeited_decides_nothing",),
    ),
    SeededFault(
        "Of a decided pairing all that is open is played.",
        f"{TOURNAMENT}/tournament.py",
        "return self._breaks_often(fixture, stored) or is_decided",
        "return self._breaks_often(fixture, stored)",
        (
            "tests/runners/contests/test_tournament.py::test_of_a_decided_pairing_no_more_is_played_than_was_begun",
        ),
    ),
    SeededFault(
        "The best two meet before the final.",
        f"{FORMATS}/bracket.py",
        "(best, 2 * len(order) - 1 - best)]",
        "(best, best + len(order))]",
        ("tests/runners/formats/test_bracket.py::test_an_upset_carries_the_winner_on",),
    ),
    SeededFault(
        "A tied pairing goes to the one seeded last.",
        f"{FORMATS}/bracket.py",
        "(-pair[1], pair[0]))",
        "(-pair[1], -pair[0]))",
        (f"{OF_FORMATS}/test_bracket.py", *OF_LEDGER),
    ),
    SeededFault(
        "The second final is played though the unbeaten one won.",
        f"{FORMATS}/bracket.py",
        "return self._resolve_side(before.winner) == self._resolve_side(before.sides[1])",
        "return True",
        (
            "tests/runners/formats/test_bracket.py::test_four_in_double_elimination_without_an_upset",
        ),
    ),
    SeededFault(
        "A bye goes to the highest again and again.",
        f"{FORMATS}/swiss.py",
        "(sheet.byes[entrant], -places[entrant])",
        "(-sheet.byes[entrant], places[entrant])",
        (
            "tests/runners/formats/test_swiss.py::test_tables_take_from_each_third_of_a_group_and_the_rest_has_byes",
        ),
    ),
    SeededFault(
        "In a Swiss tournament those who met meet again.",
        f"{FORMATS}/swiss.py",
        "met[field[a]].count(field[b]) * REMATCH_COST + _pair_cost(a, b, groups)",
        "_pair_cost(a, b, groups)",
        ("tests/runners/formats/test_swiss.py::test_nobody_meets_twice_while_that_can_be_avoided",),
    ),
    SeededFault(
        "A round robin leaves out the last round.",
        f"{FORMATS}/round_robin.py",
        "for number in range(1, len(circle)):",
        "for number in range(1, len(circle) - 1):",
        (f"{OF_FORMATS}/test_round_robin.py",),
    ),
    SeededFault(
        "Buchholz counts one's own points.",
        f"{FORMATS}/scoring.py",
        "self.points[other] for other, _ in self.pairwise_results[entrant]), DIGITS)",
        "self.points[entrant] for other, _ in self.pairwise_results[entrant]), DIGITS)",
        (f"{OF_FORMATS}/test_swiss.py", f"{OF_FORMATS}/test_round_robin.py"),
    ),
    SeededFault(
        "A bye brings no point.",
        f"{FORMATS}/scoring.py",
        "                self.points[pairing.entrants[0]] += FULL\n",
        "",
        ("tests/runners/formats/test_swiss.py::test_hundreds_are_seated_at_tables",),
    ),
    SeededFault(
        "Tied entrants are ranked by Sonneborn-Berger before they are compared directly.",
        f"{FORMATS}/scoring.py",
        "                -self.head_to_head(entrant, tied[first]),\n"
        "                -self.sonneborn_berger(entrant),\n",
        "                -self.sonneborn_berger(entrant),\n"
        "                -self.head_to_head(entrant, tied[first]),\n",
        (f"{OF_FORMATS}/test_round_robin.py", f"{OF_FORMATS}/test_swiss.py"),
    ),
    SeededFault(
        "An unfinished table is ranked by points.",
        f"{FORMATS}/scoring.py",
        "compared = self.total if self.is_over else self.share",
        "compared = self.total",
        ("tests/runners/contests/test_standings_table.py",),
    ),
    SeededFault(
        "A Swiss round is paired without a look at the rounds to come.",
        f"{FORMATS}/swiss.py",
        "    if left.can_go_on(*first, rounds_to_come):\n",
        "    if True:\n",
        (
            "tests/runners/formats/test_swiss.py::test_nobody_meets_or_rests_twice_in_as_many_rounds_as_there_are",
        ),
    ),
    SeededFault(
        "A bot is put in quarantine though it played a good match between.",
        f"{TOURNAMENT}/ledger.py",
        "self._broke[number] + 1 if number in broken else 0",
        "self._broke[number] + (number in broken)",
        ("tests/runners/contests/test_ledger.py::test_one_good_match_ends_the_row",),
    ),
    SeededFault(
        "Who forfeits gets the points.",
        f"{TOURNAMENT}/ledger.py",
        "0.0 if number in out else 1.0 for number in seats",
        "1.0 if number in out else 0.0 for number in seats",
        ("tests/runners/contests/test_ledger.py::test_two_who_forfeit_against_each_other_share",),
    ),
    SeededFault(
        "A tied knockout is not played on.",
        f"{TOURNAMENT}/ledger.py",
        "if pairing.is_decisive and score.is_tied:",
        "if not pairing.is_decisive and score.is_tied:",
        ("tests/runners/contests/test_ledger.py::test_a_level_round_robin_is_not_played_on",),
    ),
    SeededFault(
        "Results from beyond the quarantine count.",
        f"{TOURNAMENT}/ledger.py",
        "        if out:\n            shares = forfeit_shares",
        "        if out and result is None:\n            shares = forfeit_shares",
        (
            "tests/runners/contests/test_ledger.py::test_results_from_beyond_the_quarantine_do_not_count",
        ),
    ),
    SeededFault(
        "A bot that loses nearly all its decisions is not found out.",
        "runners/lost_decisions.py",
        "self.lost >= NEARLY_ALL_SHARE * self.decisions",
        "self.lost > self.decisions",
        ("tests/runners/test_lost_decisions.py",),
    ),
    SeededFault(
        "What a result opens is not played.",
        "runners/contests/playing.py",
        "self._jobs = self._find()  # the next time",
        "pass  # the next time",
        ("tests/runners/contests/test_playing.py",),
    ),
    SeededFault(
        "A match that failed is tried again at once.",
        "runners/contests/playing.py",
        "self._resting[number] = monotonic() + rest_s",
        "self._resting[number] = monotonic()",
        ("tests/runners/contests/test_playing.py",),
    ),
    SeededFault(
        "Results of a cluster come through a thread that all clients of a process share.",
        "runners/execution/cluster.py",
        "self._client.loop.add_callback(_copy_outcome, own, remote)",
        "remote.add_done_callback(lambda done: _settle(own, done.result()))",
        (f"{OF_CLUSTERS}::test_a_callback_of_dask_that_hangs_holds_up_no_match",),
    ),
)
