"""The system calls of a Python program that computes, reads its files and answers.

`python3 -m engine.bots.sandbox.allowed` writes the filters again (needs libseccomp).
"""

import errno
import fcntl
import signal
import tempfile
from pathlib import Path

import pyseccomp

from engine.bots.sandbox.syscalls import FILTERS, OWN_PID

FILES = """
    read readv pread64 write writev close lseek fstat newfstatat stat lstat statx
    open openat access faccessat faccessat2 readlink readlinkat getcwd getdents64
    dup dup2 dup3 pipe pipe2 poll ppoll select pselect6
"""
MEMORY = "brk mmap munmap mremap mprotect madvise"
SIGNALS = "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigsuspend sigaltstack restart_syscall"
ITSELF = """
    getpid getppid gettid getuid geteuid getgid getegid getresuid getresgid getgroups
    getrlimit getrusage times sched_getaffinity sched_yield getcpu uname sysinfo
    futex futex_waitv set_robust_list rseq exit exit_group
"""
TIME = "nanosleep gettimeofday time"
CHANCE = "getrandom"
ALLOWED = " ".join((FILES, MEMORY, SIGNALS, ITSELF, TIME, CHANCE)).split()

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
IOCTL = (TCGETS, TIOCGWINSZ, FIONCLEX, FIOCLEX)

# Clocks of the machine and of this process alone: numbers beyond are the CPU clocks of others.
CLOCK = ["clock_gettime", "clock_getres", "clock_nanosleep"]
CLOCK_TAI = 11
"""The highest number of a clock that belongs to no process."""

ARCHITECTURES = {"x86_64": pyseccomp.Arch.X86_64, "aarch64": pyseccomp.Arch.AARCH64}


def filter_for(architecture: int) -> bytes:
    """Return the list as a BPF program for one kind of processor."""
    rules = pyseccomp.SyscallFilter(pyseccomp.ERRNO(errno.EPERM))
    rules.remove_arch(pyseccomp.Arch.NATIVE)
    rules.add_arch(architecture)
    for name in ALLOWED:
        rules.add_rule(pyseccomp.ALLOW, name)
    for call, commands in (("fcntl", FCNTL), ("ioctl", IOCTL)):
        for command in commands:
            rules.add_rule(pyseccomp.ALLOW, call, pyseccomp.Arg(1, pyseccomp.EQ, command))
    for name in CLOCK:
        rules.add_rule(pyseccomp.ALLOW, name, pyseccomp.Arg(0, pyseccomp.LE, CLOCK_TAI))
    # prlimit64 reads a limit of this process: no other pid, no new limit.
    own, none = pyseccomp.Arg(0, pyseccomp.EQ, 0), pyseccomp.Arg(2, pyseccomp.EQ, 0)
    rules.add_rule(pyseccomp.ALLOW, "prlimit64", own, none)
    # tgkill with SIGABRT to this process: how abort() ends it. Refused, it ends by SIGSEGV.
    own, abort = (
        pyseccomp.Arg(0, pyseccomp.EQ, OWN_PID),
        pyseccomp.Arg(2, pyseccomp.EQ, signal.SIGABRT),
    )
    rules.add_rule(pyseccomp.ALLOW, "tgkill", own, abort)
    rules.add_rule(pyseccomp.ERRNO(errno.ENOSYS), "clone3")
    with tempfile.TemporaryFile() as exported:
        rules.export_bpf(exported)
        exported.seek(0)
        return exported.read()


def main(folder: Path = FILTERS) -> None:
    """Write a filter for each architecture."""
    folder.mkdir(exist_ok=True)
    for name, architecture in ARCHITECTURES.items():
        (folder / f"{name}.bpf").write_bytes(filter_for(architecture))


if __name__ == "__main__":
    main()
