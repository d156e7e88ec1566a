"""Where matches are filed: the first playing of each by its key, and all others apart."""

import errno
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.bots.log import clean_log
from engine.cut_off import CutOff, forget, keep
from engine.errors import BadResult, EngineFailure, UnknownGame
from engine.record import Contestant
from engine.result import MatchResult
from engine.shelves import REPLAY, RESULT, Shelf
from engine.spec import MatchSpec, decode_spec
from engine.unfinished import Unfinished, clear_unfinished

IS_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


class Archive:
    """The shelves of one `out`; a match is played into a folder beside its place.

    What killed runners left there is cleared at the start, but for matches that can go on.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._playing: Unfinished | None = None
        self._is_kept = False
        """Whether the match that is played is kept if it is cut off."""
        self.cut_off: CutOff | None = None
        """What was kept of the last match, if it was cut off."""
        clear_unfinished(out / Shelf.MATCHES)

    def open(self, key: str, *, is_kept: bool = False) -> Path:
        """A folder to play a match into. Raises: EngineFailure.

        `is_kept`: what was played of it is, if it is cut off.
        """
        self._is_kept, self.cut_off = is_kept, None
        shelf = Shelf.CUT_OFF if is_kept else Shelf.MATCHES
        # Known before it is there, so that `drop` misses none.
        playing = self._playing = Unfinished(self._out / shelf / key)
        try:
            playing.make()
        except OSError as error:
            raise EngineFailure(f"{playing.path}: cannot be written: {error.strerror}") from error
        return playing.path

    def file(self, result: MatchResult) -> MatchResult:
        """Put the open folder where it belongs; the result, which then knows its place.

        Raises: EngineFailure; BadResult if what stands in its place is none.
        """
        assert self._playing is not None
        folder = self._playing.path
        try:
            for log in folder.glob("*.log"):
                clean_log(log)
            folder.chmod(0o755)
            filed = self._file(result, folder)
            if not result.in_process:
                forget(self._out, result.key)
            return filed
        except OSError as error:
            where = error.filename or self._out
            raise EngineFailure(f"{where}: cannot be written: {error.strerror}") from error

    def filed(self, key: str) -> MatchResult | None:
        """A match's result, if it has one. Raises: BadResult."""
        file = self._out / Shelf.MATCHES / key / RESULT
        if not _is_whole(file.parent):
            return None
        spec = _read(file).spec
        try:
            result = msgspec.json.decode(file.read_bytes(), type=MatchResult)
        except (OSError, msgspec.MsgspecError) as error:
            raise BadResult(f"{file}: cannot be read: {error}") from error
        return msgspec.structs.replace(result, spec=spec)

    def take_in(self, result: MatchResult, files: Mapping[str, bytes]) -> MatchResult:
        """File a match that was played elsewhere, with the files of its folder there.

        Raises: EngineFailure, BadResult.
        """
        try:
            folder = self.open(result.key)
            for name, content in files.items():
                (folder / Path(name).name).write_bytes(content)
            return self.file(result)
        except OSError as error:
            raise EngineFailure(f"{error.filename}: cannot be written: {error.strerror}") from error
        finally:
            self.drop()

    def drop(self) -> None:
        """Leave the open folder, unless it has been filed: keep what is to be kept of it."""
        if self._playing is not None:
            if self._is_kept:
                self.cut_off = keep(self._playing.path)
            self.remove()

    def remove(self) -> None:
        """The open folder, whatever it holds, unless it has been filed."""
        if self._playing is not None:
            self._playing.drop()
            self._playing = None

    def _file(self, result: MatchResult, folder: Path) -> MatchResult:
        while True:
            first = self._first_fingerprint(result.key)
            shelf = _shelf_for(result, first)
            home = self._out / shelf / result.key
            replay = str(home / REPLAY) if (folder / REPLAY).exists() else None
            filed = msgspec.structs.replace(
                result, first_fingerprint=first, folder=str(home), replay=replay
            )
            (folder / RESULT).write_bytes(msgspec.json.format(msgspec.json.encode(filed)))
            if shelf is not Shelf.MATCHES:
                self._make_room(home)
            home.parent.mkdir(exist_ok=True)
            if _put(folder, home):
                return filed

    def _first_fingerprint(self, key: str) -> str | None:
        """Of the playing that is the match's result; None if it has none yet."""
        home = self._out / Shelf.MATCHES / key
        if home.exists() and not _is_whole(home):
            self._make_room(home)
        return _read(home / RESULT).fingerprint if home.exists() else None

    def _make_room(self, home: Path) -> None:
        """No result stands there: it gives way."""
        older = Unfinished(self._out / Shelf.MATCHES / home.name)
        home.parent.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):
            home.rename(older.path)
        older.drop()


class Recorded(msgspec.Struct, frozen=True):
    """What of a match's result is needed to play it again, and to compare."""

    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    fingerprint: str


def find_recorded(out: Path, key: str) -> Recorded:
    """A match that has its result here; `key` may be its first letters.

    Raises: BadResult if there is none, or several.
    """
    matches = out / Shelf.MATCHES
    found = sorted(matches.glob(f"{key}*/{RESULT}")) if key.isalnum() else []
    if len(found) != 1:
        what = "several matches begin" if found else "no match was played that begins"
        raise BadResult(f"{matches}: {what} with '{key}'")
    return _read(found[0])


class _KeptTeam(msgspec.Struct):
    bot: Contestant


class _Kept(msgspec.Struct):
    spec: msgspec.Raw
    teams: tuple[_KeptTeam, ...]
    fingerprint: str


def _read(file: Path) -> Recorded:
    """Raises: BadResult."""
    try:
        kept = msgspec.json.decode(file.read_bytes(), type=_Kept)
        spec = decode_spec(kept.spec)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError, UnknownGame) as error:
        raise BadResult(f"{file}: cannot be read: {error}") from error
    return Recorded(spec, tuple(team.bot for team in kept.teams), kept.fingerprint)


def _is_whole(home: Path) -> bool:
    """Whether a match's result is there, and not just what a power cut left of it."""
    try:
        return (home / RESULT).stat().st_size > 0
    except OSError:
        return False


def _put(folder: Path, home: Path) -> bool:
    """Whether it is there now; it is not if another playing of this match was faster."""
    try:
        folder.rename(home)
    except OSError as error:
        if error.errno not in IS_TAKEN:
            raise
        return False
    return True


def _shelf_for(result: MatchResult, first: str | None) -> Shelf:
    if result.in_process:
        return Shelf.IN_PROCESS
    return Shelf.MATCHES if first is None else Shelf.AGAIN
