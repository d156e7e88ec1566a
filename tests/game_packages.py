"""Packages with games, installed for a test: by default the first example of the cookbook."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bootstrap
from engine import catalog

COOKBOOK = bootstrap.HOME / "docs/cookbook"
NAME = "connect_four"
EXAMPLES = (NAME, "sealed_bids")
Install = Callable[..., None]


def forget() -> None:
    """Have packages looked for anew, and their code loaded."""
    catalog.forget_packages()
    for module in [name for name in sys.modules if name.partition(".")[0] in EXAMPLES]:
        del sys.modules[module]


@contextmanager
def installing(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Give a function that installs a package: its distribution, with its game's description."""

    def install(distribution: str = "connect-four", name: str = NAME, module: str = NAME) -> None:
        info = folder / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n"
        )
        (info / "entry_points.txt").write_text(f"[{catalog.GROUP}]\n{name} = {module}:GAME\n")
        forget()

    patch.syspath_prepend(str(folder))
    for name in EXAMPLES:
        if (COOKBOOK / name).is_dir():
            shutil.copytree(COOKBOOK / name / name, folder / name)
    yield install
    patch.undo()
    forget()
