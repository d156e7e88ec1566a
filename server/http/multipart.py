"""Reading a form that holds files (multipart/form-data), as browsers send it.

Starlette's own parser takes a form that was cut off for a whole one, whose last file is just
missing; it bounds each header of a part but not all together, and reads a name that is not UTF-8 as
Latin-1. So the parser below it, python-multipart's, is used here.
"""

import logging
from typing import NamedTuple

from python_multipart import MultipartParser
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import parse_options_header

MAX_PARTS = 10_100
"""Files and fields of a form: a folder may hold 10 000 files, hidden ones included."""
MAX_HEADER_BYTES = 8_192
"""Bytes before the content of a part."""
MAX_BOUNDARY_BYTES = 70
"""Bytes of a boundary (RFC 2046, 5.1.1)."""

NOT_AS_SENT = "a part of the form is not as browsers send it"

# It logs what is wrong with a form, and so strangers would write into the server's log.
logging.getLogger("python_multipart").setLevel(logging.CRITICAL)


class BadForm(Exception):
    """Why a body is not such a form."""


class Part(NamedTuple):
    """A field or a file of a form."""

    field: str
    file: str | None
    """The file's name as it was sent, which may be a path; None for a field."""
    content: bytes


def parse_parts(content_type: str, body: bytes) -> list[Part]:
    """Return what a form holds, in its order. Raises: BadForm."""
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not 0 < len(boundary) <= MAX_BOUNDARY_BYTES:
        raise BadForm("a form with files is sent as multipart/form-data")
    return _Form().read(boundary, body)


class _Form:
    """Collects the parts that the parser finds, within our bounds."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._is_complete = False
        self._begin_part()

    def read(self, boundary: bytes, body: bytes) -> list[Part]:
        """Return the parts of a body. Raises: BadForm."""
        parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._begin_part,
                "on_header_field": self._add_to_field,
                "on_header_value": self._add_to_value,
                "on_header_end": self._end_header,
                "on_part_data": self._add_content,
                "on_part_end": self._end_part,
                "on_end": self._end,
            },
            max_header_size=MAX_HEADER_BYTES,
        )
        if not body.startswith(b"--"):  # the parser would skip lines before the first part
            raise BadForm(NOT_AS_SENT)
        try:
            parser.write(body)
        except MultipartParseError as error:
            raise BadForm(NOT_AS_SENT) from error
        if not self._is_complete:
            raise BadForm("the form is incomplete: it was cut off on its way")
        return self._parts

    def _begin_part(self) -> None:
        if len(self._parts) == MAX_PARTS:
            raise BadForm(f"the form has more than {MAX_PARTS} parts")
        self._header_bytes = 0
        self._field = self._value = self._disposition = self._content = b""

    def _add_to_field(self, data: bytes, start: int, end: int) -> None:
        self._field += self._count_header_bytes(data[start:end])

    def _add_to_value(self, data: bytes, start: int, end: int) -> None:
        self._value += self._count_header_bytes(data[start:end])

    def _count_header_bytes(self, piece: bytes) -> bytes:
        self._header_bytes += len(piece)
        if self._header_bytes > MAX_HEADER_BYTES:  # the parser bounds each header, not their sum
            raise BadForm(NOT_AS_SENT)
        return piece

    def _end_header(self) -> None:
        if self._field.lower() == b"content-disposition":
            self._disposition = self._value
        self._field = self._value = b""

    def _add_content(self, data: bytes, start: int, end: int) -> None:
        self._content += data[start:end]

    def _end_part(self) -> None:
        kind, options = parse_options_header(self._disposition)
        try:
            names = {key: value.decode() for key, value in options.items()}
        except UnicodeDecodeError as error:
            raise BadForm("the name of a file is not UTF-8; rename it") from error
        if kind != b"form-data" or b"name" not in names:
            raise BadForm("a part of the form has no name")
        self._parts.append(Part(names[b"name"], names.get(b"filename"), self._content))

    def _end(self) -> None:
        self._is_complete = True
