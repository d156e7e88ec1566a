"""Builds the wheel: one package of our name, with the whole tree inside it."""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "slime_mind_arena"
VERSION = re.compile(r'^ENGINE_VERSION = "(.+)"$', re.MULTILINE)
LINK = re.compile(r'(\]\(|href="|src=")(?!https?://|#|mailto:)([^)"\s]+)')
PICTURES = (".gif", ".png", ".svg")


class OnePackage(BuildHookInterface[Any]):
    """Puts the parts that pyproject.toml lists into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":  # an editable copy is the clone as it lies there
            inside = {part: f"{PACKAGE}/{part}" for part in self.config["parts"]}
            build_data["force_include"].update(inside)


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
