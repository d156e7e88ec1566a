"""Hints for a bot's author beside the words of an exception: the name that was meant, say."""

import builtins
import re
import sys
from bdb import BdbQuit
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from inspect import signature
from pathlib import Path
from types import FrameType, FunctionType
from typing import Any

from engine.bots.file_hints import decoding_hint, missing_file_hint
from engine.bots.last_call import last_done
from engine.bots.remedies import NAMES, of_exception
from engine.bots.syntax_hints import THIS_PYTHON

MOST_NAMES = 750
LONGEST_NAME = 40
"""Beyond these no name is looked for; Python's own traceback has the same limits."""
ALIKE = 0.7
"""Two names this much alike are taken for one with a mistake in it; 1 is the same name."""
MOST_HINTS = 100
"""How many hints are remembered."""
GAMES = __name__.removesuffix("bots.error_hints") + "games."
"""The packages of the games, whose objects bots are shown."""
IMMUTABLE = "immutable type: "
"""How the words begin by which a struct refuses to be changed."""
MOST_PARTS, MOST_SHOWN = 3, 16
"""The names that are offered where a part of each was typed; those that an object may have to be
listed."""
FROM = re.compile(r"cannot import name '(\w+)'")
NEW_NAMES = {
    **{f"typing.{name}": (3, 12) for name in ("override", "TypeAliasType")},
    **{f"typing.{name}": (3, 13) for name in ("ReadOnly", "TypeIs", "NoDefault")},
    **dict.fromkeys(("itertools.batched", "math.sumprod", "random.binomialvariate"), (3, 12)),
    **dict.fromkeys(("copy.replace", "warnings.deprecated"), (3, 13)),
    "collections.abc.Buffer": (3, 12),
}
"""Names that modules of Python have had since a version, as far as bots may want them."""
OWN_INIT = re.compile(r"(\w+)\.__init__\(\) (missing|takes)")


def hint_of(error: BaseException, entry: Path) -> str:
    """Return `. Did you mean: 'move'?` or the like for an exception of a bot; '' without one.

    Python says it where a traceback is printed, but not in the words of an exception, and before
    3.12 in no text that can be had. May raise whatever a hostile exception makes it raise.
    """
    frame = _innermost(error)
    place = None if frame is None else (frame.f_code, frame.f_lineno)
    key = type(error), str(error), place
    if key not in _hints:
        if len(_hints) >= MOST_HINTS:
            _hints.clear()
        _hints[key] = _hint_of(error, entry)
    return _hints[key]


_hints: dict[tuple[object, ...], str] = {}
"""Hints by exception: most exceptions come again and again, and the bot pays for the time."""


def _hint_of(error: Any, entry: Path) -> str:
    kind: type[BaseException] = type(error)  # `isinstance` would ask the exception itself
    if issubclass(kind, BdbQuit):
        return ": breakpoint() stops with --in-process alone"
    if issubclass(kind, ImportError):
        return _meant_import(error)
    if issubclass(kind, AttributeError):
        return _meant_attribute(error)
    if issubclass(kind, NameError):
        return _meant_name(error)
    if issubclass(kind, TypeError):
        return _expected_super_call(error)
    if issubclass(kind, UnicodeDecodeError):
        return decoding_hint(error)
    return _instead(error, entry)


def _instead(error: Any, entry: Path) -> str:
    """Return why a bot cannot do what ordinary programs do, and what works instead."""
    if issubclass(type(error), FileNotFoundError) and getattr(error, "filename", None):
        return missing_file_hint(error.filename, entry)
    done = last_done(error.__traceback__, entry)
    remedy = of_exception(error, done)
    which = f" in `{done.text}`" if done.text else ""
    return f"{which}: {remedy}" if remedy else ""


def _meant_import(error: BaseException) -> str:
    found = FROM.search(str(error))
    if found is None:
        return ""
    name = str(getattr(error, "name", None))
    near = _near(found[1], dir(sys.modules.get(name)))
    return _other_python(name, found[1], near) or near


def _other_python(module: object, missing: object, near: str = "") -> str:
    """Return which Python this is, where a module of Python lacks something; '' elsewhere."""
    if module not in sys.stdlib_module_names:
        return ""
    since = NEW_NAMES.get(f"{module}.{missing}")
    if since is not None and sys.version_info < since:
        return f"; it came with Python {since[0]}.{since[1]}, and this is {THIS_PYTHON}"
    return "" if near else f"; this is {THIS_PYTHON}"


def _near(missing: object, names: Iterable[str]) -> str:
    if not isinstance(missing, str) or len(missing) > LONGEST_NAME:
        return ""
    others = [name for name in names if name != missing and not name.startswith("_")]
    close = get_close_matches(missing, others[:MOST_NAMES], n=1, cutoff=ALIKE)
    return f". Did you mean: '{close[0]}'?" if close else ""


def _meant_attribute(error: BaseException) -> str:
    """Return a hint for an attribute that is not there, or cannot be set."""
    missing, owner = getattr(error, "name", None), getattr(error, "obj", None)
    if str(error).startswith(IMMUTABLE):
        return ": what a bot is shown cannot be changed; return an order instead"
    if not isinstance(missing, str) or len(missing) > LONGEST_NAME:
        return ""
    if owner is None:
        return ": it is None; methods that find nothing return None"
    module, names = getattr(owner, "__name__", None), dir(owner)
    newer = _other_python(module, missing, near="another name")
    if newer:
        return newer
    parts = [name for name in names if missing in name.split("_") and not name.startswith("_")]
    if parts:
        meant = " or ".join(f"'{name}'" for name in parts[:MOST_PARTS])
        return f". Did you mean: {meant}?"
    return _near(missing, names) or _all_of(owner, names) or _other_python(module, missing)


def _all_of(owner: object, names: Iterable[str]) -> str:
    """Return what an object of a game has, where that is little: a slime, say."""
    if not type(owner).__module__.startswith(GAMES):
        return ""
    public = [name for name in names if not name.startswith("_")]
    return f"; it has {', '.join(public)}" if len(public) <= MOST_SHOWN else ""


def _meant_name(error: BaseException) -> str:
    missing, frame = getattr(error, "name", None), _innermost(error)
    if frame is None:
        return ""
    if missing in NAMES:
        return f": {NAMES[missing]}"
    if "self" in frame.f_locals and missing in dir(frame.f_locals["self"]):
        return f". Did you mean: 'self.{missing}'?"
    if missing in sys.stdlib_module_names:
        return f". Did you forget to import '{missing}'?"
    return _near(missing, (*frame.f_locals, *frame.f_globals, *dir(builtins)))


def _expected_super_call(error: BaseException) -> str:
    """Return a hint for a call of a base's `__init__` without what it needs."""
    found = OWN_INIT.search(str(error))
    if found is None:
        return ""
    for frame in _frames(error):
        for kind in type(frame.f_locals.get("self")).__mro__[1:]:
            init = vars(kind).get("__init__")
            if kind.__name__ == found[1] and type(init) is FunctionType:
                _, *names = signature(init).parameters
                return f"; expected: super().__init__({', '.join(names)})"
    return ""


def _innermost(error: BaseException) -> FrameType | None:
    frames = list(_frames(error))
    return frames[-1] if frames else None


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
