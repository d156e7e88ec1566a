"""A module is executed when it is first used, once, and as often as it takes until it succeeds."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from threading import Barrier, Thread
from types import ModuleType

import pytest

from engine.support.lazy_import import lazy_imports

Late = ModuleType


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Yield a folder from which is imported; `late_...` is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("late_")]:
        del sys.modules[name]


def late(folder: Path, name: str, text: str) -> Late:
    (folder / f"{name}.py").write_text(text)
    with lazy_imports():
        return import_module(name)


def test_a_module_is_executed_when_a_name_of_it_is_first_used(folder: Path) -> None:
    found = late(folder, "late_one", "import late_log\nlate_log.seen = True\nX = 3\n")
    assert "late_log" not in sys.modules
    (folder / "late_log.py").write_text("")
    assert (found.X, found.X) == (3, 3)
    assert sys.modules["late_log"].seen


def test_importing_a_module_again_does_not_execute_it(folder: Path) -> None:
    late(folder, "late_two", "raise ValueError\n")
    assert import_module("late_two") is sys.modules["late_two"]


def test_a_name_imported_from_a_late_module_is_its_own(folder: Path) -> None:
    found = late(folder, "late_three", "def one(): return 1\n")
    one = import_module("late_three").one
    assert one is found.one
    assert type(found) is ModuleType


def test_a_name_that_is_set_first_is_not_overwritten_by_the_module(folder: Path) -> None:
    found = late(folder, "late_four", "X = 3\n")
    found.X = 4  # type: ignore[attr-defined]
    assert found.X == 4


def test_a_module_that_failed_is_executed_again(folder: Path) -> None:
    (folder / "late_count.py").write_text("times = 0\n")
    found = late(
        folder,
        "late_five",
        "import late_count as c\nc.times += 1\nif c.times == 1: raise OSError('no')\nX = 1\n",
    )
    with pytest.raises(OSError, match="no"):
        _ = found.X
    assert found.X == 1


def test_a_name_that_a_module_lacks_is_an_attribute_error(folder: Path) -> None:
    with pytest.raises(AttributeError, match="late_six"):
        _ = late(folder, "late_six", "").missing


def test_modules_that_use_each_other_are_executed_once(folder: Path) -> None:
    first = late(folder, "late_seven", "from late_eight import Y\nX = Y + 1\n")
    late(folder, "late_eight", "import late_seven\nY = 1\ndef of(): return late_seven.X\n")
    assert first.X == 2
    assert import_module("late_eight").of() == 2


def test_threads_wait_until_a_module_is_executed(folder: Path) -> None:
    found = late(folder, "late_nine", "import time\ntime.sleep(0.05)\nX = 1\n")
    barrier, seen = Barrier(4), list[int]()

    def use() -> None:
        barrier.wait()
        seen.append(found.X)

    threads = [Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [1, 1, 1, 1]


def test_an_import_after_the_block_is_executed_at_once(folder: Path) -> None:
    with lazy_imports():
        pass
    (folder / "late_ten.py").write_text("X = 1\n")
    assert "X" in vars(import_module("late_ten"))
