"""A house for bad bots: matches in a process that belongs to an ordinary user."""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import TracebackType

import msgspec

from engine.bots.sandbox import Failings, Level
from tests import needs
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.contained import CANARY, MADE_UP_UID, ROOT, Verdict

decode_failings = msgspec.json.Decoder(Failings).decode
decode_verdict = msgspec.json.Decoder(Verdict).decode


class CannotHouse(Exception):
    """Bad bots cannot be tried out here; what is needed for it is for people."""


class House:
    """Make a context in which root becomes a user nobody else is, for root hides mistakes.

    Raises: CannotHouse.
    """

    def __init__(self, level: Level = Level.DEFAULT, umask: int = -1) -> None:
        """`umask` is that of its files; -1: ours."""
        if not needs.has_libc("prctl"):
            raise CannotHouse("prctl(PR_SET_SECCOMP) of the C library")
        self.folder = Path(tempfile.mkdtemp(prefix="bad-bots-"))
        home = self.folder / "home"
        user = as_ordinary_user(self.folder)
        self._process = subprocess.Popen(
            [*user, sys.executable, "-m", "tests.engine.bots.contained", str(home), level],
            cwd=ROOT,
            env={**os.environ, CANARY: "a secret", "HOME": str(home), "TMPDIR": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            umask=umask,
        )
        failings = self._read()
        if failings != "{}\n":
            self.close()
            why = decode_failings(failings) if failings else "it did not start; see above"
            raise CannotHouse(f"a sandbox that holds: {why}")

    def try_out(self, name: str) -> Verdict:
        """One match of this bad bot."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{name}\n")
        self._process.stdin.flush()
        return decode_verdict(self._read())

    def close(self) -> None:
        with suppress(BrokenPipeError):
            self._process.communicate()
        self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> "House":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


def what_it_tries(name: str) -> str:
    """The first line of a bad bot's docstring."""
    path = bad_bot_path(name)
    source = (path / "__init__.py" if path.is_dir() else path).read_text(encoding="utf-8")
    # Some do not parse, which is their point; all begin with their docstring.
    quoted = source.partition('"""\n')[0] + '"""'
    return str(ast.literal_eval(quoted)).partition("\n")[0]


def as_ordinary_user(folder: Path) -> list[str]:
    """Return what makes root one who owns `folder`, to stand before a command. Raises: CannotHouse.

    Where Python is root's own it can still read all files, which helps bad bots, if anybody; but
    bwrap refuses who has such a right.
    """
    if os.geteuid() != 0:
        return []
    if not (setpriv := shutil.which("setpriv")):
        raise CannotHouse("setpriv (Debian's package util-linux), or an ordinary user")
    uid = MADE_UP_UID + os.getpid()
    os.chown(folder, uid, uid)
    becoming = [setpriv, f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]
    kinds = ("inh-caps", "ambient-caps", "bounding-set")
    rightless = [*becoming, *(f"--{kind}=-all" for kind in kinds)]
    if _can_run_python(rightless):
        return rightless
    return [*becoming, *(f"--{kind}=-all,+dac_read_search" for kind in kinds)]


def _can_run_python(user: list[str]) -> bool:
    # By a shell, since setpriv finds a program with the rights of before.
    tried = [*user, "sh", "-c", 'exec "$0" -c "import engine"', sys.executable]
    return subprocess.run(tried, cwd=ROOT, capture_output=True, check=False).returncode == 0


def opening_house(level: Level) -> Iterator[House]:
    """Open a house for the tests of a module; skip them where there can be none."""
    try:
        house = House(level)
    except CannotHouse as reason:
        needs.skip(str(reason))
    with house:
        yield house
