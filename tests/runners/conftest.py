"""Databases to keep results in: a file, and a PostgreSQL server where there is one."""

from pathlib import Path

import pytest

from tests.postgresql import PostgreSQL


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'results' / 'some.sqlite'}"
    postgresql: PostgreSQL = request.getfixturevalue("postgresql")
    return postgresql.new_url()
