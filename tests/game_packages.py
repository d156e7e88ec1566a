"""The packages with games of the cookbook, installed for a test: by default the first one."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import bootstrap
from engine import catalog
from tests.shell import Shell
from tests.template import variant

COOKBOOK = bootstrap.HOME / "docs/cookbook"
NAME = "connect_four"
BIDS = "sealed_bids"
EXAMPLES = (NAME, BIDS)
BOT = f"""
from {BIDS}.game import BasePlayer

class Player(BasePlayer):
    def bid(self, turn, coins):
        {{}}
"""
FOR_TESTS = (
    *(("range(2, 5)", "range(2, 7)"), ("] = 10\n", "] = 3\n"), ("] = 5\n", "] = 9\n")),
    ("] = 10\n", "] = 0\n"),
)
"""In tests of many teams six play three turns, and get whatever they bid."""
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
        for path, text in describe_distribution(distribution, name, module).items():
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text(text)
        forget()

    patch.syspath_prepend(str(folder))
    for name in EXAMPLES:
        shutil.copytree(COOKBOOK / name / name, folder / name)
    yield install
    patch.undo()
    forget()


def describe_distribution(distribution: str, name: str, module: str) -> dict[str, str]:
    """Return the files by which an installed package is found."""
    info = f"{distribution.replace('-', '_')}-1.0.dist-info"
    return {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n",
        f"{info}/entry_points.txt": f"[{catalog.GROUP}]\n{name} = {module}:GAME\n",
    }


def bids_shell(home: Path, *numbers: int, plays_here: bool = False) -> Shell:
    """Return a project with Sealed Bids, and a bot `player_N` that bids N for each number."""
    source = COOKBOOK / BIDS / BIDS
    files = {f"{BIDS}/{path.name}": path.read_text() for path in source.glob("*.py")}
    for old, new in FOR_TESTS:
        assert old in files[f"{BIDS}/game.py"]
        files[f"{BIDS}/game.py"] = files[f"{BIDS}/game.py"].replace(old, new, 1)
    files |= describe_distribution("sealed-bids", BIDS, BIDS)
    shell = Shell(home, variant(BIDS, files), plays_here=plays_here)
    for number in numbers:
        shell.bot(f"playerCode/{BIDS}/player_{number}.py", BOT.format(f"return {number}"))
    return shell
