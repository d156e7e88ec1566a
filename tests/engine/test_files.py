"""Files that are whole or not there."""

from pathlib import Path

import pytest

from engine.errors import EngineFailure
from engine.support.files import atomic_write, write_whole


def write_half(path: Path) -> None:
    with atomic_write(path) as beside:
        beside.write_bytes(b"half of it")
        raise ValueError("half")


def test_what_was_not_written_to_its_end_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, b"before")
    with pytest.raises(ValueError, match="half"):
        write_half(path)
    assert path.read_bytes() == b"before"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").mkdir()
    with pytest.raises(EngineFailure, match=r"file: cannot be written"):
        write_whole(tmp_path / "file", b"content")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
