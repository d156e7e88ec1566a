"""A bot as it was at a commit of its author's repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

from engine.bots.finding import read_bot
from engine.errors import BadBot, UsageError
from runners.git_version import old_version
from tests import needs

pytestmark = needs.program("git")


class Repository:
    """A repository of an author, in a folder `mine`."""

    def __init__(self, home: Path) -> None:
        self.home = home / "mine"
        self.home.mkdir()
        self.git("init", "-q")

    def git(self, *arguments: str) -> None:
        who = ("-c", "user.name=A", "-c", "user.email=a@b", "-c", "commit.gpgsign=false")
        subprocess.run(["git", *who, *arguments], cwd=self.home, check=True)

    def write(self, name: str, text: str) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-qm", "words")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    folder = tmp_path / "old"
    folder.mkdir()
    return folder


def test_a_file_is_what_it_was_at_the_commit(repository: Repository, old: Path) -> None:
    bot = repository.write("bots/player_mine.py", "then = 1\n")
    repository.commit()
    bot.write_text("now = 1\n")
    now, before = old_version(str(bot), "slime_mind", "HEAD", old)
    assert now == bot
    assert before.read_text() == "then = 1\n"
    assert read_bot(before).name.startswith("player_mine@")


def test_a_folder_has_the_files_that_it_had(repository: Repository, old: Path) -> None:
    repository.write("player_mine/__init__.py", "then = 1\n")
    repository.write("player_mine/inner/words.txt", "words")
    repository.write("player_mine/.hidden", "not of the bot")
    repository.write("player_other.py", "another bot")
    repository.commit()
    repository.git("tag", "first")
    repository.write("player_mine/later.py", "x = 1")
    repository.commit()
    _, before = old_version(str(repository.home / "player_mine"), "slime_mind", "first", old)
    files = {str(path.relative_to(before)) for path in before.rglob("*") if path.is_file()}
    assert files == {"__init__.py", "inner/words.txt"}


@pytest.mark.parametrize("ref", ["nowhere", "--output=x", "HEAD~5", ""])
def test_what_is_no_commit_is_said_to_be_none(repository: Repository, old: Path, ref: str) -> None:
    bot = repository.write("player_mine.py", "x = 1")
    repository.commit()
    with pytest.raises(UsageError, match="is no commit, branch or tag"):
        old_version(str(bot), "slime_mind", ref, old)
    assert not (repository.home / "x").exists()


def test_a_bot_without_changes_is_not_compared(repository: Repository, old: Path) -> None:
    bot = repository.write("player_mine.py", "x = 1")
    repository.commit()
    with pytest.raises(UsageError, match="is the same as at HEAD"):
        old_version(str(bot), "slime_mind", "HEAD", old)


def test_a_bot_that_git_has_not_seen_is_named(repository: Repository, old: Path) -> None:
    repository.write("other.txt", "x")
    repository.commit()
    bot = repository.write("player_mine.py", "x = 1")
    with pytest.raises(UsageError, match="was not in git at HEAD; commit it first"):
        old_version(str(bot), "slime_mind", "HEAD", old)


def test_a_link_in_a_bot_is_not_followed(repository: Repository, old: Path) -> None:
    repository.write("player_mine/__init__.py", "x = 1")
    (repository.home / "player_mine/link").symlink_to("/etc/passwd")
    repository.commit()
    with pytest.raises(UsageError, match="is not an ordinary file"):
        old_version(str(repository.home / "player_mine"), "slime_mind", "HEAD", old)


def test_a_bot_outside_any_repository_is_told_so(
    tmp_path: Path, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path))
    bot = tmp_path / "player_mine.py"
    bot.write_text("x = 1")
    with pytest.raises(UsageError, match="not a git repository"):
        old_version(str(bot), "slime_mind", "HEAD", old)


def test_a_bot_that_is_not_there_is_named(old: Path) -> None:
    with pytest.raises(BadBot, match="no bot 'player_nobody'"):
        old_version("player_nobody", "slime_mind", "HEAD", old)


def test_without_git_that_is_said(
    repository: Repository, old: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = repository.write("player_mine.py", "x = 1")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(UsageError, match="needs git"):
        old_version(str(bot), "slime_mind", "HEAD", old)
