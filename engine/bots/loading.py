"""Bot file -> Player class, or the true reason why not."""

import importlib.util
import sys
import traceback
from pathlib import Path
from types import ModuleType

from engine.bots.fault import Cause


class CannotStart(Exception):
    """A bot gave no player. `report` is for its author: the traceback in its own frames."""

    def __init__(self, cause: Cause, detail: str, report: str = "") -> None:
        super().__init__(detail)
        self.cause = cause
        self.detail = detail
        self.report = report


def load_player(entry: Path, name: str, base: type) -> type:
    """The class `Player` of a bot's copy. Raises: CannotStart."""
    module = _import(entry, name)
    player = getattr(module, "Player", None)
    if player is None:
        raise CannotStart(Cause.NO_PLAYER, f"{name} defines no class Player")
    if not (isinstance(player, type) and issubclass(player, base)):
        raise CannotStart(
            Cause.WRONG_TYPE, f"{name}: Player must be a class derived from {base.__name__}"
        )
    return player


def _import(entry: Path, name: str) -> ModuleType:
    # Behind the standard library: a json.py beside a bot must not stand in for the real one.
    sys.path.append(str(entry.parent))
    module_name = entry.parent.name if entry.name == "__init__.py" else entry.stem
    spec = importlib.util.spec_from_file_location(module_name, entry)
    if spec is None or spec.loader is None:
        raise CannotStart(Cause.LOAD_ERROR, f"{name} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise cannot_start(error, entry, name) from error
    return module


def cannot_start(error: BaseException, entry: Path, name: str) -> CannotStart:
    """What an exception during import or construction comes down to."""
    if isinstance(error, SyntaxError):
        detail = f"{name}, line {error.lineno}: {error.msg}"
        return CannotStart(Cause.SYNTAX_ERROR, detail, own_frames(error, entry, name))
    cause = Cause.IMPORT_ERROR if isinstance(error, ImportError) else Cause.LOAD_ERROR
    if isinstance(error, MemoryError):
        cause = Cause.OUT_OF_MEMORY
    return CannotStart(cause, in_words(error, entry, name), own_frames(error, entry, name))


def in_words(error: BaseException, entry: Path, name: str) -> str:
    """`ValueError: too late (player_x.py, line 12)`; survives a hostile __str__."""
    try:
        text = str(error)
    except BaseException:
        text = "(its text cannot be read)"
    words = f"{type(error).__name__}: {text}" if text else type(error).__name__
    where = ""
    for frame in traceback.extract_tb(error.__traceback__):
        if _is_own(frame.filename, entry):
            where = f" ({_shown(frame.filename, entry, name)}, line {frame.lineno})"
    return words + where


def own_frames(error: BaseException, entry: Path, name: str) -> str:
    """The traceback cut to the bot's own frames, under the names its author knows."""
    try:
        report = traceback.TracebackException.from_exception(error)
        report.stack = traceback.StackSummary.from_list(
            [frame for frame in report.stack if _is_own(frame.filename, entry)]
        )
        text = "".join(report.format())
    except BaseException:
        return in_words(error, entry, name) + "\n"
    return text.replace(str(entry), name).replace(str(entry.parent), name)


def _is_own(filename: str, entry: Path) -> bool:
    return filename.startswith(str(entry.parent))


def _shown(filename: str, entry: Path, name: str) -> str:
    if filename == str(entry):
        return name
    return f"{name}/{Path(filename).relative_to(entry.parent)}"
