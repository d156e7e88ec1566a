"""Folders of unfinished work, and who may clear them."""

import signal
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from engine.support.staging import StagingFolder, clear_staging_folders
from tests import needs

pytestmark = needs.FLOCK

HOLDS = """
import sys, time
from pathlib import Path
from engine.support.staging import StagingFolder

work = StagingFolder(Path(sys.argv[1]))
work.make()
print(work.path, flush=True)
time.sleep(60)
"""


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_is_dropped_is_gone_and_what_is_finished_stays(tmp_path: Path) -> None:
    given_up, finished = StagingFolder(tmp_path / "a"), StagingFolder(tmp_path / "b")
    for work in (given_up, finished):
        work.make()
        (work.path / "content").touch()
    finished.path.rename(tmp_path / "b")
    for work in (given_up, finished):
        work.drop()
    assert names_in(tmp_path) == ["b"]
    assert names_in(tmp_path / "b") == ["content"]


def test_work_of_a_living_process_is_never_cleared(tmp_path: Path) -> None:
    work = StagingFolder(tmp_path / "a")
    work.make()
    clear_staging_folders(tmp_path)
    assert work.path.is_dir()
    work.drop()


def test_work_of_a_killed_process_is_cleared_and_not_before(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(tmp_path / "a")], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    path = Path(process.stdout.readline().rstrip())
    clear_staging_folders(tmp_path)
    assert path.is_dir()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert path.is_dir()
    clear_staging_folders(tmp_path)
    assert names_in(tmp_path) == []


def test_nothing_but_unfinished_work_is_cleared(tmp_path: Path) -> None:
    saved = [".git", ".hidden-folder", "0123456789abcdef", "a-12345678"]
    for name in saved:
        (tmp_path / name).mkdir()
    (tmp_path / ".file-12345678").touch()
    clear_staging_folders(tmp_path)
    assert names_in(tmp_path) == sorted([*saved, ".file-12345678"])


def test_where_there_is_nothing_nothing_is_cleared(tmp_path: Path) -> None:
    clear_staging_folders(tmp_path / "nowhere")
    assert names_in(tmp_path) == []


@pytest.mark.slow
def test_many_that_work_and_clear_at_once_lose_nothing(tmp_path: Path) -> None:
    context = get_context("spawn")
    workers = [context.Process(target=work_and_clear, args=(tmp_path, n)) for n in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert len(names_in(tmp_path)) == 3 * 200


def work_and_clear(folder: Path, number: int) -> None:
    for count in range(200):
        home = folder / f"{number}.{count}"
        work = StagingFolder(home)
        work.make()
        clear_staging_folders(folder)
        (work.path / "content").touch()
        work.path.rename(home)
        work.drop()
