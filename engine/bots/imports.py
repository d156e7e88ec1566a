"""What a bot may import: the standard library, numpy, its own files, and what was allowed."""

import os
import sys
import sysconfig
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from importlib.abc import FileLoader, Loader, MetaPathFinder, SourceLoader
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    ModuleSpec,
    PathFinder,
)
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.bots.remedies import PACKAGES
from engine.errors import UsageError

ALWAYS_ALLOWED = ("engine", "numpy")
_OPEN = frozenset({*sys.stdlib_module_names, *ALWAYS_ALLOWED})
IMPORTS_ITSELF_REASON = (
    "is this bot itself, which has no name while it plays: write `import FILE` or "
    "`from . import FILE` for a FILE of its folder"
)
"""Why a bot cannot import its own files as parts of a package of its name."""


class ImportGate(MetaPathFinder):
    """A finder before the others, which refuses packages that are not allowed by name.

    It tells authors what is missing, and is no wall: what a bot may touch is the sandbox's
    business.
    """

    def __init__(self, bot_folder: Path, packages: Iterable[str], own_name: str = "") -> None:
        """`own_name` is what its author calls the bot; its copy has another name."""
        self._folder = str(bot_folder)
        self._own_name = own_name
        self._packages = frozenset(packages)

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if path is not None or name in _OPEN or name in self._packages:
            return None
        own = PathFinder.find_spec(name, [self._folder])
        if own is not None:
            return own
        why = IMPORTS_ITSELF_REASON if name == self._own_name else _why_not_allowed(name)
        raise ModuleNotFoundError(f"'{name}' {why}", name=name)


def _why_not_allowed(name: str) -> str:
    """Return why not; a package can be allowed, a file of the author's own cannot."""
    instead = f"; {PACKAGES[name]}" if name in PACKAGES else ""
    installed = [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    if PathFinder.find_spec(name, installed) is not None:
        return (
            "is not part of Python, numpy or this bot, and was not allowed "
            f"(--allow-package {name}){instead}"
        )
    return f"is not part of Python, numpy or this bot, and is not an installed package{instead}"


@lru_cache(maxsize=1_000)
def names_numpy(folder: Path) -> bool:
    """Return whether the source of a bot's copy, which never changes, names numpy."""
    files = filter(Path.is_file, folder.rglob("*.py"))  # a folder may have such a name
    return any(b"numpy" in path.read_bytes() for path in files)


class SeededNumpy(MetaPathFinder):
    """A finder that seeds numpy's own chance where a bot imports it only after its start."""

    def __init__(self, seed: Sequence[int]) -> None:
        self._seed = seed

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != "numpy.random":
            return None
        sys.meta_path.remove(self)
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.loader is not None:
            spec.loader = _ThenSeeded(spec.loader, self._seed)
        return spec


class _ThenSeeded(Loader):
    """Loads as another loader does, and seeds what was loaded."""

    def __init__(self, loader: Loader, seed: Sequence[int]) -> None:
        self._loader = loader
        self._seed = seed

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        module.seed(self._seed)


class SourceAlone(FileLoader, SourceLoader):
    """Compiles the source alone: bytecode beside it is neither read nor written.

    Python would believe it. Nobody has looked at it, and a digest says nothing of it.
    """

    def source_to_code(  # type: ignore[override]  # typeshed's is static, Python's is not
        self, data: Any, path: Any, *rest: Any, **others: Any
    ) -> Any:
        """Return the code of a source. Raises: SyntaxError, which names the file."""
        try:
            return super().source_to_code(data, path, *rest, **others)
        except SyntaxError as error:
            error.filename = error.filename or str(path)  # Python names none of a null byte
            raise


class OwnFolders:
    """A path hook of Python: in the folders of bots, modules are found as source alone."""

    def __init__(self) -> None:
        self._folders: set[str] = set()

    def add(self, folder: str) -> None:
        if folder not in self._folders:
            self._folders.add(folder)
            for known in [path for path in sys.path_importer_cache if _is_inside(path, folder)]:
                del sys.path_importer_cache[known]
        if self not in sys.path_hooks:
            sys.path_hooks.insert(0, self)

    def __call__(self, path: str) -> FileFinder:
        """Raises: ImportError for a folder that is no bot's, as other hooks do."""
        if not any(_is_inside(path, folder) for folder in self._folders):
            raise ImportError(f"{path}: is in no bot's folder", path=path)
        extensions = (ExtensionFileLoader, EXTENSION_SUFFIXES)
        return FileFinder(path, extensions, (SourceAlone, SOURCE_SUFFIXES))


_own_folders = OwnFolders()


def own_module(name: str, entry: Path) -> ModuleSpec | None:
    """Return how to load a bot's file, and load nothing but source from its folder from now on."""
    _own_folders.add(str(entry.parent))
    return spec_from_file_location(name, entry, loader=SourceAlone(name, str(entry)))


def _is_inside(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder + os.sep)


@cache
def find_installed_modules() -> frozenset[str]:
    """Return the import names of all packages that are installed."""
    from importlib import metadata  # not above: processes that start bots need none of it

    return frozenset(metadata.packages_distributions())


def with_dependencies(packages: Iterable[str]) -> tuple[str, ...]:
    """Return the import names of installed packages and of all they need.

    Raises: UsageError for a package that is not installed.
    """
    from importlib import metadata

    names_of: dict[str, set[str]] = {}
    for name, distributions in metadata.packages_distributions().items():
        for distribution in distributions:
            names_of.setdefault(_normalize(distribution), set()).add(name)
    waiting, seen = [_normalize(package) for package in packages], set[str]()
    for package in waiting:
        if package not in names_of:
            raise UsageError(
                f"--allow-package {package}: not installed here (pip install {package})"
            )
    while waiting:
        package = waiting.pop()
        if package in names_of and package not in seen:
            seen.add(package)
            waiting += [_normalize(_name_in(need)) for need in metadata.requires(package) or ()]
    return tuple(sorted(name for package in seen for name in names_of[package]))


def _name_in(requirement: str) -> str:
    """Return the name in a requirement: `Foo-Bar[extra] >=1; python_version<'4'` -> `Foo-Bar`."""
    letters = 0
    while letters < len(requirement) and (
        requirement[letters].isalnum() or requirement[letters] in "-_."
    ):
        letters += 1
    return requirement[:letters]


def _normalize(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
