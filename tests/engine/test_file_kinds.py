"""What a file is that is not what was expected."""

import io
import sqlite3
import tarfile
import zipfile
from pathlib import Path

from PIL import Image

from engine.support.text_decoding import detect_file_kind
from tests.cases import for_each


def a_zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "a")
    return packed.getvalue()


def a_tar() -> bytes:
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.txt"))
    return packed.getvalue()


def a_picture(kind: str) -> bytes:
    content = io.BytesIO()
    Image.new("RGB", (1, 1)).save(content, kind)
    return content.getvalue()


def a_database(folder: Path) -> bytes:
    file = folder / "results.db"
    with sqlite3.connect(file) as connection:
        connection.execute("create table match (key text)")
    connection.close()
    return file.read_bytes()


@for_each(
    "content, kind",
    [
        (a_zip(), "a zip archive: unpack it"),
        (a_tar(), "a tar archive: unpack it"),
        (a_picture("PNG"), "a picture (PNG)"),
        (a_picture("JPEG"), "a picture (JPEG)"),
        (a_picture("GIF"), "a picture (GIF)"),
        (a_picture("WEBP"), "a picture (WebP)"),
        (b"\0\0\0\x20ftypisom", "a video (MP4)"),
        (b"\n <!DOCTYPE html><html>", "a web page: download the file itself"),
        (b'{"cells": [], "nbformat": 4}', "a Jupyter notebook: export it as a Python file"),
        (
            b"version https://git-lfs.github.com/spec/v1\n",
            "a pointer of Git LFS: fetch the file itself with git lfs pull",
        ),
        (b"", ""),
        (b"x = 1\n", ""),
        (b"MZ = 1\nGIF8 = 2\n", ""),
        (b"MZ\x90\0\x03", "a program of Windows"),
        (b'{"replay": 1}', ""),
    ],
)
def test_a_file_is_known_by_how_it_begins(content: bytes, kind: str) -> None:
    assert detect_file_kind(content) == kind


def test_a_database_of_results_is_known(tmp_path: Path) -> None:
    assert (
        detect_file_kind(a_database(tmp_path))
        == "a database (SQLite), such as a folder of results has"
    )
