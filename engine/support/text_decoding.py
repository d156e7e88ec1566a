"""Recognize what a file is, and decode text; errors name the encoding and how to convert it."""

import codecs
import io
import re
import tokenize

from engine.support.sanitizing import one_line

NOT_UTF_8 = "not UTF-8"
DECLARES_ENCODING_TEXT = "declares the encoding"
"""Words of every reason below: by them others know that it is about an encoding."""
REMEDY = (
    "choose the encoding UTF-8 where your editor has Save as (what PowerShell writes with > is "
    "UTF-16)"
)
"""What to do about a file of text in another encoding, in full."""
BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),  # first, as it begins with the mark of UTF-16
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
WITHOUT_MARK = (
    (re.compile(rb"(?:[\x01-\xff]\0\0\0|\0\0\0[\x01-\xff]){2}"), "UTF-32"),
    (re.compile(rb"(?:[\x01-\xff]\0){4}|(?:\0[\x01-\xff]){4}"), "UTF-16"),
)
"""How several letters of ASCII in a row look in these encodings."""
MAX_SNIFFED_BYTES = 65_536
"""The bytes in which they are looked for."""
SHOWN_LETTERS, SHOWN_BYTES = 30, 8
"""The beginning that is shown of what is not known."""
USUAL_ENCODING = "cp1252"
"""What text of single bytes mostly is: Latin-1 as Windows has it."""
DECLARATION = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)", re.ASCII)
"""How Python looks for one in the first two lines (PEP 263)."""
UTF_8 = ("utf-8", "utf-8-sig")
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
GIT_LFS_POINTER = b"version https://git-lfs"
WEB_PAGE_BEGINNINGS = (b"<!doctype html", b"<html", b"<?xml", b"<svg")
WEB_PAGE_ADVICE = "a web page: download the file itself"
NOTEBOOK = "a Jupyter notebook: export it as a Python file"
ASCII_TEXT_BYTES = bytes([*b"\t\n\f\r", *range(32, 127)])
"""The bytes of ASCII text: `MZ = 1` is no program."""
BEGINNING = 1_024
"""The bytes that are looked at."""


class BadEncoding(ValueError):
    """A text is not UTF-8; the message says what it is, where, and what to do."""


def decode_text(content: bytes) -> str:
    """Return a text in UTF-8, without a byte order mark. Raises: BadEncoding."""
    why = why_not_text(content)
    if why:
        raise BadEncoding(why)
    return content.decode("utf-8-sig")


def why_not_text(content: bytes) -> str:
    """Return what a text is instead of UTF-8, and what to do; '' if it is UTF-8."""
    wide, kind = wide_encoding(content), detect_file_kind(content)
    if wide and not kind:
        return f"it is {wide}, {NOT_UTF_8}; save it as UTF-8"
    if b"\0" in content and kind:
        return f"it is {kind}"
    if b"\0" in content:
        return f"line {_line_number(content, content.index(0))} has a null byte, as no text has"
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return f"it is {kind}" if kind else _why_not_utf_8(content, error.start)
    return ""


def why_not_source(source: bytes) -> str:
    """Return why Python cannot decode a source, whose first lines may declare an encoding."""
    if b"\0" in source:
        return why_not_text(source)
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError:
        declared = ""
    named = _declared_encoding(source)
    if named is None or declared in UTF_8:
        return why_not_text(source)
    try:
        source.decode(declared or named)
    except UnicodeDecodeError as error:
        return _describe_bad_declaration(
            named, f"and line {_line_number(source, error.start)} is not in it"
        )
    except (LookupError, UnicodeError):  # a codec may be one of something else than text
        return _describe_bad_declaration(named, "that Python does not know")
    return "" if declared else _describe_bad_declaration(named, "and begins with the mark of UTF-8")


def wide_encoding(content: bytes) -> str:
    """Return the name of an encoding in which letters have 2 or 4 bytes; '' if it is none."""
    for mark, name in BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return f"{name} (with a byte order mark)"
    for letters, name in WITHOUT_MARK:
        if letters.search(content[:MAX_SNIFFED_BYTES]):
            return f"{name} (without a byte order mark)"
    return ""


def is_about_encoding(text: str) -> bool:
    """Return whether this is one of the reasons above."""
    return NOT_UTF_8 in text or DECLARES_ENCODING_TEXT in text


def _why_not_utf_8(content: bytes, offset: int) -> str:
    byte = content[offset : offset + 1]
    letter = byte.decode(USUAL_ENCODING, "replace")
    meant = "" if letter == "\ufffd" else f" ({letter} in Latin-1 or {USUAL_ENCODING})"
    line = _line_number(content, offset)
    return f"line {line} has the byte 0x{byte.hex()}{meant}: it is {NOT_UTF_8}; save it as UTF-8"


def _describe_bad_declaration(named: str, why: str) -> str:
    return (
        f"it {DECLARES_ENCODING_TEXT} {one_line(named)[:40]} {why}; take out that declaration and "
        "save it as UTF-8"
    )


def _declared_encoding(source: bytes) -> str | None:
    """Return the encoding that the first two lines declare, in the words of their author."""
    for line in source.splitlines()[:2]:
        found = DECLARATION.match(line.removeprefix(codecs.BOM_UTF8).decode("latin-1"))
        if found:
            return found[1]
    return None


def _line_number(content: bytes, offset: int) -> int:
    return content.count(b"\n", 0, offset) + 1


def describe_content(content: bytes) -> str:
    """Return in words what a file is, or how it begins: `it is a zip archive: unpack it`."""
    kind, wide = detect_file_kind(content), wide_encoding(content)
    if wide and not kind:
        return f"it is {wide}; save it as UTF-8"
    if kind or not content:
        return f"it is {kind or 'empty'}"
    head = content[:BEGINNING].decode("utf-8", "ignore")
    if any(letter not in "\t\r\n" and not letter.isprintable() for letter in head) or not head:
        return f"it begins with the bytes {content[:SHOWN_BYTES].hex(' ')}"
    shown = one_line(head)
    is_short = len(shown) <= SHOWN_LETTERS
    return f"it is text, {shown!r}" if is_short else f"it is text, {shown[:SHOWN_LETTERS] + '…'!r}"


def detect_file_kind(content: bytes) -> str:
    """Return what a file is, such as `a zip archive`, with what to do; '' if it is not known."""
    head = content[:BEGINNING]
    if head.translate(None, ASCII_TEXT_BYTES):
        for prefix, kind in PREFIXES:
            if head.startswith(prefix):
                return kind
        for offset, marker, kind in AT_A_PLACE:
            if head[offset:].startswith(marker):
                return kind
    text = head.lstrip().lower()
    if text.startswith(WEB_PAGE_BEGINNINGS):
        return WEB_PAGE_ADVICE
    if text.startswith(GIT_LFS_POINTER):
        return "a pointer of Git LFS: fetch the file itself with git lfs pull"
    return NOTEBOOK if text.startswith(b"{") and b'"nbformat"' in content[-BEGINNING:] else ""
