"""A zip is unpacked in a confined child, and the server outlives whatever it does there."""

import io
import os
import zipfile
from collections.abc import Iterator

import pytest

from server.bots import zips
from server.bots.uploads import BadUpload, Sent, Unzip
from server.bots.zips import TOO_MUCH, unzip_in_sandbox


def a_zip(**files: bytes) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def test_the_files_of_a_zip_are_those_that_were_packed() -> None:
    files = {"player_a.py": b"class Player: ...", "weights": bytes(2_000_000), "empty": b""}
    assert [tuple(one) for one in unzip_in_sandbox(a_zip(**files))] == list(files.items())


def test_why_a_zip_is_refused_is_said() -> None:
    with pytest.raises(BadUpload, match="the zip is damaged"):
        unzip_in_sandbox(a_zip(a=b"1")[:-9])
    with pytest.raises(BadUpload, match=r"\.\./a.py: "):
        unzip_in_sandbox(a_zip(**{"../a.py": b""}))


def test_it_is_another_process_that_unpacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zips, "unzip_files", lambda content: [Sent(str(os.getpid()), b"")])
    (one,) = unzip_in_sandbox(b"")
    assert int(one.name) != os.getpid()


def exits(content: bytes) -> Iterator[Sent]:
    os._exit(7)


def hoards(content: bytes) -> Iterator[Sent]:
    yield Sent("hoard", bytes(4_000_000_000))


def recurses(content: bytes) -> Iterator[Sent]:
    return recurses(content)


def answers_too_much(content: bytes) -> Iterator[Sent]:
    yield Sent("much", bytes(zips.MAX_ANSWER_BYTES + 1))


@pytest.mark.parametrize("does", [exits, hoards, recurses, answers_too_much])
def test_a_zip_that_is_too_much_for_the_child_is_refused(
    monkeypatch: pytest.MonkeyPatch, does: Unzip
) -> None:
    monkeypatch.setattr(zips, "unzip_files", does)
    with pytest.raises(BadUpload, match=TOO_MUCH):
        unzip_in_sandbox(a_zip(a=b""))


def test_the_child_can_neither_read_nor_write_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def reads(content: bytes) -> Iterator[Sent]:
        with open("/etc/hostname", "rb") as file:  # noqa: PTH123 - as a stranger's code does it
            yield Sent("read", file.read())

    monkeypatch.setattr(zips, "unzip_files", reads)
    with pytest.raises(BadUpload, match=TOO_MUCH):
        unzip_in_sandbox(b"")
