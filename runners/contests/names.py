"""What a tournament can be called: its name is that of a folder, too."""

import re

from engine.result_folder import ResultFolder

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")
TAKEN = ("bots", "series", "sprites", *map(str, ResultFolder))
"""Folders of --out that are not those of a tournament."""


def name_of(title: str) -> str:
    """Return the name of a tournament that people call so: without the blanks between its words."""
    return "_".join(title.split())


def title_of(name: str) -> str:
    """Return what people read for the name of a tournament."""
    return name.replace("_", " ").strip() or name


def why_no_name(name: str) -> str:
    """Return why a tournament cannot be called so; '' if it can."""
    if NAME.fullmatch(name) and name not in TAKEN:
        return ""
    return (
        f"'{name}' cannot be the name of a tournament: letters, digits, _, - and . only, "
        f"60 at most, and none of {', '.join(TAKEN)}"
    )
