"""Files that are whole or not there."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from engine.errors import EngineFailure, UsageError
from engine.signals import signals_held


@contextmanager
def written_beside(path: Path) -> Iterator[Path]:
    """A file to be written beside a path, which takes its place when all went well.

    Raises: EngineFailure, naming the path.
    """
    beside: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with signals_held():  # a Ctrl-C must not come between the file and its name
                beside = _new_file_beside(path)
            yield beside
            beside.chmod(0o644)
            beside.replace(path)
        except BaseException:
            if beside is not None:
                beside.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror or error}") from error


def _new_file_beside(path: Path) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    os.close(descriptor)
    return Path(name)


def write_whole(path: Path, content: bytes) -> None:
    """Write beside, then rename. Raises: EngineFailure, naming the path."""
    with written_beside(path) as beside:
        beside.write_bytes(content)


def make_folder(path: Path) -> None:
    """Make sure of a folder for results. Raises: UsageError if nothing can be written there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise UsageError(
            f"{path}: results cannot be written there: {error.strerror}; "
            "choose another folder with --out"
        ) from error
