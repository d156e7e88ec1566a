"""Which rights Landlock refuses on kernels of every version; test_sandbox.py tries them."""

import ctypes

import pytest

from engine.bots.sandbox import landlock
from engine.bots.sandbox.landlock import Access, Ruleset, handled_rights
from tests import needs
from tests.cases import for_each

FILES = (
    *(0x1FFF, 0x3FFF, 0x7FFF, 0x7FFF, 0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF),
    *(0x1FFFF, 0x1FFFF, 0x1FFFF),
)
"""The rights on files of ABI versions 1, 2, ..., as landlock(7) lists them."""


@for_each("abi, files", [*enumerate(FILES, 1)])
def test_every_right_that_a_kernel_knows_is_refused(abi: int, files: int) -> None:
    ports = 0 if abi < 4 else 0b11 if abi < 10 else 0b1111
    scoped = 0 if abi < 6 else 0b11
    assert handled_rights(abi) == {"files": files, "ports": ports, "scoped": scoped}


def test_a_newer_kernel_is_asked_for_no_more_than_is_known_here() -> None:
    assert handled_rights(99) == handled_rights(11)


def test_what_the_kernel_reads_has_the_sizes_of_its_headers() -> None:
    assert ctypes.sizeof(landlock._Handled) == 24
    assert ctypes.sizeof(landlock._Allowed) == 12


def test_where_there_is_no_linux_there_is_no_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "LIBC", None)
    with pytest.raises(OSError, match="Landlock is Linux's"):
        Ruleset()


@needs.libc("prctl", "PR_SET_NO_NEW_PRIVS")
def test_a_kernel_without_landlock_is_quoted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "CREATE_RULESET", 100_000)  # no system call has this number
    with pytest.raises(OSError, match="Landlock: Function not implemented"):
        Ruleset()


def test_what_code_names_are_the_bits_of_the_headers() -> None:
    assert [*Access] == [1, 2, 4, 8]
