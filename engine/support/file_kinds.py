"""Recognize what a file is, by how its content begins, where another kind was expected."""

PREFIXES = (
    (b"PK\x03\x04", "a zip archive: unpack it"),
    (b"PK\x05\x06", "an empty zip archive"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"BZh", "a bzip2 archive"),
    (b"\xfd7zXZ\0", "an xz archive"),
    (b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a picture (PNG)"),
    (b"\xff\xd8\xff", "a picture (JPEG)"),
    (b"GIF8", "a picture (GIF)"),
    (b"\x1a\x45\xdf\xa3", "a video (WebM)"),
    (b"SQLite format 3\0", "a database (SQLite), such as a folder of results has"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program (ELF)"),
    (b"MZ", "a program of Windows"),
)
AT_A_PLACE = (
    (4, b"ftyp", "a video (MP4)"),
    (8, b"WEBP", "a picture (WebP)"),
    (257, b"ustar", "a tar archive: unpack it"),
)
POINTER = b"version https://git-lfs"
PAGES = (b"<!doctype html", b"<html", b"<?xml", b"<svg")
PAGE = "a web page: download the file itself"
NOTEBOOK = "a Jupyter notebook: export it as a Python file"
TEXT = bytes([*b"\t\n\f\r", *range(32, 127)])
"""The bytes of ASCII text: `MZ = 1` is no program."""
BEGINNING = 1_024
"""The bytes that are looked at."""


def kind_of(content: bytes) -> str:
    """Return what a file is, such as `a zip archive`, with what to do; '' if it is not known."""
    begin = content[:BEGINNING]
    if begin.translate(None, TEXT):
        for prefix, kind in PREFIXES:
            if begin.startswith(prefix):
                return kind
        for place, words, kind in AT_A_PLACE:
            if begin[place:].startswith(words):
                return kind
    text = begin.lstrip().lower()
    if text.startswith(PAGES):
        return PAGE
    if text.startswith(POINTER):
        return "a pointer of Git LFS: fetch the file itself with git lfs pull"
    return NOTEBOOK if text.startswith(b"{") and b'"nbformat"' in content[-BEGINNING:] else ""
