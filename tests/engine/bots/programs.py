"""Bots in other languages for tests: written as lines of a program, or the bad ones in C."""

import shutil
import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = Path(__file__).resolve().parents[2] / "bad_programs" / "bad.c"
COMPILER = shutil.which("gcc") or shutil.which("cc")
MANIFEST = """
game = "slime_mind"
name = "{name}"
run = {run}
"""
THREADED = ("bombs_with_threads", "ponders")
C_PREFIX = "c:"
"""How the names of bad programs begin, where those of bad bots in Python could stand."""


def a_program(folder: Path, run: list[str], files: dict[str, str], build: str = "") -> Path:
    """Return a folder with a bot of these files, which runs this command."""
    folder.mkdir(parents=True, exist_ok=True)
    message = ", ".join(f'"{word}"' for word in run)
    manifest = MANIFEST.format(name=folder.name, run=f"[{message}]") + build
    for name, text in {"bot.toml": manifest, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@cache
def compile_bad_bots() -> Path:
    """Return the bad bots as a program, compiled once."""
    assert COMPILER is not None
    program = Path(_folder().name, "bad")
    subprocess.run([COMPILER, "-O1", "-w", "-pthread", "-o", str(program), str(SOURCE)], check=True)
    return program


@cache
def bad_program(name: str) -> Path:
    """Return the folder of a bad bot in C: `c:forks`, or `c:forks at once`."""
    act, *when = name.removeprefix(C_PREFIX).split()
    folder = Path(_folder().name, "_".join((act, *when)))
    threads = "threads = true\n" if act in THREADED else ""
    a_program(folder, ["./bad", act, *when], {}, threads)
    shutil.copy(compile_bad_bots(), folder / "bad")
    return folder


@cache
def _folder() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory(prefix="bad-programs-")
    Path(folder.name).chmod(0o755)  # who plays them may be an ordinary user
    return folder
