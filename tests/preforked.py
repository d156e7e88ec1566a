"""Pythons that have imported the engine already, and fork instead of new ones that would.

A match starts a zygote, and a process pool starts processes: each imports what the one before it
has imported. Tests that do not ask how those come about are given forks, set up as a new process
would be: its words, environment, folder, cores, signals and open files.
"""

import gc
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from multiprocessing import popen_spawn_posix, util
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

LONGEST = 1 << 16
MOST_FILES = 64
HIGHEST = 1 << 16
"""Open files have lower numbers."""
POOLS = ("runners.execution.local_executor", "server.arena.examining", "server.thinkers")
"""The modules whose functions run in processes of pools."""
SERVE = (
    "import sys; sys.path.insert(0, sys.argv[1]); from tests.preforked import {0}; "
    "del sys.path[0]; {0}(*sys.argv[2:])"
)
IGNORABLE = ("SIGINT", "SIGTERM", "SIGHUP", "SIGPIPE")


# -- who asks ------------------------------------------------------------------------------------


class ForkedProcess:
    """A process that a prefork server has forked for us, as `subprocess.Popen` shows one."""

    def __init__(
        self,
        prefork: str,
        words: Sequence[str],
        *,
        env: Mapping[str, str],
        cwd: str,
        pass_fds: Sequence[int],
    ) -> None:
        """Run the code behind `-c` in `words`."""
        request = {
            "words": words[words.index("-c") + 1 :],
            "env": dict(env),
            "cwd": cwd,
            "files": list(pass_fds),
            "cores": sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [],
            "held": [int(number) for number in signal.pthread_sigmask(signal.SIG_BLOCK, ())],
            "ignored": [name for name in IGNORABLE if is_ignored(name)],
        }
        content = json.dumps(request).encode() + b"\n"
        self._link = socket.socket(socket.AF_UNIX)
        self._link.connect(prefork)
        sent = socket.send_fds(self._link, [content], [1, 2, *pass_fds])
        if rest := content[sent:]:  # who was told all may have ended by now
            self._link.sendall(rest)
        self._answers = self._link.makefile("r")
        self.pid = int(self._answers.readline())
        self.returncode: int | None = None

    def wait(self) -> int:
        """Wait for its end, and return its exit code, or minus the signal's number."""
        if self.returncode is None:
            self.returncode = int(self._answers.readline())
            self._answers.close()
            self._link.close()
        return self.returncode

    def poll(self) -> int | None:
        """Return its exit code if it has ended."""
        with selectors.DefaultSelector() as selector:
            if self.returncode is None:
                selector.register(self._link, selectors.EVENT_READ)
                if not selector.select(0):
                    return None
        return self.wait()


def is_ignored(name: str) -> bool:
    return signal.getsignal(signal.Signals[name]) is signal.SIG_IGN


def zygotes_from(
    prefork: Callable[[], str], forget: Callable[[], object] | None = None
) -> SimpleNamespace:
    """Return what `engine.bots.forking` is to use in place of the module `subprocess`.

    `prefork` returns the address, and is called when one is needed. `forget` is called when
    nobody serves there any more, so that the next address is another one.
    """

    def start(words: Sequence[str], **options: Any) -> ForkedProcess:
        chosen = {name: options[name] for name in ("env", "cwd", "pass_fds")}
        try:
            return ForkedProcess(prefork(), words, **chosen)
        except ConnectionRefusedError:
            if forget is None:
                raise
            forget()
            return ForkedProcess(prefork(), words, **chosen)

    return SimpleNamespace(Popen=start, DEVNULL=None)


def spawn_from(prefork: Callable[[], str]) -> Callable[[], None]:
    """Let `multiprocessing` fork from a prefork server what it would spawn, in this process.

    `prefork` returns the address, and is called when one is needed. Returns how to undo it.
    """
    spawn, usual = util.spawnv_passfds, popen_spawn_posix.Popen
    forks = dict[int, ForkedProcess]()

    def start(path: Any, words: Sequence[Any], files: Sequence[int]) -> int:
        texts = [os.fsdecode(word) for word in words]
        if not any("spawn_main" in text for text in texts):  # it is no process of Python code
            return spawn(path, words, files)
        cwd, address = str(Path.cwd()), prefork()
        process = ForkedProcess(address, texts, env=os.environ, cwd=cwd, pass_fds=files)
        forks[process.pid] = process
        return process.pid

    class Popen(popen_spawn_posix.Popen):
        def poll(self, flag: int = os.WNOHANG) -> int | None:
            process = forks[self.pid]
            self.returncode = process.poll() if flag == os.WNOHANG else process.wait()
            return self.returncode

    def undo() -> None:
        util.spawnv_passfds = spawn
        popen_spawn_posix.Popen = usual  # type: ignore[misc]

    util.spawnv_passfds = start  # type: ignore[assignment]
    popen_spawn_posix.Popen = Popen  # type: ignore[misc]
    return undo


# -- who forks -----------------------------------------------------------------------------------


class PreforkServer:
    """Forks what it is asked for, until whoever holds the other end of `alive` has ended."""

    def __init__(self, address: str, alive: int) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(address)
        self._listener.listen()
        self._alive = alive
        self._links: dict[int, socket.socket] = {}

    def close(self) -> None:
        """Leave it to another process to serve."""
        self._listener.close()

    def serve(self) -> NoReturn:
        """Answer each request with a pid, and with the exit code when that is known."""
        woken, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.signal(signal.SIGCHLD, lambda number, frame: None)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            for file in (woken, self._alive, self._listener.fileno()):
                selector.register(file, selectors.EVENT_READ)
            while True:
                ready = {key.fd for key, _ in selector.select()}
                if self._alive in ready:
                    os._exit(0)
                if woken in ready:
                    os.read(woken, LONGEST)
                    self._tell_ends()
                if self._listener.fileno() in ready:
                    self._fork()

    def _fork(self) -> None:
        link, _ = self._listener.accept()
        content, files, *_ = socket.recv_fds(link, LONGEST, MOST_FILES)
        while not content.endswith(b"\n"):
            more = link.recv(LONGEST)
            if not more:  # whoever asked has ended in the middle of it
                link.close()
                return
            content += more
        pid = os.fork()
        if pid == 0:
            run_in_fork(files, **json.loads(content))
        for file in files:
            os.close(file)
        self._links[pid] = link
        tell(link, pid)

    def _tell_ends(self) -> None:
        with suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                with self._links.pop(ended[0]) as link:
                    tell(link, os.waitstatus_to_exitcode(ended[1]))


def tell(link: socket.socket, number: int) -> None:
    with suppress(OSError):  # whoever asked may have ended
        link.sendall(b"%d\n" % number)


def run_in_fork(
    given: Sequence[int],
    *,
    words: Sequence[str],
    env: Mapping[str, str],
    cwd: str,
    files: Sequence[int],
    cores: Sequence[int],
    held: Sequence[int],
    ignored: Sequence[str],
) -> NoReturn:
    """Run the code `words[0]` in this fork, as a new Python would, and end."""
    code = 1
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.setsid()
        take_files(given, [1, 2, *files])
        os.chdir(cwd)
        os.environ.clear()
        os.environ.update(env)
        if cores:
            os.sched_setaffinity(0, cores)
        for name in ignored:
            signal.signal(signal.Signals[name], signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        sys.argv = ["-c", *words[1:]]
        exec(words[0], {"__name__": "__main__"})
        code = 0
    except SystemExit as ending:
        code = ending.code if isinstance(ending.code, int) else 0
    except BaseException:  # noqa: BLE001 - it is shown as a new Python would show it
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def take_files(given: Sequence[int], numbers: Sequence[int]) -> None:
    """Open no other files than those given, as these numbers."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    beyond = max(nothing, *given, *numbers) + 1
    for place, file in enumerate(given, beyond):
        os.dup2(file, place)
    os.closerange(3, beyond)
    for place, number in enumerate(numbers, beyond):
        os.dup2(place, number, inheritable=number <= 2)
    os.closerange(beyond, HIGHEST)


# -- how it begins -------------------------------------------------------------------------------


def start_zygote_prefork(project: Path, address: str, alive: int) -> None:
    """Start a server that forks zygotes of a project, and wait until it can be asked.

    It is a Python of its own: zygotes have a hash seed of their own.
    """
    start: Any = import_module("engine.bots.process_start")
    words = [*start.PYTHON, SERVE.format("serve_zygotes")]
    start_prefork([*words, *words_for(project, address, alive)], start.ENVIRONMENT, alive)


def start_pool_prefork(project: Path, address: str, alive: int, zygotes: str) -> None:
    """Start a server that forks the processes of pools, and wait until it can be asked.

    `zygotes`: the address of the one from which those have theirs.
    """
    words = [sys.executable, "-c", SERVE.format("serve_pools")]
    start_prefork([*words, *words_for(project, address, alive), zygotes], os.environ, alive)


def words_for(project: Path, address: str, alive: int) -> list[str]:
    return [str(Path(__file__).resolve().parents[1]), str(project), address, str(alive)]


def start_prefork(words: Sequence[str], environment: Mapping[str, str], alive: int) -> None:
    process = subprocess.Popen(
        words,
        env=environment,
        cwd="/",
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        pass_fds=[alive],
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout as ready:
        assert ready.read(1)


def serve_zygotes(project: str, address: str, alive: str) -> NoReturn:
    """Import what zygotes do, and fork them."""
    sys.path.insert(0, project)
    zygote: Any = import_module("engine.bots.zygote")
    zygote._prepare()
    del sys.path[0]  # each comes with its own
    serve_forks(address, alive)


def serve_pools(project: str, address: str, alive: str, zygotes: str) -> NoReturn:
    """Import what processes of pools do, and fork them."""
    sys.path.insert(0, project)
    for name in POOLS:
        import_module(name)
    assert all(import_module("engine.catalogue").GAMES.values())  # which imports them
    forking: Any = import_module("engine.bots.forking")
    forking.subprocess = zygotes_from(lambda: zygotes)
    serve_forks(address, alive)


def serve_forks(address: str, alive: str) -> NoReturn:
    """Fork what has been imported, until whoever asks has ended."""
    gc.collect()
    gc.freeze()
    prefork = PreforkServer(address, int(alive))
    os.write(1, b"!")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    prefork.serve()
