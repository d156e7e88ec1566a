"""The system calls of what is confined: Python bots, programs in other languages, their builds.

`python3 -m engine.bots.sandbox.allowed` writes the filters again (needs libseccomp).
"""

import errno
import fcntl
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pyseccomp

from engine.bots.sandbox.syscalls import (
    ENTRY_FD,
    FILTERS_FOLDER,
    OWN_GID,
    OWN_PID,
    OWN_UID,
    Profile,
)

assert sys.platform != "win32"  # it is only run by hand, where the filters are made

FILES = """
    read readv pread64 write writev close lseek fstat newfstatat stat lstat statx
    open openat access faccessat faccessat2 readlink readlinkat getcwd getdents64
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
"""
MEMORY = "brk mmap munmap mremap mprotect"
SIGNALS = "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend sigaltstack restart_syscall"
OWN_PROCESS = """
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups
    getrlimit getrusage times sched_getaffinity sched_yield getcpu uname sysinfo
    futex futex_waitv set_robust_list rseq exit exit_group
"""
TIME = "nanosleep gettimeofday time"
CHANCE = "getrandom"
ALLOWED = " ".join((FILES, MEMORY, SIGNALS, OWN_PROCESS, TIME, CHANCE)).split()

# What C libraries and numpy advise: memory is free, in large pages, or guards a stack. Others share
# pages with strangers, poison them, or fill them at once.
MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE = 4, 8, 14
MADV_GUARD_INSTALL, MADV_GUARD_REMOVE = 102, 103
ADVICES = (MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_GUARD_INSTALL, MADV_GUARD_REMOVE)
# And runtimes: how memory is read, whether a fork or a core dump gets it.
MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED = 0, 1, 2, 3
MADV_DONTFORK, MADV_DOFORK, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP = 10, 11, 15, 16, 17
MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_COLLAPSE = 18, 19, 25
ADVICES_OF_RUNTIMES = (
    *(MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED),
    *(MADV_DONTFORK, MADV_DOFORK, MADV_NOHUGEPAGE, MADV_DONTDUMP, MADV_DODUMP),
    *(MADV_WIPEONFORK, MADV_KEEPONFORK, MADV_COLLAPSE),
)

# No locks (F_SETLK, F_OFD_SETLK: a covert channel), no leases, no signals on descriptors.
FCNTL = (
    fcntl.F_GETFD,
    fcntl.F_SETFD,
    fcntl.F_GETFL,
    fcntl.F_SETFL,
    fcntl.F_DUPFD,
    fcntl.F_DUPFD_CLOEXEC,
)
TCGETS, TIOCGWINSZ, FIONCLEX, FIOCLEX = 0x5401, 0x5413, 0x5450, 0x5451
IOCTL_REQUESTS = (TCGETS, TIOCGWINSZ, FIONCLEX, FIOCLEX)

# Clocks of the machine and of this process alone: numbers beyond are the CPU clocks of others.
CLOCK = ["clock_gettime", "clock_getres", "clock_nanosleep"]
CLOCK_TAI = 11
"""The highest number of a clock that belongs to no process."""

ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}


# What the dynamic linker and the runtimes of compiled languages, Node and Java need beside that.
RUNTIMES = """
    arch_prctl set_tid_address epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2
    mincore membarrier statfs fstatfs fadvise64 preadv rt_sigtimedwait
    sched_get_priority_max sched_get_priority_min
"""
MAP_SHARED, MAP_ANONYMOUS = 0x1, 0x20
CLONE_THREAD = 0x10000
A_THREAD = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, CLONE_THREAD, CLONE_THREAD)
NO_THREAD = pyseccomp.Arg(0, pyseccomp.MASKED_EQ, CLONE_THREAD, 0)
AT_EMPTY_PATH = 0x1000
FIONREAD, FIONBIO = 0x541B, 0x5421
PR_SET_NAME, PR_GET_NAME, PR_SET_VMA = 15, 16, 0x53564D41
PRCTL_OPTIONS = (PR_SET_NAME, PR_GET_NAME, PR_SET_VMA)
UNCHANGED_ID = 0xFFFFFFFF
"""-1 of 32 bits, for an id that stays; also the mask of the bits that count."""
START_CALLS = ("fork", "vfork", "execve")

# What compilers and linkers do to files, and how they start each other. No kill, no setsid or
# setpgid: whoever ends a build ends all of it.
BUILD_CALLS = """
    fork vfork clone execve wait4 waitid prctl getpgrp getpgid getsid
    mkdir mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat
    chmod fchmod fchmodat truncate ftruncate fallocate utimensat futimesat utimes fsync fdatasync
    flock copy_file_range sendfile chdir fchdir umask pwrite64 pwritev fcntl ioctl
    mmap setrlimit getpriority sync_file_range msync recvfrom recvmsg sendto sendmsg shutdown
"""


def filter_for(architecture: int, profile: Profile = Profile.PYTHON) -> bytes:
    """Return the list as a BPF program for one kind of processor."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    rules.remove_arch(pyseccomp.Arch.NATIVE)
    rules.add_arch(architecture)
    _add_common_rules(rules)
    match profile:
        case Profile.PYTHON:
            _add_python_rules(rules)
        case Profile.PROGRAM:
            _add_program_rules(rules)
            rules.add_rule(pyseccomp.KILL_PROCESS, "clone", NO_THREAD)
        case Profile.THREADS:
            _add_program_rules(rules)
            rules.add_rule(pyseccomp.ALLOW, "clone", A_THREAD)
            rules.add_rule(pyseccomp.KILL_PROCESS, "clone", NO_THREAD)
        case Profile.BUILD:
            _add_build_rules(rules)
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    with tempfile.TemporaryFile() as exported:
        rules.export_bpf(exported)
        exported.seek(0)
        return exported.read()


def _add_common_rules(rules: pyseccomp.SyscallFilter) -> None:
    for name in ALLOWED:
        if name != "mmap":
            rules.add_rule(pyseccomp.ALLOW, name)
    _add_advices(rules, ADVICES)
    for name in CLOCK:
        rules.add_rule(pyseccomp.ALLOW, name, pyseccomp.Arg(0, pyseccomp.LE, CLOCK_TAI))
    # prlimit64 reads a limit of this process: no other pid, no new limit.
    own, none = pyseccomp.Arg(0, pyseccomp.EQ, 0), pyseccomp.Arg(2, pyseccomp.EQ, 0)
    rules.add_rule(pyseccomp.ALLOW, "prlimit64", own, none)


def _add_python_rules(rules: pyseccomp.SyscallFilter) -> None:
    rules.add_rule(pyseccomp.ALLOW, "mmap")
    _add_commands(rules, IOCTL_REQUESTS)
    # tgkill with SIGABRT to this process: how abort() ends it. Refused, it ends by SIGSEGV.
    own, abort = (
        pyseccomp.Arg(0, pyseccomp.EQ, OWN_PID),
        pyseccomp.Arg(2, pyseccomp.EQ, signal.SIGABRT),
    )
    rules.add_rule(pyseccomp.ALLOW, "tgkill", own, abort)


def _add_program_rules(rules: pyseccomp.SyscallFilter) -> None:
    """Add what a program needs: most of all one exec, for which it has the descriptor but once.

    It is killed where it starts another process, so that the engine knows what it did.
    """
    for name in RUNTIMES.split():
        rules.add_rule(pyseccomp.ALLOW, name)
    _add_advices(rules, ADVICES_OF_RUNTIMES)
    # Shared memory of no file would be counted by no limit; Java maps its own files as shared.
    private = pyseccomp.Arg(3, pyseccomp.MASKED_EQ, MAP_SHARED, 0)
    of_file = pyseccomp.Arg(3, pyseccomp.MASKED_EQ, MAP_SHARED | MAP_ANONYMOUS, MAP_SHARED)
    for flags in (private, of_file):
        rules.add_rule(pyseccomp.ALLOW, "mmap", flags)
    _add_commands(rules, (*IOCTL_REQUESTS, FIONREAD, FIONBIO))
    for option in PRCTL_OPTIONS:
        rules.add_rule(pyseccomp.ALLOW, "prctl", pyseccomp.Arg(0, pyseccomp.EQ, option))
    _add_pairs(rules)
    # Signals to its own threads: how runtimes stop them for a moment, and how abort() ends.
    rules.add_rule(pyseccomp.ALLOW, "tgkill", pyseccomp.Arg(0, pyseccomp.EQ, OWN_PID))
    for name in START_CALLS:
        rules.add_rule(pyseccomp.KILL_PROCESS, name)
    entry = pyseccomp.Arg(0, pyseccomp.EQ, ENTRY_FD)
    by_descriptor = pyseccomp.Arg(4, pyseccomp.EQ, AT_EMPTY_PATH)
    rules.add_rule(pyseccomp.ALLOW, "execveat", entry, by_descriptor)


def _add_build_rules(rules: pyseccomp.SyscallFilter) -> None:
    """Add what compilers need. Threads may be sent SIGURG alone: how Go stops its own.

    make has each process that it starts take on the ids that it has itself (posix_spawn).
    """
    _add_pairs(rules)
    _add_advices(rules, ADVICES_OF_RUNTIMES)
    for name, own in (("setresuid", OWN_UID), ("setresgid", OWN_GID)):
        numbers = ((0, UNCHANGED_ID), (1, own), (2, UNCHANGED_ID))
        conditions = (
            pyseccomp.Arg(n, pyseccomp.MASKED_EQ, UNCHANGED_ID, value) for n, value in numbers
        )
        rules.add_rule(pyseccomp.ALLOW, name, *conditions)
    for name in (*RUNTIMES.split(), *BUILD_CALLS.split()):
        rules.add_rule(pyseccomp.ALLOW, name)
    rules.add_rule(pyseccomp.ALLOW, "tgkill", pyseccomp.Arg(2, pyseccomp.EQ, signal.SIGURG))


def _add_advices(rules: pyseccomp.SyscallFilter, advices: Sequence[int]) -> None:
    for advice in advices:
        rules.add_rule(pyseccomp.ALLOW, "madvise", pyseccomp.Arg(2, pyseccomp.EQ, advice))


def _add_pairs(rules: pyseccomp.SyscallFilter) -> None:
    """Add pairs of sockets that lead nowhere else: Java makes one to be able to read files."""
    local = pyseccomp.Arg(0, pyseccomp.EQ, socket.AF_UNIX)
    rules.add_rule(pyseccomp.ALLOW, "socketpair", local)


def _add_commands(rules: pyseccomp.SyscallFilter, ioctl: Sequence[int]) -> None:
    for call, commands in (("fcntl", FCNTL), ("ioctl", ioctl)):
        for command in commands:
            rules.add_rule(pyseccomp.ALLOW, call, pyseccomp.Arg(1, pyseccomp.EQ, command))


def main(folder: Path = FILTERS_FOLDER) -> None:
    """Write the filters of each architecture."""
    folder.mkdir(exist_ok=True)
    for name, architecture in ARCHITECTURES.items():
        for profile in Profile:
            (folder / f"{name}{profile}.bpf").write_bytes(filter_for(architecture, profile))


if __name__ == "__main__":
    main()
