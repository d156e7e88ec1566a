"""Give the lines of a recorded match, from memory or from a file when they are asked for.

Few bytes of gzip can stand for any number of lines, of any length, so a file is never unpacked
as a whole: what is held of it is bounded, and so is each of its lines.
"""

import codecs
import zlib
from array import array
from collections.abc import Iterator
from typing import Protocol

import msgspec

GZIP_WINDOW_BITS = 31  # zlib's wbits for a gzip member; its mtime is 0
KIB, MIB = 2**10, 2**20

MAX_PACKED_BYTES = 256 * MIB
"""Bytes of the largest file that is read; it is held as it is."""
MAX_UNPACKED_BYTES = 2_048 * MIB
"""Bytes of all its lines. 2 000 turns of 250 shapes a side have some 75 MB."""
MAX_LINE_BYTES = 16 * MIB
"""Bytes. The longest line of that match has 0.4 MB, with 85 kB of source text a side."""
MAX_COMMAS = 2_000_000
"""The most values in a line: decoded, each takes up to a hundred bytes."""
MAX_LINES = 5_000_000
"""The most lines: four stages in a million turns, the most that settings allow, and some."""

BLOCK_BYTES = 2 * MIB
"""The bytes that are unpacked at a time."""
MAX_CACHED_BLOCKS = 4
GZIP_MAGIC = b"\x1f\x8b"
"""How a gzip member begins."""
CHUNK_BYTES = 16 * KIB
"""The bytes handed to zlib at a time: what it leaves over is kept with every block."""


class TooLarge(ValueError):
    """A file is larger than any that is recorded; the message says in what."""


class Lines(Protocol):
    """Some of the lines of a match, by number from 0."""

    def add(self, line: bytes, start: int) -> None:
        """Add a line; `start` is its place in the text it was read from."""

    def __getitem__(self, number: int, /) -> bytes: ...

    def __len__(self) -> int: ...


class LinesInMemory:
    """Lines of a match that we play ourselves."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []

    def add(self, line: bytes, start: int) -> None:
        self._lines.append(line)

    def __getitem__(self, number: int, /) -> bytes:
        return self._lines[number]

    def __len__(self) -> int:
        return len(self._lines)


class StoredLines:
    """Lines of a file, of which only the places are held."""

    def __init__(self, text: "StoredText") -> None:
        self._text = text
        self._starts, self._lengths = array("Q"), array("I")

    def add(self, line: bytes, start: int) -> None:
        self._starts.append(start)
        self._lengths.append(len(line))

    def __getitem__(self, number: int, /) -> bytes:
        return self._text.read(self._starts[number], self._lengths[number])

    def __len__(self) -> int:
        return len(self._starts)


class StoredText(Protocol):
    """The text of a file, of which any part can be read."""

    is_whole: bool
    """Whether its own end was found when all lines were gone through."""

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each whole line with its place; call it once before anything is read.

        Raises: zlib.error, TooLarge.
        """

    def read(self, start: int, length: int) -> bytes:
        """Return a part of the text. Raises: zlib.error."""


def text_in(content: bytes) -> "StoredText":
    """Return the text of a file, packed as it was recorded or unpacked by somebody."""
    return PackedText(content) if content.startswith(GZIP_MAGIC) else UnpackedText(content)


class UnpackedText:
    """The text of a file that browsers or `gunzip` have unpacked."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self.is_whole = False

    def lines(self) -> Iterator[tuple[int, bytes]]:
        start = len(codecs.BOM_UTF8) if self._content.startswith(codecs.BOM_UTF8) else 0
        while (end := self._content.find(b"\n", start)) >= 0:
            yield start, self._read_line(start, end).removesuffix(b"\r")  # an editor's, on Windows
            start = end + 1
        rest = self._read_line(start, len(self._content))
        if _is_json(rest):  # an editor has cut off the last line's end
            yield start, rest
        self.is_whole = True

    def _read_line(self, start: int, end: int) -> bytes:
        """Return a line. Raises: TooLarge."""
        line = self._content[start : min(end, start + MAX_LINE_BYTES + 1)]
        require_bounded(line)
        return line

    def read(self, start: int, length: int) -> bytes:
        return self._content[start : start + length]


class PackedText:
    """A gzip member, unpacked block by block, from any of its blocks on."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        # Where each block begins: the place in the content, and zlib's state there.
        self._entrances = [(0, zlib.decompressobj(GZIP_WINDOW_BITS))]
        self._cache: dict[int, bytes] = {}
        self.is_whole = False
        """Whether gzip's own end was found when all lines were gone through."""

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield each whole line with its place; call it once before anything is read.

        Raises: zlib.error, TooLarge.
        """
        start, rest = 0, b""
        for count, block in enumerate(self._read_blocks(), 1):
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                require_bounded(line)
                yield start, line
                start += len(line) + 1
            require_bounded(rest)
            if count * BLOCK_BYTES > MAX_UNPACKED_BYTES:
                raise TooLarge(f"it holds more than {MAX_UNPACKED_BYTES // MIB} MiB")

    def read(self, start: int, length: int) -> bytes:
        """Return a part of the text. Raises: zlib.error."""
        numbers = range(start // BLOCK_BYTES, (start + length) // BLOCK_BYTES + 1)
        blocks = (
            b"".join(map(self._read_block, numbers))
            if len(numbers) > 1
            else self._read_block(numbers[0])
        )
        offset = start - numbers[0] * BLOCK_BYTES
        return blocks[offset : offset + length]

    def _read_blocks(self) -> Iterator[bytes]:
        """Yield all blocks. The last one is shorter than the others, and may be empty."""
        block = self._read_block(0)
        yield block
        while len(block) == BLOCK_BYTES:
            block = self._read_block(len(self._entrances) - 1)
            yield block

    def _read_block(self, number: int) -> bytes:
        if number not in self._cache:
            if len(self._cache) == MAX_CACHED_BLOCKS:
                del self._cache[next(iter(self._cache))]
            self._cache[number] = self._inflate_block(number)
        return self._cache[number]

    def _inflate_block(self, number: int) -> bytes:
        """Return a block, by which the place is known where the next one begins."""
        offset, inflater = self._entrances[number]
        inflater = inflater.copy()
        parts, room = [], BLOCK_BYTES
        while room and not inflater.eof:
            chunk = self._content[offset : offset + CHUNK_BYTES]
            part = inflater.decompress(chunk, room)
            if not chunk and not part:
                break  # the file ends in the middle of it
            offset += len(chunk) - len(inflater.unconsumed_tail)
            room -= len(part)
            parts.append(part)
        self.is_whole |= inflater.eof
        if number + 1 == len(self._entrances):
            self._entrances.append((offset, inflater))
        return b"".join(parts)


def _is_json(line: bytes) -> bool:
    """Return whether a line is whole: of one that was cut off the brackets do not close."""
    try:
        msgspec.json.decode(line, type=msgspec.Raw)
    except (msgspec.DecodeError, RecursionError):
        return False
    return True


def require_bounded(line: bytes) -> None:
    """Raises: TooLarge for a line that is longer than any that is recorded."""
    if len(line) > MAX_LINE_BYTES:
        raise TooLarge(f"it has a line of more than {MAX_LINE_BYTES // MIB} MiB")
    if len(line) > MAX_COMMAS and line.count(b",") > MAX_COMMAS:
        raise TooLarge(f"it has a line of more than {MAX_COMMAS:,} parts")


def is_bounded(line: bytes) -> bool:
    """Return whether a line may be recorded, as it can be read."""
    try:
        require_bounded(line)
    except TooLarge:
        return False
    return True
