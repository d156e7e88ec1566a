"""Imports our packages under the name of this one: `slime_mind_arena.engine` and so on.

In a clone and in the commands `engine`, `runners` and the others are top-level packages, whose
modules import each other by those names. A program that uses us as a library may have modules of
the same names: there our packages are loaded as parts of `slime_mind_arena`, from the same files,
with their imports of each other compiled accordingly, and nothing is added to `sys.path`.

Where `engine` is ours already, as in a clone, in our commands and in the processes of bots, both
names mean the same modules: no module is ever loaded twice.
"""

import ast
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import MAGIC_NUMBER, cache_from_source, find_spec, spec_from_loader
from marshal import dumps, loads
from types import CodeType, ModuleType

LIBRARY = __name__.rpartition(".")[0]
"""The package that our packages are parts of where they are loaded as a library."""
HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = HERE if os.path.isdir(os.path.join(HERE, "engine")) else os.path.dirname(HERE)
"""The folder of main.py, engine, runners and so on."""
PACKAGES = ("cli", "server", "report", "learning", "runners", "visualizer", "engine")
_is_top_level: "bool | None" = None
MODULES = ("library", "notebook")
"""Modules of this package that import ours by their top-level names, as those do each other."""
CACHE = "library"
"""What the names of bytecode files have in them that were compiled for a library."""


class LibraryFinder(MetaPathFinder):
    """Finds our packages below `slime_mind_arena`."""

    def find_spec(
        self,
        name: str,
        path: "Sequence[str] | None",
        target: "ModuleType | None" = None,
    ) -> "ModuleSpec | None":
        package, _, inner = name.partition(".")
        if package != LIBRARY or not (is_ours(inner) or inner in MODULES):
            return None
        if is_top_level():
            if inner in MODULES:
                return None  # it is found as usual, and finds the others
            return same_module(name, inner)
        spec = PathFinder.find_spec(name, [ROOT] if inner in PACKAGES else path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = LibraryLoader(spec.loader.name, spec.loader.path)
        return spec


class TopLevelFinder(MetaPathFinder):
    """Finds the packages of a library by their top-level names, too."""

    def find_spec(
        self,
        name: str,
        path: "Sequence[str] | None",
        target: "ModuleType | None" = None,
    ) -> "ModuleSpec | None":
        if not is_ours(name):
            return None
        return same_module(name, f"{LIBRARY}.{name}")


class SameModule(Loader):
    """Gives a module a second name, under which it is loaded when it is asked for."""

    def __init__(self, spec: ModuleSpec) -> None:
        """`spec`: of the first name."""
        self._spec = spec

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(self._spec.name)
        self._spec = module.__spec__ or self._spec
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # importlib has put that of the second name there

    def get_code(self, fullname: str) -> "CodeType | None":
        """Return what `python3 -m` runs under the second name."""
        loader = self._spec.loader
        return loader.get_code(self._spec.name) if isinstance(loader, SourceFileLoader) else None


def same_module(name: str, first: str) -> "ModuleSpec | None":
    """Return how a module is found by a second name; None where it has no first one."""
    spec = find_spec(first)
    return None if spec is None else spec_from_loader(name, SameModule(spec))


class LibraryLoader(SourceFileLoader):
    """Loads a module of ours whose imports of our packages are those of a library."""

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of a module, from its bytecode file where that is up to date."""
        source = self.get_filename(fullname)
        stats = self.path_stats(source)
        # As importlib's own files: magic number, flags, time and size of the source (PEP 552).
        header = MAGIC_NUMBER + b"".join(
            (int(number) & 0xFFFF_FFFF).to_bytes(4, "little")
            for number in (0, stats["mtime"], stats["size"])
        )
        cache = cache_from_source(source, optimization=CACHE)
        try:
            cached = self.get_data(cache)
            if cached.startswith(header):
                code = loads(memoryview(cached)[len(header) :])
                if isinstance(code, CodeType):
                    return code
        except (OSError, EOFError, ValueError, TypeError):
            """There is none, or a damaged one."""
        code = self.source_to_code(self.get_data(source), source)
        if not sys.dont_write_bytecode:
            self.set_data(cache, header + dumps(code))
        return code

    def source_to_code(  # type: ignore[override]
        self, data: bytes, path: str, *, _optimize: int = -1
    ) -> CodeType:
        tree = ImportsOfLibrary().visit(ast.parse(data, path))
        code: CodeType = compile(tree, path, "exec", dont_inherit=True, optimize=_optimize)
        return code


class ImportsOfLibrary(ast.NodeTransformer):
    """Changes imports of our packages into those of a library."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level == 0 and node.module and is_ours(node.module):
            node.module = f"{LIBRARY}.{node.module}"
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for name in node.names:
            if is_ours(name.name):
                if name.asname is None:  # it would bind the name of the top-level package
                    raise ImportError(f"line {node.lineno}: expected `import {name.name} as ...`")
                name.name = f"{LIBRARY}.{name.name}"
        return node


def is_ours(module: str) -> bool:
    """Return whether a module is one of our packages, or in one."""
    return module.partition(".")[0] in PACKAGES


def is_top_level() -> bool:
    """Return whether `engine` is ours in this process, and so the others are top-level ones, too.

    It is found out once: a module must not be loaded under two names.
    """
    global _is_top_level  # noqa: PLW0603 - one answer for the process
    if _is_top_level is None:
        engine = sys.modules.get("engine")
        spec = PathFinder.find_spec("engine") if engine is None else engine.__spec__
        origin = "" if spec is None or spec.origin is None else os.path.realpath(spec.origin)
        _is_top_level = os.path.dirname(origin) == os.path.join(ROOT, "engine")
    return _is_top_level


def use_top_level() -> None:
    """Make our packages top-level ones: for our own commands, and for processes that run bots.

    Raises: ImportError where another module is called `engine`.
    """
    global _is_top_level  # noqa: PLW0603 - as above
    ours = sys.modules.get(f"{LIBRARY}.engine")
    if sys.modules.get("engine", ours) is not ours and not is_top_level():
        raise ImportError(f"another module is called `engine`: {sys.modules['engine']}")
    if ours is not None and not is_top_level():
        if not any(isinstance(finder, TopLevelFinder) for finder in sys.meta_path):
            sys.meta_path.insert(0, TopLevelFinder())
        return
    if ROOT not in sys.path:
        sys.path.insert(0, ROOT)
    _is_top_level = None
    if not is_top_level():
        raise ImportError("another module is called `engine`, and stands before ours on the path")


def install() -> None:
    """Let our packages be found, once."""
    if not any(isinstance(finder, LibraryFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, LibraryFinder())
