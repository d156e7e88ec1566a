"""Bot file -> Player class, or the true reason why not."""

import errno
import importlib
import importlib.util
import os
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

from engine.bots.fault import Cause

MOST_LETTERS = 2_000
"""Of the words of an exception."""
MOST_FRAMES = 50
"""Of a traceback; the innermost."""


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
    if str(entry.parent) not in sys.path:
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


class FreshCopies:
    """Makes a bot's module anew, with every other module of its own that it imports.

    For pieces that share a process and are to share nothing else. Standard modules stay shared.
    """

    def __init__(self, name: str) -> None:
        """`name` is that of a bot's module, as it was loaded."""
        self._name = name
        self._top = name.partition(".")[0]
        spec: Any = sys.modules[self._top].__spec__
        self._spec = spec
        self._folder = str(Path(spec.origin).parent) + os.sep
        self._code = spec.loader.get_code(spec.name)

    def make(self) -> None:
        """From now on `sys.modules` has new ones. Whatever the module raises comes out."""
        for name in [name for name, module in sys.modules.items() if self._is_own(module)]:
            del sys.modules[name]
        module = importlib.util.module_from_spec(self._spec)
        sys.modules[self._top] = module
        exec(self._code, vars(module))
        importlib.import_module(self._name)

    def _is_own(self, module: ModuleType) -> bool:
        return (getattr(module, "__file__", None) or "").startswith(self._folder)


def cannot_start(error: BaseException, entry: Path, name: str) -> CannotStart:
    """What an exception during import or construction comes down to."""
    report = own_frames(error, entry, name)
    if _is_a(error, SyntaxError):
        return CannotStart(Cause.SYNTAX_ERROR, _syntax_error(error, entry, name), report)
    usual = Cause.IMPORT_ERROR if _is_a(error, ImportError) else Cause.LOAD_ERROR
    return CannotStart(cause_of(error, usual), in_words(error, entry, name), report)


def cause_of(error: BaseException, usual: Cause) -> Cause:
    """Some exceptions have a cause of their own, whenever they come."""
    if _is_a(error, MemoryError) or _errno(error) == errno.ENOMEM:
        return Cause.OUT_OF_MEMORY
    if _is_a(error, SystemExit):
        return Cause.EXIT
    return Cause.FORBIDDEN if _is_refusal(error) else usual


def _errno(error: BaseException) -> int | None:
    """The number of an error of the system, whatever the exception itself says."""
    if not _is_a(error, OSError):
        return None
    number: int | None = vars(OSError)["errno"].__get__(error)
    return number


def _is_refusal(error: BaseException) -> bool:
    """Whether the system said no, which in a worker is mostly the sandbox."""
    if type(error) is RuntimeError:
        return error.args == ("can't start new thread",)  # Python's words for any refusal
    return _is_a(error, PermissionError)


def in_words(error: BaseException, entry: Path, name: str) -> str:
    """`ValueError: too late (player_x.py, line 12)`; survives a hostile exception."""
    try:
        text = str(error)[:MOST_LETTERS]
        words = f"{type(error).__name__}: {text}" if text else type(error).__name__
        return words + _where(error, entry, name)
    except BaseException:
        return "an exception that cannot be read"


def own_frames(error: BaseException, entry: Path, name: str) -> str:
    """The traceback cut to the bot's own frames, under the names its author knows."""
    try:
        # The last frames only: a recursion has a thousand, and the bot pays for the time.
        report = traceback.TracebackException.from_exception(error, limit=-MOST_FRAMES)
        report.stack = traceback.StackSummary.from_list(
            [frame for frame in report.stack if _is_own(frame.filename, entry)]
        )
        text = "".join(report.format())
        return text.replace(str(entry), name).replace(str(entry.parent), name)
    except BaseException:
        return in_words(error, entry, name) + "\n"


def _where(error: BaseException, entry: Path, name: str) -> str:
    """The bot's line that was being run, in brackets; empty if none of its own was."""
    where, trace = "", error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if _is_own(filename, entry):
            where = f" ({_shown(filename, entry, name)}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return where


def _is_a(error: BaseException, kind: type[BaseException]) -> bool:
    """As `isinstance`, which would ask the exception itself."""
    return issubclass(type(error), kind)


def _syntax_error(error: Any, entry: Path, name: str) -> str:
    try:
        filename = error.filename or ""
        shown = _shown(filename, entry, name) if _is_own(filename, entry) else name
        return f"{shown}, line {error.lineno}: {error.msg}"
    except BaseException:
        return in_words(error, entry, name)


def _is_own(filename: str, entry: Path) -> bool:
    return filename.startswith(f"{entry.parent}{os.sep}")


def _shown(filename: str, entry: Path, name: str) -> str:
    if filename == str(entry):
        return name
    return f"{name}/{Path(filename).relative_to(entry.parent).as_posix()}"
