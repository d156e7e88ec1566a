"""Whatever a bot does, its match goes on, ends, and says what was wrong with it."""

from pathlib import Path

import pytest

from engine.bots.sandbox import Level
from engine.fault import Cause
from tests.engine.bots.attacks import ATTACKS
from tests.engine.bots.bad_bots import bad_bot_path, bad_bots
from tests.engine.bots.matches import (
    DUEL,
    QUICK,
    Arena,
    Orders,
    find_children,
    find_holders,
    open_descriptors,
)
from tests.shell import eventually

STEADY = ["DOWN", "LEFT", "RIGHT"]

# Each bad bot, the cause its result must name, and words of the first fault's detail.
EXPECTED: dict[str, tuple[Cause, str]] = {
    "loops": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "loops_past_the_interrupt": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "loops_in_a_destructor": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "sleeps": (Cause.SLEPT, "no answer after 1000 ms"),
    "sleeps_through_signals": (Cause.SLEPT, "no answer after 1000 ms"),
    "blocks_signals": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "dies_of_the_interrupt": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "long_c_call": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "long_sum": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "long_regex": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "thread_holds_on": (Cause.FORBIDDEN, "can't start new thread"),
    "exits_hard": (Cause.EXIT, "exit code 3"),
    "exits_politely": (Cause.EXIT, "SystemExit: 5 (exits_politely, line 10)"),
    "kills_itself": (Cause.FORBIDDEN, "PermissionError: [Errno 1]"),
    "segfaults": (Cause.SIGNAL, "signal 11 (SIGSEGV)"),
    "raises": (Cause.EXCEPTION, "ValueError: too late (raises, line 8)"),
    "raises_base": (Cause.EXCEPTION, "KeyboardInterrupt (raises_base, line 8)"),
    "raises_the_interrupt": (Cause.EXCEPTION, "OutOfTime (raises_the_interrupt, line"),
    "raises_without_words": (Cause.EXCEPTION, "an exception that cannot be read"),
    "raises_strange_words": (Cause.EXCEPTION, "an exception that cannot be read"),
    "raises_endless_words": (Cause.EXCEPTION, "ValueError: \N{SNAIL}\N{SNAIL}"),
    "raises_slow_words": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "prints_control_characters": (Cause.EXCEPTION, "ValueError: [2J ]0;title red ("),
    "recurses": (Cause.EXCEPTION, "RecursionError: maximum recursion depth exceeded"),
    "recurses_past_the_end": (Cause.SIGNAL, "signal 11 (SIGSEGV)"),
    "eats_memory_at_once": (Cause.OUT_OF_MEMORY, "MemoryError (eats_memory_at_once, line 8)"),
    "eats_memory_and_keeps_it": (Cause.OUT_OF_MEMORY, ""),
    "answers_fly": (Cause.ILLEGAL, "'FLY' is not a valid command; expected one of LEFT, RIGHT, "),
    "answers_lower_case": (Cause.ILLEGAL, "'left' is not a valid command"),
    "answers_nothing": (Cause.ILLEGAL, "must be a string such as 'LEFT', not None"),
    "answers_nan": (Cause.UNREADABLE, "nan is not a number that can be sent"),
    "answers_bytes": (Cause.UNREADABLE, "'bytes' is not an order; expected a string, "),
    "answers_raw_digits": (Cause.ILLEGAL, "must be a string such as 'LEFT', not 9999"),
    "answers_an_object": (Cause.UNREADABLE, "'object' is not an order"),
    "answers_a_huge_number": (Cause.UNREADABLE, "cannot be sent: ValueError"),
    "answers_a_deep_list": (Cause.UNREADABLE, "cannot be sent: RecursionError"),
    "answers_itself": (Cause.UNREADABLE, "cannot be sent: RecursionError"),
    "answers_half_a_letter": (Cause.UNREADABLE, "cannot be sent: UnicodeEncodeError"),
    "answers_unwillingly": (Cause.UNREADABLE, "'bot.Unwilling' is not an order"),
    "answers_a_subclass": (Cause.UNREADABLE, "'bot.Word' is not an order"),
    "answers_deep_brackets": (Cause.UNREADABLE, "recursion"),
    "answers_broken_utf8": (Cause.UNREADABLE, "utf-8"),
    "answers_10_mb": (Cause.UNREADABLE, "an answer of over 4096 bytes"),
    "no_import": (Cause.IMPORT_ERROR, "and is not an installed package (no_import, line 3)"),
    "syntax_error": (Cause.SYNTAX_ERROR, "syntax_error, line 3: "),
    "no_player": (Cause.NO_PLAYER, "no_player defines no class Player"),
    "player_is_a_function": (Cause.WRONG_TYPE, "must be a class derived from BasePlayer"),
    "player_is_a_stranger": (Cause.WRONG_TYPE, "must be a class derived from BasePlayer"),
    "no_decide": (Cause.WRONG_METHOD, "no method decide; expected: def decide(self, slime)"),
    "init_of_another_shape": (
        Cause.WRONG_METHOD,
        "__init__(self) cannot be called; expected: def __init__(self, board, team)",
    ),
    "init_raises": (Cause.LOAD_ERROR, "RuntimeError: not today (init_raises, line 8)"),
    "init_forgets_the_base": (Cause.EXCEPTION, "has no attribute 'board'"),
    "init_loops": (Cause.LOAD_TIMEOUT, "not ready after 500 ms"),
    "import_loops": (Cause.LOAD_TIMEOUT, "not ready after 500 ms"),
    "names_a_huge_power": (Cause.LOAD_TIMEOUT, "not ready after 500 ms"),
    "import_sleeps": (Cause.LOAD_TIMEOUT, "not ready after 500 ms"),
    "import_exits_hard": (Cause.EXIT, "exit code 4"),
    "import_exits_politely": (Cause.EXIT, "SystemExit: 4 (import_exits_politely, line 5)"),
    "import_raises_a_strange_syntax_error": (Cause.SYNTAX_ERROR, "cannot be read"),
    "import_says_ready": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "closes_everything": (Cause.EXIT, "broke its worker"),
    "closes_its_answers": (Cause.UNREADABLE, "closed its pipe"),
    "closes_its_log": (Cause.EXCEPTION, "ValueError: unheard"),
    "babbles": (Cause.UNREADABLE, "malformed"),
    "babbles_for_ever": (Cause.FORBIDDEN, "can't start new thread"),
    "drips": (Cause.SLEPT, "no answer after 1000 ms"),
    "forges_an_answer": (Cause.UNREADABLE, ""),
    "answers_and_dies": (Cause.EXIT, "exit code 0"),
    "leaves_a_child": (Cause.FORBIDDEN, "PermissionError: [Errno 1]"),
    "changes_a_piece": (Cause.EXCEPTION, "AttributeError: immutable type: 'Slime'"),
    "changes_its_board": (Cause.EXIT, "broke its worker"),
    "changes_python": (Cause.EXCEPTION, "one that cannot be read"),
    "changes_os": (Cause.EXIT, "broke its worker"),
    "never_exits": (Cause.EXIT, "broke its worker"),
}
OF_TRUSTED_BOTS: dict[str, tuple[Cause, str]] = {
    "thread_holds_on": (Cause.TIMEOUT, "no answer after 40 ms of CPU time"),
    "kills_itself": (Cause.SIGNAL, "signal 9 (SIGKILL)"),
    "babbles_for_ever": (Cause.UNREADABLE, ""),
    "leaves_a_child": (Cause.EXIT, "exit code 9"),
    "never_exits": (Cause.EXIT, "broke its worker"),
}
"""What has another cause where nothing is forbidden (`--sandbox off`)."""
HARMLESS = ("floods_stdout", "own_json")
"""They try, and nothing comes of it."""


def test_every_bad_bot_is_tried() -> None:
    assert bad_bots() == sorted([*EXPECTED, *HARMLESS, *ATTACKS])


@pytest.mark.variants(10)
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.slow if number % 2 else ())
        for number, name in enumerate(EXPECTED)
    ],
)
def test_a_bad_bot_loses_rounds_for_its_true_cause(name: str, arena: Arena, steady: Path) -> None:
    check(arena, bad_bot_path(name), steady, EXPECTED[name], Level.DEFAULT)


@pytest.mark.variants(2)
@pytest.mark.parametrize("name", OF_TRUSTED_BOTS)
def test_without_the_sandbox_its_cause_is_found_too(name: str, arena: Arena, steady: Path) -> None:
    check(arena, bad_bot_path(name), steady, OF_TRUSTED_BOTS[name], Level.OFF)


def check(arena: Arena, bot: Path, steady: Path, expected: tuple[Cause, str], level: Level) -> None:
    cause, words = expected
    orders = Orders()
    result = arena.play(bot, steady, limits=QUICK, observers=[orders], sandbox=level)
    bad, good = result.teams
    assert set(bad.faults) - {Cause.OUT} == {cause}, bad.details
    assert words in bad.details[cause]
    assert bad.details[cause].isprintable()
    assert (orders.of[2], good.faults, good.out) == (STEADY, {}, None)
    assert result.turns == DUEL.max_turns


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_bot_loses_nothing(name: str, arena: Arena, steady: Path) -> None:
    orders = Orders()
    result = arena.play(bad_bot_path(name), steady, limits=QUICK, observers=[orders])
    assert (result.teams[0].faults, orders.of[1]) == ({}, ["UP"] * DUEL.max_turns)


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    "name", ["answers_10_mb", "exits_hard", "leaves_a_child", "loops_past_the_interrupt"]
)
def test_a_broken_bot_leaves_no_process_and_no_descriptor(
    name: str, arena: Arena, steady: Path, logs: list[int]
) -> None:
    arena.play(steady, steady)  # the process that starts bots is running now
    zygote = arena.referee._launcher._zygote.pid  # type: ignore[union-attr]
    arena.referee._sync.wait()  # type: ignore[union-attr]
    before = open_descriptors()
    arena.play(bad_bot_path(name), steady, limits=QUICK, sandbox=Level.OFF)
    assert eventually(lambda: not find_holders(logs))
    assert find_children(zygote) == []
    arena.referee._sync.wait()  # type: ignore[union-attr]
    assert open_descriptors() == before


def test_two_bots_that_cannot_start_draw(arena: Arena) -> None:
    result = arena.play(bad_bot_path("no_import"), bad_bot_path("syntax_error"), limits=QUICK)
    assert result.winner is None
    assert [set(team.faults) for team in result.teams] == [
        {Cause.IMPORT_ERROR},
        {Cause.SYNTAX_ERROR},
    ]
    assert result.turns == DUEL.max_turns


def test_two_bots_that_break_again_and_again_draw(arena: Arena) -> None:
    result = arena.play(bad_bot_path("exits_hard"), bad_bot_path("exits_hard"), limits=QUICK)
    assert result.winner is None
    assert [team.out for team in result.teams] == [
        "out of the match: exit: process ended itself with exit code 3"
    ] * 2


def test_a_log_tells_the_author_where_it_went_wrong(arena: Arena, steady: Path) -> None:
    result = arena.play(bad_bot_path("raises"), steady)
    log = arena.log(result)
    assert log.startswith("--- turn 1, slime ")
    assert 'File "raises", line 8, in decide' in log
    assert "ValueError: too late" in log
    assert str(arena.out) not in log
    assert "engine" not in log
