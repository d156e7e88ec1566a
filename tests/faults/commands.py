"""Seeded faults of what the command line says."""

from tests.faults.seeded import SeededFault

HELP = "tests/cli/test_help.py::"
ADVICE = "tests/engine/bots/test_fault_advice.py::"
FAULTS = (
    SeededFault(
        "The first page of a command's help is longer than a terminal.",
        "cli/help_pages.py",
        "room = MAX_LINES - len(lines) - 3",
        "room = MAX_LINES - len(lines)",
        (f"{HELP}test_the_first_page_of_help_fits_a_terminal",),
    ),
    SeededFault(
        "A former command is replaced without a word.",
        "cli/command_group.py",
        "                _print_advice(ctx, name, self._former[name])\n",
        "",
        (f"{HELP}test_a_former_command_does_what_is_typed_for_it_now_and_says_so",),
    ),
    SeededFault(
        "A former option is replaced where it is the value of another.",
        "cli/command_group.py",
        "in_pieces(args, options_by_word([self, *named])) if former",
        "((word,) for word in args) if former",
        (f"{HELP}test_a_former_option_as_a_value_or_behind_a_dash_is_left_alone",),
    ),
    SeededFault(
        "A file's options of earlier versions are not read.",
        "cli/command_line.py",
        "found[_spell_for_file(word)] +=",
        "found[word] +=",
        (f"{HELP}test_a_file_of_options_may_call_them_as_before",),
    ),
    SeededFault(
        "--debug stops at the last fault of a bot.",
        "cli/ask.py",
        "turn = min((fault.turn",
        "turn = max((fault.turn",
        ("tests/cli/test_debug.py::test_without_a_turn_it_stops_in_that_of_the_first_fault",),
    ),
    SeededFault(
        "An exception is advised on by what comes last in the table.",
        "engine/bots/fault_advice.py",
        "(advice for part, advice in EXCEPTIONS.items() if part in text)",
        "(advice for part, advice in reversed(EXCEPTIONS.items()) if part in text)",
        (f"{ADVICE}test_an_exception_is_answered_with_what_to_do",),
    ),
    SeededFault(
        "An error names files by their whole paths.",
        "engine/support/typed_commands.py",
        '{re.escape(here)}", "", text)',
        '{re.escape(here)}", here, text)',
        ("tests/engine/test_typed_commands.py::test_paths_below_are_named_from_here",),
    ),
)
