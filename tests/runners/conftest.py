"""Databases to keep results in: a file, and a PostgreSQL server where there is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runners.servers import Server, programs, running


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    bin_folder = programs()
    if bin_folder is None:
        pytest.skip("PostgreSQL is not installed (Debian's package postgresql)")
    with running(bin_folder) as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'results' / 'some.sqlite'}"
    server: Server = request.getfixturevalue("server")
    return server.new_url()
