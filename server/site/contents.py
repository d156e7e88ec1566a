"""The table of contents of the documentation, for the server and for the site that is built."""

import tomllib
from pathlib import Path
from typing import Any, NamedTuple

CONTENTS_FILE = "docs/contents.toml"
CHANGELOG = "CHANGELOG.md"
"""What was true once: a search has it last."""
UNBREAKABLE_CODE = r"[\w.-]*-[\w.-]*"
"""Code in a line, such as `--rate-limits`, that is not to be broken at its dashes."""
MAX_UNBROKEN_LENGTH = 26
TITLES_BY_PAGE = {"README.md": "Overview"}
"""How pages are listed whose first heading is another."""


class Chapter(NamedTuple):
    """Pages for one kind of reader."""

    title: str
    names: tuple[str, ...]
    """Paths of the pages, relative to the project."""
    about: str = ""
    board: str = ""
    """A picture of a match, relative to the project; '' where the chapter is no door."""


def read_contents(home: Path) -> list[Chapter]:
    """Return the chapters of the project in a folder, in their order.

    Pages that are not there are left out, as of a copy of the program without its documents.
    """
    chapters = [
        Chapter(
            each["title"],
            tuple(name for name in each["pages"] if (home / name).is_file()),
            each.get("about", ""),
            each.get("board", ""),
        )
        for each in _read(home).get("chapters", ())
    ]
    return [chapter for chapter in chapters if chapter.names]


def read_moved_pages(home: Path) -> dict[str, str]:
    """Return the former names of pages, to which others may still link, and where each is now."""
    moved: dict[str, str] = _read(home).get("moved", {})
    return moved


def _read(home: Path) -> dict[str, Any]:
    try:
        return tomllib.loads((home / CONTENTS_FILE).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
