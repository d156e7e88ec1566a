"""What was made of bots' sources: by digest, once, and kept beside the copies of the bots."""

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from engine.bots.own_files import Signature, compute_signature
from engine.bots.programs.becoming import Program
from engine.bots.programs.building import BuildFailed, BuildJob, layers_of_builds, run_build
from engine.bots.programs.languages import Languages, load_allowed_languages
from engine.bots.programs.manifest import MANIFEST, Manifest, read_manifest
from engine.bots.sandbox import Failings
from engine.errors import BadBot, EngineFailure
from engine.limits import Limits
from engine.support.sanitizing import one_line
from engine.support.staging import StagingFolder

if sys.platform != "win32":  # where no programs are played
    from fcntl import LOCK_EX, flock

EXECUTABLE_MODE = 0o755
BOT, LOG, SEAL = "bot", "build.log", "built"
READ_BYTES = 1 << 20


class Builds:
    """Folders of programs that are ready to run: `DIGEST/bot`, and the output of the build."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._verified: dict[str, Signature] = {}
        self._failed: dict[str, BuildFailed] = {}
        """What failed is not tried again by this process."""

    def program(self, digest: str, copy: Path, limits: Limits, failings: Failings) -> Program:
        """Return what to execute for a bot, which is built if it was not yet.

        `copy` is the private copy of its sources. Raises: BuildFailed, BadManifest, NotAllowed;
        BadBot if what was built was changed since; EngineFailure.
        """
        manifest = read_manifest((copy / MANIFEST).read_bytes())
        known = load_allowed_languages()
        home = self._folder / digest
        if not home.exists():
            if digest in self._failed:
                raise self._failed[digest]
            with self._lock_for_build(digest):
                if not home.exists():  # another process was first
                    self._make(home, copy, manifest, known, failings)
        self._require_unchanged(digest, home)
        return known.program(manifest, (home / BOT).resolve(), limits)

    def _make(
        self, home: Path, copy: Path, manifest: Manifest, known: Languages, failings: Failings
    ) -> None:
        beside = StagingFolder(home)
        try:
            beside.make(is_private=True)
            bot = beside.path / BOT
            shutil.copytree(copy, bot)
            if manifest.build is not None:
                _build(bot, beside.path / LOG, manifest.build, known, failings)
            _require_program(bot, manifest)
            (beside.path / SEAL).write_bytes(_digest_of_all(bot))
            beside.path.rename(home)
        except BuildFailed as failed:
            self._failed[home.name] = failed
            raise
        except OSError as error:
            raise EngineFailure(
                f"{error.filename or home}: cannot be written: {error.strerror}"
            ) from error
        finally:
            beside.drop()

    @contextmanager
    def _lock_for_build(self, digest: str) -> Iterator[None]:
        """Let one process build a bot, and the others wait for what it makes."""
        self._folder.mkdir(parents=True, exist_ok=True)
        lock = self._folder / f".{digest}.lock"
        with lock.open("wb") as file:
            if sys.platform != "win32":
                flock(file, LOCK_EX)
            yield

    def _require_unchanged(self, digest: str, home: Path) -> None:
        """Raises: BadBot if the files are no longer what was built."""
        signature = compute_signature(home / BOT)
        if self._verified.get(digest) == signature:
            return
        if (home / SEAL).read_bytes() != _digest_of_all(home / BOT):
            raise BadBot(
                f"{home}: was changed since it was built; remove this folder, and it is built again"
            )
        self._verified[digest] = signature


def _build(
    bot: Path, log: Path, command: tuple[str, ...], known: Languages, failings: Failings
) -> None:
    """Run a build in the copy of its sources. Raises: BuildFailed, NotAllowed, EngineFailure."""
    tool = known.find_toolchain(command[0])
    with tempfile.TemporaryDirectory(dir=bot.parent, prefix="scratch-") as scratch:
        path = Path(scratch).resolve()
        environment = {
            "PATH": os.pathsep.join((str(Path(tool.program).parent), os.defpath)),
            "LANG": "C.UTF-8",
            **{name: str(path) for name in ("HOME", "TMPDIR", "CARGO_HOME")},
            "GOCACHE": str(path / "go-cache"),
            "GOPATH": str(path / "go"),
            **tool.environment,
        }
        job = BuildJob(
            file=tool.program,
            arguments=command,
            folder=str(bot.resolve()),
            scratch=str(path),
            reads=tool.reads,
            environment=environment,
            layers=layers_of_builds(failings),
        )
        run_build(job, log)


def _require_program(bot: Path, manifest: Manifest) -> None:
    """Make the bot's own program executable. Raises: BuildFailed if there is none."""
    for path in bot.rglob("*"):
        if not (path.is_dir() or path.is_file()) or path.is_symlink():
            name = one_line(path.relative_to(bot))
            raise BuildFailed(f"its build made {name}, which is a link, a pipe or a device")
    own = manifest.own_program
    if own is None:
        return
    if not (bot / own).is_file():
        made = "there is no such file" if manifest.build is None else "its build made no such file"
        raise BuildFailed(f"{MANIFEST}: run begins with {manifest.run[0]!r}, but {made}")
    (bot / own).chmod(EXECUTABLE_MODE)


def _digest_of_all(folder: Path) -> bytes:
    content = sha256()
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder).as_posix().encode()
        content.update(b"%d:%s%d:" % (len(name), name, file.stat().st_size))
        with file.open("rb") as opened:
            while part := opened.read(READ_BYTES):
                content.update(part)
    return content.hexdigest().encode()
