"""What can be seen in the code of a type before it runs: words that no action knows."""

import ast
from collections.abc import Iterator

from engine.games.game_of_death.geometry import SIDES
from engine.games.game_of_death.player import TURNS
from engine.support.did_you_mean import did_you_mean
from engine.support.interpreter_state import parse_module

WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("move", "attack", "strength", "step_of", "is_free", "hits"), SIDES),
    **dict.fromkeys(("turn", "cells_after"), TURNS),
    "seen": ("f", "h", "x"),
}
"""The words that the first argument of a shape's own methods may be."""


def mistakes_in_code(name: str, code: str) -> Iterator[str]:
    """Yield the calls with a word that is none, each with its line, the class's own being 1.

    `code` is the source text of a class, with its bases. What it defines itself may mean anything.
    """
    try:
        tree = parse_module(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    nodes = list(ast.walk(tree))
    own = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    for node in nodes:
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr=method),
                args=[ast.Constant(value=str(word)), *_],
            ) if method in WORDS and method not in own and word not in WORDS[method]:
                known = WORDS[method]
                yield (
                    f"class {name}, its line {node.lineno}: {method} {word!r:.40}: expected one "
                    f"of {', '.join(known)}{did_you_mean(word, known)}"
                )
