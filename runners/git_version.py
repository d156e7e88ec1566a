"""A bot as it was at a commit of its author's own git repository."""

import shutil
import subprocess
from pathlib import Path

from engine.bots.finding import bot_path, compute_bot_digest
from engine.bots.own_files import is_passed_over
from engine.errors import BadBot, UsageError
from engine.support.sanitizing import one_line
from runners.planning import bots_folder

GIT_S = 60
"""Seconds a call of git may take."""
SHORT_COMMIT_LENGTH = 8
"""Letters of a commit in the name of a bot."""
ORDINARY_FILE_MODES = ("100644", "100755")
"""The modes of files in git; others are links and repositories."""


def old_version(word: str, game: str, ref: str, folder: Path) -> tuple[Path, Path]:
    """Write a bot as it was at a commit into a folder; return the bot's path now, and that.

    Raises: UsageError where there is no such bot, commit, or difference between the two.
    """
    now = bot_path(word, bots_folder(game))
    if now is None:
        raise BadBot(f"no bot '{word}': neither a path nor a file in {bots_folder(game)}")
    now = now.absolute()
    commit = _resolve_commit(now, ref)
    old = folder / f"{now.stem}@{commit[:SHORT_COMMIT_LENGTH]}{now.suffix}"
    _write(now, commit, ref, old)
    if compute_bot_digest(old) == compute_bot_digest(now):
        raise UsageError(f"{now}: is the same as at {ref}: there is nothing to compare")
    return now, old


def _resolve_commit(bot: Path, ref: str) -> str:
    """Return the full name of a commit. Raises: UsageError."""
    run_git(bot, "rev-parse", "--show-toplevel")  # says so where there is no repository
    try:
        found = run_git(bot, "rev-parse", "--verify", "-q", "--end-of-options", f"{ref}^{{commit}}")
    except UsageError:
        raise UsageError(
            f"--old {ref}: is no commit, branch or tag of the git repository of {bot}; "
            "`git log --oneline` lists commits"
        ) from None
    return found.decode().strip()


def _write(bot: Path, commit: str, ref: str, old: Path) -> None:
    """Write the files that the bot had. Raises: UsageError if it was not there."""
    place = f"./{bot.name}"
    listed = run_git(bot, "ls-tree", "-r", "-z", "--full-name", commit, "--", place)
    prefix = run_git(bot, "rev-parse", "--show-prefix").decode().strip()
    home = f"{prefix}{bot.name}"
    found = False
    for entry in filter(None, listed.decode().split("\0")):
        about, name = entry.split("\t", 1)
        mode, _, blob = about.split()
        inside = name.removeprefix(home).removeprefix("/")
        if any(map(is_passed_over, Path(inside).parts)):
            continue
        if mode not in ORDINARY_FILE_MODES:
            raise UsageError(f"{one_line(name)} at {ref}: is not an ordinary file")
        file = old / inside if inside else old
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(run_git(bot, "cat-file", "blob", blob))
        found = True
    if not found:
        raise UsageError(f"{bot}: was not in git at {ref}; commit it first, or choose another one")


def run_git(bot: Path, *arguments: str) -> bytes:
    """Return what git prints in the folder of a bot. Raises: UsageError."""
    program = shutil.which("git")
    if program is None:
        raise UsageError("--old needs git: install it, and put it on the PATH")
    try:
        done = subprocess.run(
            [program, "-C", str(bot.parent), *arguments],
            capture_output=True,
            timeout=GIT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"git could not be run: {one_line(error)}") from error
    if done.returncode:
        why = one_line(done.stderr.decode(errors="replace")) or f"exit code {done.returncode}"
        raise UsageError(f"git does not know {bot}: {why}")
    return done.stdout
