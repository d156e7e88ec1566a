"""Matches that were cut off: what was played of them is kept, so that they can go on.

A match that would not simply be played again lies in `out/cut-off/.KEY-TOKEN/` while it is
played. However it is cut off, that folder stays or is put where `--continue` finds it.
"""

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.bots.log import clean_log
from engine.errors import BadReplay
from engine.replay import Decision, Replay
from engine.shelves import REPLAY, Shelf
from engine.unfinished import left_behind, name_of

MOST_KEPT = 20
"""How many matches that were cut off are kept: the latest."""


class CutOff(msgspec.Struct, frozen=True, kw_only=True):
    """A match that can go on."""

    key: str
    turn: int
    """The last one that was recorded."""
    replay: Path


def rescue(out: Path) -> list[CutOff]:
    """Keep what killed processes left of matches that can go on."""
    rescued = [keep(folder) for folder in left_behind(out / Shelf.CUT_OFF)]
    return [cut_off for cut_off in rescued if cut_off is not None]


def keep(folder: Path) -> CutOff | None:
    """Keep the folder of a match that was cut off; None if there is nothing worth it.

    Of two playings of a match, the one that came farther is kept: one that goes on and is cut
    off while it catches up has less than the one before.
    """
    shelf, key = folder.parent, name_of(folder)
    played, kept = _replay_in(folder), _replay_in(shelf / key)
    if played is None or not _has_decisions(played):
        return None
    if kept is None or kept.line_count <= played.line_count:
        if not _put(folder, shelf / key):
            return None
        _remove_oldest(shelf)
        kept = played
    return CutOff(key=key, turn=kept.last_turn, replay=shelf / key / REPLAY)


def forget(out: Path, key: str) -> None:
    """The match has come to its end."""
    with suppress(FileNotFoundError):
        shutil.rmtree(out / Shelf.CUT_OFF / key)


def find_cut_off(out: Path, word: str) -> Path:
    """The replay of a match to go on with: the latest that was cut off, or the one meant.

    `word` is empty, a file, or the first letters of a key.
    Raises: BadReplay if there is none, or several are meant.
    """
    rescue(out)
    if word and (path := _existing(Path(word))) is not None:
        return path / REPLAY if path.is_dir() else path
    shelf = out / Shelf.CUT_OFF
    if not word:
        return _latest(shelf)
    found = sorted(shelf.glob(f"{word}*/{REPLAY}")) if word.isalnum() else []
    if len(found) != 1:
        what = "several begin" if found else "none begins"
        raise BadReplay(
            f"{word}: no such file, and of the matches that were cut off in {shelf} "
            f"{what} with it{_listed(shelf)}"
        )
    return found[0]


def _existing(path: Path) -> Path | None:
    with suppress(OSError):  # no name that a file could have
        return path if path.exists() else None
    return None


def _latest(shelf: Path) -> Path:
    kept = _by_age(shelf)
    if not kept:
        raise BadReplay(f"{shelf}: no match was cut off that could go on")
    return kept[-1] / REPLAY


def _listed(shelf: Path) -> str:
    """What there is."""
    names = ", ".join(folder.name for folder in _by_age(shelf))
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


def _put(folder: Path, home: Path) -> bool:
    """In the place of what stands there; False if another process puts something there."""
    try:
        _remove([home])
        for log in folder.glob("*.log"):
            clean_log(log)
        folder.chmod(0o755)
        folder.rename(home)
    except OSError:
        return False
    return True


def _remove_oldest(shelf: Path) -> None:
    _remove(_by_age(shelf)[:-MOST_KEPT])


def _remove(folders: Iterable[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _by_age(shelf: Path) -> list[Path]:
    """The folders that are kept, the latest last."""
    replays = {}
    for replay in shelf.glob(f"[!.]*/{REPLAY}"):
        with suppress(OSError):  # its match comes to its end meanwhile
            replays[replay.parent] = replay.stat().st_mtime_ns
    return sorted(replays, key=lambda folder: replays[folder])
