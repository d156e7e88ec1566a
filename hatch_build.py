"""Builds the wheel: one package of our name, with the whole tree inside it."""

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "slime_mind_arena"


class OnePackage(BuildHookInterface[Any]):
    """Puts the parts that pyproject.toml lists into the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "standard":  # an editable copy is the clone as it lies there
            inside = {part: f"{PACKAGE}/{part}" for part in self.config["parts"]}
            build_data["force_include"].update(inside)
