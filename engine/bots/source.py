"""The constants at the top of a bot's source, read without running it."""

import ast

import msgspec

from engine.bots.syntax_hints import why_unreadable
from engine.support.interpreter_state import ignore_warnings, parse_module
from engine.support.sanitizing import one_line
from engine.support.text_decoding import detect_file_kind, is_about_encoding

MAX_TEXT_LENGTH = 60
"""The longest constant that is shown, letters."""
MAX_NEEDS = 100
TEXTS = ("NAME", "AUTHOR", "VERSION")
NEEDS = "NEEDS"
SYNTAX_ERROR = "syntax error"
"""How the flaw of a source begins that Python cannot read."""


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """What the top of a bot's source says, fit to print."""

    title: str = ""
    author: str = ""
    version: str = ""
    needs: tuple[str, ...] = ()
    """Third-party packages that the bot declares."""
    flaw: str = ""
    """Why it is no bot; empty if it looks like one."""


def read_source(source: bytes) -> Source:
    """Raises: MemoryError, RecursionError for a source that is too much for Python's parser."""
    try:
        with ignore_warnings():
            module = parse_module(source)
    except (SyntaxError, ValueError) as error:
        return Source(flaw=_describe_syntax_error(error, source))
    constants: dict[str, object] = {}
    defines_player = False
    for statement in module.body:
        for name in _bound_names(statement):
            defines_player |= name in ("Player", "*")
            if name in (*TEXTS, NEEDS) and isinstance(statement, ast.Assign | ast.AnnAssign):
                constants[name] = _literal_value(statement.value)
    title, author, version = (_printable(constants.get(name)) for name in TEXTS)
    needs = constants.get(NEEDS, ())
    return Source(
        title=title,
        author=author,
        version=version,
        needs=tuple(map(_printable, needs[:MAX_NEEDS])) if isinstance(needs, list | tuple) else (),
        flaw=_find_flaw(source, needs, defines_player=defines_player),
    )


def _describe_syntax_error(error: Exception, source: bytes) -> str:
    line = getattr(error, "lineno", None)
    why = why_unreadable(error, source) or str(getattr(error, "msg", error))
    where = "" if not line or is_about_encoding(why) else f" in line {line}"
    return one_line(f"{SYNTAX_ERROR}{where}: {why}")


def _find_flaw(source: bytes, needs: object, *, defines_player: bool) -> str:
    if isinstance(needs, list | tuple) and len(needs) > MAX_NEEDS:
        return f"{NEEDS} names {len(needs)} packages, and a bot may name {MAX_NEEDS}"
    if defines_player:
        return ""
    kind = detect_file_kind(source)
    return f"is {kind}" if kind else "defines no class Player"


def _bound_names(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case _:
            return []


def _literal_value(node: ast.expr | None) -> object:
    """Return a literal; nothing that would have to be computed."""
    try:
        return None if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None


def _printable(value: object) -> str:
    """Return an untrusted constant fit to print."""
    try:
        return one_line(value)[:MAX_TEXT_LENGTH] if isinstance(value, str | int | float) else ""
    except ValueError:  # a number of more digits than Python writes
        return ""
