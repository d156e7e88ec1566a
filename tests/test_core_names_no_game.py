"""The core knows no game by name: what a game has, its description says (engine/catalog.py)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from bootstrap import HOME
from engine.catalog import OURS

CORE = ("engine", "runners", "visualizer", "server", "report", "cli", "learning")
PARTS_OF_GAMES = (
    *("engine/games", "engine/catalog.py", "visualizer/scenes", "server/games/boards"),
    *(
        "server/designs",
        "server/rooms",
        "learning/encodings",
        "learning/slime_mind",
        "learning/examples",
    ),
)
NAME = re.compile(rf"\b({'|'.join(OURS)})\b")
LOGGER = re.compile(r"slime_mind\.(server|seat|games)")


def find_texts(path: Path) -> Iterator[str]:
    """Return the texts of a module that are no docstrings, and what it imports."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield "" if id(node) in docstrings else node.value
        elif isinstance(node, ast.ImportFrom):
            yield (node.module or "").replace(".", " ")


def test_no_module_of_the_core_names_a_game() -> None:
    modules = [path for folder in CORE for path in (HOME / folder).rglob("*.py")]
    names = {path: path.relative_to(HOME).as_posix() for path in modules}
    found = {
        name
        for path, name in names.items()
        if not name.startswith(PARTS_OF_GAMES) and not name.endswith("_v0.py")
        if any(NAME.search(LOGGER.sub("", text)) for text in find_texts(path))
    }
    assert found == set()
