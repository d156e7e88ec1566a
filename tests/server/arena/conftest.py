"""A database for tests of the arena."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from server.database import Database
from server.schema import ensure_schema


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """Return a new database, with all tables."""
    database = Database(tmp_path / "games.sqlite")
    with closing(database):
        ensure_schema(database)
        yield database
