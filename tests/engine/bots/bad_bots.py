"""The bad bots as they are played: each in a file of its own, whatever it shares with others."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.fault import Cause
from tests.engine.bots.programs import C_PREFIX, bad_program

FOLDER = Path(__file__).resolve().parents[2] / "bad_bots"
NO_BOTS = ("__main__", "__pycache__")
SHARED = Path(__file__).with_name("escapes.py")
BREAKERS = [
    ("loops", Cause.TIMEOUT),
    ("loops_past_the_interrupt", Cause.TIMEOUT),
    ("sleeps_through_signals", Cause.SLEPT),
    ("exits_hard", Cause.EXIT),
    ("segfaults", Cause.SIGNAL),
    ("babbles_for_ever", Cause.FORBIDDEN),
    ("closes_its_answers", Cause.UNREADABLE),
]
"""Bots that are replaced by every launcher, and why."""
IMPORT = re.compile(r"^from tests\.engine\.bots\.escapes import (.*)$", re.MULTILINE)


def bad_bots() -> list[str]:
    """Return the names of all of them."""
    return sorted(path.stem for path in FOLDER.iterdir() if path.stem not in NO_BOTS)


@cache
def bad_bot_path(name: str) -> Path:
    """Return where a bad bot can be played from."""
    if name.startswith(C_PREFIX):
        return bad_program(name)
    if (FOLDER / name).is_dir():
        return FOLDER / name
    path = FOLDER / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    if not IMPORT.search(source):
        return path
    whole = Path(_composed_folder().name) / path.name
    whole.write_text(compose(source), encoding="utf-8")
    return whole


@cache
def _composed_folder() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="composed-bad-bots-")
    Path(folder.name).chmod(0o755)  # who plays them may be an ordinary user
    return folder


def compose(source: str) -> str:
    """Return the source of a bad bot with what it shares in place of the import."""
    return IMPORT.sub(lambda line: shared_source(line[1].split(", ")), source)


def shared_source(names: list[str]) -> str:
    """Return the source of what is called so, and of all that it needs."""
    text = SHARED.read_text(encoding="utf-8")
    nodes = {name: node for node in ast.parse(text).body for name in _defined_names(node)}
    needed, open_names = set[str](), names
    while open_names:
        needed |= set(open_names)
        used = {name for known in needed for name in _used_names(nodes[known])}
        open_names = sorted(used & nodes.keys() - needed)
    parts = [ast.get_source_segment(text, nodes[name]) for name in nodes if name in needed]
    return "\n".join(f"{part}\n" for part in parts)


def _defined_names(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=aliases):
            yield from (alias.name for alias in aliases)
        case ast.FunctionDef(name=name) | ast.Assign(targets=[ast.Name(id=name)]):
            yield name


def _used_names(node: ast.stmt) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
