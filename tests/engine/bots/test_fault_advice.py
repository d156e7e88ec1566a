"""What the author of a bot is told to do that plays under limits of somebody else's."""

import pytest

from engine.bots.fault_advice import (
    EXCEPTIONS,
    ON_EXCEPTION,
    ON_SYNTAX,
    SYNTAX_ERRORS,
    advice_on,
    advice_to_author,
    advise_on_exception,
)
from engine.fault import Cause, Fault
from engine.limits import Limits
from engine.support.text_decoding import REMEDY
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
    ("message", "advice"),
    [
        ("x.py: it is UTF-16 (with a byte order mark), not UTF-8; save it as UTF-8", REMEDY),
        ("x.py: it is a web page; it is no Python source", "put the bot's source in its place"),
        ("x.py, line 3: '(' was never closed", SYNTAX_ERRORS["was never closed"]),
        ("x.py, line 3: invalid syntax", ON_SYNTAX),
    ],
)
def test_a_source_that_cannot_be_read_is_mended_as_it_has_to_be(message: str, advice: str) -> None:
    fault = Fault(Cause.SYNTAX_ERROR, message)
    assert advice_to_author(fault, Limits()) == advice_on(fault, Limits(), None) == advice


def test_a_package_that_is_not_allowed_is_to_be_done_without() -> None:
    fault = Fault(Cause.IMPORT_ERROR, "torch is not allowed (--allow-package torch)")
    assert advice_to_author(fault, Limits()).startswith("do without that package")


@for_each(
    "message, advice",
    [
        ("'left' is not a valid command; expected one of LEFT, UP; did you mean 'LEFT'?", "'LEFT'"),
        ("'WAIT' is not a valid command; expected one of LEFT, UP", "return one of these"),
        ("an answer must be a string, not ['LEFT'] (one command for each call)", "the command it"),
        ("not None (a way through decide ends without return)", "end each way through it with a r"),
        ("place 99 99: (99, 99) is no cell", "return an order that the game has"),
    ],
)
def test_an_order_that_is_not_legal_is_answered_with_what_is(message: str, advice: str) -> None:
    assert advice in advice_to_author(Fault(Cause.ILLEGAL, message), Limits())


@for_each(
    "source, part",
    [
        ("[][1]", "IndexError: "),
        ("{}['a']", "KeyError: "),
        ("nowhere", "NameError: "),
        ("1 // 0", "ZeroDivisionError: "),
        ("None.x", "'NoneType' object"),
        ("[].sort()[0]", "'NoneType' object"),
        ("(1).x", "object has no attribute"),
        ("'a' + 1", "can only concatenate"),
        ("1 + 'a'", "unsupported operand"),
        ("'a' < 1", "not supported between"),
        ("(lambda x: x())(1)", "is not callable"),
        ("(lambda x: x)()", "required positional"),
        ("(lambda x: x)(y=1)", "unexpected keyword"),
        ("(lambda: 1)(2)", "positional argument"),
        ("list(1)", "is not iterable"),
        ("(lambda x: x[0])(1)", "is not subscriptable"),
        ("[x for x, y in [(1, 2, 3)]]", "to unpack"),
        ("next(iter([]))", "StopIteration: "),
        ("int('x')", "ValueError: "),
    ],
)
def test_an_exception_is_answered_with_what_to_do(source: str, part: str) -> None:
    with pytest.raises(Exception, match=r".*") as raised:
        eval(source)
    text = f"{raised.type.__name__}: {raised.value} (player_mine, line 1)"
    assert advise_on_exception(text) == EXCEPTIONS[part]


def test_an_exception_of_ones_own_is_answered_with_where_to_look() -> None:
    assert advise_on_exception("MyError: lost") == ON_EXCEPTION


@for_each(
    "source, part",
    [
        ("x = (1", "was never closed"),
        ("x = (1]", "does not match opening"),
        ("if 1\n  pass", "expected ':'"),
        ("x = 1\n  y = 2", "unexpected indent"),
        ("if 1:\n    x = 1\n  y = 2", "unindent does not match"),
        ("if 1:\n        x = 1\n\ty = 2", "tabs and spaces"),
        ("if 1:\nx = 1", "expected an indented block"),
        ("x = 'a", "unterminated"),
        ("return 1", "outside function"),
        ("1 = 2", "cannot assign"),
        ("print 'a'", "Missing parentheses in call"),
        ("x = [1 2]", "Perhaps you forgot a comma"),
    ],
)
def test_a_syntax_error_is_answered_with_what_to_write(source: str, part: str) -> None:
    with pytest.raises(SyntaxError) as raised:
        compile(source, "x.py", "exec")
    fault = Fault(Cause.SYNTAX_ERROR, f"x.py, line 1: {raised.value.msg}")
    assert advice_to_author(fault, Limits()) == SYNTAX_ERRORS[part]
