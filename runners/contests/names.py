"""What a tournament can be called: its name is that of a folder, too."""

import re

from engine.result_folder import is_own_name

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,59}")


def name_of(title: str) -> str:
    """Return the name of a tournament that people call so: without the blanks between its words."""
    return "_".join(title.split())


def title_of(name: str) -> str:
    """Return what people read for the name of a tournament."""
    return name.replace("_", " ").strip() or name


def why_no_name(name: str) -> str:
    """Return why a tournament cannot be called so; '' if it can."""
    if not NAME.fullmatch(name):
        why = "letters, digits, _, - and . only, and 60 at most"
    elif is_own_name(name):
        why = "a file or folder of results is called so; choose another one"
    else:
        return ""
    return f"'{name}' cannot be the name of a tournament: {why}"
