"""Keep what was played of interrupted matches, so that they can be resumed.

A match that would not simply be played again lies in `out/interrupted/.KEY-TOKEN/` while it is
played. However it is interrupted, that folder stays or is put where `--continue` finds it.
"""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from itertools import chain
from pathlib import Path

import msgspec

from engine.errors import BadReplay
from engine.replays.decisions import Decision
from engine.replays.reading import Replay
from engine.result_folder import REPLAY, OutName, ResultFolder
from engine.support.staging import drain_abandoned_folders, final_name

MAX_SAVED_MATCHES = 20
"""How many interrupted matches are kept: the latest."""


class InterruptedMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match that can be resumed."""

    key: str
    turn: int
    """The last turn that was recorded."""
    replay: Path


def recover(out: Path) -> list[InterruptedMatch]:
    """Keep what killed processes left of matches that can be resumed, and return it."""
    adopt_former_folder(out)
    recovered = [
        save_interrupted(folder)
        for folder in drain_abandoned_folders(out / ResultFolder.INTERRUPTED_MATCHES)
    ]
    return [match for match in recovered if match is not None]


def save_interrupted(folder: Path) -> InterruptedMatch | None:
    """Keep the folder of an interrupted match; None if it has no decision.

    Of two playings of a match, the one that came farther is kept: a match that is resumed and
    interrupted again while it catches up has less than the one before.
    """
    result_folder, key = folder.parent, final_name(folder)
    played, saved = _replay_in(folder), _replay_in(result_folder / key)
    if played is None or not _has_decisions(played):
        return None
    if saved is None or saved.line_count <= played.line_count:
        if not _put_in_place(folder, result_folder / key):
            return None
        _remove(_folders_by_age(result_folder)[:-MAX_SAVED_MATCHES])
        saved = played
    return InterruptedMatch(key=key, turn=saved.last_turn, replay=result_folder / key / REPLAY)


def adopt_former_folder(out: Path) -> None:
    """Move what an older version kept in `cut-off/` to `interrupted/`, overwriting nothing.

    Folders that a running process holds stay: it would not find them again.
    """
    former, home = out / OutName.FORMER_INTERRUPTED, out / ResultFolder.INTERRUPTED_MATCHES
    if not former.is_dir():
        return
    with suppress(OSError):  # a folder that cannot be changed, or another process that does this
        home.mkdir(exist_ok=True)
        # One by one: what `drain_abandoned_folders` yields is removed before it yields the next.
        for folder in chain(list(former.glob("[!.]*")), drain_abandoned_folders(former)):
            _move(folder, home / folder.name)
        former.rmdir()


def _move(folder: Path, target: Path) -> None:
    with suppress(OSError):  # one of the same match is there
        if not target.exists():
            folder.rename(target)


def forget(out: Path, key: str) -> None:
    """Remove what was kept of a match: it has come to its end."""
    with suppress(FileNotFoundError):
        shutil.rmtree(out / ResultFolder.INTERRUPTED_MATCHES / key)


def find_interrupted(out: Path, word: str) -> Path:
    """Return the replay of a match to resume: the latest interrupted one, or the one meant.

    `word` is empty, a file, or the first letters of a key.
    Raises: BadReplay if there is none, or several are meant.
    """
    recover(out)
    path = Path(word)
    with suppress(OSError):  # no name that a file could have
        if word and path.exists():
            return path / REPLAY if path.is_dir() else path
    result_folder = out / ResultFolder.INTERRUPTED_MATCHES
    if not word:
        return _latest_folder(result_folder)
    found = sorted(result_folder.glob(f"{word}*/{REPLAY}")) if word.isalnum() else []
    if len(found) != 1:
        what = "several begin" if found else "none begins"
        raise BadReplay(
            f"{word}: no such file, and of the interrupted matches in {result_folder} "
            f"{what} with it{_list_names(result_folder)}"
        )
    return found[0]


def _latest_folder(result_folder: Path) -> Path:
    folders = _folders_by_age(result_folder)
    if not folders:
        raise BadReplay(f"{result_folder}: no interrupted match to resume")
    return folders[-1] / REPLAY


def _list_names(result_folder: Path) -> str:
    """Return the names of the matches there are, as the end of a message."""
    names = ", ".join(folder.name for folder in _folders_by_age(result_folder))
    return f"; there are: {names}" if names else ""


def _replay_in(folder: Path) -> Replay | None:
    with suppress(BadReplay):
        return Replay(folder / REPLAY)
    return None


def _has_decisions(replay: Replay) -> bool:
    try:
        return any(isinstance(entry, Decision) for entry in replay.entries())
    except BadReplay:
        return False


def _put_in_place(folder: Path, home: Path) -> bool:
    """Put a folder in place of what is there; return False if another process was faster."""
    try:
        _remove([home])
        folder.rename(home)
    except OSError:
        return False
    return True


def _remove(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _folders_by_age(result_folder: Path) -> list[Path]:
    """Return the folders that are kept, the latest last."""
    replays = {}
    for replay in result_folder.glob(f"[!.]*/{REPLAY}"):
        with suppress(OSError):  # its match comes to its end meanwhile
            replays[replay.parent] = replay.stat().st_mtime_ns
    return sorted(replays, key=lambda folder: replays[folder])
