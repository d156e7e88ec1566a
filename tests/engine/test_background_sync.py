"""How the disk is waited for beside a match."""

from pathlib import Path
from threading import Event

import pytest

from engine.errors import EngineFailure
from engine.support.background_sync import BackgroundSync


def test_nobody_waits_for_the_disk_until_the_next_file_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, synced = Event(), list[int]()

    def slow(descriptor: int) -> None:
        assert may_end.wait(10)
        synced.append(descriptor)

    monkeypatch.setattr("os.fsync", slow)
    sync, file = BackgroundSync(), (tmp_path / "first").open("wb")
    sync.close(file, tmp_path / "first")
    assert not synced
    may_end.set()
    sync.close((tmp_path / "second").open("wb"), tmp_path / "second")
    assert synced
    assert file.closed
    sync.wait()
    assert len(synced) == 2


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_disk_that_fails_is_reported_once_with_the_name_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fail)
    sync, path = BackgroundSync(), tmp_path / "replay"
    sync.close(path.open("wb"), path)
    with pytest.raises(EngineFailure, match="replay: cannot be written: No space left"):
        sync.wait()
    sync.wait()
