"""Advice for the author of a bot that cannot play: where, why, and what to do about it."""

import re
from pathlib import Path

from engine.bots.finding import is_over_http
from engine.bots.programs.manifest import MANIFEST
from engine.bots.remedies import is_remedied
from engine.bots.source_excerpts import source_excerpt
from engine.bots.syntax_hints import NO_SOURCE
from engine.fault import Cause, Fault
from engine.limits import Limits
from engine.support.text_decoding import REMEDY, is_about_encoding

QUOTED_NAME = re.compile(r"'(\w+)'")
TO_DO = {
    Cause.IMPORT_ERROR: "correct the import; a bot of several files is a folder with an "
    "__init__.py (docs/writing_a_bot.md)",
    Cause.NO_PLAYER: "add that class: playerCode/player_base.py is a bot to begin with",
    Cause.WRONG_TYPE: "derive it from the class that is expected, or play it in its own game",
    Cause.WRONG_METHOD: "write it as expected",
    Cause.LOAD_ERROR: "correct that line; with --in-process the traceback is printed, and "
    "breakpoint() stops there",
    Cause.LOAD_TIMEOUT: "do less while the file is imported and the Player is made, or allow "
    "more: --limit load_ms={limits.load_ms} is what holds now",
    Cause.OUT_OF_MEMORY: "use less, or allow more: --limit memory_mb={limits.memory_mb} is what "
    "holds now",
    Cause.EXIT: "take out what ends the process: a bot ends when its match does",
    Cause.SIGNAL: "find what ends the process: with --in-process a debugger can watch it",
    Cause.FORBIDDEN: "do without it: docs/sandbox.md has what a bot may do",
    Cause.ILLEGAL: "return an order that the game has; docs/rules/ says what each does",
    Cause.UNREADABLE: "return an order as docs/rules/ has it, made of plain values",
    Cause.TIMEOUT: "decide faster, or allow more: --limit cpu_ms={limits.cpu_ms} is what holds now",
    Cause.SLEPT: "do not sleep or wait: --limit wall_ms={limits.wall_ms} is what holds now",
    Cause.BANK_EMPTY: "use less time in each turn and do not sleep, or allow more: --limit "
    "bank_s={limits.bank_s} is what holds now",
}
TO_DO_ELSEWHERE = {
    Cause.LOAD_TIMEOUT: "do less while the file is imported and the Player is made: "
    "{limits.load_ms} ms are allowed",
    Cause.OUT_OF_MEMORY: "use less: {limits.memory_mb} MB are allowed",
    Cause.TIMEOUT: "decide faster: {limits.cpu_ms} ms are allowed",
    Cause.SLEPT: "do not sleep or wait: {limits.wall_ms} ms are allowed",
    Cause.BANK_EMPTY: "use less time in each turn and do not sleep: {limits.bank_s} s are allowed "
    "for a whole match",
}
"""Where the limits are not the author's to change."""
TO_DO_IN_PROGRAMS = {
    Cause.BUILD_ERROR: "correct that, and build it in a copy of its folder to see all that the "
    "tools say; docs/protocol.md has what bot.toml may hold",
    Cause.LOAD_ERROR: "docs/protocol.md has what bot.toml may name as its program",
    Cause.WRONG_TYPE: "docs/protocol.md has the games and the version of the protocol",
    Cause.LOAD_TIMEOUT: "flush standard output after every line, and say hello before reading; "
    "docs/protocol.md has the conversation",
    Cause.EXCEPTION: "correct it; what it wrote to standard error is in its log",
    Cause.UNREADABLE: "write one line of JSON for each ask, and flush it; print to standard error "
    "(docs/protocol.md)",
    Cause.SIGNAL: "what it wrote to standard error is in its log; a debugger shows the rest",
}
"""Where it matters that a bot is a program in another language."""
TO_DO_OVER_HTTP = {
    Cause.UNREACHABLE: "start its program, and look whether that address answers; docs/protocol.md "
    "has what is asked",
    Cause.LOAD_TIMEOUT: "answer the start with its hello within {limits.load_ms} ms; "
    "docs/protocol.md has the conversation",
    Cause.TIMEOUT: "answer sooner, or allow more: --limit wall_ms={limits.wall_ms} is what holds "
    "now",
    Cause.EXCEPTION: "correct it; the program that was asked knows more",
    Cause.UNREADABLE: "answer each message with one object of JSON, and status 200 "
    "(docs/protocol.md)",
    Cause.WRONG_TYPE: "docs/protocol.md has the games and the version of the protocol",
}
"""Where it matters that a bot is asked over HTTP."""
ALLOW_PACKAGE_OPTION = "--allow-package"
"""The option named in a fault about a package that is installed and not allowed."""
INSTEAD_ADVICE = "write it as the message says; docs/writing_a_bot.md has what a bot may do"
"""Where the words of the fault say what works."""
ON_EXCEPTION = (
    "correct that line for these values, or what they come from; print() and self.log show more"
)
"""Where no more is known of an exception than its line and values."""
ON_SYNTAX = "correct that line, or what is left open before it"
EXCEPTIONS = {
    "IndexError: ": "compare the index with len(...) first, or loop over the items themselves",
    "KeyError: ": "ask with .get(KEY), or test `KEY in ...` first",
    "NameError: ": "spell it as where it is defined, or define it first; what belongs to the bot "
    "is self.NAME",
    "UnboundLocalError: ": "give it a value on each way to this line: an assignment within an `if` "
    "or a loop may not have run",
    "ZeroDivisionError: ": "handle 0 before this line: `if n:`, or max(1, n)",
    "RecursionError: ": "let a condition end it: here a function calls itself again and again",
    "AssertionError: ": "what the bot asserts is not so for these values: correct what makes them, "
    "or take the assertion out",
    "StopIteration: ": "give next() what to return at the end: next(..., None)",
    "'NoneType' object": "test it with `is not None` first: what finds nothing returns None",
    "object has no attribute": "use a name that it has, or look at the line that made it: its "
    "type may be another than you think",
    "can only concatenate": "make both the same type: str(...) for text, int(...) for numbers",
    "unsupported operand": "make both the same type: str(...) for text, int(...) for numbers",
    "not supported between": "make both the same type before they are compared: int(...), or key= "
    "of sorted, min and max",
    "is not callable": "take out the (...) behind it: it is a value; or a name of yours hides a "
    "function",
    "required positional": "pass what is missing; docs/library.md has what each method takes",
    "unexpected keyword": "pass only what it takes; docs/library.md has what each method takes",
    "positional argument": "pass only what it takes; docs/library.md has what each method takes",
    "is not iterable": "loop over a list: this is a single value",
    "is not subscriptable": "take out the [...] behind it: it is a single value",
    "to unpack": "give the left side as many names as there are values",
    "ValueError: ": "test the value first: its type is right, and what it holds is not",
    "RuntimeError: ": "return an order instead of raising: what is raised loses the decision",
}
"""What to do about an exception, by a part of its words; the first that is found counts."""
SYNTAX_ERRORS = {
    "was never closed": "close that bracket: what follows is read as its contents",
    "does not match opening": "close each bracket by its own kind, the last that opened first",
    "expected ':'": "put a colon at the end of that line",
    "unexpected indent": "indent it as the line above: only what follows a colon goes further in",
    "unindent does not match": "indent it as one of the lines above, by spaces alone",
    "tabs and spaces": "indent by spaces alone, four a level: editors can replace the tabs",
    "expected an indented block": "indent what belongs below it by four spaces, or write pass",
    "unterminated": "end that text with the quote it began with, on the same line",
    "outside function": "indent it into the function it belongs to",
    "cannot assign": "compare with ==; only a name can stand left of =",
    "Maybe you meant '=='": "compare with ==; = gives a name a value",
    "Perhaps you forgot a comma": "put a comma between the two",
    "Missing parentheses in call": "put parentheses around what it prints: print(...)",
}
DID_YOU_MEAN = re.compile(r"; did you mean '([^']+)'\?$")
ON_ORDERS = {
    "(a way through decide ends without return)": "end each way through it with a return",
    "(one command for each call)": "return the command itself, not a list of commands",
    "; expected one of ": "return one of these; docs/rules/ says what each does",
}
"""What to do about an illegal order, by what the words of the fault have."""
ON_ANSWERS = {
    "'generator' ": "a yield makes a generator: use return, or list(...) for several orders",
    "method' ": "call it: put () behind its name",
    "'function' ": "call it: put () behind its name",
    "'bytes' ": "return text: 'LEFT', not b'LEFT'",
}
"""What to do about an answer of a wrong type, by what the words of the fault have."""
EXPECTED_SIGNATURE = re.compile(r"; expected: (def .+?\))")
OUR_MODULE = re.compile(r"No module named 'engine\.games\.(\w+)\.\w+'")
DEFAULT_ADVICE = "with --in-process the traceback is printed, and breakpoint() stops there"


def advice_on(fault: Fault, limits: Limits, file: Path | None) -> str:
    """Return what to do about a fault; `file` is where the bot's author keeps it, if known."""
    if ALLOW_PACKAGE_OPTION in fault.detail:
        return f"do without that package, or let bots import it with {ALLOW_PACKAGE_OPTION}"
    if (advice := _advice_by_words(fault)) is not None:
        return advice
    if file is not None and fault.cause is Cause.IMPORT_ERROR:
        for module in QUOTED_NAME.findall(fault.detail):
            if file.is_file() and _is_module(file.parent, module):
                return _how_to_add_file(file, module)
    text = None
    if file is not None and (file / MANIFEST).is_file():
        to_do = TO_DO_OVER_HTTP if is_over_http(file) else TO_DO_IN_PROGRAMS
        text = to_do.get(fault.cause)
    return (text or TO_DO.get(fault.cause, DEFAULT_ADVICE)).format(limits=limits)


def _advice_on_order(text: str) -> str:
    """Return what to do about an order that is not legal; `text` says why."""
    meant = DID_YOU_MEAN.search(text)
    if meant is not None:
        return f"return '{meant[1]}'"
    found = (advice for part, advice in ON_ORDERS.items() if part in text)
    return next(found, TO_DO[Cause.ILLEGAL])


def advice_to_author(fault: Fault, limits: Limits, *, is_program: bool = False) -> str:
    """Return what to do about a fault of a bot that plays elsewhere, under limits that stay."""
    if ALLOW_PACKAGE_OPTION in fault.detail:
        return "do without that package: bots cannot import it there"
    if (advice := _advice_by_words(fault)) is not None:
        return advice
    if is_program and fault.cause in TO_DO_IN_PROGRAMS:
        return TO_DO_IN_PROGRAMS[fault.cause]
    template = TO_DO_ELSEWHERE.get(fault.cause) or TO_DO.get(
        fault.cause, f"at home, {DEFAULT_ADVICE}"
    )
    return template.format(limits=limits)


def _advice_by_words(fault: Fault) -> str | None:
    """Return what to do where the words of a fault tell; None where its cause alone does."""
    if fault.cause is Cause.SYNTAX_ERROR:
        return advice_on_syntax(fault.detail)
    if fault.cause is Cause.ILLEGAL:
        return _advice_on_order(fault.detail)
    if fault.cause is Cause.UNREADABLE:
        return next((advice for part, advice in ON_ANSWERS.items() if part in fault.detail), None)
    if fault.cause is Cause.WRONG_METHOD and (expected := EXPECTED_SIGNATURE.search(fault.detail)):
        return f"write in the class Player:  {expected[1]}:"
    if fault.cause is Cause.IMPORT_ERROR and (ours := OUR_MODULE.search(fault.detail)):
        return f"import its base class so: from engine.games.{ours[1]}.player import BasePlayer"
    return INSTEAD_ADVICE if is_remedied(fault.detail) else None


def advice_on_syntax(text: str) -> str:
    """Return what to do about a source that Python cannot read; `text` says why."""
    if NO_SOURCE in text:
        return "put the bot's source in its place"
    if is_about_encoding(text):
        return REMEDY
    return next((advice for part, advice in SYNTAX_ERRORS.items() if part in text), ON_SYNTAX)


def advise_on_exception(text: str) -> str:
    """Return what to do about an exception of a bot in Python; `text` is its kind and message."""
    return next((advice for part, advice in EXCEPTIONS.items() if part in text), ON_EXCEPTION)


def in_full(name: str, fault: Fault, limits: Limits, file: Path | None) -> str:
    """Return lines: the bot and its file, what is wrong, where in its source, what to do."""
    where = "" if file is None else f" ({file})"
    lines = [f"{name}{where}", f"    {fault.cause}: {fault.detail}"]
    if file is not None and (excerpt := source_excerpt(file, fault.detail)):
        lines.append(f"        {excerpt}")
    return "\n".join([*lines, f"    what to do: {advice_on(fault, limits, file)}"])


def _is_module(folder: Path, name: str) -> bool:
    return (folder / f"{name}.py").is_file() or (folder / name / "__init__.py").is_file()


def _how_to_add_file(file: Path, module: str) -> str:
    """Return how to make a bot of several files: only its own files are played."""
    return (
        f"{module} lies beside {file.name}, but only the bot's own files are played. Make it a "
        f"folder: mkdir {file.stem}; move {file.name} to {file.stem}/__init__.py and {module} into "
        f"{file.stem}/; name it as {file.stem}. `import {module}` then works"
    )
