"""How our two programs are typed here: as they were started, or else as they lie here."""

import os
import re
import shlex
import sys
from pathlib import Path
from typing import NamedTuple

DISTRIBUTION = "slime-mind-arena"
"""The name of our package; also the console command. It is not on PyPI yet."""
PACKAGE = "slime_mind_arena"
HOME = Path(__file__).resolve().parents[2]
"""The folder of main.py, engine and so on."""
IS_INSTALLED = HOME.name == PACKAGE
"""Whether we are inside the installed package, where nobody keeps files of their own."""


class TypedCommands(NamedTuple):
    """What is typed for the program that plays, and for the one that shows what was played."""

    main: str
    replay: str


INSTALLED = TypedCommands(DISTRIBUTION, f"{DISTRIBUTION}-replay")
OF_A_CLONE = TypedCommands("python3 main.py", "python3 replay.py")


def detect_commands(started: str | None = None) -> TypedCommands:
    """Return what to type in messages.

    `started` is a program as it was called, by default that of this process: `main.py`, a path to
    it, or our command. A program of somebody else that uses us says nothing about it.
    """
    program = Path(sys.argv[0] if started is None else started)
    if program.name in ("main.py", "replay.py"):
        folder = program.parent
        if not (folder / "replay.py").exists():  # a link to one of them
            folder = program.resolve().parent
        main, replay = (shorten_path(folder / name) for name in ("main.py", "replay.py"))
        return TypedCommands(f"python3 {shlex.quote(main)}", f"python3 {shlex.quote(replay)}")
    if program.name == "__main__.py" and program.parent.name == PACKAGE:
        return TypedCommands(f"python3 -m {PACKAGE}", INSTALLED.replay)
    if program.name.removesuffix(".exe") in INSTALLED:
        return INSTALLED
    return INSTALLED if IS_INSTALLED else OF_A_CLONE


def shorten_path(path: Path) -> str:
    """Return a path from the root, or from where one stands, whichever is shorter."""
    if not path.is_absolute():
        return str(path)
    try:
        return min(os.path.relpath(path), str(path), key=len)
    except (OSError, ValueError):  # the folder is gone; another drive
        return str(path)


def shorten_paths(text: str) -> str:
    """Return a text in which what lies below the current folder is named from there."""
    try:
        here = f"{Path.cwd()}{os.sep}"
    except OSError:  # the folder is gone
        return text
    if not here.strip(os.sep):
        return text
    return re.sub(rf"(?<![\w.~/\\-]){re.escape(here)}", "", text)


def in_examples(text: str) -> str:
    """Return the examples of a clone as they are typed here: of a clone without its path."""
    typed = detect_commands()
    if typed.main.endswith("main.py"):
        return text
    text = text.replace("beside main.py", "of the current folder") if IS_INSTALLED else text
    text = text.replace(OF_A_CLONE.main, typed.main)
    return text.replace(OF_A_CLONE.replay, typed.replay)
