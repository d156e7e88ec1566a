"""What ordinary programs do and bots cannot: why not, and what works instead."""

import ast
from itertools import chain
from typing import Any, NamedTuple

from engine.support.interpreter_state import parse_expression

NO_UI = "a bot has no screen: self.draw draws on the board for those who watch"
NO_NETWORK = "a bot has no network: put what it needs into a file beside it"
ONE_THREAD = "a bot is one thread of one process: compute in the call itself, keep data in self"
NO_PROGRAMS = "a bot starts no programs; one in another language is a bot itself (docs/protocol.md)"
NO_ASYNCIO = "asyncio needs sockets, which no bot may open: write and call ordinary functions"
NO_WRITING = "a bot writes no files: keep data in self; print() and self.log write its log"
FILES = (
    "a bot reads its own files, Path(__file__).with_name('NAME'), and writes none: keep data in "
    "self; print() and self.log write its log"
)
NOBODY_TYPES = "nobody types while a bot plays: all that it is told is on the board"
NO_COMMAND_LINE = "a bot has no command line: write values into the file (PARAMS can be tuned)"
ENVIRONMENT = "the environment tells a bot nothing: write values into the file"
TIMERS = "a bot sets no timers: compare time.perf_counter() with self.limits.cpu_ms"
DATABASE = "a bot writes no files: sqlite3.connect(':memory:') works"
NOTEBOOK = "that is of a notebook, and not of Python: take that line out"
WEIGHTS = "save the weights with numpy, and compute with it (docs/library.md)"
ARRAYS = "numpy is there for arrays"
PRINTING = "print() and self.log write its log"
EMPTY = "it is empty: ask `if {}:` before"
EMPTY_EXTREME = "there is nothing to choose from: default=None returns None then"
JSON_WORD = "that is a word of JSON: in Python it is {}"


class Done(NamedTuple):
    """What a bot did last before an exception."""

    text: str = ""
    """The source of the call or other expression; '' if it cannot be seen."""
    modules: tuple[str, ...] = ()
    """The modules of Python that it went through, from the outermost on, by their top names."""


OF_THE_SYSTEM = {
    "asyncio": NO_ASYNCIO,
    **dict.fromkeys(("subprocess", "pty"), NO_PROGRAMS),
    **dict.fromkeys(("concurrent", "multiprocessing"), ONE_THREAD),
    **dict.fromkeys(("urllib", "http", "ftplib", "smtplib", "ssl", "socket"), NO_NETWORK),
    **dict.fromkeys(("tempfile", "shelve", "dbm", "logging", "shutil", "zipfile"), NO_WRITING),
}
"""What works instead where the system refuses something to a module of Python."""
CALLS = {
    **dict.fromkeys(("os.fork", "os.exec", "os.spawn", "os.posix_spawn"), NO_PROGRAMS),
    "signal.": TIMERS,
    "socket.": NO_NETWORK,
}
"""The same of calls that go through no module written in Python, by how they begin."""
WINDOWS = ("tkinter", "turtle", "curses", "_tkinter", "_curses")
COMMAND_LINES = ("argparse", "optparse")
NAMES = {
    **dict.fromkeys(("get_ipython", "display"), NOTEBOOK),
    **{name: JSON_WORD.format(ours) for name, ours in (("null", "None"), ("true", "True"))},
    "false": JSON_WORD.format("False"),
}
"""By a name that is not defined."""
PACKAGES = {
    **dict.fromkeys(("matplotlib", "arcade", "pygame", "pyglet", "PIL", "cv2", "plotly"), NO_UI),
    **dict.fromkeys(("requests", "httpx", "aiohttp", "websockets", "urllib3"), NO_NETWORK),
    **dict.fromkeys(("torch", "tensorflow", "keras", "jax", "sklearn", "onnxruntime"), WEIGHTS),
    **dict.fromkeys(("pandas", "scipy", "polars"), ARRAYS),
    **dict.fromkeys(("joblib", "ray", "dask"), ONE_THREAD),
    **dict.fromkeys(("rich", "tqdm", "loguru", "colorama"), PRINTING),
    "IPython": NOTEBOOK,
}
"""By a package that bots may not import."""
FILE_REMEDY_MARK = "Path(__file__)"
"""What every remedy about files names."""
REMEDIES = frozenset(
    (
        *(*OF_THE_SYSTEM.values(), *CALLS.values(), *NAMES.values(), *PACKAGES.values()),
        *(NOBODY_TYPES, NO_COMMAND_LINE, ENVIRONMENT, DATABASE, FILE_REMEDY_MARK),
    )
)


def of_exception(error: Any, done: Done) -> str:
    """Return why a bot cannot do that, and what works instead; '' where nothing is known of it."""
    kind: type[BaseException] = type(error)  # `isinstance` would ask the exception itself
    outermost = next(iter(done.modules), "")
    if kind.__module__ in WINDOWS or outermost in WINDOWS:
        return NO_UI
    if kind.__module__ == "sqlite3" and str(error).startswith("unable to open"):
        return DATABASE
    if issubclass(kind, SystemExit):
        return NO_COMMAND_LINE if outermost in COMMAND_LINES else ""
    if issubclass(kind, EOFError):
        return NOBODY_TYPES if done.text.startswith("input(") else ""
    if issubclass(kind, IndexError):
        return NO_COMMAND_LINE if done.text.startswith("sys.argv") else _index_remedy(done.text)
    if issubclass(kind, KeyError):
        return ENVIRONMENT if outermost == "os" else _key_remedy(done.text)
    if issubclass(kind, ValueError):
        return EMPTY_EXTREME if str(error).endswith(("empty sequence", "is empty")) else ""
    if issubclass(kind, RuntimeError):
        return ONE_THREAD if error.args == ("can't start new thread",) else ""
    return _system_remedy(error, done) if issubclass(kind, OSError) else ""


def _index_remedy(text: str) -> str:
    """Return what to ask before an item of a list is taken."""
    taken = _parse_expression(text)
    if isinstance(taken, ast.Subscript):
        items = ast.unparse(taken.value)
        if ast.unparse(taken.slice) in {"0", "-1"}:
            return EMPTY.format(items)
        return f"it has fewer items: compare with len({items}) before"
    if isinstance(taken, ast.Call) and isinstance(taken.func, ast.Attribute):
        if taken.func.attr == "pop":
            return EMPTY.format(ast.unparse(taken.func.value))
        if taken.func.attr == "choice" and len(taken.args) == 1:
            return EMPTY.format(ast.unparse(taken.args[0]))
    return ""


def _key_remedy(text: str) -> str:
    """Return what to ask before the value of a key is taken."""
    taken = _parse_expression(text)
    if not isinstance(taken, ast.Subscript):
        return ""
    values, key = ast.unparse(taken.value), ast.unparse(taken.slice)
    return f"it has no such key: {values}.get({key}) returns None then"


def _parse_expression(text: str) -> ast.expr | None:
    """Return an expression of a bot; None if it was cut off, or cannot be seen."""
    try:
        return parse_expression(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def is_remedied(text: str) -> bool:
    """Return whether the words of a fault say already what works instead."""
    return any(remedy in text for remedy in REMEDIES)


def _system_remedy(error: OSError, done: Done) -> str:
    known = (OF_THE_SYSTEM[name] for name in done.modules if name in OF_THE_SYSTEM)
    calls = (remedy for begin, remedy in CALLS.items() if done.text.startswith(begin))
    remedy = next(chain(known, calls), "")
    if remedy or not issubclass(type(error), PermissionError):
        return remedy
    return FILES if error.filename is not None else "the sandbox does not allow it"
