"""What a bot printed, and what it raised, told apart in its log."""

from engine.bots.log_reading import TRACEBACK, Section, extract_printed, parse_sections

LOG = (
    "loading\n"
    "--- turn 1, slime 1\nhere\n"
    f"{TRACEBACK}  File 'x', line 3\nValueError: oops\n"
    f"--- turn 1, slime 3\n{TRACEBACK}  File 'x', line 3\nValueError: oops\n"
    "--- turn 2, slime 1\n--- not a place of ours\n"
)
OOPS = "  File 'x', line 3\nValueError: oops\n"


def test_a_log_is_read_ask_by_ask() -> None:
    assert list(parse_sections(LOG)) == [
        Section("", "loading\n", ""),
        Section("turn 1, slime 1", "here\n", OOPS),
        Section("turn 1, slime 3", "", OOPS),
        Section("turn 2, slime 1", "", ""),
        Section("not a place of ours", "", ""),
    ]


def test_what_it_printed_leaves_out_what_it_raised() -> None:
    assert extract_printed(LOG) == "loading\n--- turn 1, slime 1\nhere\n"


def test_an_empty_log_has_nothing_printed() -> None:
    assert extract_printed("") == ""
