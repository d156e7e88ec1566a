"""Compiles functions with numba, and keeps what it made for the next run.

numba looks at the file of a function alone, not at those whose functions it calls. So what was
made is kept in a folder named after the content of all files of the game, here and in the engine,
whose constants it has: none of it is ever outdated.
"""

import os
import shutil
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import numpy as np
from numba import config, njit

F = TypeVar("F", bound=Callable[..., object])

HERE = Path(__file__).parent
ENGINE_FOLDER = HERE.parents[1] / "engine"
PREFIX = "compiled-slime_mind-"
DIGEST_LETTERS = 16


def kernel(function: F) -> F:
    """Compile a function when it is first called, for whole arrays, without Python's lock.

    With NUMBA_DISABLE_JIT=1 it stays Python, as parts do, so that a debugger steps through it.
    """
    if config.DISABLE_JIT:  # compiled numbers wrap around silently, too
        return np.errstate(over="ignore")(function)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        made: F = njit(cache=True, nogil=True, error_model="numpy")(function)
    finally:
        config.CACHE_DIR = before
    return made


def part(function: F) -> F:
    """Compile a function that kernels call: faster to compile, and kept with them.

    Python must not call it: that ends the process.
    """
    made: F = njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy")(function)
    return made


def inline(function: F) -> F:
    """Compile a function as a part of each one that calls it."""
    made: F = njit(inline="always")(function)
    return made


@cache
def cache_folder() -> Path:
    """Return the folder of what is compiled from the present files, and remove older ones."""
    parent = Path(config.CACHE_DIR) if config.CACHE_DIR else _find_writable_folder()
    own = parent / f"{PREFIX}{_digest_sources()}"
    if not own.exists():
        for outdated in parent.glob(f"{PREFIX}*"):
            shutil.rmtree(outdated, ignore_errors=True)
        own.mkdir(parents=True, exist_ok=True)
    return own


def _find_writable_folder() -> Path:
    """Return a folder beside the files, or the user's where that cannot be written to."""
    beside = HERE / "__pycache__"
    try:
        beside.mkdir(exist_ok=True)
    except OSError:
        beside = HERE
    if os.access(beside, os.W_OK):
        return beside
    return Path.home() / ".cache" / "slime-mind-arena"


def _digest_sources() -> str:
    contents = sha256((ENGINE_FOLDER / "streams.py").read_bytes())
    for folder in (HERE, ENGINE_FOLDER / "games" / "slime_mind"):
        for path in sorted(folder.glob("*.py")):
            contents.update(path.read_bytes())
    return contents.hexdigest()[:DIGEST_LETTERS]
