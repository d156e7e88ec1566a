"""Pages that list what the code has: environment variables, messages, versions."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from engine.bots.programs.protocol import VERSION as PROTOCOL
from engine.replays.writing import REPLAY_FORMAT
from runners.configuration import HOME
from tests.cases import for_each

PRODUCT = ("cli", "server", "report", "learning", "runners", "visualizer", "engine")
FILES = [
    *(HOME / name for name in ("main.py", "replay.py", "bootstrap.py")),
    *(path for part in (*PRODUCT, "slime_mind_arena") for path in (HOME / part).rglob("*.py")),
]
VARIABLE = re.compile(r"\bSLIME_MIND_[A-Z_]+")
ROW = re.compile(r"^\| `([^`]+)` \|", re.MULTILINE)


def page(name: str) -> str:
    return (HOME / "docs" / name).read_text(encoding="utf-8")


def section(name: str, heading: str) -> str:
    return page(name).partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def variables(paths: Iterator[Path] | list[Path]) -> set[str]:
    return {name for path in paths for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}


def test_the_page_has_each_environment_variable_that_the_code_reads() -> None:
    deployed = [path for path in (HOME / "deploy").rglob("*") if path.is_file()]
    documented = set(ROW.findall(section("command_line.md", "Environment variables")))
    ours = {name for name in documented if name.startswith("SLIME_MIND_")}
    assert variables(FILES) == ours
    assert variables(deployed) <= ours
    assert "FORWARDED_ALLOW_IPS" in documented


@cache
def texts_of_the_code() -> str:
    """Return all texts in the code, with `…` for what is inserted into them."""
    found: list[str] = []
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.append(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = (
                    part.value if isinstance(part, ast.Constant) else "…" for part in node.values
                )
                found.append("".join(map(str, parts)))
    return "\n".join(" ".join(text.split()) for text in found)


MESSAGES = ROW.findall(section("command_line.md", "Messages"))


@for_each("message", MESSAGES)
def test_a_message_of_the_troubleshooting_page_is_in_the_code(message: str) -> None:
    pieces = [piece.strip(" '") for piece in message.split("…")]
    assert all(piece in texts_of_the_code() for piece in pieces), pieces


def test_the_troubleshooting_page_has_messages() -> None:
    assert len(MESSAGES) > 20


def test_the_page_of_releases_has_the_present_formats() -> None:
    text = page("operating.md")
    assert f'"replay": {REPLAY_FORMAT}' in text
    assert f"| {REPLAY_FORMAT} |" in page("library.md")
    assert PROTOCOL == 1, "docs/protocol.md and docs/operating.md say what changed"
