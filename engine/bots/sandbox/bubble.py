"""A bubblewrap of its own for each worker: what else runs, calls or lies here is not there.

bwrap makes the namespaces and leaves a `cat` in them, which answers once they stand, and holds
them open until its pipe closes. Workers are forked as ever and then go in: to start an
interpreter inside would take ten times as long.
"""

import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path

from engine.bots.sandbox.filesystem import interpreter_paths, interpreter_roots
from engine.bots.sandbox.process import adopt_orphans, drop_rights, fork

NAMESPACES = ("user", "pid", "net", "ipc", "uts")  # and mount, always
# The CLONE_NEW numbers of sched.h.
ALL_NAMESPACES = 0x10000000 | 0x20000000 | 0x40000000 | 0x8000000 | 0x4000000 | 0x20000
SETNS = getattr(ctypes.CDLL(None, use_errno=True), "setns", None) if os.name == "posix" else None
HOLDER_PID = 1
"""The pid of `cat` inside."""
DESCRIPTION_BYTES = 4_096


class Bubble:
    """Namespaces with nothing in them but Python's files, one bot's, and who is forked into them.

    They end with this object or with its process, and all that runs inside ends with them.
    """

    _entrance: int

    def __init__(self, bwrap: str, reads: Sequence[Path]) -> None:
        """Raises: OSError with bwrap's own words."""
        described, description = os.pipe()
        try:
            self._holder = subprocess.Popen(
                [bwrap, *_bwrap_arguments(reads), "--info-fd", str(description), _find_cat()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                env={},
                pass_fds=[description],
            )
        except OSError:
            os.close(described)
            raise
        finally:
            os.close(description)
        with os.fdopen(described, "rb", buffering=0) as about:
            self._await_answer()
            first = json.loads(about.read(DESCRIPTION_BYTES))["child-pid"]
        if sys.platform == "linux":
            self._entrance = os.pidfd_open(first)

    def _await_answer(self) -> None:
        """Raises: OSError unless the namespaces stand."""
        holder = self._holder
        assert holder.stdin
        assert holder.stdout
        assert holder.stderr
        with suppress(BrokenPipeError):
            holder.stdin.write(b"\n")
        if not holder.stdout.read(1):
            message = holder.stderr.read().decode(errors="replace").strip()
            holder.communicate()
            raise OSError(message or "bwrap ended")
        holder.stdout.close()
        holder.stderr.close()

    def fork_inside(self) -> int:
        """Do as `os.fork`, but the child is in here and has no rights. Raises: OSError.

        Who enters a pid namespace stays outside of it, only its children are within. So one
        goes between, and is gone when this returns; its child becomes that of this process.
        """
        reader, writer = os.pipe()
        with adopt_orphans():
            between = fork()
            if between == 0:
                self._go_between(writer)
                os.close(reader)
                os.close(writer)
                return 0
            os.close(writer)
            with os.fdopen(reader, "rb") as pipe:
                message = pipe.read().decode()
            os.waitpid(between, 0)
        if not message.isdigit():
            raise OSError(message or "a process on its way into a bubblewrap ended")
        return int(message)

    def _go_between(self, writer: int) -> None:
        """Send the child's pid, or why there is none. Comes back in the child alone."""
        child = -1
        try:
            _enter(self._entrance)
            drop_rights()
            child = fork()
            if child != 0:
                os.write(writer, str(child).encode())
        except Exception as error:  # noqa: BLE001 - else two would go on as this process
            os.write(writer, (str(error) or repr(error)).encode())
        finally:
            if child != 0:
                os._exit(0)

    def close(self) -> None:
        """Call it once those forked inside are reaped: before that the namespaces do not end."""
        os.close(self._entrance)
        assert self._holder.stdin
        self._holder.stdin.close()
        self._holder.wait()


def why_no_bubble(bwrap: str | None) -> str:
    """Return why this bwrap does not hold here, '' if it does: what it must hide is looked for."""
    if bwrap is None:
        return "bubblewrap is not installed (Debian, Ubuntu: apt install bubblewrap)"
    try:
        with (
            tempfile.NamedTemporaryFile() as outside,
            closing(Bubble(bwrap, [Path(__file__).parent])) as bubble,
        ):
            seen = _describe_visible(bubble, Path(outside.name))
    except OSError as error:
        return f"{error}; user namespaces may be forbidden here"
    return f"puts itself on, but inside are seen: {seen}" if seen else ""


def _bwrap_arguments(reads: Sequence[Path]) -> Iterator[str]:
    """Return the arguments of bwrap. Nothing inside can be written, not even memory by files."""
    yield from (f"--unshare-{namespace}" for namespace in NAMESPACES)
    yield from ("--die-with-parent", "--as-pid-1")
    yield from ("--proc", "/proc", "--dev", "/dev", "--dir", "/tmp")
    # An environment that is reached by a link is read by its name, and confined by its place.
    python = (*interpreter_paths(), *interpreter_roots())
    for path in dict.fromkeys(map(str, (*python, *reads, _find_cat()))):
        yield from ("--ro-bind", path, path)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/", "--chdir", "/")


@cache
def _find_cat() -> str:
    return shutil.which("cat", path=os.defpath) or "/bin/cat"


def _enter(process: int) -> None:
    """Enter all namespaces of the process of this descriptor. Raises: OSError.

    Source: setns(2); it takes a pidfd since Linux 5.8.
    """
    if SETNS is None or SETNS(process, ALL_NAMESPACES) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"setns: {os.strerror(number)}")


def _describe_visible(bubble: Bubble, outside: Path) -> str:
    """Return what a process within sees of the outside, in words."""
    reader, writer = os.pipe()
    pid = bubble.fork_inside()
    if pid == 0:
        try:
            os.write(writer, b", ".join(_find_visible(outside)) or b"\n")
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as report:
        text = report.read()
    os.waitpid(pid, 0)
    return text.decode().strip() if text else "nothing, for the look-out ended"


def _find_visible(outside: Path) -> Iterator[bytes]:
    pids = {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}
    if pids != {HOLDER_PID, os.getpid()}:
        yield b"other processes"
    if [name for _, name in socket.if_nameindex()] != ["lo"]:
        yield b"networks"
    if outside.exists() or Path("/etc/passwd").exists():
        yield b"files"
    if "CapEff:\t0000000000000000" not in Path("/proc/self/status").read_text():
        yield b"rights of its own"
    with suppress(OSError):
        Path("/tmp/made_inside").touch()
        yield b"places to write to"
