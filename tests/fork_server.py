"""A Python that has imported the project once, and forks for every command.

A test that only wants to see what a command prints need not wait for the imports of a new Python.
What it gets is a process all the same: signal handlers, umask, caches and the current folder of
one command are gone with it.

It reads a request per line, and answers with the process it forked and then with its exit code.
"""

import atexit
import gc
import json
import os
import pkgutil
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TextIO

ENTRIES = {"main.py": "cli.main", "replay.py": "cli.replay"}
PACKAGES = ("cli", "runners", "report", "server")
NOT_IMPORTED = re.compile(r"\.migrations\.|^runners\.execution\.cluster$")
"""Scripts of alembic's, and what takes a second and few commands need."""
PLAYED_HERE = "tests.played_here"


def serve(project: Path) -> None:
    """Run commands as those of `project`, until nobody asks any more."""
    with os.fdopen(os.dup(0)) as requests, os.fdopen(os.dup(1), "w") as answers:
        preload(project)
        places = Places(project)
        for line in requests:
            pid = os.fork()
            if pid == 0:
                requests.close()
                end(run(places, **json.loads(line)))
            tell(answers, pid)
            tell(answers, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))


def tell(answers: TextIO, number: int) -> None:
    print(number, file=answers, flush=True)


def preload(project: Path) -> None:
    """Import all that a command may need, and keep it out of the way of its garbage collector."""
    sys.path[0] = str(project)
    for package in PACKAGES:
        folders = import_module(package).__path__
        for module in pkgutil.walk_packages(folders, f"{package}."):
            if not NOT_IMPORTED.search(module.name):
                getattr(import_module(module.name), "any_name", None)  # imports it if it is late
    import_module(PLAYED_HERE)
    assert all(import_module("engine.catalog").GAMES.values())  # which imports them
    gc.freeze()


def run(
    places: "Places",
    *,
    arguments: list[str],
    cwd: str,
    env: dict[str, str],
    out: str,
    err: str,
    plays_here: bool,
) -> int:
    """Run the command line `arguments` in this process, as a new Python would; its exit code."""
    os.setsid()
    os.chdir(cwd)
    os.environ.clear()
    os.environ.update(env)
    redirect(out, err)
    tool = Path(arguments[0])
    sys.argv = arguments
    sys.path[0] = str(tool.parent)
    places.move(tool.parent)
    if plays_here:
        play_here()
    sys.modules["__main__"].__file__ = arguments[0]  # what processes of a pool run first
    sys.modules["__main__"].__spec__ = None
    end_quietly = import_module("engine.support.signals").end_quietly
    try:
        end_quietly()
        import_module(ENTRIES[tool.name]).main()
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else 0
    return 0


def redirect(out: str, err: str) -> None:
    for number, path, mode in (
        (0, os.devnull, os.O_RDONLY),
        (1, out, os.O_WRONLY),
        (2, err, os.O_WRONLY),
    ):
        opened = os.open(path, mode)
        os.dup2(opened, number)
        os.close(opened)


class Places:
    """The places where modules of a project hold a path, looked up once before anything is forked.

    A fork that looked at all values would have to copy nearly all memory.
    """

    def __init__(self, project: Path) -> None:
        self._project = project
        self._names: list[tuple[ModuleType, str]] = []
        self._functions: list[FunctionType] = []
        for module in find_modules(project):
            for name, value in vars(module).items():
                if self._is_inside(value):
                    self._names.append((module, name))
                elif isinstance(value, FunctionType) and any(
                    map(self._is_inside, value.__defaults__ or ())
                ):
                    self._functions.append(value)

    def move(self, home: Path) -> None:
        """Let all that was found beside the modules be found in the user's folder instead."""

        def move_path(value: Any) -> Any:
            return home / value.relative_to(self._project) if self._is_inside(value) else value

        for module, name in self._names:
            setattr(module, name, move_path(getattr(module, name)))
        for function in self._functions:
            function.__defaults__ = tuple(map(move_path, function.__defaults__ or ()))

    def _is_inside(self, value: object) -> bool:
        return isinstance(value, Path) and value.is_relative_to(self._project)


def play_here() -> None:
    """Let matches of this command be played in this process, until it ends."""
    for (module, name), stand_in in import_module(PLAYED_HERE).STAND_INS.items():
        setattr(import_module(module), name, stand_in)


def find_modules(project: Path) -> Iterator[ModuleType]:
    for module in list(sys.modules.values()):
        if (getattr(module, "__file__", None) or "").startswith(f"{project}{os.sep}"):
            yield module


def end(code: int) -> None:
    """End as Python does, but for taking all modules apart."""
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
