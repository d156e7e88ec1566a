"""Hints for a bot's author beside the words of an exception: the name that was meant, say."""

import builtins
import re
import sys
from bdb import BdbQuit
from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from inspect import signature
from types import FrameType, FunctionType

MOST_NAMES = 750
LONGEST_NAME = 40
"""Beyond these no name is looked for; Python's own traceback has the same limits."""
ALIKE = 0.7
"""Two names this much alike are taken for one with a mistake in it; 1 is the same name."""
MOST_HINTS = 100
"""How many hints are remembered."""
GAMES = "engine.games."
"""The packages of the games, whose objects bots are shown."""
IMMUTABLE = "immutable type: "
"""How the words begin by which a struct refuses to be changed."""
MOST_PARTS, MOST_SHOWN = 3, 16
"""The names that are offered where a part of each was typed; those that an object may have to be
listed."""
FROM = re.compile(r"cannot import name '(\w+)'")
OWN_INIT = re.compile(r"(\w+)\.__init__\(\) (missing|takes)")


def hint_of(error: BaseException) -> str:
    """Return `. Did you mean: 'move'?` or the like for an exception of a bot; '' without one.

    Python says it where a traceback is printed, but not in the words of an exception, and before
    3.12 in no text that can be had. May raise whatever a hostile exception makes it raise.
    """
    key = type(error), str(error)
    if key not in _hints:
        if len(_hints) >= MOST_HINTS:
            _hints.clear()
        _hints[key] = _hint_of(error)
    return _hints[key]


_hints: dict[tuple[type, str], str] = {}
"""Hints by exception: most exceptions come again and again, and the bot pays for the time."""


def _hint_of(error: BaseException) -> str:
    kind = type(error)  # `isinstance` would ask the exception itself
    if issubclass(kind, BdbQuit):
        return ": breakpoint() stops with --in-process alone"
    if issubclass(kind, ImportError):
        found = FROM.search(str(error))
        module = sys.modules.get(str(getattr(error, "name", None)))
        return _near(found[1], dir(module)) if found else ""
    if issubclass(kind, AttributeError):
        return _meant_attribute(error)
    if issubclass(kind, NameError):
        return _meant_name(error)
    return _expected_super_call(error) if issubclass(kind, TypeError) else ""


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
    names = dir(owner)
    parts = [name for name in names if missing in name.split("_") and not name.startswith("_")]
    if parts:
        meant = " or ".join(f"'{name}'" for name in parts[:MOST_PARTS])
        return f". Did you mean: {meant}?"
    return _near(missing, names) or _all_of(owner, names)


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
