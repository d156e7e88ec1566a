"""Builds the wheel: one package of our name, with the whole tree inside it, and its types."""

import ast
import importlib.util
import re
import shutil
import subprocess
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
WEB = "web"
"""The folder in which npm works."""
EDITOR = Path(WEB, "built", "editor.js")
"""The editor of the page /write, of packages of npm."""
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
NPM_S = 300
"""The longest that npm may take for a step, seconds."""
WITHOUT_EDITOR = (
    "this package has a plain text area in place of the editor of /write: {}. For the editor "
    "install Node.js 20.19 or newer, run `npm --prefix web ci --ignore-scripts && "
    "npm --prefix web run build`, and build it again."
)


class OnePackage(BuildHookInterface[Any]):
    """Puts the parts that pyproject.toml lists into the package, and the editor that npm builds."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":  # an editable copy is the clone as it lies there
            return
        why_not = build_editor(Path(self.root))
        if why_not:
            self.app.display_warning(WITHOUT_EDITOR.format(why_not))
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
            words = node.body[:1] if ast.get_docstring(node) is not None else []
            node.body = [*words, ast.Expr(ast.Constant(...))]
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


def build_editor(home: Path) -> str:
    """Build the editor of /write unless it comes with the sources; return why that failed."""
    npm = shutil.which("npm")
    if not (home / WEB / "node_modules").exists():
        if (home / EDITOR).exists():
            return ""  # these are the sources of a release, or npm was here before
        if npm is None:
            return "there is no npm, which builds it"
        why_not = _npm(npm, NPM_CI, home)
        if why_not:
            return why_not
    elif npm is None:
        return "" if (home / EDITOR).exists() else "there is no npm, which builds it"
    return _npm(npm, ("run", "build"), home)


def _npm(npm: str, words: Sequence[str], home: Path) -> str:
    """Run a command of npm. Return why it failed, or ""."""
    try:
        done = subprocess.run(
            [npm, *words],
            cwd=home / WEB,
            capture_output=True,
            text=True,
            timeout=NPM_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"npm {' '.join(words)}: {error}"
    if done.returncode == 0:
        return ""
    last = (done.stderr or done.stdout).strip().splitlines()[-1:]
    return f"npm {' '.join(words)} ended with {done.returncode}: {' '.join(last)}"


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
