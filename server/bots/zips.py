"""Zips: made of the same files to the byte; those of strangers are unpacked in a confined child."""

import io
import zipfile
from collections.abc import Mapping, Sequence

import msgspec

from engine.bots.confined_child import ConfinedChild
from engine.bots.own_files import MAX_TOTAL_BYTES, MEGABYTE
from server.bots.uploads import BadUpload, Sent, unzip_files

FILE_TIME = (2000, 1, 1, 0, 0, 0)
"""The time of all files."""
FILE_MODE = 0o100644 << 16
MAX_ANSWER_BYTES = MAX_TOTAL_BYTES + MEGABYTE
"""The longest answer of the child, bytes: the files, and their names."""
TOO_MUCH = "the zip takes too much time or memory to unpack; make it smaller"


def make_zip(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files, in order of their names."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, FILE_TIME)
            entry.external_attr = FILE_MODE
            archive.writestr(entry, files[name], zipfile.ZIP_DEFLATED)
    return content.getvalue()


class _Unpacked(msgspec.Struct):
    """What the child answers."""

    files: list[tuple[str, bytes]] = []
    why: str = ""
    """Why the zip is refused."""


def unzip_in_sandbox(content: bytes) -> Sequence[Sent]:
    """Return the files of a zip, which a child has unpacked. Raises: BadUpload, EngineFailure."""
    child = ConfinedChild(_unpack_in_child, most_bytes=MAX_ANSWER_BYTES)
    try:
        found = msgspec.msgpack.decode(child.ask(content), type=_Unpacked)
    except (TimeoutError, EOFError, msgspec.MsgspecError) as error:
        raise BadUpload(TOO_MUCH) from error
    finally:
        child.end()
    if found.why:
        raise BadUpload(found.why)
    return [Sent(name, text) for name, text in found.files]


def _unpack_in_child(content: bytes) -> bytes:
    """Return the files of a zip, or why it is refused, as the child sends it."""
    try:
        found = _Unpacked(files=[(one.name, one.content) for one in unzip_files(content)])
    except BadUpload as error:
        found = _Unpacked(why=str(error))
    return msgspec.msgpack.encode(found)
