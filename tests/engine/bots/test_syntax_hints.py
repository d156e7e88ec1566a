"""What is said of a source that Python cannot read, beyond Python's own words."""

import ast
import sys

import pytest

from engine.bots import syntax_hints
from engine.bots.syntax_hints import THIS_PYTHON, why_unreadable

OLD = (3, 11)


def why(source: str, message: str = "", line: int = 1) -> str:
    error = SyntaxError(message or "invalid syntax")
    error.lineno = line
    return why_unreadable(error, source.encode())


@pytest.fixture
def old(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the Python that plays be the oldest one."""
    monkeypatch.setattr(syntax_hints, "find_bot_python", lambda: OLD)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("type X = int", "a `type` statement needs Python 3.12"),
        ("type Pair[T] = tuple[T, T]", "a `type` statement needs Python 3.12"),
        ("def first[T](items): pass", "a list of type parameters needs Python 3.12"),
        ("async def first[T](items): pass", "a list of type parameters needs Python 3.12"),
        ("class Box[T]: pass", "a list of type parameters needs Python 3.12"),
        ("class Box[T = int]: pass", "a default of a type parameter needs Python 3.13"),
        (
            'x = f"{d["a"]}"',
            "a quote, backslash or comment inside the braces of an f-string needs Python 3.12",
        ),
        (
            "x = f'{chr(10) + '\\n'}'",
            "a quote, backslash or comment inside the braces of an f-string needs Python 3.12",
        ),
        ("x = t'{name}'", "a template string, t'...', needs Python 3.14"),
    ],
)
@pytest.mark.usefixtures("old")
def test_syntax_of_a_newer_python_is_named_with_the_python_that_plays(
    source: str, what: str
) -> None:
    assert why(source) == f"{what} or newer, and bots play in {THIS_PYTHON} here: write it without"


@pytest.mark.usefixtures("old")
def test_names_of_exceptions_without_parentheses_are_of_a_newer_python() -> None:
    message = "multiple exception types must be parenthesized"
    assert why("except A, B:", message).startswith("`except A, B:` without parentheses needs")
    assert why("except A B:") == ""


@pytest.mark.parametrize("source", ["x = (", "x = f'{}'", "types = = 1", 'print(f"{a}" "b}'])
@pytest.mark.usefixtures("old")
def test_of_an_ordinary_mistake_nothing_is_added(source: str) -> None:
    assert why(source) == ""


def test_what_this_python_knows_is_not_taken_for_newer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syntax_hints, "find_bot_python", lambda: (3, 99))
    assert why("type X = = int") == ""


def test_this_python_is_the_one_that_runs() -> None:
    assert f"{sys.version_info[0]}.{sys.version_info[1]}" in THIS_PYTHON
    assert syntax_hints.find_bot_python() == sys.version_info[:2]


@pytest.mark.parametrize("line", ["%matplotlib inline", "%%time", "!pip install numpy", "?help"])
def test_a_command_of_a_notebook_is_named(line: str) -> None:
    source = f"import numpy\n{line}\n"
    with pytest.raises(SyntaxError) as error:
        ast.parse(source)
    assert why_unreadable(error.value, source.encode()) == (
        f"`{line}` is of a notebook, and not Python: take that line out"
    )


def test_a_file_that_is_no_source_is_named() -> None:
    assert why("<!DOCTYPE html>\n<p>") == (
        "it is a web page: download the file itself; it is no Python source"
    )


def test_an_endless_line_takes_no_time_to_look_at() -> None:
    assert why('f"{' * 300_000) == ""
