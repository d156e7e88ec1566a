"""What is private is so whatever the umask, and shared where a folder is shared on purpose."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.bots.finding import Copies, read_bot
from engine.support.files import (
    atomic_write,
    make_private,
    make_private_folder,
    set_private_umask,
    write_private_file,
)
from tests import needs
from tests.shell import WALKER

pytestmark = needs.MODES
SHARED = 0o2770
UMASKS = [0o000, 0o022, 0o077]


@contextmanager
def under(umask: int) -> Iterator[None]:
    before = os.umask(umask)
    try:
        yield
    finally:
        os.umask(before)


def file_mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=UMASKS, ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    with under(request.param):
        yield


@pytest.mark.usefixtures("_umask")
def test_a_private_file_and_folder_are_ours_alone(tmp_path: Path) -> None:
    make_private_folder(tmp_path / "folder")
    write_private_file(tmp_path / "folder" / "file", b"content")
    assert (tmp_path / "folder" / "file").read_bytes() == b"content"
    assert file_mode(tmp_path / "folder") == 0o700
    assert file_mode(tmp_path / "folder" / "file") == 0o600


@pytest.mark.usefixtures("_umask")
def test_what_is_written_beside_may_be_private(tmp_path: Path) -> None:
    with atomic_write(tmp_path / "backup.zip", is_private=True) as beside:
        assert file_mode(beside) == 0o600
        beside.write_bytes(b"content")
    assert file_mode(tmp_path / "backup.zip") == 0o600


@pytest.mark.usefixtures("_umask")
def test_copies_of_bots_are_ours_alone(tmp_path: Path) -> None:
    with under(0o022):
        bot = tmp_path / "player_folder"
        (bot / "inner").mkdir(parents=True)
        for name in ("__init__.py", "inner/__init__.py"):
            (bot / name).write_text(WALKER)
    copies = tmp_path / "results" / "bots"
    assert Copies(copies).save(read_bot(bot)).read_text() == WALKER
    modes = {path.is_dir(): file_mode(path) for path in (copies, *copies.rglob("*"))}
    assert modes == {True: 0o700, False: 0o600}
    assert {file_mode(path) for path in (copies, *copies.rglob("*"))} == {0o700, 0o600}


def test_in_a_shared_folder_the_group_may_do_what_we_may(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(SHARED)
    with under(0o007):
        make_private_folder(shared / "bots")
        write_private_file(shared / "bots" / "file")
    assert file_mode(shared / "bots") == SHARED  # Linux passes it on to what is within
    assert file_mode(shared / "bots" / "file") == 0o660


@pytest.mark.parametrize(
    ("mode", "umask"), [(0o755, 0o077), (0o2755, 0o077), (0o770, 0o077), (SHARED, 0o007)]
)
def test_all_that_a_process_makes_is_private_or_its_groups(
    tmp_path: Path, mode: int, umask: int
) -> None:
    tmp_path.chmod(mode)
    with under(0):
        set_private_umask(tmp_path)
        assert os.umask(0) == umask


@pytest.mark.parametrize(
    ("before", "after"), [(0o644, 0o600), (0o666, 0o600), (0o600, 0o600), (0o400, 0o400)]
)
def test_others_lose_what_they_may_do_and_we_gain_nothing(
    tmp_path: Path, before: int, after: int
) -> None:
    file = tmp_path / "games.sqlite"
    file.touch()
    file.chmod(before)
    make_private(file)
    assert file_mode(file) == after


def test_links_and_what_is_not_there_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch(0o644)
    (tmp_path / "elsewhere").chmod(0o644)
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    make_private(tmp_path / "link")
    make_private(tmp_path / "nothing")
    assert file_mode(tmp_path / "elsewhere") == 0o644
