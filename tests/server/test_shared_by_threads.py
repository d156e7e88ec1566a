"""What threads of a server share although Python, or a library, has made it for one."""

import ast
import logging
import os
import re
import signal
import threading
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from jinja2 import DictLoader, Environment
from markdown_it import MarkdownIt

from engine.bots.parameters import read_parameters
from engine.bots.remedies import _key_remedy
from engine.bots.source import read_source
from engine.games.game_of_death.disclosure import _classes_in
from engine.games.game_of_death.inspection import mistakes_in_code
from engine.support import interpreter_state
from engine.support.interpreter_state import (
    ONE_THREAD,
    format_traceback,
    ignore_warnings,
    parse_module,
)
from report.rendering import SharedTemplates, _make_environment
from runners.configuration import HOME
from server.http.markdown_text import make_thread_safe
from server.http.page_requests import make_environment
from server.http.request_log import JsonLines
from server.http.serving import OncePerMinute
from server.site import documents
from server.writing import reference
from server.writing.drafts import load_templates
from tests import needs

PARSING = re.compile(
    r"\bast\.parse\(|catch_warnings\(|format_exception\(|Environment\($", re.MULTILINE
)
BOT = b'NAME = "x"\nPARAMS = {"a": 1}\n\nclass Player:\n    pass\n'


def is_mine() -> bool:
    """Return whether this thread holds the lock."""
    return bool(ONE_THREAD._is_owned())  # type: ignore[attr-defined]


def note_locks(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str) -> list[bool]:
    """Return a list to which each call of a function adds whether it has the lock."""
    known, seen = getattr(owner, name), list[bool]()

    def noted(*args: Any, **options: Any) -> Any:
        seen.append(is_mine())
        return known(*args, **options)

    monkeypatch.setattr(owner, name, noted)
    return seen


def parameters(folder: Path) -> object:
    bot = folder / "player_x.py"
    bot.write_bytes(BOT)
    return read_parameters(bot)


def format_error() -> str:
    try:
        raise ValueError("no")
    except ValueError as error:
        found = (type(error), error, error.__traceback__)
    record = logging.LogRecord("x", logging.ERROR, "x.py", 1, "broken", None, found)
    assert OncePerMinute().filter(record)
    return JsonLines().format(record)


@pytest.mark.parametrize(
    "parse",
    [
        lambda _: load_templates.__wrapped__("smack"),
        lambda _: reference._parse_source.__wrapped__(reference),
        lambda _: read_source(BOT),
        parameters,
        lambda _: _key_remedy("values[1]"),
        lambda _: list(mistakes_in_code("Scout", "x = 1")),
        lambda _: _classes_in.__wrapped__(reference.__name__),
    ],
)
def test_whoever_parses_has_the_one_lock(
    parse: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = note_locks(monkeypatch, ast, "parse")
    parse(tmp_path)
    assert seen
    assert all(seen)


def test_a_traceback_is_written_with_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = note_locks(monkeypatch, traceback.TracebackException, "format")
    assert "ValueError: no" in format_error()
    assert format_traceback(ValueError("no")) == "ValueError: no"
    assert len(seen) == 3
    assert all(seen)


def test_nothing_is_parsed_without_the_lock() -> None:
    found = [
        path.relative_to(HOME).as_posix()
        for folder in ("engine", "runners", "visualizer", "report", "server")
        for path in (HOME / folder).rglob("*.py")
        if PARSING.search(path.read_text(encoding="utf-8"))
    ]
    assert found == [Path(interpreter_state.__file__).relative_to(HOME).as_posix()]


@needs.call("os.fork")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # it is what is tested
def test_a_process_forked_while_another_thread_parses_can_parse() -> None:
    is_held, is_enough = threading.Event(), threading.Event()

    def hold() -> None:
        with ONE_THREAD:
            is_held.set()
            is_enough.wait()

    holder = threading.Thread(target=hold)
    holder.start()
    is_held.wait()
    threading.Timer(0.1, is_enough.set).start()
    child = os.fork()
    if not child:
        signal.alarm(10)  # instead of waiting for ever
        parse_module("x = 1")
        os._exit(0)
    holder.join()
    assert os.waitpid(child, 0)[1] == 0


def test_warnings_that_threads_ignore_are_shown_afterwards() -> None:
    before = list(warnings.filters)

    def ignore(_: int) -> None:
        with ignore_warnings():
            ast.parse("x = 1\n" * 200)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(ignore, range(200)))
    assert list(warnings.filters) == before


def test_a_template_is_compiled_with_the_lock(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = note_locks(monkeypatch, Environment, "compile")
    found = {"a": "{% extends 'b' %}", "b": "{% include 'c' %}", "c": "{{ 1.5 }}"}
    assert SharedTemplates(loader=DictLoader(found)).get_template("a").render() == "1.5"
    assert seen == [True] * 3
    assert isinstance(make_environment(), SharedTemplates)
    assert isinstance(_make_environment(), SharedTemplates)


def test_a_compiled_template_is_rendered_while_another_thread_parses() -> None:
    shared = SharedTemplates(loader=DictLoader({"a": "{{ 1.5 }}"}))
    shared.get_template("a")
    with ThreadPoolExecutor(1) as pool, ONE_THREAD:
        rendered = pool.submit(lambda: shared.get_template("a").render())
        assert rendered.result(timeout=20) == "1.5"


@pytest.mark.parametrize(
    "markdown",
    [make_thread_safe(MarkdownIt("commonmark")), reference.MARKDOWN, documents._MARKDOWN],
)
def test_no_thread_finds_half_of_the_rules_of_markdown(markdown: MarkdownIt) -> None:
    rulers = (markdown.core, markdown.block, markdown.inline)
    assert all(one.ruler.__cache__ for one in rulers)
    assert markdown.inline.ruler2.__cache__
