"""Faults in what commands say of bots: versus, check and tune."""

from tests.faults.seeded import SeededFault

OF_LIMITS = "tests/cli/test_check_limits.py"
OF_CHECK = "tests/cli/test_check.py"
OF_VERDICTS = ("tests/cli/test_verdicts.py",)

FAULTS = (
    SeededFault(
        "Scripts take a bot that is no better for a better one.",
        "cli/versus.py",
        "Verdict.NO_BETTER: 3",
        "Verdict.NO_BETTER: 0",
        OF_VERDICTS,
    ),
    SeededFault(
        "More pairs are offered to those who play the same games again and again.",
        "cli/versus.py",
        "found.verdict is Verdict.UNDECIDED and not found.is_exhausted",
        "found.verdict is Verdict.UNDECIDED",
        OF_VERDICTS,
    ),
    SeededFault(
        "Slow games are compared with their usual settings.",
        "engine/games/smack/game.py",
        '    quick_preset = "quick"\n',
        "",
        OF_VERDICTS,
    ),
    SeededFault(
        "Pairs that were played are said to be left.",
        "cli/versus.py",
        "pairs_until_verdict(found.counts, asked.most) - found.pairs",
        "pairs_until_verdict(found.counts, asked.most)",
        OF_VERDICTS,
    ),
    SeededFault(
        "Pairs are told apart by no game.",
        "runners/questions/versus.py",
        "tuple(result.fingerprint for _, result in played)",
        "tuple(result.key for _, result in played)",
        ("tests/runners/questions/test_asking.py",),
    ),
    SeededFault(
        "A bot that loses its decisions gets a verdict.",
        "cli/versus.py",
        "if answer.hopeless is not None:\n        return fault_lines.CANNOT_PLAY",
        "if answer.matches == 0:\n        return fault_lines.CANNOT_PLAY",
        OF_VERDICTS,
    ),
    SeededFault(
        "An old version is compared without the new one.",
        "cli/versus.py",
        "if new is None or old is None or first is not None:",
        "if old is None or first is not None:",
        OF_VERDICTS,
    ),
    SeededFault(
        "A test that was decided is said to need more pairs.",
        "cli/versus.py",
        "if is_open and found.pairs and answer.hopeless is None:",
        "if found.pairs and answer.hopeless is None:",
        OF_VERDICTS,
    ),
    SeededFault(
        "The numbers of pairs are told for the wrong results.",
        "cli/versus.py",
        'OUTCOMES = ("0:2", "0.5:1.5", "1:1", "1.5:0.5", "2:0")',
        'OUTCOMES = ("2:0", "1.5:0.5", "1:1", "0.5:1.5", "0:2")',
        OF_VERDICTS,
    ),
    SeededFault(
        "A tuned bot that plays as before is called better by its exit code.",
        "cli/tune.py",
        "return versus.EXIT_CODES[sequential.Verdict.NO_BETTER]",
        "return versus.EXIT_CODES[sequential.Verdict.BETTER]",
        ("tests/cli/test_tune.py::test_a_tuned_bot_that_plays_as_before_is_not_compared",),
    ),
    SeededFault(
        "A range that leaves out the bot's own value is tuned.",
        "cli/tune.py",
        "if not low <= start <= high:",
        "if not low <= high:",
        OF_VERDICTS,
    ),
    SeededFault(
        "A range that goes down is tuned.",
        "cli/tune.py",
        "if not low < high:",
        "if low == high:",
        OF_VERDICTS,
    ),
    SeededFault(
        "A parameter with two ranges is tuned in one of them.",
        "cli/tune.py",
        "if len(set(names)) < len(names):",
        "if not names:",
        OF_VERDICTS,
    ),
    SeededFault(
        "Whole numbers are tuned to fractions.",
        "cli/tune.py",
        "is_whole = isinstance(start, int) and low.is_integer() and high.is_integer()",
        "is_whole = isinstance(start, float) and low.is_integer() and high.is_integer()",
        OF_VERDICTS,
    ),
    SeededFault(
        "Numbers are not tuned since one of them changes nothing.",
        "cli/tune.py",
        "if len(idle) == len(tuning.spsa.parameters):",
        "if idle:",
        (
            "tests/cli/test_tune.py::test_one_of_several_numbers_that_changes_nothing_is_told_and_the_others_are_tuned",
        ),
    ),
    SeededFault(
        "A bot that loses decisions passes the check of a script.",
        "cli/check.py",
        "context.exit(0 if report.is_fit else UNFIT)",
        "context.exit(0 if report.is_loaded else UNFIT)",
        (f"{OF_CHECK}::test_a_fault_is_told_with_its_line_how_often_and_what_to_do",),
    ),
    SeededFault(
        "A bot that rolls its own dice is called deterministic.",
        "runners/authoring/check_report.py",
        "is_deterministic=where is None if is_told else None,",
        "is_deterministic=is_told or None,",
        (f"{OF_CHECK}::test_chance_that_is_not_seeded_is_seen",),
    ),
    SeededFault(
        "A bot all of whose orders are refused passes.",
        "runners/authoring/check_report.py",
        "if not causes and (refused := _refusal_problem(playings)) is not None:",
        "if causes and (refused := _refusal_problem(playings)) is not None:",
        (f"{OF_CHECK}::test_a_bot_whose_orders_are_all_refused_does_not_play_without_a_fault",),
    ),
    SeededFault(
        "A fault is counted in the first match alone.",
        "runners/authoring/check_report.py",
        "times=sum(faults.times for _, _, faults in found),",
        "times=found[0][2].times,",
        (f"{OF_CHECK}::test_a_fault_is_told_with_its_line_how_often_and_what_to_do",),
    ),
    SeededFault(
        "The fastest calls are told for the slowest.",
        "runners/authoring/check_report.py",
        "key=lambda numbered: -numbered[1].us)",
        "key=lambda numbered: numbered[1].us)",
        (f"{OF_CHECK}::test_a_report_has_every_figure_for_scripts",),
    ),
    SeededFault(
        "A bot whose time would not last for a whole match passes.",
        "runners/authoring/check_report.py",
        "if playing.projected_s <= limits.bank_s:",
        "if playing.used_s <= limits.bank_s:",
        (f"{OF_LIMITS}::test_a_bot_whose_time_would_not_last_for_a_whole_match_is_not_fit",),
    ),
    SeededFault(
        "What is over its limit is marked ok.",
        "cli/check.py",
        'return "FAIL"\n',
        'return "ok"\n',
        (f"{OF_LIMITS}::test_what_is_over_a_limit_is_never_ok",),
    ),
)
