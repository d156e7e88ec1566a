"""`admin sources` writes the folder that JPlag reads."""

import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.main import cli
from engine.bots.finding import Copies
from engine.errors import BadBot, UsageError
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState
from server.bots.bots import Bots
from server.bots.built_in_bots import BuiltInBots
from server.games.game_storage import GameStorage
from server.identity.audit_log import AuditLog
from tests.server.contests.field import (
    Made,
    bot_in,
    enter_all,
    ladder_in,
    person_in,
    real_bot_in,
    version_in,
)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


@pytest.fixture
def database(out: Path) -> Iterator[Database]:
    with closing(GameStorage(out / "games.sqlite")) as storage:
        yield storage.database


def write(out: Path, folder: Path, *parts: str) -> str:
    done = CliRunner().invoke(cli, ["admin", "sources", str(folder), *parts, "--out", str(out)])
    if done.exception is not None:
        raise done.exception
    return done.output


def read_files(folder: Path) -> dict[str, str]:
    """Return what a folder holds: files by their paths."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


def source(database: Database, out: Path, bot: Made, number: int) -> str:
    version = Bots(database).find_version(bot.id, number)
    assert version is not None
    (content,) = Copies(out / "bots").pack(version.digest).files.values()
    return content.decode()


def test_each_author_has_a_folder_with_the_newest_accepted_version_of_each_bot(
    database: Database, out: Path, tmp_path: Path
) -> None:
    ann, bob = person_in(database, "Ann"), person_in(database, "Bob B. Ü")
    first = real_bot_in(database, out, "first", person=ann)
    other = real_bot_in(database, out, "other", "return 'UP'", person=ann)
    opponent = real_bot_in(database, out, "theirs", "return 'LEFT'", person=bob)
    newer = Bots(database).find_version(other.id, 1)
    assert newer is not None
    version_in(database, first, "second", number=2, digest=newer.digest)
    version_in(database, first, "refused", number=3, state=VersionState.REFUSED)
    version_in(database, first, "waits", number=4, state=VersionState.CHECKING)
    ladder = ladder_in(database, name="Summer")
    BuiltInBots(database, out).enter(ladder)
    enter_all(database, ladder, [opponent])

    folder = tmp_path / "to" / "sources"
    assert write(out, folder) == f"{folder}: 3 bots\n"
    assert read_files(folder) == {
        f"Ann-{ann}/first-{first.id}/bot.py": source(database, out, other, 1),
        f"Ann-{ann}/other-{other.id}/bot.py": source(database, out, other, 1),
        f"Bob_B__Ü-{bob}/theirs-{opponent.id}/bot.py": source(database, out, opponent, 1),
    }
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [path.name for path in folder.parent.iterdir()] == ["sources"]

    on_ladder = tmp_path / "on_ladder"
    on_ladder.mkdir()
    write(out, on_ladder, "--ladder", "summer")
    assert [path.name for path in on_ladder.iterdir()] == [f"Bob_B__Ü-{bob}"]
    rows = AuditLog(database).rows(2)
    assert [(row.what, row.words) for row in rows] == [
        ("sources exported", "Summer"),
        ("sources exported", ""),
    ]


def test_what_cannot_be_written_leaves_everything_as_it_was(
    database: Database, out: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "sources"
    with pytest.raises(UsageError, match=r"nobody has handed in a bot$"):
        write(out, folder)
    ann = person_in(database, "Ann")
    real_bot_in(database, out, "first", person=ann)
    folder.mkdir()
    (folder / "mine.txt").write_text("kept")
    for taken in (folder, folder / "mine.txt"):
        with pytest.raises(UsageError, match="is not empty; name another folder"):
            write(out, taken)
    bot_in(database, ann, "lost")  # whose files are gone
    (tmp_path / "new").mkdir()
    before = sorted(tmp_path.iterdir())
    with pytest.raises(BadBot):
        write(out, tmp_path / "new")
    assert sorted(tmp_path.iterdir()) == before
    assert read_files(folder) == {"mine.txt": "kept"}
