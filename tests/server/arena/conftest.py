"""A database for tests of the arena."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from runners.contests import publishing
from runners.execution import ending_executor
from runners.storage.database import Database
from runners.storage.schema import ensure_schema


@pytest.fixture(autouse=True, scope="session")
def no_niceness() -> Iterator[None]:
    """Let the processes of ladders have their share of a machine that runs other tests, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ending_executor, "NICENESS", 0)
        patch.setattr(publishing, "NICENESS", 0)
        yield


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Return a new database, with all tables."""
    database = Database(tmp_path / "games.sqlite")
    with closing(database):
        ensure_schema(database)
        yield database
