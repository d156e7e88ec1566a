"""Reading a form that holds files (multipart/form-data), as browsers send it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

MOST_PARTS = 10_100
"""Files and fields of a form: a folder may hold 10 000 files, hidden ones included."""
MOST_HEADER = 8_192
"""Bytes before the content of a part."""
BOUNDARY = re.compile(r'multipart/form-data\s*;.*?\bboundary="?([^\s";,]{1,70})"?', re.IGNORECASE)
DISPOSITION = re.compile(r"^content-disposition:\s*form-data(;.*)$", re.IGNORECASE | re.MULTILINE)
FIELD = re.compile(r';\s*name="([^"]*)"', re.IGNORECASE)
FILE = re.compile(r';\s*filename="([^"]*)"', re.IGNORECASE)


class BadForm(Exception):
    """Why a body is not such a form."""


class Part(NamedTuple):
    """A field or a file of a form."""

    field: str
    file: str | None
    """The file's name as it was sent, which may be a path; None for a field."""
    content: bytes


def parts_of(content_type: str, body: bytes) -> list[Part]:
    """Return what a form holds, in its order. Raises: BadForm."""
    found = BOUNDARY.match(content_type)
    if found is None:
        raise BadForm("a form with files is sent as multipart/form-data")
    return list(_parts(b"\r\n--" + found[1].encode(), b"\r\n" + body))


def _parts(mark: bytes, body: bytes) -> Iterator[Part]:
    if body.count(mark) > MOST_PARTS:
        raise BadForm(f"the form has more than {MOST_PARTS} parts")
    before, *pieces = body.split(mark)
    if before or not pieces or not pieces[-1].startswith(b"--"):
        raise BadForm("the form is incomplete: it was cut off on its way")
    for piece in pieces[:-1]:
        head, blank, content = piece.partition(b"\r\n\r\n")
        if not (head.startswith(b"\r\n") and blank) or len(head) > MOST_HEADER:
            raise BadForm("a part of the form is not as browsers send it")
        yield _part(head, content)


def _part(head: bytes, content: bytes) -> Part:
    try:
        disposition = DISPOSITION.search(head.decode().replace("\r\n", "\n"))
    except UnicodeDecodeError as error:
        raise BadForm("the name of a file is not UTF-8; rename it") from error
    field = None if disposition is None else FIELD.search(disposition[1])
    if disposition is None or field is None:
        raise BadForm("a part of the form has no name")
    file = FILE.search(disposition[1])
    return Part(field[1], None if file is None else file[1], content)
