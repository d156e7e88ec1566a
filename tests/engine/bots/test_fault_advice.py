"""What the author of a bot is told to do that plays under limits of somebody else's."""

import pytest

from engine.bots.fault_advice import TO_DO, advice_on, advice_to_author
from engine.fault import Cause, Fault
from engine.limits import Limits
from engine.support.text_decoding import CURE
from tests.cases import for_each


@for_each("cause", Cause)
def test_no_advice_names_what_only_an_organizer_can_change(cause: Cause) -> None:
    advice = advice_to_author(Fault(cause, "some words"), Limits())
    assert advice
    assert "--limit" not in advice
    assert "{" not in advice


def test_the_limits_that_hold_are_named() -> None:
    limits = Limits(cpu_ms=40, memory_mb=128)
    assert "40 ms" in advice_to_author(Fault(Cause.TIMEOUT), limits)
    assert "128 MB" in advice_to_author(Fault(Cause.OUT_OF_MEMORY), limits)


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        ("x.py: it is UTF-16 (with a byte order mark), not UTF-8; save it as UTF-8", CURE),
        ("x.py: it is a web page; it is no Python source", "put the bot's source in its place"),
        ("x.py, line 3: '(' was never closed", TO_DO[Cause.SYNTAX_ERROR]),
    ],
)
def test_a_source_that_cannot_be_read_is_mended_as_it_has_to_be(words: str, advice: str) -> None:
    fault = Fault(Cause.SYNTAX_ERROR, words)
    assert advice_to_author(fault, Limits()) == advice_on(fault, Limits(), None) == advice


def test_a_package_that_is_not_allowed_is_to_be_done_without() -> None:
    fault = Fault(Cause.IMPORT_ERROR, "torch is not allowed (--allow-package torch)")
    assert advice_to_author(fault, Limits()).startswith("do without that package")


@for_each(
    "words, advice",
    [
        ("'left' is not a valid command; expected one of LEFT, UP; did you mean 'LEFT'?", "'LEFT'"),
        ("'WAIT' is not a valid command; expected one of LEFT, UP", "return one of these"),
        ("an answer must be a string, not ['LEFT'] (one command for each call)", "the command it"),
        ("not None (a way through decide ends without return)", "end each way through it with a r"),
        ("place 99 99: (99, 99) is no cell", "return an order that the game has"),
    ],
)
def test_an_order_that_is_not_legal_is_answered_with_what_is(words: str, advice: str) -> None:
    assert advice in advice_to_author(Fault(Cause.ILLEGAL, words), Limits())
