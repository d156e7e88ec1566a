"""Hold folders of unfinished work while their process lives, and clear them once it is gone.

The lock on a folder (flock) ends with its process, however that ends. Where the system has no
such locks, nothing is cleared.
"""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from secrets import token_hex

from engine.support.files import make_private_folder

if sys.platform != "win32":  # which opens no folder to be locked either
    from fcntl import flock

SHARED, OURS, AT_ONCE = 1, 2, 4
"""Kinds of locks, as flock(2) numbers them."""
TOKEN_BYTES = 4


class StagingFolder:
    """A hidden folder beside those that are finished; ours until it is dropped."""

    def __init__(self, home: Path) -> None:
        """Name a folder; `home` is where it is put once it is finished."""
        self.path = home.with_name(f".{home.name}-{token_hex(TOKEN_BYTES)}")
        self._hold = ExitStack()

    def make(self, *, is_private: bool = False) -> None:
        """Make it; `is_private`: nobody else can look into it. Raises: OSError."""
        parent = self.path.parent
        parent.mkdir(parents=True, exist_ok=True)
        with _holding_lock(parent, SHARED):  # nobody clears before the folder is held
            if is_private:
                make_private_folder(self.path)
            else:
                self.path.mkdir()
            self._hold.enter_context(_holding_lock(self.path, OURS))

    def drop(self) -> None:
        """Remove it, unless it was finished and has another name now."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._hold.close()


def final_name(folder: Path) -> str:
    """Return the name that a folder has once it is finished."""
    return folder.name[1:].rpartition("-")[0]


def clear_staging_folders(parent: Path) -> None:
    """Remove the folders of processes that are gone."""
    for _ in drain_abandoned_folders(parent):
        pass


def drain_abandoned_folders(parent: Path) -> Iterator[Path]:
    """Yield the folders of processes that are gone; each is removed before the next."""
    with _holding_lock(parent, OURS | AT_ONCE) as nobody_makes_one:
        if nobody_makes_one:
            for folder in parent.glob(f".*-{'?' * 2 * TOKEN_BYTES}"):
                with _holding_lock(folder, OURS | AT_ONCE) as nobody_holds_it:
                    if nobody_holds_it:
                        yield folder
                        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _holding_lock(folder: Path, kind: int) -> Iterator[bool]:
    """Hold a lock; yields whether it could be had."""
    if sys.platform == "win32":
        yield False
    else:
        with ExitStack() as stack:
            is_locked = False
            with suppress(OSError):
                descriptor = os.open(folder, os.O_RDONLY)
                stack.callback(os.close, descriptor)
                flock(descriptor, kind)
                is_locked = True
            yield is_locked
