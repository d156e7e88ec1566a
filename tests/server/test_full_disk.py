"""A disk that is full: the server says so, acknowledges nothing, and goes on when there is room."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from secrets import token_hex
from tempfile import mkdtemp

import pytest
from alembic import op
from sqlalchemy import text

from engine.errors import EngineFailure
from runners.storage import schema
from runners.storage.migrations import without_copies
from server.games.game_storage import GameStorage
from server.site.application import Application
from tests import needs
from tests.postgresql import PostgreSQL
from tests.server.in_process import make_client
from tests.server.members import HOST
from tests.server.playing import game_service_on, start_game

pytestmark = pytest.mark.slow


@pytest.fixture
def disk() -> Iterator[Path]:
    """Return the folder of a disk of 16 MB, which anybody may reach."""
    with needs.disk(Path(mkdtemp(prefix="slime-mind-disk-")), "size=16m,mode=777") as folder:
        yield folder
    folder.rmdir()


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, disk: Path) -> Iterator[Path | str]:
    """Return a database on that disk."""
    if request.param == "sqlite":
        yield disk / "games.sqlite"
        return
    server: PostgreSQL = request.getfixturevalue("postgresql")
    with server.database_in(disk) as url:
        yield url


def test_an_order_that_cannot_be_written_is_not_acknowledged(where: Path | str, disk: Path) -> None:
    with closing(GameStorage(where)) as storage, closing(GameStorage(where)) as reader:
        said = list[str]()
        game_service = game_service_on(storage, report=said.append)
        game = start_game(game_service)
        web = Application(game_service, [HOST])
        with make_client(web.app, f"http://{HOST}") as client:
            client.get(f"/games/{game}?key={game_service.keys.new_key(game, [1, 2])}")
            body = {"team": 1, "piece": 1, "step": 0, "order": "A6-B6"}
            address = f"/api/v1/games/{game}/orders"
            fill(disk / "fill")
            answer = client.post(address, json=body)
            assert answer.status_code == 503
            assert "try again later" in answer.text
            assert ("full" if isinstance(where, Path) else "No space left") in said[0]
            assert storage.database.writes.failure in said[0]
            assert client.get(f"/api/v1/games/{game}").json()["step"] == 0  # it can be watched
            assert reader.decisions(game) == []
            (disk / "fill").unlink()
            assert client.post(address, json=body).json() == {"step": 1}
            assert storage.database.writes.failure == ""
        assert len(reader.decisions(game)) == 1


def test_an_upgrade_for_which_there_is_no_room_changes_nothing(
    where: Path | str, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_room() -> None:
        op.execute("CREATE TABLE more (words TEXT)")
        op.execute(text("INSERT INTO more VALUES (:words)").bindparams(words=token_hex(100_000)))

    with closing(GameStorage(where)) as storage, storage.database.transaction() as connection:
        schema.downgrade(connection, schema.BASELINE)
    fill(disk / "fill")
    full = pytest.raises(
        EngineFailure, match="the disk is full, and nothing was changed: make room"
    )
    with monkeypatch.context() as patched, full:
        patched.setattr(without_copies, "upgrade", take_room)
        GameStorage(where)
    (disk / "fill").unlink()
    assert not list(disk.glob(".games*"))
    with closing(GameStorage(where)) as storage:
        start_game(game_service_on(storage))


def fill(path: Path) -> None:
    """Write until nothing more can be written."""
    with path.open("wb", buffering=0) as file:
        while True:
            try:
                file.write(bytes(4096))
            except OSError:
                return
