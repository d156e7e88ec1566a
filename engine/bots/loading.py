"""Loading the Player class of a bot, or finding the true reason why it cannot be loaded."""

import errno
import importlib
import importlib.util
import linecache
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any

from engine.bot_modules import is_folder, is_own_file
from engine.bots.error_hints import find_hint
from engine.bots.frame_values import values_in
from engine.bots.imports import own_module
from engine.bots.syntax_hints import why_unreadable
from engine.fault import Cause
from engine.signatures import format_signature, own_method, why_not_callable
from engine.support.sanitizing import LINE_LETTERS
from engine.support.text_decoding import is_about_encoding

MAX_MESSAGE_LENGTH = 2_000
"""The longest message of an exception that is kept."""
MIN_MESSAGE_LENGTH = 60
"""The letters of a message that are kept, however long a path is."""
CHAIN_LINKS = (vars(BaseException)["__cause__"], vars(BaseException)["__context__"])
"""The links to other exceptions, read from the base class: a bot's own could be anything."""
MAX_FRAMES = 50
"""The innermost frames of a traceback, which are shown."""
GAMES_PACKAGE = __name__.removesuffix("bots.loading") + "games."
"""The packages of the games, each with what its bots import."""


class CannotStart(Exception):
    """A bot gave no player. `report` is for its author: the traceback in its own frames."""

    def __init__(self, cause: Cause, detail: str, report: str = "") -> None:
        super().__init__(detail)
        self.cause = cause
        self.detail = detail
        self.report = report


def find_player_class(
    module: ModuleType, entry: Path, name: str, base: type, calls: Sequence[str] = ()
) -> type:
    """Return the class `Player` of a bot's module. Raises: CannotStart.

    `calls` are the methods that the engine will call.
    """
    player = getattr(module, "Player", None)
    if player is None:
        text = f"{name} defines no class Player; expected: {_describe_player_class(base)}"
        raise CannotStart(Cause.NO_PLAYER, text)
    if not (isinstance(player, type) and issubclass(player, base)):
        where = _class_location(entry, name)
        raise CannotStart(Cause.WRONG_TYPE, f"{where}: {_why_no_player(player, base)}")
    for method in ("__init__", *calls):
        _require_callable(player, base, method, entry, name)
    return player


def _why_no_player(player: object, base: type) -> str:
    """Return what is wrong with it; of a bot of another game, which game that is."""
    for kind in player.__mro__ if isinstance(player, type) else ():
        if kind.__name__ == base.__name__ and kind.__module__.startswith(GAMES_PACKAGE):
            other, ours = _game_name(kind), _game_name(base)
            return (
                f"Player is a bot of the game {other}, and this is {ours}; to play its own "
                f"game: -g {other}"
            )
    return (
        f"Player must be a class derived from {base.__name__}; expected: "
        f"{_describe_player_class(base)}"
    )


def _describe_player_class(base: type) -> str:
    origin = f"from {base.__module__} import {base.__name__}"
    return f"`class Player({base.__name__}):`, with `{origin}`"


def _game_name(base: type) -> str:
    return base.__module__.removeprefix(GAMES_PACKAGE).partition(".")[0]


def _class_location(entry: Path, name: str) -> str:
    """Return `player_x.py, line 7`, where its class begins; no line if that cannot be seen."""
    for number, line in enumerate(linecache.getlines(str(entry)), 1):
        if line.startswith(("class Player(", "class Player:")):
            return f"{name}, line {number}"
    return name


def _require_callable(player: type, base: type, method: str, entry: Path, name: str) -> None:
    """Raises: CannotStart for a method that is missing, or takes something else."""
    own, expected = own_method(player, method), own_method(base, method)
    if type(expected) is not FunctionType:
        return
    if own is expected:
        if getattr(expected, "__isabstractmethod__", False):
            text = f"{_class_location(entry, name)}: class Player has no method {method}"
            raise CannotStart(Cause.WRONG_METHOD, f"{text}; expected: {format_signature(expected)}")
        return
    why = why_not_callable(own, expected)
    if why:
        code = own.__code__  # type: ignore[attr-defined]
        where = _class_location(entry, name)
        if is_own_file(code.co_filename, entry):
            where = f"{_display_path(code.co_filename, entry, name)}, line {code.co_firstlineno}"
        raise CannotStart(Cause.WRONG_METHOD, f"{where}: {why}")


def load_module(entry: Path, name: str, module_name: str | None = None) -> ModuleType:
    """Return the module of a bot, by default called as its file is. Raises: CannotStart."""
    # Behind the standard library: a json.py beside a bot must not stand in for the real one.
    if is_folder(entry) and str(entry.parent) not in sys.path:
        sys.path.append(str(entry.parent))
    module_name = module_name or (entry.parent.name if is_folder(entry) else entry.stem)
    spec = own_module(module_name, entry)
    if spec is None or spec.loader is None:
        raise CannotStart(Cause.LOAD_ERROR, f"{name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[module_name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        raise cannot_start(error, entry, name) from error
    return module


def cannot_start(error: BaseException, entry: Path, name: str) -> CannotStart:
    """Return what an exception during import or construction comes down to."""
    report = own_frames(error, entry, name)
    if _is_a(error, SyntaxError):
        return CannotStart(Cause.SYNTAX_ERROR, _syntax_error(error, entry, name), report)
    usual = Cause.IMPORT_ERROR if _is_a(error, ImportError) else Cause.LOAD_ERROR
    return CannotStart(find_cause(error, usual), in_words(error, entry, name), report)


def find_cause(error: BaseException, usual: Cause) -> Cause:
    """Return the cause of an exception: some have one of their own, whenever they come."""
    if _is_a(error, MemoryError) or _error_number(error) == errno.ENOMEM:
        return Cause.OUT_OF_MEMORY
    if _is_a(error, SystemExit):
        return Cause.EXIT
    return Cause.FORBIDDEN if _is_refusal(error) else usual


def _error_number(error: BaseException) -> int | None:
    """Return the number of an error of the system, whatever the exception itself says."""
    if not _is_a(error, OSError):
        return None
    number: int | None = vars(OSError)["errno"].__get__(error)
    return number


def _is_refusal(error: BaseException) -> bool:
    """Return whether the system refused it, which in a worker is mostly the sandbox."""
    if type(error) is RuntimeError:
        return error.args == ("can't start new thread",)  # Python's words for any refusal
    return _is_a(error, PermissionError)


def in_words(error: BaseException, entry: Path, name: str) -> str:
    """Return `ValueError: too late (player_x.py, line 12)`, also for a hostile exception."""
    try:
        text, after = str(error)[:MAX_MESSAGE_LENGTH], find_hint(error, entry)
        if place := place_in(error, entry, name):
            after += f" ({place})"
        message = f"{type(error).__name__}: {text}" if text else type(error).__name__
        return _shorten_middle(message, LINE_LETTERS - len(after)) + after
    except BaseException:
        return "an exception that cannot be read"


def _shorten_middle(text: str, letters: int) -> str:
    """Shorten a long message: where it was says more than its end."""
    most = max(letters, MIN_MESSAGE_LENGTH)
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _cut_chain(error: BaseException) -> None:
    """Forget what stands behind so many exceptions: the bot pays for the time of telling of it."""
    visited, waiting = {id(error)}, [error]
    for current in waiting:
        for link in CHAIN_LINKS:
            behind = link.__get__(current)
            if behind is None or id(behind) in visited:
                continue
            if len(waiting) < MAX_FRAMES:
                visited.add(id(behind))
                waiting.append(behind)
            else:
                link.__set__(current, None)


def own_frames(error: BaseException, entry: Path, name: str) -> str:
    """Return the traceback cut to the bot's own frames, under the names its author knows.

    Below it stand the values that mattered.
    """
    try:
        _cut_chain(error)
        # The last frames only: a recursion has a thousand, and the bot pays for the time.
        report = traceback.TracebackException.from_exception(error, limit=-MAX_FRAMES)
        report.stack = traceback.StackSummary.from_list(
            [frame for frame in report.stack if is_own_file(frame.filename, entry)]
        )
        text = _append_hint("".join(report.format()), error, entry) + values_in(error, entry)
        if name == str(entry):  # its author's own file, under its own path
            return text
        return text.replace(str(entry), name).replace(str(entry.parent), name)
    except BaseException:
        return in_words(error, entry, name) + "\n"


def _append_hint(report: str, error: BaseException, entry: Path) -> str:
    """Add the hint, which Python 3.12 and later mostly have there already."""
    hint = find_hint(error, entry)
    return report if not hint or hint in report else f"{report.rstrip()}{hint}\n"


def place_in(error: BaseException, entry: Path, name: str) -> str:
    """Return the bot's line that was being run: `player_x.py, line 12`; '' if none of its own."""
    place, trace = "", error.__traceback__
    while trace is not None:
        filename = trace.tb_frame.f_code.co_filename
        if is_own_file(filename, entry):
            place = f"{_display_path(filename, entry, name)}, line {_line_number(trace)}"
        trace = trace.tb_next
    return place


def _line_number(trace: TracebackType) -> int:
    """Return the line that was being run; of a step without one, as at a loop's end, that before.

    Python has such steps, and an interrupt may come there.
    """
    running: int | None = trace.tb_lineno
    if running is not None:
        return running
    code = trace.tb_frame.f_code
    before = [line for start, _, line in code.co_lines() if line and start <= trace.tb_lasti]
    return before[-1] if before else code.co_firstlineno


def _is_a(error: BaseException, kind: type[BaseException]) -> bool:
    """Do as `isinstance`, which would ask the exception itself."""
    return issubclass(type(error), kind)


def _syntax_error(error: Any, entry: Path, name: str) -> str:
    try:
        filename = error.filename or ""
        is_own = is_own_file(filename, entry)
        shown = _display_path(filename, entry, name) if is_own else name
        why = why_unreadable(error, Path(filename).read_bytes()) if is_own else ""
        line = f", line {error.lineno}" if error.lineno and not is_about_encoding(why) else ""
        return f"{shown}{line}: {why or error.msg}"
    except BaseException:
        return in_words(error, entry, name)


def _display_path(filename: str, entry: Path, name: str) -> str:
    if filename == str(entry):
        return name
    if name == str(entry):  # its author's own file
        return filename
    return f"{name}/{Path(filename).relative_to(entry.parent).as_posix()}"
