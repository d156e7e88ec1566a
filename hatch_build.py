"""Builds the wheel: one package of our name, with the whole tree inside it, and its types."""

import ast
import importlib.util
import re
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "slime_mind_arena"
STUBS = f"{PACKAGE}-stubs"
"""What type checkers read in its place (PEP 561), and nobody can import."""
TYPED = ("engine", "runners", "report", "learning", "visualizer")
"""Those of its packages that programs import (docs/library.md)."""
VERSION = re.compile(r'^ENGINE_VERSION = "(.+)"$', re.MULTILINE)
LINK = re.compile(r'(\]\(|href="|src=")(?!https?://|#|mailto:)([^)"\s]+)')
PICTURES = (".gif", ".png", ".svg")


class OnePackage(BuildHookInterface[Any]):
    """Puts the parts that pyproject.toml lists into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":  # an editable copy is the clone as it lies there
            return
        if self.target_name == "wheel":
            parts = parts_of(Path(self.root), self.config["parts"], self.config["left_out"])
            inside = {part: f"{PACKAGE}/{part}" for part in parts}
            build_data["force_include"].update(inside)
            self._stubs = TemporaryDirectory(prefix="slime-mind-stubs-")  # until this is collected
            for number, (name, text) in enumerate(stubs(Path(self.root))):
                file = Path(self._stubs.name, f"{number}.pyi")
                file.write_text(text, encoding="utf-8")
                build_data["force_include"][str(file)] = f"{STUBS}/{name}"


def parts_of(home: Path, parts: Sequence[str], left_out: Sequence[str]) -> Iterator[str]:
    """Yield parts, those of which something is left out piece by piece; paths from `home`."""
    for part in parts:
        if any(one.startswith(f"{part}/") for one in left_out):
            paths = (path.relative_to(home).as_posix() for path in (home / part).iterdir())
            yield from (path for path in paths if not any(fnmatch(path, one) for one in left_out))
        else:
            yield part


def stubs(home: Path) -> Iterator[tuple[str, str]]:
    """Yield the files that tell type checkers of the modules that programs import, by name.

    Sources name each other as they do in a clone, `engine.game`; a type checker, which runs
    nothing of slime_mind_arena/tree.py, finds no such module in an installed copy. Stubs have the
    imports of a library, and of the rest what types need. They do not lie beside the sources, since
    the editors of bots' authors read those as `engine`.
    """
    yield "py.typed", "partial\n"
    tree = _tree_of(home)
    own = sorted((home / PACKAGE).glob("*.py"))
    for file in (*own, *(path for part in TYPED for path in sorted((home / part).rglob("*.py")))):
        module = tree.ImportsOfLibrary().visit(ast.parse(file.read_bytes(), str(file)))
        text = ast.unparse(WithoutBodies().visit(module))
        place = file.relative_to(home / PACKAGE if file in own else home)
        yield place.with_suffix(".pyi").as_posix(), f"{text}\n"


class WithoutBodies(ast.NodeTransformer):
    """Leaves out what functions do; but where they set attributes, those have their types."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if not any(map(_is_set_of_self, ast.walk(node))):
            parts = node.body[:1] if ast.get_docstring(node) is not None else []
            node.body = [*parts, ast.Expr(ast.Constant(...))]
        return node


def _is_set_of_self(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
            return True
    return False


def _tree_of(home: Path) -> ModuleType:
    """Return the module that knows which imports are ours, without importing the package."""
    spec = importlib.util.spec_from_file_location(f"{PACKAGE}.tree", home / PACKAGE / "tree.py")
    assert spec is not None
    assert spec.loader is not None
    tree = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tree)
    return tree


class ReadmeOfAnIndex(MetadataHookInterface):
    """Describes the package by README.md, whose links and pictures lead to the repository."""

    def update(self, metadata: dict[str, Any]) -> None:
        home = Path(self.root)
        (version,) = VERSION.findall((home / "engine" / "__init__.py").read_text(encoding="utf-8"))
        text = (home / "README.md").read_text(encoding="utf-8")
        source = metadata["urls"]["Source"]
        metadata["readme"] = {
            "content-type": "text/markdown",
            "text": with_absolute_links(text, source, f"v{version}"),
        }


def with_absolute_links(text: str, source: str, tag: str) -> str:
    """Return a document for readers outside of the repository, which is at `source`."""
    raw = source.replace("https://github.com/", "https://raw.githubusercontent.com/")

    def absolute(link: re.Match[str]) -> str:
        before, path = link.groups()
        place = f"{raw}/{tag}" if path.endswith(PICTURES) else f"{source}/blob/{tag}"
        return f"{before}{place}/{path}"

    return LINK.sub(absolute, text)
