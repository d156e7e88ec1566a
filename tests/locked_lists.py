"""Writes the lists of requirements/: what uv.lock holds, for installers that cannot read it.

`python3 -m tests.locked_lists`, after each change of uv.lock; a test compares them.
"""

import subprocess
import sys
from pathlib import Path

HOME = Path(__file__).resolve().parents[1]
FOLDER = HOME / "requirements"
BUILD = ("--group", "build")
SERVER = ("--extra", "server")
LISTS = {
    "run.txt": (*BUILD, *SERVER, "--extra", "window", "--no-dev"),
    "dev.txt": BUILD,
    "server.txt": (*BUILD, *SERVER, "--no-dev", "--extra", "postgres", "--extra", "cluster"),
    "uv.txt": ("--only-group", "installer"),
    "release.txt": ("--only-group", "build", "--only-group", "release"),
}
"""What is in each list, as uv says it; each has what builds our own package, too."""


def export_list(parts: tuple[str, ...]) -> str:
    """Return a list with the hashes of all files that may be installed."""
    command = [
        *(sys.executable, "-m", "uv", "export", "--quiet", "--frozen", "--offline"),
        *("--no-header", "--no-annotate", "--no-emit-project", "--format", "requirements.txt"),
        *parts,
    ]
    done = subprocess.run(command, cwd=HOME, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout


if __name__ == "__main__":
    for name, words in LISTS.items():
        (FOLDER / name).write_text(export_list(words), encoding="utf-8")
