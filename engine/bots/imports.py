"""What a bot may import: the standard library, numpy, its own files, and what was allowed."""

import sys
from collections.abc import Iterable, Sequence
from importlib import metadata
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

from engine.errors import UsageError

ALWAYS = ("engine", "numpy")


class ImportGate(MetaPathFinder):
    """Stands before the other finders; a package that is not allowed is refused by name.

    It tells authors what is missing, and is no wall: what a bot may touch is the sandbox's
    business.
    """

    def __init__(self, bot_folder: Path, packages: Iterable[str]) -> None:
        self._folder = str(bot_folder)
        self._open = {*sys.stdlib_module_names, *ALWAYS, *packages}

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or name in self._open:
            return None
        own = PathFinder.find_spec(name, [self._folder])
        if own is not None:
            return own
        raise ModuleNotFoundError(
            f"'{name}' is not part of Python, numpy or this bot, and was not allowed "
            f"(--allow-package {name})",
            name=name,
        )


def with_dependencies(packages: Iterable[str]) -> tuple[str, ...]:
    """The import names of installed packages and of all they need.

    Raises: UsageError for a package that is not installed.
    """
    names_of: dict[str, set[str]] = {}
    for name, distributions in metadata.packages_distributions().items():
        for distribution in distributions:
            names_of.setdefault(_normal(distribution), set()).add(name)
    waiting, seen = [_normal(package) for package in packages], set[str]()
    for package in waiting:
        if package not in names_of:
            raise UsageError(
                f"--allow-package {package}: not installed here (pip install {package})"
            )
    while waiting:
        package = waiting.pop()
        if package in names_of and package not in seen:
            seen.add(package)
            waiting += [_normal(_name_in(need)) for need in metadata.requires(package) or ()]
    return tuple(sorted(name for package in seen for name in names_of[package]))


def _name_in(requirement: str) -> str:
    """`Foo-Bar[extra] >=1; python_version<'4'` -> `Foo-Bar`."""
    letters = 0
    while letters < len(requirement) and (
        requirement[letters].isalnum() or requirement[letters] in "-_."
    ):
        letters += 1
    return requirement[:letters]


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
