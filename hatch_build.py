"""Builds the wheel: one package of our name, with the whole tree inside it."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "slime_mind_arena"
VERSION = re.compile(r'^ENGINE_VERSION = "(.+)"$', re.MULTILINE)
LINK = re.compile(r'(\]\(|href="|src=")(?!https?://|#|mailto:)([^)"\s]+)')
PICTURES = (".gif", ".png", ".svg")
EDITOR = Path("web", "built", "editor.js")
"""The editor of the page /write, of packages of npm."""
NPM_CI = ("ci", "--ignore-scripts", "--no-audit", "--no-fund")
NPM_S = 300
"""The longest that npm may take for a step, seconds."""
WITHOUT_EDITOR = (
    "this package has a plain text area in place of the editor of /write: {}. For the editor "
    "install Node.js 20.19 or newer, run `npm ci --ignore-scripts && npm run build`, and build it "
    "again."
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
            inside = {part: f"{PACKAGE}/{part}" for part in self.config["parts"]}
            build_data["force_include"].update(inside)


def build_editor(home: Path) -> str:
    """Build the editor of /write unless it comes with the sources; return why that failed."""
    npm = shutil.which("npm")
    if not (home / "node_modules").exists():
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
            [npm, *words], cwd=home, capture_output=True, text=True, timeout=NPM_S, check=False
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
