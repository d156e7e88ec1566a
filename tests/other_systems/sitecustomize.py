"""Shows our modules another system: what their `os`, `signal` and others lack there.

Python imports it at its start where this folder is in PYTHONPATH. The standard library keeps what
it has: it has its own code for each system, which cannot be run here. SLIME_MIND_PRETENDED names
the system, in the words of `sys.platform`.
"""

import builtins
import os
import subprocess
from pathlib import Path
from types import ModuleType

HOME = Path(__file__).resolve().parents[2]
FOLDERS = (
    *("benchmarks", "cli", "engine", "learning", "playerCode", "report", "runners"),
    *("server", "tests", "visualizer"),
)
OURS = tuple(str(HOME / part) for part in (*FOLDERS, "slime_mind_arena", "main.py", "replay.py"))
NOT_ON_MACS = {
    "os": """memfd_create MFD_ALLOW_SEALING MFD_CLOEXEC O_PATH O_TMPFILE P_PID P_PIDFD pidfd_open
        posix_fallocate sched_getaffinity sched_getscheduler sched_setaffinity WEXITED WNOWAIT
        waitid""",
    "signal": "pidfd_send_signal SIGPOLL SIGPWR SIGRTMAX SIGRTMIN sigtimedwait sigwaitinfo",
    "socket": "AF_NETLINK AF_PACKET AF_VSOCK SOCK_CLOEXEC SOCK_NONBLOCK",
    "select": "epoll",
    "resource": "prlimit RLIMIT_MSGQUEUE RLIMIT_NICE RLIMIT_RTPRIO RLIMIT_SIGPENDING",
    "fcntl": "F_ADD_SEALS F_SEAL_GROW F_SEAL_SEAL F_SEAL_SHRINK F_SETPIPE_SZ",
}
NOT_ON_WINDOWS = {
    "os": f"""{NOT_ON_MACS["os"]} chown chroot ctermid fchdir fchmod fchown fork forkpty fstatvfs
        get_blocking getegid geteuid getgid getgrouplist getgroups getloadavg getpgid getpriority
        getsid getuid initgroups killpg lchown mkfifo mknod nice O_CLOEXEC O_DIRECTORY O_NOCTTY
        O_NOFOLLOW O_NONBLOCK openpty posix_spawn posix_spawnp pread PRIO_PROCESS pwrite readv
        register_at_fork sendfile set_blocking setgid setpgid setpriority setsid setuid statvfs sync
        sysconf tcgetpgrp ttyname uname wait wait3 wait4 WIFSIGNALED WNOHANG writev""",
    "signal": f"""{NOT_ON_MACS["signal"]} alarm getitimer ITIMER_PROF ITIMER_REAL ITIMER_VIRTUAL
        pause pthread_kill pthread_sigmask setitimer SIG_BLOCK SIG_SETMASK SIG_UNBLOCK SIGALRM
        SIGBUS SIGCHLD SIGCONT SIGHUP siginterrupt SIGKILL sigpending SIGPIPE SIGQUIT SIGSTOP SIGSYS
        SIGTSTP SIGTTIN SIGTTOU SIGURG SIGUSR1 SIGUSR2 sigwait SIGWINCH SIGXCPU SIGXFSZ""",
    "socket": f"{NOT_ON_MACS['socket']} AF_UNIX recv_fds SCM_RIGHTS send_fds",
    "select": "epoll kqueue poll POLLIN POLLOUT",
    "time": "clock_gettime clock_gettime_ns CLOCK_MONOTONIC CLOCK_PROCESS_CPUTIME_ID tzset",
}
PRETENDED = os.environ.get("SLIME_MIND_PRETENDED", "")
LACKING, NO_MODULES, NAME = {
    "win32": (NOT_ON_WINDOWS, ("fcntl", "resource", "termios", "tty", "pty", "pwd", "grp"), "nt"),
    "darwin": (NOT_ON_MACS, (), "posix"),
}.get(PRETENDED, ({}, (), os.name))


class Shown(ModuleType):
    """A module of the standard library, as our modules see it there."""

    real: ModuleType
    lacking: "frozenset[str]"
    others: "dict[str, str]"

    def __init__(self, real: ModuleType, lacking: "frozenset[str]", **others: str) -> None:
        super().__init__(real.__name__)
        vars(self).update(real=real, lacking=lacking, others=others)

    def __getattr__(self, name: str) -> object:
        if name in self.lacking:
            raise AttributeError(
                f"module {self.__name__!r} has no attribute {name!r} on {PRETENDED}"
            )
        return self.others[name] if name in self.others else getattr(self.real, name)

    def __setattr__(self, name: str, value: object) -> None:
        setattr(self.real, name, value)

    def __dir__(self) -> "list[str]":
        return [name for name in dir(self.real) if name not in self.lacking]


shown: "dict[str, ModuleType]" = {}
really_import = builtins.__import__


def show(module: ModuleType) -> ModuleType:
    name = module.__name__
    if name not in shown:
        others = {"sys": {"platform": PRETENDED}, "os": {"name": NAME}}.get(name, {})
        shown[name] = Shown(module, frozenset(LACKING.get(name, "").split()), **others)
    return shown[name]


def import_as_there(name, globals=None, locals=None, fromlist=(), level=0):  # type: ignore[no-untyped-def] # noqa: A002
    file = (globals or {}).get("__file__") or ""
    if level or not file.startswith(OURS):
        return really_import(name, globals, locals, fromlist, level)
    if name in NO_MODULES:
        raise ModuleNotFoundError(f"No module named {name!r} on {PRETENDED}", name=name)
    module = really_import(name, globals, locals, fromlist, level)
    return show(module) if name in (*LACKING, "sys") else module


def start_as_there(self, *arguments, env=None, **named):  # type: ignore[no-untyped-def]
    """Start a process that sees the same system, also where it gets no variables of ours."""
    if env is not None:
        env = {**env, "PYTHONPATH": str(Path(__file__).parent), "SLIME_MIND_PRETENDED": PRETENDED}
    really_start(self, *arguments, env=env, **named)  # type: ignore[call-overload]


really_start = subprocess.Popen.__init__
if PRETENDED:
    builtins.__import__ = import_as_there
    subprocess.Popen.__init__ = start_as_there  # type: ignore[method-assign]
