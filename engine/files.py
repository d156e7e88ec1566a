"""Files that are whole or not there."""

import os
import tempfile
from pathlib import Path

from engine.errors import EngineFailure, UsageError


def write_whole(path: Path, content: bytes) -> None:
    """Write beside, then rename. Raises: EngineFailure, naming the path."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(content)
            Path(beside).chmod(0o644)
            Path(beside).replace(path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be written: {error.strerror}") from error


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
