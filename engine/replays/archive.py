"""Store results: the first playing of each match by its key, others beside it."""

import errno
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from engine.catalog import find_game
from engine.errors import BadResult, EngineFailure, UnknownGame
from engine.replays.interrupted import (
    InterruptedMatch,
    adopt_former_folder,
    forget,
    save_interrupted,
)
from engine.replays.lines import MIB
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.result_folder import REPLAY, RESULT, ResultFolder
from engine.spec import MatchSpec, decode_spec
from engine.support.files import read_file, wrap_write_errors
from engine.support.sanitizing import one_line
from engine.support.staging import StagingFolder, clear_staging_folders

MAX_BYTES = 16 * MIB
"""The largest result that is read: it holds a bot's deviating orders, and words of faults."""
READ_ERRORS = (OSError, ValueError, RecursionError, msgspec.MsgspecError, UnknownGame)
IS_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)


class Archive:
    """The folders of one `out`; a match is played into a staging folder beside its place.

    What killed runners left there is removed at the start, but for matches that can be resumed.
    """

    def __init__(self, out: Path) -> None:
        self._out = out
        self._playing: StagingFolder | None = None
        self._is_kept = False
        """Whether the match that is played is kept if it is interrupted."""
        self.interrupted: InterruptedMatch | None = None
        """What was kept of the last match, if it was interrupted."""
        adopt_former_folder(out)
        clear_staging_folders(out / ResultFolder.MATCHES)

    def open(self, key: str, *, is_kept: bool = False) -> Path:
        """Return a new folder to play a match into. Raises: EngineFailure.

        `is_kept`: what was played is kept if the match is interrupted.
        """
        self._is_kept, self.interrupted = is_kept, None
        result_folder = ResultFolder.INTERRUPTED_MATCHES if is_kept else ResultFolder.MATCHES
        # Known before it is there, so that `drop` misses none.
        playing = self._playing = StagingFolder(self._out / result_folder / key)
        with wrap_write_errors(playing.path):
            playing.make()
        return playing.path

    def file_result(self, result: MatchResult) -> MatchResult:
        """Put the open folder where it belongs; return the result, which then knows its place.

        Raises: EngineFailure; BadResult if what stands in its place is not a result.
        """
        assert self._playing is not None
        folder = self._playing.path
        try:
            filed = self._file_result(result, folder)
            if not result.in_process:
                forget(self._out, result.key)
            return filed
        except OSError as error:
            where = error.filename or self._out
            raise EngineFailure(f"{where}: cannot be written: {error.strerror}") from error

    def find_result(self, key: str) -> MatchResult | None:
        """Return a match's result, if it has one. Raises: BadResult."""
        file = self._out / ResultFolder.MATCHES / key / RESULT
        if not _is_whole(file.parent):
            return None
        spec = _read(file).spec
        try:
            result = msgspec.json.decode(read_file(file, MAX_BYTES), type=MatchResult)
        except READ_ERRORS as error:
            raise BadResult(f"{file}: cannot be read: {_error_text(error)}") from error
        if key != result.key or key != spec.key:
            raise BadResult(
                f"{file}: is the result of another match ({one_line(result.key)}); remove the "
                f"folder {file.parent}, and the match is played again"
            )
        return msgspec.structs.replace(result, spec=spec)

    def take_in(self, result: MatchResult, files: Mapping[str, bytes]) -> MatchResult:
        """File a match that was played elsewhere, with the files of its folder there.

        Raises: EngineFailure, BadResult.
        """
        try:
            folder = self.open(result.key)
            for name, content in files.items():
                (folder / Path(name).name).write_bytes(content)
            return self.file_result(result)
        except OSError as error:
            raise EngineFailure(f"{error.filename}: cannot be written: {error.strerror}") from error
        finally:
            self.drop()

    def drop(self) -> None:
        """Leave the open folder, unless it has been filed: keep what is to be kept of it."""
        if self._playing is not None:
            if self._is_kept:
                self.interrupted = save_interrupted(self._playing.path)
            self.remove()

    def remove(self) -> None:
        """Remove the open folder, whatever it holds, unless it has been filed."""
        if self._playing is not None:
            self._playing.drop()
            self._playing = None

    def _file_result(self, result: MatchResult, folder: Path) -> MatchResult:
        while True:
            first = self._first_fingerprint(result.key)
            result_folder = _result_folder_for(result, first)
            home = self._out / result_folder / result.key
            replay = str(home / REPLAY) if (folder / REPLAY).exists() else None
            filed = msgspec.structs.replace(
                result, first_fingerprint=first, folder=str(home), replay=replay
            )
            (folder / RESULT).write_bytes(
                msgspec.json.format(msgspec.json.encode(filed.with_text_seed()))
            )
            if result_folder is not ResultFolder.MATCHES:
                self._make_room(home)
            home.parent.mkdir(exist_ok=True)
            if _put_in_place(folder, home):
                return filed

    def _first_fingerprint(self, key: str) -> str | None:
        """Return the fingerprint of the match's result; None if it has none yet."""
        home = self._out / ResultFolder.MATCHES / key
        if home.exists() and not _is_whole(home):
            self._make_room(home)
        return _read(home / RESULT).fingerprint if home.exists() else None

    def _make_room(self, home: Path) -> None:
        """Remove what is there in place of a result."""
        older = StagingFolder(self._out / ResultFolder.MATCHES / home.name)
        home.parent.mkdir(exist_ok=True)
        with suppress(FileNotFoundError):
            home.rename(older.path)
        older.drop()


class RecordedMatch(msgspec.Struct, frozen=True):
    """The part of a result that is needed to play its match again, and to compare."""

    spec: MatchSpec
    contestants: tuple[Contestant, ...]
    fingerprint: str


def find_recorded(out: Path, key: str) -> RecordedMatch:
    """Return a match that has its result here; `key` may be its first letters.

    Raises: BadResult if there is none, or several.
    """
    matches = out / ResultFolder.MATCHES
    found = sorted(matches.glob(f"{key}*/{RESULT}")) if key.isalnum() else []
    if len(found) != 1:
        what = "several matches begin" if found else "no match was played that begins"
        raise BadResult(f"{matches}: {what} with '{key}'")
    return _read(found[0])


class _TeamFields(msgspec.Struct):
    bot: Contestant


class _ResultFields(msgspec.Struct):
    spec: msgspec.Raw
    teams: tuple[_TeamFields, ...]
    fingerprint: str


def _read(file: Path) -> RecordedMatch:
    """Raises: BadResult."""
    try:
        stored = msgspec.json.decode(read_file(file, MAX_BYTES), type=_ResultFields)
        spec = decode_spec(stored.spec)
    except READ_ERRORS as error:
        raise BadResult(f"{file}: cannot be read: {_error_text(error)}") from error
    bots = tuple(team.bot.to_printable() for team in stored.teams)
    game = find_game(spec.game)
    if len(bots) not in game.team_counts or len(bots) != len(spec.bots):
        raise BadResult(f"{file}: cannot be read: it names {len(bots)} bots")
    why = game.why_not_played(spec.settings, len(bots))
    if why is not None:
        raise BadResult(f"{file}: cannot be read: {why}")
    return RecordedMatch(spec, bots, stored.fingerprint)


def _error_text(error: Exception) -> str:
    return str(error.strerror) if isinstance(error, OSError) else one_line(error)


def _is_whole(home: Path) -> bool:
    """Return whether a match's result is there, and not just what a power cut left of it."""
    try:
        return (home / RESULT).stat().st_size > 0
    except OSError:
        return False


def _put_in_place(folder: Path, home: Path) -> bool:
    """Put a folder in its place; return False if another playing of this match was faster."""
    try:
        folder.rename(home)
    except OSError as error:
        if error.errno not in IS_TAKEN:
            raise
        return False
    return True


def _result_folder_for(result: MatchResult, first: str | None) -> ResultFolder:
    if result.in_process:
        return ResultFolder.IN_PROCESS
    return ResultFolder.MATCHES if first is None else ResultFolder.AGAIN
