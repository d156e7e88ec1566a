"""Hints for a bot's author beside the words of an exception: the name that was meant, say."""

import builtins
import linecache
import re
import sys
from bdb import BdbQuit
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from inspect import signature
from itertools import islice
from pathlib import Path, PureWindowsPath
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import Any

from engine.bot_modules import is_folder, is_own_file
from engine.bots.remedies import NAMES, Done, of_exception
from engine.bots.syntax_hints import THIS_PYTHON
from engine.support.text_decoding import wide_encoding

MAX_COMPARED_NAMES = 750
MAX_NAME_LENGTH = 40
"""Beyond these no name is looked for; Python's own traceback has the same limits."""
MIN_SIMILARITY = 0.7
"""Two names this much alike are taken for one with a mistake in it; 1 is the same name."""
MAX_CACHED_HINTS = 100
"""How many hints are remembered."""
GAMES_PACKAGE = __name__.removesuffix("bots.error_hints") + "games."
"""The packages of the games, whose objects bots are shown."""
IMMUTABLE_PREFIX = "immutable type: "
"""How the words begin by which a struct refuses to be changed."""
MAX_PARTS, MAX_LISTED_NAMES = 3, 16
"""The names that are offered where a part of each was typed; those that an object may have to be
listed."""
CANNOT_IMPORT_NAME = re.compile(r"cannot import name '(\w+)'")
NEW_NAMES = {
    **{f"typing.{name}": (3, 12) for name in ("override", "TypeAliasType")},
    **{f"typing.{name}": (3, 13) for name in ("ReadOnly", "TypeIs", "NoDefault")},
    **dict.fromkeys(("itertools.batched", "math.sumprod", "random.binomialvariate"), (3, 12)),
    **dict.fromkeys(("copy.replace", "warnings.deprecated"), (3, 13)),
    "collections.abc.Buffer": (3, 12),
}
"""Names that modules of Python have had since a version, as far as bots may want them."""
OWN_INIT = re.compile(r"(\w+)\.__init__\(\) (missing|takes)")
MAX_SNIFFED_BYTES = 4_096
"""The bytes of a file by which its encoding is recognized."""
SHOWN_LETTERS = 50
"""The beginning of an expression that is shown."""


def find_hint(error: BaseException, entry: Path) -> str:
    """Return `. Did you mean: 'move'?` or the like for an exception of a bot; '' without one.

    Python says it where a traceback is printed, but not in the words of an exception, and before
    3.12 in no text that can be had. May raise whatever a hostile exception makes it raise.
    """
    frame = _innermost_frame(error)
    position = None if frame is None else (frame.f_code, frame.f_lineno)
    key = type(error), str(error), position
    if key not in _hints:
        if len(_hints) >= MAX_CACHED_HINTS:
            _hints.clear()
        _hints[key] = _compute_hint(error, entry)
    return _hints[key]


_hints: dict[tuple[object, ...], str] = {}
"""Hints by exception: most exceptions come again and again, and the bot pays for the time."""


def _compute_hint(error: Any, entry: Path) -> str:
    kind: type[BaseException] = type(error)  # `isinstance` would ask the exception itself
    if issubclass(kind, BdbQuit):
        return ": breakpoint() stops with --in-process alone"
    if issubclass(kind, ImportError):
        return _import_hint(error)
    if issubclass(kind, AttributeError):
        return _attribute_hint(error)
    if issubclass(kind, NameError):
        return _name_hint(error)
    if issubclass(kind, TypeError):
        return _super_call_hint(error)
    if issubclass(kind, UnicodeDecodeError):
        return decoding_hint(error)
    return _remedy_hint(error, entry)


def _remedy_hint(error: Any, entry: Path) -> str:
    """Return why a bot cannot do what ordinary programs do, and what works instead."""
    if issubclass(type(error), FileNotFoundError) and getattr(error, "filename", None):
        return missing_file_hint(error.filename, entry)
    done = find_last_call(error.__traceback__, entry)
    remedy = of_exception(error, done)
    which = f" in `{done.text}`" if done.text else ""
    return f"{which}: {remedy}" if remedy else ""


def _import_hint(error: BaseException) -> str:
    found = CANNOT_IMPORT_NAME.search(str(error))
    if found is None:
        return ""
    name = str(getattr(error, "name", None))
    near = _suggest(found[1], dir(sys.modules.get(name)))
    return _other_python(name, found[1], near) or near


def _other_python(module: object, missing: object, near: str = "") -> str:
    """Return which Python this is, where a module of Python lacks something; '' elsewhere."""
    if module not in sys.stdlib_module_names:
        return ""
    since = NEW_NAMES.get(f"{module}.{missing}")
    if since is not None and sys.version_info < since:
        return f"; it came with Python {since[0]}.{since[1]}, and this is {THIS_PYTHON}"
    return "" if near else f"; this is {THIS_PYTHON}"


def _suggest(missing: object, names: Iterable[str]) -> str:
    if not isinstance(missing, str) or len(missing) > MAX_NAME_LENGTH:
        return ""
    others = [name for name in names if name != missing and not name.startswith("_")]
    close = get_close_matches(missing, others[:MAX_COMPARED_NAMES], n=1, cutoff=MIN_SIMILARITY)
    return f". Did you mean: '{close[0]}'?" if close else ""


def _attribute_hint(error: BaseException) -> str:
    """Return a hint for an attribute that is not there, or cannot be set."""
    missing, owner = getattr(error, "name", None), getattr(error, "obj", None)
    if str(error).startswith(IMMUTABLE_PREFIX):
        return ": what a bot is shown cannot be changed; return an order instead"
    if not isinstance(missing, str) or len(missing) > MAX_NAME_LENGTH:
        return ""
    if owner is None:
        return ": it is None; methods that find nothing return None"
    module, names = getattr(owner, "__name__", None), dir(owner)
    newer = _other_python(module, missing, near="another name")
    if newer:
        return newer
    parts = [name for name in names if missing in name.split("_") and not name.startswith("_")]
    if parts:
        meant = " or ".join(f"'{name}'" for name in parts[:MAX_PARTS])
        return f". Did you mean: {meant}?"
    return (
        _suggest(missing, names) or _list_attributes(owner, names) or _other_python(module, missing)
    )


def _list_attributes(owner: object, names: Iterable[str]) -> str:
    """Return what an object of a game has, where that is little: a slime, say."""
    if not type(owner).__module__.startswith(GAMES_PACKAGE):
        return ""
    public = [name for name in names if not name.startswith("_")]
    return f"; it has {', '.join(public)}" if len(public) <= MAX_LISTED_NAMES else ""


def _name_hint(error: BaseException) -> str:
    missing, frame = getattr(error, "name", None), _innermost_frame(error)
    if frame is None:
        return ""
    if missing in NAMES:
        return f": {NAMES[missing]}"
    if "self" in frame.f_locals and missing in dir(frame.f_locals["self"]):
        return f". Did you mean: 'self.{missing}'?"
    if missing in sys.stdlib_module_names:
        return f". Did you forget to import '{missing}'?"
    return _suggest(missing, (*frame.f_locals, *frame.f_globals, *dir(builtins)))


def _super_call_hint(error: BaseException) -> str:
    """Return a hint for a call of a base's `__init__` without what it needs."""
    found = OWN_INIT.search(str(error))
    if found is None:
        return ""
    for frame in _traceback_frames(error):
        for kind in type(frame.f_locals.get("self")).__mro__[1:]:
            init = vars(kind).get("__init__")
            if kind.__name__ == found[1] and type(init) is FunctionType:
                _, *names = signature(init).parameters
                return f"; expected: super().__init__({', '.join(names)})"
    return ""


def _innermost_frame(error: BaseException) -> FrameType | None:
    frames = list(_traceback_frames(error))
    return frames[-1] if frames else None


def _traceback_frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def missing_file_hint(name: object, entry: Path) -> str:
    """Return how to name a file that was not found; '' where that is not known."""
    if not isinstance(name, str) or not name or "\0" in name:
        return ""
    path, here = Path(name), entry.parent
    if path.is_absolute() and path.is_relative_to(here):
        return (
            ": there is no such file in the bot's folder"
            if is_folder(entry)
            else _how_to_add_file(name)
        )
    is_elsewhere = path.is_absolute() or PureWindowsPath(name).is_absolute()
    if not is_folder(entry):
        return _how_to_add_file(PureWindowsPath(name).name)
    if is_elsewhere:
        file = PureWindowsPath(name).name
        return f": a bot reads its own files: put it beside __init__.py, as {_call(file)}"
    if (here / path).exists():
        return f": it is in the bot's folder, not in the current one: name it {_call(name)}"
    return f": it is not in the bot's folder; a file there is {_call(name)}"


def decoding_hint(error: UnicodeDecodeError) -> str:
    """Return what a file is that a bot cannot decode, and what to do."""
    wide = wide_encoding(bytes(error.object[:MAX_SNIFFED_BYTES]))
    if wide:
        return f": the file is {wide}: save it as UTF-8, or open it with encoding='utf-16'"
    return (
        f": the file is not {error.encoding}: save it as UTF-8, or open it with its own encoding, "
        "such as encoding='latin-1'"
    )


def _how_to_add_file(name: str) -> str:
    """Return how a bot of one file gets another one."""
    file = Path(name).name
    return (
        f": a bot of one file has no other: make it a folder with an __init__.py and {file}, and "
        f"name it {_call(file)}"
    )


def _call(name: str) -> str:
    """Return how a file of the bot is named, whatever the current folder is."""
    parts = Path(name).parts
    if len(parts) == 1:
        return f"Path(__file__).with_name({name!r})"
    return f"Path(__file__).parent / {Path(name).as_posix()!r}"


def find_last_call(trace: TracebackType | None, entry: Path) -> Done:
    """Return the last expression of a bot's own files in a traceback."""
    last: TracebackType | None = None
    modules: list[str] = []
    while trace is not None:
        if is_own_file(trace.tb_frame.f_code.co_filename, entry):
            last, modules = trace, []
        else:
            modules.append(str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0])
        trace = trace.tb_next
    if last is None:
        return Done()
    return Done(_text_at(last.tb_frame.f_code, last.tb_lasti), tuple(modules))


def _text_at(code: CodeType, instruction: int) -> str:
    """Return the source of an instruction; '' where it is not on one line."""
    position = next(islice(code.co_positions(), instruction // 2, None), None)
    line, last_line, first, last = position or (None, None, None, None)
    if line is None or line != last_line or first is None or last is None:
        return ""
    text = linecache.getline(code.co_filename, line).encode()[first:last].decode(errors="replace")
    return text if len(text) <= SHOWN_LETTERS else f"{text[: SHOWN_LETTERS - 1]}…"
