"""`python3 -m tests.golden.databases COMMAND`: makes golden databases, and records what they give.

    make CHECKOUT RESULTS SERVER    by the code of a checkout: a folder of results and a server's,
                                    each by the name of its archive; `-` for none of the kind
    record [NAME ...]               what the present version reads of them, or of all

Only a change that is meant to change tables records anew, in a commit that says why. Databases of
former versions are never made again.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.golden.databases import read_results, read_server
from tests.golden.databases.make_results import SERIES, make
from tests.golden.databases.packing import pack
from tests.golden.databases.recorded import record
from tests.template import room_for_tests

SERVERS = ("server_23",)


def main(arguments: Sequence[str]) -> None:
    match arguments:
        case ["make", checkout, results, server]:
            with tempfile.TemporaryDirectory() as folder:
                if results != "-":
                    make_results(Path(checkout).absolute(), results, Path(folder) / "home")
                if server != "-":
                    make_servers(Path(checkout).absolute(), server, Path(folder) / "results")
        case ["record", *names]:
            with room_for_tests(), tempfile.TemporaryDirectory() as folder:
                for name in names or [*read_results.PLAYED, *SERVERS]:
                    record_one(name, Path(folder) / name)
        case _:
            sys.exit(__doc__)


def make_results(checkout: Path, name: str, home: Path) -> None:
    """Make a folder of results with the command line of a checkout."""
    make(checkout, home, [*read_results.PLAYED[name], *SERIES])
    pack(home / "results", name)


def make_servers(checkout: Path, name: str, folder: Path) -> None:
    """Make a server's folder with the modules of a checkout."""
    folder.mkdir()
    paths = [str(checkout), os.environ.get("PYTHONPATH", "")]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "SLIME_MIND_NO_BOOTSTRAP": "1"}
    command = [
        sys.executable,
        str(Path(__file__).absolute().with_name("make_server.py")),
        str(folder),
    ]
    subprocess.run(command, cwd=checkout, env=env, check=True)
    pack(folder, name)


def record_one(name: str, folder: Path) -> None:
    """Record what the present version reads of a golden database."""
    if name in SERVERS:
        record(name, read_server.read_all(name, folder))
    else:
        record(name, read_results.read_all(name, folder))


if __name__ == "__main__":
    main(sys.argv[1:])
