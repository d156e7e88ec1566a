"""The numbers that a bot declares to be tuned, `PARAMS = {"aggression": 0.5}`, read and replaced.

Its source is read, never run. What is replaced is the number alone: all else of the file stays.
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

from engine.bots.finding import find_entry_file
from engine.bots.own_files import read_files
from engine.bots.syntax_hints import why_unreadable
from engine.errors import BadBot
from engine.support.interpreter_state import parse_module

NAME = "PARAMS"
USAGE = f'expected {NAME} = {{"name": 0.5}} at the top of the file, with numbers'

Number = int | float


def read_parameters(bot: Path) -> dict[str, Number]:
    """Return the parameters that a bot declares, in their order. Raises: BadBot."""
    source = find_entry_file(bot).read_bytes()
    return {name: _parse_number(node) for name, node in _parse_parameters(bot, source)}


def write_variant(bot: Path, values: Mapping[str, Number], target: Path) -> None:
    """Write a copy of a bot with other values of its parameters. Raises: BadBot, OSError."""
    entry = find_entry_file(bot)
    for name, content in read_files(bot).items():
        file = target / name if bot.is_dir() else target
        file.parent.mkdir(parents=True, exist_ok=True)
        is_entry = not bot.is_dir() or name == entry.name
        file.write_bytes(with_values(bot, content, values) if is_entry else content)


def with_values(bot: Path, source: bytes, values: Mapping[str, Number]) -> bytes:
    """Return a source in which parameters have other values. Raises: BadBot."""
    lines = source.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    found = [(name, node) for name, node in _parse_parameters(bot, source) if name in values]
    for name, node in sorted(found, key=lambda item: (item[1].lineno, item[1].col_offset))[::-1]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = starts[node.lineno - 1] + node.col_offset
        last = starts[node.end_lineno - 1] + node.end_col_offset
        source = source[:first] + repr(values[name]).encode() + source[last:]
    return source


def _parse_parameters(bot: Path, source: bytes) -> Iterator[tuple[str, ast.expr]]:
    """Yield each parameter and the expression of its value. Raises: BadBot."""
    declaration = _find_declaration(bot, source)
    for key, node in zip(declaration.keys, declaration.values, strict=True):
        if not (isinstance(key, ast.Constant) and isinstance(key.value, str)):
            raise BadBot(f"{bot}, line {node.lineno}: {NAME} has a key that is no text; {USAGE}")
        if not _is_number(node):
            raise BadBot(f"{bot}, line {node.lineno}: '{key.value}' is not a number; {USAGE}")
        yield key.value, node


def _find_declaration(bot: Path, source: bytes) -> ast.Dict:
    try:
        module = parse_module(source)
    except (SyntaxError, ValueError) as error:
        raise BadBot(f"{bot}: cannot be read: {why_unreadable(error, source) or error}") from error
    for statement in module.body:
        match statement:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict() as value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict() as value)
            ) if name == NAME:
                return value
    raise BadBot(f"{bot}: declares no parameters; {USAGE}")


def _is_number(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        node = node.operand
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _parse_number(node: ast.expr) -> Number:
    value: Number = ast.literal_eval(node)
    return value
