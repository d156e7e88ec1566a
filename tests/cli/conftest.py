"""Fixtures of the tests of the command line."""

from pathlib import Path

import pytest

from tests.cli.authors import Author


@pytest.fixture
def author(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Author:
    return Author(tmp_path, monkeypatch)
