"""Which programs bots may be: the runtimes and toolchains that an organizer names.

Without a file of the organizer's these are the usual ones that are installed.
"""

import os
import shutil
import tomllib
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

import msgspec

from engine.bots.programs.becoming import Program
from engine.bots.programs.manifest import Manifest
from engine.errors import BadSettings, UsageError
from engine.limits import Limits
from engine.support.text_decoding import decode_text
from engine.support.wording import did_you_mean

LANGUAGES_VARIABLE = "SLIME_MIND_LANGUAGES"
"""The environment variable that names an organizer's file."""
RESERVED_MB = 4_096


class Runtime(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program of the system that runs bots: Node, Java, Lua."""

    program: str
    """Its absolute path."""
    arguments: tuple[str, ...] = ()
    """What stands before the bot's own arguments; `{memory_mb}` and `{half_memory_mb}` are the
    limit on memory and half of it, megabytes."""
    reads: tuple[str, ...] = ()
    """Files and folders that it reads besides the system's libraries."""
    environment: dict[str, str] = {}
    has_threads: bool = False
    """Whether it has threads: then it is stopped whenever it is not asked."""
    reserve_mb: int = RESERVED_MB
    """Addresses that it may reserve beyond its memory, megabytes."""
    weakens: str = ""
    """What it weakens of the sandbox, in words."""


class Toolchain(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A program of the system that builds bots: cargo, go, g++."""

    program: str
    """Its absolute path."""
    reads: tuple[str, ...] = ()
    """Files and folders that it reads besides /usr and the system's libraries."""
    environment: dict[str, str] = {}


Tool = TypeVar("Tool", Runtime, Toolchain)


class Languages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What bots may be written in, beside Python."""

    own_programs: bool = True
    """Whether a bot may run a file of its own: what was compiled, here or by its author."""
    runtimes: dict[str, Runtime] = {}
    toolchains: dict[str, Toolchain] = {}

    def program(self, manifest: Manifest, folder: Path, limits: Limits) -> Program:
        """Return what a worker becomes for a bot. Raises: NotAllowed."""
        own = manifest.own_program
        if own is not None:
            if not self.own_programs:
                raise NotAllowed("programs of their own are not allowed for bots here")
            return Program(
                file=str(folder / own),
                arguments=manifest.run,
                folder=str(folder),
                has_threads=manifest.threads,
                reserve_mb=RESERVED_MB,
            )
        runtime = _require_tool(self.runtimes, manifest.run[0], "runtime")
        sizes = {"memory_mb": limits.memory_mb, "half_memory_mb": limits.memory_mb // 2}
        return Program(
            file=runtime.program,
            arguments=(
                manifest.run[0],
                *(word.format(**sizes) for word in runtime.arguments),
                *manifest.run[1:],
            ),
            folder=str(folder),
            environment=runtime.environment,
            reads=_keep_existing(runtime.reads),
            has_threads=runtime.has_threads,
            reserve_mb=runtime.reserve_mb,
        )

    def find_toolchain(self, name: str) -> Toolchain:
        """Return what builds a bot. Raises: NotAllowed."""
        return _require_tool(self.toolchains, name, "toolchain")


class NotAllowed(Exception):
    """A bot wants what is not there, or what the organizer does not allow."""


def require_tools(manifest: Manifest) -> None:
    """Raises: NotAllowed where what a bot is built or run with is not here, or not allowed."""
    if manifest.url:
        return  # it runs on a machine of its author
    known = load_allowed_languages()
    known.program(manifest, Path(), Limits())
    if manifest.build is not None:
        known.find_toolchain(manifest.build[0])


def load_allowed_languages() -> Languages:
    """Return what the organizer names, or else what is found. Raises: BadSettings, UsageError."""
    return _languages_in(os.environ.get(LANGUAGES_VARIABLE))


def are_named() -> bool:
    """Return whether somebody has named the languages that are allowed here."""
    return LANGUAGES_VARIABLE in os.environ


@cache
def _languages_in(file: str | None) -> Languages:
    return find_languages() if file is None else read_languages(Path(file))


def read_languages(file: Path) -> Languages:
    """Raises: BadSettings, UsageError."""
    try:
        found = msgspec.convert(tomllib.loads(decode_text(file.read_bytes())), Languages)
    except OSError as error:
        raise UsageError(
            f"{LANGUAGES_VARIABLE}: {file}: cannot be read: {error.strerror}"
        ) from error
    except ValueError as error:
        raise BadSettings(f"{LANGUAGES_VARIABLE}: {file}: {error}") from error
    programs = {name: tool.program for name, tool in found.toolchains.items()}
    programs |= {name: tool.program for name, tool in found.runtimes.items()}
    for name, program in programs.items():
        path = Path(program)
        if not path.is_absolute() or not os.access(path, os.X_OK):
            raise BadSettings(
                f"{LANGUAGES_VARIABLE}: {file}: {name}: {program!r} is not a program; expected an "
                "absolute path, such as '/usr/bin/node'"
            )
    return found


def find_languages() -> Languages:
    """Return the usual runtimes and toolchains that are installed here."""
    runtimes = {
        name: make(str(Path(found).resolve()))
        for name, (make, names) in RUNTIMES.items()
        if (found := next(filter(None, map(shutil.which, names)), None))
    }
    toolchains = {
        name: Toolchain(program=found) for name in COMPILERS if (found := shutil.which(name))
    }
    for name, make in TOOLCHAINS.items():
        if (found := shutil.which(name)) and (tool := make(str(Path(found).resolve()))):
            toolchains[name] = tool
    return Languages(runtimes=runtimes, toolchains=toolchains)


def _require_tool(tools: Mapping[str, Tool], name: str, kind: str) -> Tool:
    """Raises: NotAllowed."""
    tool = tools.get(name)
    if tool is None:
        there = f"there are: {', '.join(tools)}" if tools else "there is none"
        raise NotAllowed(
            f"{name!r} is not a {kind} that is installed and allowed here; {there}"
            f"{did_you_mean(name, tools)}"
        )
    return tool


def _keep_existing(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(path for path in paths if Path(path).exists())


# -- what is usual ----------------------------------------------------------------------------

JAVA_OPTIONS = (
    "-Xmx{half_memory_mb}m",
    *("-Xss512k", "-XX:ReservedCodeCacheSize=32m", "-XX:CompressedClassSpaceSize=32m"),
    # One thread collects, one compiles, and shortly: programs are stopped while they are not asked.
    *("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:-UsePerfData", "-Xshare:auto"),
)
MAY_HAVE_THREADS = "may have threads"
MAY_WRITE_CODE = f"{MAY_HAVE_THREADS}, and writes machine code while it runs"


def _make_awk(program: str) -> Runtime:
    # mawk would wait for more input than one line.
    arguments = ("-W", "interactive") if Path(program).name == "mawk" else ()
    return Runtime(program=program, arguments=arguments, reserve_mb=0)


def _make_node(program: str) -> Runtime:
    return Runtime(
        program=program,
        arguments=("--max-old-space-size={half_memory_mb}",),
        reads=("/usr/share/nodejs",),
        environment={"OPENSSL_CONF": "/dev/null"},
        has_threads=True,
        weakens=MAY_WRITE_CODE,
    )


def _make_java(program: str) -> Runtime:
    return Runtime(
        program=program,
        arguments=JAVA_OPTIONS,
        reads=_java_reads(program),
        has_threads=True,
        weakens=MAY_WRITE_CODE,
    )


def _java_reads(program: str) -> tuple[str, ...]:
    home = Path(program).parents[1]
    return (str(home), *map(str, sorted(Path("/etc").glob("java*"))))


def _make_go(program: str) -> Toolchain:
    flags = "-mod=mod -buildvcs=false"  # it may not ask git: results may lie in a checkout
    environment = {"GOPROXY": "off", "GOTOOLCHAIN": "local", "GOFLAGS": flags}
    reads = (str(Path(program).parents[1]),)
    return Toolchain(program=program, reads=reads, environment=environment)


def _make_rust(name: str, program: str) -> Toolchain | None:
    root = _rustup_root() if Path(program).name == "rustup" else Path(program).parents[1]
    program = str(root / "bin" / name)
    if not os.access(program, os.X_OK):
        return None
    offline = {"CARGO_NET_OFFLINE": "true"}
    return Toolchain(program=program, reads=(str(root),), environment=offline)


def _rustup_root() -> Path:
    """Return where rustup keeps the tools: what it puts on the PATH would look for them at home."""
    home = Path(os.environ.get("RUSTUP_HOME") or Path.home() / ".rustup")
    try:
        name = tomllib.loads((home / "settings.toml").read_text("utf-8"))["default_toolchain"]
    except (OSError, ValueError, KeyError):
        name = "stable"
    return home / "toolchains" / str(name)


def _make_interpreter(program: str) -> Runtime:
    """Return an interpreter that needs nothing special."""
    return Runtime(program=program, reserve_mb=0)


RUNTIMES: dict[str, tuple[Callable[[str], Runtime], tuple[str, ...]]] = {
    "node": (_make_node, ("node",)),
    "java": (_make_java, ("java",)),
    "lua": (_make_interpreter, ("lua5.4", "lua5.3", "lua")),
    "awk": (_make_awk, ("gawk", "mawk")),
    "perl": (_make_interpreter, ("perl",)),
    "ruby": (_make_interpreter, ("ruby",)),
}
"""How each is made of the file of a program, and the names that this program may have."""
TOOLCHAINS: dict[str, Callable[[str], Toolchain | None]] = {
    "cargo": partial(_make_rust, "cargo"),
    "rustc": partial(_make_rust, "rustc"),
    "go": _make_go,
    "javac": lambda program: Toolchain(program=program, reads=_java_reads(program)),
}
COMPILERS = ("cc", "c++", "gcc", "g++", "clang", "clang++", "make")
"""These are called by the path that is found, not by the file behind a link: many compilers look
at the name they are called by."""
