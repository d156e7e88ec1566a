"""Sees to it that our packages are there: in `.venv` beside this file, made on the first run.

main.py, replay.py and the tests import it before anything else, so it needs nothing but the
standard library. Its syntax is that of Python 3.6: an old Python must get far enough to be
told that it is too old. Every start pays for the imports at the top; the others come late.
"""

import os
import sys
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Iterator, NoReturn, Sequence

OLDEST = (3, 11)
HOME = Path(__file__).resolve().parent
PROJECT = HOME / "pyproject.toml"
LOCK = HOME / "uv.lock"
LISTS = HOME / "requirements"  # what the lock holds, for pip
VENV = HOME / ".venv"
WINDOWS = sys.platform == "win32"
PYTHON = VENV / ("Scripts/python.exe" if WINDOWS else "bin/python")
STAMP = VENV / "slime-mind.stamp"
UNFINISHED = "unfinished"

# The names under which the packages of pyproject.toml are imported (a test compares them), but for
# those that are not there on every machine: arcade, networkx, rustworkx.
PACKAGES: "tuple[str, ...]" = (
    "click",
    "jinja2",
    "markupsafe",
    "msgspec",
    "numpy",
    "openskill",
    "pytest",
    "sqlalchemy",
    "tqdm",
)
EXTRAS: "tuple[str, ...]" = ("server", "window")  # what .venv has besides: all of the README
EXTRA_PACKAGES: "tuple[str, ...]" = (
    "PIL",
    "alembic",
    "anyio",
    "argon2",
    "confusable_homoglyphs",
    "markdown_it",
    "mdit_py_plugins",
    "nacl",
    "prometheus_client",
    "python_multipart",
    "segno",
    "starlette",
    "tzdata",
    "uvicorn",
)
DEV_PACKAGES: "tuple[str, ...]" = (
    "axe_playwright_python",
    "coverage",
    "deptry",
    "distributed",
    "gymnasium",
    "hatchling",
    "httpx2",
    "hypothesis",
    "importlinter",
    "jsonschema_rs",
    "material",
    "mkdocs",
    "mypy",
    "networkx",
    "numba",
    "openapi_python_client",
    "openapi_spec_validator",
    "pettingzoo",
    "playwright",
    "psycopg",
    "pytest_timeout",
    "resvg_py",
    "ruff",
    "schemathesis",
    "uv",
    "xdist",
    "yaml",
)
if sys.platform == "linux":
    DEV_PACKAGES += ("pyseccomp",)

FORBIDDEN = "SLIME_MIND_NO_BOOTSTRAP"  # set by users: never install anything
RERUNS = "SLIME_MIND_RERUNS"  # set by us: how often this command was run again already

PROBE = """
import sys
from importlib.util import find_spec
sys.exit(sys.version_info < (3, 11) or not all(map(find_spec, sys.argv[1:])))
"""


class SetUpFailed(Exception):
    """Why the packages could not be installed, and the remedy."""


def ensure(*, dev: bool = False) -> None:
    """Return only where our packages can be imported, with the dev group if `dev`.

    Otherwise make `.venv` if need be and run this very command again in it, or end
    with exit code 2 and what to do.
    """
    require_python()
    absent = missing(dev)
    if absent and not dev and is_elsewhere():
        absent = [name for name in absent if name in PACKAGES]
    if absent:
        require_permission(absent)
        use_activated(absent, dev)
        if is_ours() or not is_finished(dev):
            prepare(dev=dev)
        rerun(absent)
    os.environ.pop(RERUNS, None)


def require_python() -> None:
    if sys.version_info < OLDEST:
        major, minor = sys.version_info[:2]
        stop(f"needs Python 3.11 or newer; this is {major}.{minor} ({sys.executable})")


def require_permission(absent: "Sequence[str]") -> None:
    """An installed copy of us has no project beside it, and nothing of its own to set up."""
    if os.environ.get(FORBIDDEN):
        stop(f"missing: {', '.join(absent)} (nothing is installed, because {FORBIDDEN} is set)")
    if not PROJECT.exists():
        stop(f"missing: {', '.join(absent)} (please install slime-mind-arena anew)")


def use_activated(absent: "Sequence[str]", dev: bool) -> None:
    """Run this command again in an environment that was activated, or end if it lacks packages.

    It is somebody's own: nothing is installed into it.
    """
    activated = activated_environment()
    if activated is None or is_ours():
        return
    python = python_of(activated)
    if Path(sys.prefix).resolve() != activated.resolve() and imports(required(dev), python):
        rerun(absent, python)
    name = "dev" if dev else "run"
    stop(
        f"missing in the activated environment {activated}: {', '.join(absent)}\n"
        f"Nothing is installed there unasked: {python} -m pip install -r {LISTS / name}.txt\n"
        "does it, or deactivate the environment, and packages are installed into .venv."
    )


def activated_environment() -> "Path | None":
    """Return the environment that was activated, unless it is `.venv` or Conda's base."""
    is_base = os.environ.get("CONDA_DEFAULT_ENV") == "base"  # in many shells, whoever asks
    named = os.environ.get("VIRTUAL_ENV") or (not is_base and os.environ.get("CONDA_PREFIX"))
    if not named or Path(named).resolve() == VENV.resolve() or not Path(named).is_dir():
        return None
    return Path(named)


def python_of(environment: Path) -> Path:
    """Return the interpreter of a virtual environment, or of one of Conda's."""
    places = ("Scripts/python.exe", "python.exe") if WINDOWS else ("bin/python",)
    found = [environment / place for place in places if (environment / place).exists()]
    return found[0] if found else environment / places[0]


def missing(dev: bool) -> "list[str]":
    """The packages that this interpreter cannot import."""
    return [name for name in wanted(dev) if find_spec(name) is None]


def wanted(dev: bool) -> "tuple[str, ...]":
    """Return the packages that `.venv` has."""
    return PACKAGES + EXTRA_PACKAGES + (DEV_PACKAGES if dev else ())


def required(dev: bool) -> "tuple[str, ...]":
    """Return the packages without which nothing works."""
    return wanted(dev) if dev else PACKAGES


def is_elsewhere() -> bool:
    """Return whether the packages here are the choice of whoever installed them."""
    if os.environ.get(FORBIDDEN) or not PROJECT.exists():
        return True
    is_environment = sys.prefix != sys.base_prefix or activated_environment() is not None
    return is_environment and not is_ours()


def is_ours() -> bool:
    """Return whether this interpreter is `.venv`'s."""
    return Path(sys.prefix).resolve() == VENV.resolve()


def rerun(absent: "Sequence[str]", python: Path = PYTHON) -> NoReturn:
    """Run this very command again, in `.venv` or another environment."""
    reruns = int(os.environ.get(RERUNS, "0")) + 1
    if reruns > 2:  # once into .venv, once more if it had to be made anew
        stop(f"missing even from a fresh {VENV}: {', '.join(absent)}; remove it and try again")
    os.environ[RERUNS] = str(reruns)
    command = [str(python), *sys.orig_argv[1:]]
    try:
        if not WINDOWS:
            hold_ctrl_c()
            os.execv(command[0], command)
        import subprocess  # os.exec* on Windows returns to the shell at once

        sys.exit(subprocess.call(command))
    except OSError as error:
        stop(f"cannot run {python}: {error}; remove {python.parents[1]} and try again")


def hold_ctrl_c() -> None:
    """Hold it back until engine/support/signals.py runs in the next Python.

    A start has a traceback. Programs without that module are to hear a Ctrl-C at once.
    """
    if sys.platform != "win32" and "engine.support.signals" in sys.modules:
        import signal

        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})


def prepare(*, dev: bool = False) -> None:
    """Make or complete `.venv`, once, however many runs want it at the same time."""
    import signal

    require_python()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)  # we clean up
    try:
        with alone() as lock:
            if not (is_finished(dev) and imports(wanted(dev))):
                make(lock, dev=dev)
    except KeyboardInterrupt:
        stop("interrupted; the next run begins anew", code=130)
    except SetUpFailed as failure:
        stop(str(failure))
    except OSError as error:
        stop(f"cannot make {VENV}: {error}{remedy_of(error)}")


def remedy_of(error: OSError) -> str:
    """Return what to do where a clone cannot be written."""
    import errno

    if error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
        return ""
    return (
        f"\n{HOME} cannot be written. Copy it to a folder of your own, or install it in an\n"
        f"environment: python3 -m venv ENV && ENV/bin/pip install {HOME}; its command is\n"
        "ENV/bin/slime-mind-arena in place of python3 main.py."
    )


@contextmanager
def alone() -> "Iterator[IO[str]]":
    """Hold the lock of this folder. What inherits the open file holds it too."""
    with VENV.with_name(".venv.lock").open("w") as lock:
        if not try_lock(lock):
            say("another run is making .venv; waiting for it")
            while not try_lock(lock):
                import time

                time.sleep(0.1)
        yield lock


def try_lock(lock: "IO[str]") -> bool:
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def is_finished(dev: bool) -> bool:
    """Return whether `.venv` was finished for the present uv.lock, and has a Python for us."""
    key, _, group = stamp().partition(" ")
    is_there = os.access(str(PYTHON), os.X_OK)  # another user's may lie where we must not look
    return key == fingerprint() and (group == "dev" or not dev) and is_there


def stamp() -> str:
    """Return how far `.venv` came: '' if it is not ours or not there, UNFINISHED, or its stamp."""
    try:
        return STAMP.read_text()
    except OSError:
        return ""


def fingerprint() -> str:
    """Return what an installation depends on: what is asked for, and where it lies."""
    from hashlib import sha256

    locked = LOCK.read_bytes() if LOCK.exists() else b""
    return sha256(PROJECT.read_bytes() + locked + os.fsencode(HOME)).hexdigest()


def imports(names: "Sequence[str]", python: Path = PYTHON) -> bool:
    """Return whether this is a working Python that finds these packages."""
    import subprocess

    command = [str(python), "-I", "-c", PROBE, *names]
    try:
        return subprocess.call(command, stderr=subprocess.DEVNULL) == 0
    except OSError:
        return False


def make(lock: "IO[str]", *, dev: bool) -> None:
    """Install into `.venv`, from scratch where what is there is of no use.

    The stamp says UNFINISHED until all is done, so that a run killed half-way is seen; but where
    the dev group alone is added, what needs no more than was there goes on without waiting.
    """
    import shutil

    before = stamp()
    if before == UNFINISHED or is_finished(dev) or not imports(()):
        shutil.rmtree(str(VENV), ignore_errors=True)
        before = ""
    fresh = not VENV.exists()
    ways = installations(dev)
    say(f"installing packages into {VENV} (only this once; takes about 10 seconds)")
    VENV.mkdir(exist_ok=True)
    if not is_finished(dev=False):
        STAMP.write_text(UNFINISHED)
    try:
        install(ways, lock)
    except SetUpFailed:
        if fresh:
            shutil.rmtree(str(VENV), ignore_errors=True)
        else:
            STAMP.write_text(before)
        raise
    STAMP.write_text(fingerprint() + (" dev" if dev else ""))


def install(ways: "list[list[list[str]]]", lock: "IO[str]") -> None:
    """Run the commands of the first way that works. Raises: SetUpFailed, OSError of the last."""
    for number, commands in enumerate(ways, 1):
        try:
            for command in commands:
                run(command, lock)
            return
        except (SetUpFailed, OSError):  # as behind a mirror that pip's settings alone name
            if number == len(ways):
                raise


def installations(dev: bool) -> "list[list[list[str]]]":
    """Return ways to make `.venv` as uv.lock says, each the commands that it takes.

    uv, which pip brings where there is none, installs in a fraction of the time; without it, pip
    does. A `.venv` that is there is completed with its own Python: made again with another one,
    it would be half of each.
    """
    from shutil import which

    base = getattr(sys, "_base_executable", sys.executable)  # even if we run in another venv
    uv = which("uv")
    if uv:
        create = [base, "-m", "venv", "--without-pip", str(VENV)]
        return [[[str(PYTHON), "-c", ""] if PYTHON.exists() else create, *synchronize(uv, dev)]]
    require_ensurepip()
    create = [base, "-m", "venv", str(VENV)]
    command = [str(PYTHON), "-m", "ensurepip"] if PYTHON.exists() else create
    locked = str(LISTS / ("dev.txt" if dev else "run.txt"))
    own = str(PYTHON.with_name("uv"))
    get_uv = pip("--retries", "1", "--require-hashes", "--requirement", str(LISTS / "uv.txt"))
    return [
        [command, get_uv, *synchronize(own, dev)],
        [
            command,
            pip("--require-hashes", "--requirement", locked),
            pip("--no-build-isolation", "--editable", "."),  # what builds it is in that list
        ],
    ]


def synchronize(uv: str, dev: bool) -> "list[list[str]]":
    """Return the commands with which uv installs first what builds our package, and then all.

    What users added to `.venv`, such as an extra, stays there.
    """
    command = [uv, "sync", "--locked", "--inexact", "--quiet", "--python", str(PYTHON)]
    if not os.access(os.path.expanduser("~"), os.W_OK):  # noqa: PTH111 # Path raises without one
        command.append("--no-cache")
    groups = ["--group", "build"] if dev else ["--no-dev", "--group", "build"]
    groups += [word for extra in EXTRAS for word in ("--extra", extra)]
    return [
        [*command, *groups, "--no-install-project"],
        [*command, *groups, "--no-build-isolation"],
    ]


def pip(*parts: str) -> "list[str]":
    """Lists are complete: pip looks for nothing that is not in them."""
    command = [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    return [*command, "--no-deps", *parts]


def require_ensurepip() -> None:
    """Debian ships it apart, and leaves half a `.venv` behind where it is missing."""
    if find_spec("ensurepip") is None or find_spec("venv") is None:
        raise SetUpFailed(
            "this Python makes no virtual environments; on Debian, Ubuntu: apt install python3-venv"
        )


def run(command: "Sequence[str]", lock: "IO[str]") -> None:
    """Run one step of the installation.

    It inherits the lock: if we are killed and it lives on, the next run waits for its end.
    """
    import subprocess

    done = subprocess.run(
        command,
        check=False,
        cwd=str(HOME),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "UV_PROJECT_ENVIRONMENT": str(VENV)},
        pass_fds=() if WINDOWS else (lock.fileno(),),
    )
    if done.returncode != 0:
        raise SetUpFailed(
            f"the packages could not be installed:\n{last_words(done.stdout)}\n"
            "If this machine is offline: connect it and run the same command again, or install\n"
            f"what {PROJECT} lists in another way and set {FORBIDDEN}=1."
        )


def last_words(output: str) -> str:
    """The lines of an installer's output that say what went wrong."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error")]
    return "\n".join(f"  {line}" for line in (errors or lines)[-3:])


def say(text: str) -> None:
    print(f"slime-mind: {text}", file=sys.stderr, flush=True)


def stop(text: str, *, code: int = 2) -> NoReturn:
    say(text)
    sys.exit(code)


if __name__ == "__main__":
    prepare(dev=True)
