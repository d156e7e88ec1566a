"""The digest of our own code."""

import os
import shutil
from pathlib import Path

import pytest

from runners.execution.remote_worker import ENGINE, code_digest

RULES = Path("games/slime_mind/rules.py")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(ENGINE, tmp_path / "engine"))


def test_equal_code_has_an_equal_digest_wherever_it_lies(copy: Path) -> None:
    os.utime(copy / RULES, (0, 0))
    (copy / "__pycache__").mkdir(exist_ok=True)
    (copy / "__pycache__" / "match.cpython-399.pyc").write_bytes(b"compiled")
    assert code_digest(copy) == code_digest()


def test_line_ends_of_windows_are_no_other_code(copy: Path) -> None:
    file = copy / RULES
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert code_digest(copy) == code_digest()


@pytest.mark.parametrize("name", [RULES, Path("match.py"), Path("bots/sandbox/filters/x86_64.bpf")])
def test_a_changed_file_is_other_code(name: Path, copy: Path) -> None:
    with (copy / name).open("ab") as file:
        file.write(b"\n")
    assert code_digest(copy) != code_digest()


def test_one_file_more_and_one_less_are_other_code(copy: Path) -> None:
    (copy / "more.py").touch()
    with_more = code_digest(copy)
    code_digest.cache_clear()
    (copy / "more.py").rename(copy / "other.py")
    with_other = code_digest(copy)
    assert len({with_more, with_other, code_digest()}) == 3
