"""Puts an HTML file together: template, style, program and data, and nothing from elsewhere."""

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from html import escape
from pathlib import Path

from visualizer import theme
from visualizer.page.packing import deflated

FOLDER = Path(__file__).parents[2] / "resources/page"
SCRIPTS = (
    "columns",
    "story",
    "reel",
    "playback",
    "telling",
    "elements",
    "view",
    "marks",
    "outline",
    "board",
    "timeline",
    "teams",
    "inspector",
    "match",
    "controls",
    "pointing",
    "main",
)
"""In the order in which they need each other."""
MODULE_LINES = re.compile(
    r'^import .* from "\./\w+\.js";\n|^export (?=\w)|^ *//.*\n|^ +', re.MULTILINE
)
"""What modules in one script do without: their imports and exports; comments and indents."""
SLOT = re.compile(r"\{\{(\w+)\}\}")


def document(title: str, game: str, data: Mapping[str, bytes]) -> bytes:
    """A whole page; `data` goes into script tags of these ids, which nothing runs."""
    program = _program()
    tags = (
        f'<script type="text/plain" id="{name}">{b64encode(content).decode()}</script>'
        for name, content in {"program": _packed_program(), **data}.items()
    )
    values = {
        "policy": _policy((_boot(), program), _style()),
        "title": f"{escape(title)} · {escape(game)}",
        "heading": f"{escape(title)} <span>{escape(game)}</span>",
        "style": _style(),
        "boot": _boot(),
        "data": "\n".join(tags),
    }
    page = SLOT.sub(lambda slot: values[slot[1]], _read("page.html"))
    return page.encode()


@cache
def _style() -> str:
    """The style sheet; its colours are those of the theme."""
    return f"{theme.style_variables(theme.PAGE_DARK, theme.PAGE_LIGHT)}\n{_read('page.css')}"


@cache
def _program() -> str:
    """All modules as one: a page from a disk may not load others beside it."""
    return "\n".join(map(_stripped, SCRIPTS))


@cache
def _packed_program() -> bytes:
    return deflated(_program().encode())


@cache
def _boot() -> str:
    """Unpacks the program and runs it."""
    return _stripped("boot")


def _stripped(module: str) -> str:
    return MODULE_LINES.sub("", _read(f"{module}.js"))


def _policy(scripts: Iterable[str], style: str) -> str:
    """Only our scripts and style run; nothing is ever fetched."""
    allowed = " ".join(f"'{_hash(script)}'" for script in scripts)
    return (
        f"default-src 'none'; script-src {allowed}; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    return f"sha256-{b64encode(sha256(content.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
