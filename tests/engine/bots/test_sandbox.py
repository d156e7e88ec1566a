"""Each layer by itself, in a child of the test: what works under it, and what it refuses."""

import ctypes
import decimal
import errno
import importlib
import json
import mmap
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import zoneinfo
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType

import pytest

from engine.bots import sandbox
from engine.bots.forking import ForkLauncher
from engine.bots.log import LOG_BYTES
from engine.bots.sandbox import (
    Confinement,
    Layer,
    Level,
    confine,
    filesystem,
    layers_for,
    require_strict,
    syscalls,
    trials,
)
from engine.bots.sandbox.process import close_all_but
from engine.bots.sandbox.rlimits import OPEN_FILES
from engine.errors import SandboxMissing
from tests import needs
from tests.engine.bots.matches import Table, a_bot

fcntl, resource = needs.module("fcntl"), needs.module("resource")
if not needs.has_libc("prctl"):
    needs.skip("prctl(PR_SET_SECCOMP) of the C library", is_of_module=True)
MEMORY_MB = 256
PR_GET_PDEATHSIG, PR_GET_DUMPABLE = 2, 3
LANDLOCK_CREATE_RULESET = 444
ADVICES = {mmap.MADV_DONTNEED, mmap.MADV_FREE, mmap.MADV_HUGEPAGE, 102, 103}
"""102 and 103 put up and remove guard pages, which Python has no names for."""
WRITTEN_WITH = (2, 5, 4)
"""The libseccomp of the committed filters; another one may write the same list differently."""
OF_THE_KERNEL = {335, 336}
"""uretprobe and uprobe, for which the kernel asks no filter; they do nothing for a program."""
NOT_TO_IMPORT = {"antigravity", "this", "idlelib", "turtle", "turtledemo", "__phello__"}
"""Open a browser, print a poem, need a screen."""

Work = Callable[[], object]


@pytest.fixture(scope="module", autouse=True)
def _warmed_up() -> None:
    """Prepare as the process that starts bots does, before it forks any."""
    sandbox.warm_up()


def under(
    layers: tuple[Layer, ...],
    work: Work,
    bot: Path = Path(__file__).parent,
    ruleset: int | None = None,
) -> str:
    """Return what comes of work in a child that wears these layers: `fine`, or the exception."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            close_all_but([writer, *([] if ruleset is None else [ruleset])])
            confine(Confinement(layers=layers, memory_mb=MEMORY_MB, cpu_s=30), bot, ruleset=ruleset)
            work()
            text = "fine"
        except BaseException as error:  # noqa: BLE001 - the parent judges it
            text = "".join(traceback.format_exception_only(error)).strip()
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as report:
        text = report.read()
    _, status = os.waitpid(pid, 0)
    return text or f"ended with {os.waitstatus_to_exitcode(status)}"


# -- what a bot needs -------------------------------------------------------------------------


def _standard_library() -> None:
    absent = []
    for name in sorted(sys.stdlib_module_names - NOT_TO_IMPORT):
        try:
            importlib.import_module(name)
        except ImportError:
            absent.append(name)
    assert absent == ABSENT


def _time_and_chance() -> None:
    time.sleep(0.001)
    assert os.urandom(8) != os.urandom(8)
    assert time.time() > 0 < time.process_time()
    assert zoneinfo.ZoneInfo("UTC").key == "UTC"


def _numbers_and_text() -> None:
    decimal.getcontext().prec = 50
    assert json.loads(json.dumps({"third": str(decimal.Decimal(1) / 3)}))["third"].startswith("0.3")


def _much_memory() -> None:
    assert len(bytearray(100 << 20)) == 100 << 20


def _recursion() -> None:
    def depth(left: int) -> int:
        return left and 1 + depth(left - 1)

    assert depth(900) == 900


@pytest.mark.parametrize("work", [_time_and_chance, _numbers_and_text, _much_memory, _recursion])
def test_what_bots_need_works_under_all_layers(work: Work) -> None:
    assert under(tuple(Layer), work) == "fine"


def test_numpy_computes_in_a_worker(launcher: ForkLauncher, tmp_path: Path) -> None:
    bot = a_bot(
        tmp_path,
        """
        matrix = np.random.default_rng(1).normal(size=(100, 100))
        assert np.allclose(matrix @ np.linalg.inv(matrix), np.eye(100))
        assert np.linalg.eigvals(matrix).shape == np.random.random(100).shape
        assert np.fft.fft(matrix).shape == matrix.shape
        return "UP"
        """,
        top="import numpy as np",
    )
    table = Table(launcher, bot)
    assert table.ask() == "UP"
    table.seat.close()


ABSENT: list[str] = []
"""Modules this Python was made without."""


@pytest.mark.slow
def test_the_whole_standard_library_can_be_imported() -> None:
    code = (
        "import importlib, sys\n"
        f"for name in sorted(sys.stdlib_module_names - {NOT_TO_IMPORT!r}):\n"
        "    try: importlib.import_module(name)\n"
        "    except ImportError: print(name)"
    )
    words = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ABSENT[:] = words.stdout.split()
    assert under(tuple(Layer), _standard_library) == "fine"


def test_a_bot_reads_the_files_of_its_folder_and_changes_none(tmp_path: Path) -> None:
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "openings.txt").write_text("north")

    def read() -> None:
        assert [path.name for path in tmp_path.iterdir()] == ["book"]
        assert (tmp_path / "book" / "openings.txt").read_text() == "north"

    assert under(tuple(Layer), read, tmp_path) == "fine"
    for change in (
        (tmp_path / "new").touch,
        (tmp_path / "new").mkdir,
        (tmp_path / "book" / "openings.txt").unlink,
        lambda: (tmp_path / "book" / "openings.txt").write_text("south"),
    ):
        assert under(tuple(Layer), change, tmp_path).startswith("PermissionError")
    assert (tmp_path / "book" / "openings.txt").read_text() == "north"


# -- what each layer refuses --------------------------------------------------------------------


def _prctl(option: int, *parts: object) -> int:
    return ctypes.CDLL(None).prctl(option, *parts, 0, 0, 0)  # type: ignore[no-any-return]


def test_a_worker_ends_with_its_parent_and_is_read_by_nobody() -> None:
    def look() -> None:
        number = ctypes.c_int()
        _prctl(PR_GET_PDEATHSIG, ctypes.byref(number))
        assert (number.value, _prctl(PR_GET_DUMPABLE, 0)) == (signal.SIGKILL, 0)
        assert "NoNewPrivs:\t1" in Path("/proc/self/status").read_text()

    assert under((Layer.PROCESS,), look) == "fine"


def _rights() -> set[str]:
    lines = Path("/proc/self/status").read_text().splitlines()
    return {line for line in lines if line.startswith(("CapInh", "CapPrm", "CapEff", "CapAmb"))}


def test_a_worker_has_no_capability_even_of_root() -> None:
    def look() -> None:
        assert {line.split()[1] for line in _rights()} == {"0" * 16}

    assert under((Layer.PROCESS,), look) == "fine"
    assert under(tuple(Layer), lambda: None) == "fine"


@needs.ROOT
def test_where_root_could_not_read_a_bot_without_rights_it_keeps_that_one(tmp_path: Path) -> None:
    """Root plays so with sudo in the home of another user."""
    home = tmp_path / "home"
    (home / "bot").mkdir(parents=True)
    (home / "bot" / "bot.py").write_text("")
    home.chmod(0o700)
    os.chown(home, 12_345, 12_345)

    def look() -> None:
        assert "CapEff:\t0000000000000004" in _rights()  # CAP_DAC_READ_SEARCH
        (home / "bot" / "bot.py").read_text()
        with pytest.raises(PermissionError):
            (home / "made").touch()

    assert under((Layer.PROCESS,), look, home / "bot") == "fine"


@pytest.mark.parametrize("advice", [*range(26), 100, 101, 102, 103])
def test_memory_is_advised_on_as_the_c_library_does_and_not_otherwise(advice: int) -> None:
    """Others spend memory that no limit counts, share pages with strangers, or poison them."""

    def advise() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        memory = mmap.mmap(-1, mmap.PAGESIZE)
        address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        if libc.madvise(ctypes.c_void_p(address), mmap.PAGESIZE, advice):
            raise OSError(ctypes.get_errno(), "")

    refused = under((Layer.PROCESS, Layer.CALLS), advise).startswith("PermissionError")
    assert refused == (advice not in ADVICES)


def _many_files() -> None:
    saved = [os.open(os.devnull, os.O_RDONLY) for _ in range(100)]
    assert saved


def _long_file() -> None:
    with tempfile.TemporaryFile(buffering=0) as file:
        while file.tell() < 3 * LOG_BYTES:
            file.write(bytes(LOG_BYTES))


@pytest.mark.parametrize(
    ("work", "refusal"),
    [
        (lambda: bytearray(MEMORY_MB << 21), "MemoryError"),
        (lambda: mmap.mmap(-1, MEMORY_MB << 21), "OSError: [Errno 12]"),
        (_many_files, "OSError: [Errno 24]"),
        (_long_file, "OSError: [Errno 27]"),
    ],
)
def test_the_limits_end_in_ordinary_exceptions(work: Work, refusal: str) -> None:
    assert under((Layer.LIMITS,), work).startswith(refusal)


@pytest.mark.parametrize(
    "work",
    [
        lambda: Path("/etc/passwd").read_text(),
        lambda: Path("/proc/self/status").read_text(),
        lambda: list(Path("/").iterdir()),
        lambda: list(Path(__file__).parents[1].iterdir()),
        lambda: Path("../../etc/passwd").read_text(),
        lambda: Path("/tmp/escaped").mkdir(),
        lambda: Path("/dev/shm/escaped").touch(),
        lambda: Path("/tmp/escaped").symlink_to("/etc"),
        lambda: Path(os.__file__).write_text(""),
        lambda: subprocess.run(["/bin/true"], check=True),
    ],
)
def test_the_files_of_others_are_shut_off(work: Work) -> None:
    layers = (Layer.PROCESS, Layer.FILES)  # Landlock wants no_new_privs
    assert under(layers, work).startswith(("PermissionError: [Errno 13]", "FileNotFoundError"))


def test_rules_prepared_before_the_fork_shut_off_the_same_files_and_are_closed(
    tmp_path: Path,
) -> None:
    own = tmp_path / "bot"
    own.mkdir()
    (own / "bot.py").write_text("")
    ruleset = filesystem.prepare_ruleset((str(own),))
    assert ruleset is not None

    def work() -> None:
        assert (own / "bot.py").read_text() == ""
        for refused in (tmp_path.rmdir, Path("/etc/passwd").read_text, (own / "out").mkdir):
            with pytest.raises(PermissionError):
                refused()
        with pytest.raises(OSError, match="Bad file descriptor"):
            os.fstat(ruleset)

    layers = (Layer.PROCESS, Layer.FILES)
    assert under(layers, work, tmp_path, ruleset) == "fine"
    assert "Bad file descriptor" in under((), lambda: os.fstat(ruleset), tmp_path, ruleset)


def test_rules_are_prepared_once_for_many_workers_and_anew_for_another_folder_of_the_name(
    tmp_path: Path,
) -> None:
    reads = (str(tmp_path / "bot"),)
    assert filesystem.prepare_ruleset(reads) is None
    (tmp_path / "bot").mkdir()
    first = filesystem.prepare_ruleset(reads)
    assert first is not None
    assert filesystem.prepare_ruleset(reads) == first
    (tmp_path / "bot").rename(tmp_path / "former")
    (tmp_path / "bot").mkdir()
    assert filesystem.prepare_ruleset(reads) != first


def test_few_prepared_rules_are_held_open(tmp_path: Path) -> None:
    made = set()
    for number in range(2 * filesystem.MAX_PREPARED):
        (tmp_path / str(number)).mkdir()
        made.add(filesystem.prepare_ruleset((str(tmp_path / str(number)),)))
    assert None not in made
    assert len(made) <= filesystem.MAX_PREPARED + 1


@pytest.mark.parametrize(
    "work",
    [
        os.fork,
        lambda: os.execv("/bin/true", ["true"]),
        lambda: subprocess.run(["/bin/true"], check=True),
        socket.socket,
        socket.socketpair,
        lambda: os.kill(os.getpid(), 0),
        lambda: os.kill(os.getppid(), 0),
        lambda: signal.raise_signal(signal.SIGUSR1),
        lambda: os.sched_setaffinity(0, {0}),
        lambda: os.nice(1),
        lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 5),
        lambda: resource.prlimit(os.getppid(), resource.RLIMIT_AS),
        lambda: os.memfd_create("escaped"),
        lambda: os.pidfd_open(os.getppid()),
        lambda: os.setuid(0),
        lambda: os.chdir("/"),
        lambda: os.mkdir("/tmp/escaped"),  # noqa: PTH102 - the very call
        lambda: os.ftruncate(1, 1 << 40),
        lambda: os.chmod(__file__, 0o777),  # noqa: PTH101
        lambda: fcntl.flock(0, fcntl.LOCK_SH),
        lambda: fcntl.lockf(0, fcntl.LOCK_SH),
        lambda: fcntl.fcntl(0, fcntl.F_SETOWN, os.getppid()),
        lambda: fcntl.ioctl(0, 0x5412, b"x"),
        os.setsid,
    ],
)
def test_what_a_bot_never_needs_is_refused(work: Work) -> None:
    layers = (Layer.PROCESS, Layer.CALLS)  # so does seccomp
    assert under(layers, work).startswith("PermissionError: [Errno 1]")


def test_threads_and_timers_are_refused_in_their_own_words() -> None:
    layers = (Layer.PROCESS, Layer.CALLS)
    thread = threading.Thread(target=time.sleep, args=(9,))
    assert under(layers, thread.start) == "RuntimeError: can't start new thread"
    words = under(layers, lambda: signal.setitimer(signal.ITIMER_REAL, 1))
    assert words.startswith("signal.itimer_error: [Errno 1]")


def test_every_call_that_is_not_on_the_list_is_refused() -> None:
    allowed, pyseccomp = _the_list()
    here = pyseccomp.Arch.NATIVE
    partly = ("fcntl", "ioctl", "prlimit64", "tgkill", "clone3", *allowed.CLOCK)
    listed = {pyseccomp.resolve_syscall(here, name) for name in (*allowed.ALLOWED, *partly)}

    def call_all_others() -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        for number in sorted(set(range(500)) - listed - OF_THE_KERNEL):
            assert libc.syscall(ctypes.c_long(number), 0, 0, 0, 0, 0, 0) == -1, number
            assert ctypes.get_errno() == errno.EPERM, number
        assert libc.syscall(ctypes.c_long(435), 0, 0) == -1
        assert ctypes.get_errno() == errno.ENOSYS  # clone3

    assert under(tuple(Layer), call_all_others) == "fine"


# -- what is known of this machine --------------------------------------------------------------


def test_where_the_kernel_has_it_all_nothing_fails() -> None:
    if ctypes.CDLL(None).syscall(LANDLOCK_CREATE_RULESET, 0, 0, 1) < 1:
        needs.skip("landlock_create_ruleset(2)")
    assert trials.failings_here() == {}


def test_what_this_process_has_open_does_not_count_among_the_files_of_the_one_tried() -> None:
    before = trials.failings_here()
    with ExitStack() as opened:
        for _ in range(2 * OPEN_FILES):
            opened.enter_context(Path(os.devnull).open())
        assert trials.failings_here() == before


@pytest.mark.parametrize("layer", Layer)
def test_a_layer_that_does_not_hold_is_found_out(
    layer: Layer, monkeypatch: pytest.MonkeyPatch
) -> None:
    really = sandbox.put_on

    def put_on(this: Layer, confinement: Confinement, bot: Path) -> None:
        if this is not layer:
            really(this, confinement, bot)

    monkeypatch.setattr(trials, "put_on", put_on)
    assert trials.failings_here()[layer] == "puts itself on, but does not hold"


def test_a_layer_that_cannot_be_put_on_is_reported_in_the_systems_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def put_on(layer: Layer, confinement: Confinement, bot: Path) -> None:
        raise OSError(errno.ENOSYS, "no such thing")

    monkeypatch.setattr(trials, "put_on", put_on)
    assert trials.failings_here() == dict.fromkeys(Layer, "[Errno 38] no such thing")


def test_nobody_goes_on_as_a_copy_of_us_whatever_a_trial_raises(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def put_on(layer: Layer, confinement: Confinement, bot: Path) -> None:
        raise MemoryError

    monkeypatch.setattr(trials, "put_on", put_on)
    assert trials.failings_here() == dict.fromkeys(Layer, "its trial ended")


def test_a_trial_that_ends_early_fails_what_was_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    def put_on(layer: Layer, confinement: Confinement, bot: Path) -> None:
        if layer is Layer.FILES:
            os._exit(1)

    monkeypatch.setattr(trials, "put_on", put_on)
    failings = trials.failings_here()
    assert (failings[Layer.FILES], failings[Layer.CALLS]) == ("its trial ended",) * 2


# -- levels -------------------------------------------------------------------------------------


def test_strict_wants_all_layers_and_no_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    require_strict({})
    with pytest.raises(SandboxMissing, match="files: no Landlock"):
        require_strict({Layer.FILES: "no Landlock"})
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    with pytest.raises(SandboxMissing, match="ordinary user"):
        require_strict({})


@pytest.mark.parametrize(
    ("level", "missing", "layers"),
    [
        (Level.STRICT, {}, tuple(Layer)),
        (Level.DEFAULT, {}, tuple(Layer)),
        (Level.DEFAULT, {Layer.FILES}, (Layer.PROCESS, Layer.LIMITS, Layer.CALLS)),
        (Level.OFF, {}, (Layer.PROCESS,)),
    ],
)
def test_a_level_is_what_it_puts_on(
    level: Level, missing: set[Layer], layers: tuple[Layer, ...]
) -> None:
    assert layers_for(level, missing) == layers


def test_every_layer_says_what_it_is_for_and_what_its_lack_means() -> None:
    assert set(sandbox.PURPOSE) == set(sandbox.DANGER) == set(Layer)


# -- the committed filters ----------------------------------------------------------------------


def _the_list() -> tuple[ModuleType, ModuleType]:
    """The list and the library that reads it; a skip where there is no libseccomp."""
    try:
        return importlib.import_module("engine.bots.sandbox.allowed"), importlib.import_module(
            "pyseccomp"
        )
    except (ImportError, OSError, RuntimeError) as error:
        needs.skip(f"libseccomp: {error}")


class _Version(ctypes.Structure):
    _fields_ = (("major", ctypes.c_uint), ("minor", ctypes.c_uint), ("micro", ctypes.c_uint))


def _library_version(pyseccomp: ModuleType) -> tuple[int, int, int]:
    library = pyseccomp._libseccomp
    library.seccomp_version.restype = ctypes.POINTER(_Version)
    version = library.seccomp_version().contents
    return version.major, version.minor, version.micro


@pytest.mark.parametrize("profile", syscalls.Profile)
@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_committed_filters_are_what_the_list_says(
    machine: str, profile: syscalls.Profile
) -> None:
    allowed, pyseccomp = _the_list()
    if (version := _library_version(pyseccomp)) != WRITTEN_WITH:
        needs.skip(f"libseccomp {WRITTEN_WITH}: {version} may write the list differently")
    written = allowed.filter_for(allowed.ARCHITECTURES[machine], profile)
    assert written == (allowed.FILTERS_FOLDER / f"{machine}{profile}.bpf").read_bytes()


def test_the_roots_of_the_interpreter_hold_all_its_paths_and_each_other_not() -> None:
    roots = set(filesystem.interpreter_roots())
    for path in filesystem.interpreter_paths():
        assert not roots.isdisjoint([path.resolve(), *path.resolve().parents]), path
    for root in roots:
        assert roots.isdisjoint(root.parents)
        assert root.resolve() == root
