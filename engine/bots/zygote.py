"""A small process that has imported what bots may use, and forks workers from itself.

A forked worker is ready in about a millisecond, and inherits neither the engine's memory
nor its descriptors. Requests come over a Unix socket, one at a time, each answered:
with a number, or why there is none.
"""

import gc
import os
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NoReturn

import msgspec

from engine.bots import sandbox
from engine.bots.sandbox.bubble import Bubble, why_no_bubble
from engine.bots.sandbox.filesystem import prepare_ruleset
from engine.bots.sandbox.process import close_all_but, close_memory, fork, lead_own_session
from engine.bots.sandbox.trials import failings_here
from engine.bots.worker import ask_decoder, serve, state_decoder
from engine.catalog import OURS, find_game
from engine.errors import UnknownGame

REQUEST_BYTES = 16_384
ANSWER_BYTES = 4_096
PAUSE_S = 0.001


class ForkRequest(msgspec.Struct, tag="fork"):
    """Fork a worker; its reader, writer and log come along as descriptors."""

    game: str
    """What it plays: a game of a package is imported for the first that does."""
    has_numpy: bool
    """Whether it is to begin with numpy, which is imported for the first that is."""
    reads: tuple[str, ...]
    """The files and folders that it may read besides Python."""
    bwrap: str | None
    """The program that puts a bubblewrap of its own around it."""


class TryBubbleRequest(msgspec.Struct, tag="try bubble"):
    """Say why a bubblewrap does not hold here; nothing if it does."""

    bwrap: str | None


class ReapRequest(msgspec.Struct, tag="reap"):
    """Wait for a worker that was killed or closed its pipe."""

    pid: int


class EndedRequest(msgspec.Struct, tag="ended"):
    """Say (1 or 0) whether a worker has ended by itself, or does within this time."""

    pid: int
    patience_ms: int


Request = ForkRequest | TryBubbleRequest | ReapRequest | EndedRequest

_bubbles: dict[int, Bubble] = {}
"""The workers that were not reaped yet, by pid."""


def main(descriptor: int) -> NoReturn:
    """Serve until the engine's end of the socket closes.

    That is how it learns of the engine's death: a death signal would follow the thread that
    started it.
    """
    close_memory()
    _prepare()
    ready = msgspec.json.encode(failings_here())
    _share_all()
    link = socket.socket(fileno=descriptor)
    with suppress(ConnectionError):  # an engine that is killed leaves answers unread
        link.sendall(ready)
        if sys.platform != "win32":  # which has no recv_fds
            while True:
                content, descriptors, *_ = socket.recv_fds(link, REQUEST_BYTES, 3)
                if not content:
                    break
                answer = _serve(msgspec.json.decode(content, type=Request), descriptors)
                for descriptor in descriptors:
                    os.close(descriptor)
                link.sendall(msgspec.json.encode(answer))
    os._exit(0)  # at once: nothing of what was imported has to clean up


def _prepare() -> None:
    """Import and make all that workers need, so that they share it and start at once."""
    for name in OURS:
        _import_game(name)
    sandbox.warm_up()


def _import_game(name: str) -> None:
    """Import a game, and make what decodes it."""
    game = find_game(name)
    state_decoder(game)
    ask_decoder(game)


@cache
def _import_for(game: str, has_numpy: bool) -> None:
    """Import what all workers share that are forked from now on with such needs."""
    if game and game not in OURS:
        with suppress(UnknownGame):  # its worker says so
            _import_game(game)
    if has_numpy:
        with suppress(ImportError):
            import numpy.random  # noqa: F401 - numpy itself imports it when it is first named
    if has_numpy or game not in OURS:
        _share_all()


def _share_all() -> None:
    """Leave what there is to no collection: it would write to, and so copy, every shared page."""
    gc.collect()
    gc.freeze()


def has_ended(pid: int, patience_ms: int) -> bool:
    """Return whether a child process has ended, or does within this time. It stays to be reaped."""
    if sys.platform != "win32" and hasattr(os, "waitid"):  # macOS: taken at its word
        deadline = time.monotonic() + patience_ms / 1_000
        while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
            if time.monotonic() >= deadline:
                return False
            time.sleep(PAUSE_S)
    return True


def _serve(request: Request, descriptors: list[int]) -> int | str:
    match request:
        case ForkRequest():
            _import_for(request.game, request.has_numpy)
            if request.bwrap is None:
                return _start(fork, descriptors, prepare_ruleset(request.reads))
            return _start_in_bubble(request.bwrap, tuple(map(Path, request.reads)), descriptors)
        case TryBubbleRequest(bwrap=bwrap):
            return why_no_bubble(bwrap)
        case EndedRequest(pid=pid, patience_ms=patience_ms):
            return int(has_ended(pid, patience_ms))
        case ReapRequest(pid=pid):
            return _reap_child(pid)


def _start_in_bubble(bwrap: str, reads: tuple[Path, ...], descriptors: list[int]) -> int | str:
    """Do as `_start`, in a bubblewrap."""
    try:
        bubble = Bubble(bwrap, reads)
    except OSError as error:
        return str(error)
    pid = _start(bubble.fork_inside, descriptors)
    if isinstance(pid, int):
        _bubbles[pid] = bubble
    else:
        bubble.close()
    return pid


def _start(
    fork: Callable[[], int], descriptors: list[int], ruleset: int | None = None
) -> int | str:
    """Return the pid of a new worker, or why there is none; the child never returns from here."""
    try:
        pid = fork()
    except OSError as error:  # too many processes, or no memory: for the engine to report
        return str(error)
    if pid == 0:
        # A worker is killed as a group, with whatever it started.
        lead_own_session()
        reader, writer, log = descriptors
        _keep_only(reader, writer, log, ruleset)
        serve(reader, writer, log, ruleset)
    return pid


def _keep_only(reader: int, writer: int, log: int, ruleset: int | None) -> None:
    """Close whatever else is open, and put the log behind stdout and stderr."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in enumerate((nothing, log, log)):
        os.dup2(source, target)
    # A descriptor of another worker would hide the end of that worker's pipe from the engine.
    close_all_but([reader, writer, log, *([] if ruleset is None else [ruleset])])


def _reap_child(pid: int) -> int:
    """Return the exit code, or minus the signal's number."""
    _, status = os.waitpid(pid, 0)
    if pid in _bubbles:
        _bubbles.pop(pid).close()
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    main(int(sys.argv[1]))
