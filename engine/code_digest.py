"""Compute a digest of our own code, which decides matches besides their specs."""

from functools import cache
from hashlib import sha256
from pathlib import Path

ENGINE = Path(__file__).resolve().parent
LETTERS = 16


@cache
def code_digest(folder: Path = ENGINE) -> str:
    """Return the digest of the engine with its games, as it was first asked for.

    A process keeps the code that it has loaded, whatever becomes of the files later.
    """
    content = sha256()
    for file in sorted(filter(_counts, folder.rglob("*"))):
        name, text = file.relative_to(folder).as_posix(), file.read_bytes()
        if file.suffix == ".py":
            text = text.replace(b"\r\n", b"\n")  # as Git writes it on Windows
        content.update(f"{len(name)}:{name}{len(text)}:".encode() + text)
    return content.hexdigest()[:LETTERS]


def _counts(file: Path) -> bool:
    return file.is_file() and "__pycache__" not in file.parts and not file.name.startswith(".")
