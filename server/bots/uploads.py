"""What was handed in -> the files of a bot: a file, several, a folder or a zip.

Everything is looked at before any of it is unpacked, counted while it is, and held in memory:
what is refused was never written anywhere.
"""

import io
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from stat import S_IFMT, S_ISDIR, S_ISLNK, S_ISREG
from typing import NamedTuple

from engine.bots.finding import PREFIX, Packed
from engine.bots.own_files import MAX_ENTRIES, MAX_FILES, SUFFIX, is_passed_over, why_too_large
from engine.bots.programs.languages import are_named
from engine.bots.programs.manifest import MANIFEST, BadManifest, names_an_address, read_manifest
from engine.catalog import GAMES
from engine.support.sanitizing import make_printable, one_line
from engine.support.wording import pluralize
from runners.storage.tables import name_key

MAX_NAME_BYTES = 120
"""The longest name of a file or folder, bytes."""
MAX_DEPTH = 12
"""Folders within each other."""
MAX_PATH_LENGTH = MAX_DEPTH * (MAX_NAME_BYTES + 1)
"""The longest path of a file, letters."""
ENTRY = "__init__.py"
ZIP_MAGIC = (b"PK\x03\x04", b"PK\x05\x06")
"""How a zip begins; the second one is empty."""
DIRECTORY_ENTRY = b"PK\x01\x02"
LOCAL_HEADER_BYTES = 30
ENCRYPTED_FLAG = 0x1
"""A flag of an entry."""
UNIX_MODE = 16
"""An entry's attributes, shifted by so many bits, say what kind of file it is."""
KNOWN_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Others need much memory to unpack, and no program uses them unless told to."""
DAMAGE_ERRORS = (
    *(zipfile.BadZipFile, zlib.error, struct.error),
    *(EOFError, OSError, ValueError, RuntimeError),
)
"""What the reader of zips raises for what no program wrote."""
FORBIDDEN_LETTERS = re.compile(r'[<>:"|?*\\]')
"""Letters that Windows knows in no name."""
RESERVED_NAMES = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
"""Names of Windows for devices."""
MACOS_FOLDER = "__MACOSX"
"""A folder that macOS adds to a zip."""


class BadUpload(Exception):
    """Why what was handed in is not taken, in a sentence for its author."""


class Sent(NamedTuple):
    """A file as it was sent; its name may be a path."""

    name: str
    content: bytes


class Upload(NamedTuple):
    """The files of a bot that was handed in."""

    packed: Packed
    name: str
    """What the bot could be called."""
    note: str
    """What was made of the files, in words; '' if they are as they were sent."""


OF_GAME = re.compile(rb"^[ \t]*(?:from|import)[ \t]+engine\.games\.(\w+)\.player\b", re.MULTILINE)
Unzip = Callable[[bytes], Iterable[Sent]]


def parse_upload(sent: Sequence[Sent], unzip: Unzip | None = None) -> Upload:
    """Return the bot in what was sent; `unzip` takes the place of `unzip_files`.

    Raises: BadUpload, which names the file.
    """
    sent = [one for one in sent if one.name or one.content]  # a browser sends an empty field so
    if not sent:
        raise BadUpload("no file was sent: choose a file, a folder or a zip")
    for one in sent:
        if one.name.lower().endswith(".zip") and not one.content.startswith(ZIP_MAGIC):
            name = one_line(one.name)
            raise BadUpload(f"{name} is not a zip: zip the folder of your bot, or choose its files")
    if len(sent) == 1 and sent[0].content.startswith(ZIP_MAGIC):
        _require_short(sent[0].name)
        return _bot_in(_files_by_parts((unzip or unzip_files)(sent[0].content)), sent[0].name)
    return _bot_in(_files_by_parts(_select_files(sent)), "")


def validate_files(sent: Sequence[Sent]) -> dict[str, bytes]:
    """Return files by their paths, whether or not they are a bot yet.

    Raises: BadUpload for names and sizes that no bot may have.
    """
    files = _files_by_parts(_select_files(sent))
    for one in sent:
        if one.name not in map("/".join, files):
            raise BadUpload(f"{one_line(one.name)}: hidden files are no part of a bot; rename it")
    return {"/".join(parts): content for parts, content in files.items()}


def game_in(packed: Packed) -> str | None:
    """Return the game whose base class a bot's own files import; None if that says nothing."""
    found = {
        name.decode()
        for path, text in packed.files.items()
        if path.endswith(SUFFIX)
        for name in OF_GAME.findall(text)
    }
    return found.pop() if len(found) == 1 and found <= set(GAMES) else None


def size_summary(packed: Packed) -> str:
    """Return how much there is, in words."""
    source = sum(len(text) for name, text in packed.files.items() if name.endswith(SUFFIX))
    total = sum(map(len, packed.files.values()))
    files = pluralize(len(packed.files), "file")
    return f"{files} of {_format_bytes(total)}; {_format_bytes(source)} of source"


# -- a zip ------------------------------------------------------------------------------------


def unzip_files(content: bytes) -> Iterator[Sent]:
    """Yield the files of a zip, none of which is unpacked before all are known to be harmless."""
    if content.count(DIRECTORY_ENTRY) > MAX_ENTRIES:  # counted before anything is made of them
        raise BadUpload(f"the zip has more than {MAX_ENTRIES} entries, and may have {MAX_ENTRIES}")
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            entries = archive.infolist()
            for entry in entries:
                _require_ordinary(entry)
            _require_apart(entries)
            files = [entry for entry in entries if not entry.is_dir()]
            wanted = [entry for entry in files if not _is_left_out(_split_path(entry.filename))]
            _require_sizes((entry.filename, entry.file_size) for entry in wanted)
            for entry in wanted:
                yield Sent(entry.filename, _read_entry(archive, entry))
    except DAMAGE_ERRORS as error:
        raise BadUpload(f"the zip is damaged: {one_line(error)}") from error


def _require_ordinary(entry: zipfile.ZipInfo) -> None:
    """Raises: BadUpload for what is neither a file nor a folder, or cannot be unpacked here."""
    shown = one_line(entry.filename)
    kind = S_IFMT(entry.external_attr >> UNIX_MODE)
    if S_ISLNK(kind):
        raise BadUpload(f"{shown}: a link; a bot may have ordinary files only")
    if kind and not (S_ISREG(kind) or S_ISDIR(kind)):
        raise BadUpload(f"{shown}: a pipe or device; a bot may have ordinary files only")
    if entry.flag_bits & ENCRYPTED_FLAG:
        raise BadUpload(f"{shown}: is encrypted; make the zip without a password")
    if entry.compress_type not in KNOWN_METHODS:
        raise BadUpload(
            f"{shown}: is compressed in an unusual way ({entry.compress_type}); make the zip with "
            "the usual one (deflate)"
        )
    if entry.orig_filename != entry.filename:
        raise BadUpload(f"{shown}: has a name with a NUL or a backslash; rename it")
    _split_path(entry.filename)


def _require_apart(entries: Iterable[zipfile.ZipInfo]) -> None:
    """Raises: BadUpload where entries share bytes, as a bomb's do."""
    end = 0
    for entry in sorted(entries, key=lambda one: one.header_offset):
        if entry.header_offset < end:
            raise BadUpload(f"{one_line(entry.filename)}: overlaps another file of the zip")
        end = entry.header_offset + LOCAL_HEADER_BYTES + entry.compress_size


def _read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return an entry's content, of which no more is unpacked than it was said to have."""
    with archive.open(entry) as opened:
        content = opened.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise BadUpload(
            f"{one_line(entry.filename)}: has another size than the zip says ({entry.file_size})"
        )
    return content


# -- names and sizes --------------------------------------------------------------------------


def _select_files(sent: Sequence[Sent]) -> list[Sent]:
    """Return files that were sent one by one. Raises: BadUpload."""
    if len(sent) > MAX_ENTRIES:
        raise BadUpload(f"{len(sent)} files were sent, and at most {MAX_ENTRIES} are looked at")
    wanted = [one for one in sent if not _is_left_out(_split_path(one.name))]
    _require_sizes((one.name, len(one.content)) for one in wanted)
    return wanted


def _files_by_parts(files: Iterable[Sent]) -> dict[tuple[str, ...], bytes]:
    """Return files by the parts of their names. Raises: BadUpload for two of one name."""
    found: dict[tuple[str, ...], bytes] = {}
    spelled: dict[tuple[str, ...], tuple[str, ...]] = {}
    """Files and folders, as a system tells them apart that knows no upper case."""
    for name, content in files:
        parts = _split_path(name)
        if parts in found:
            raise BadUpload(f"{_format_path(parts)}: comes twice")
        found[parts] = content
        for path in (*_parent_folders(parts), parts):
            other = spelled.setdefault(tuple(map(name_key, path)), path)
            if other != path:
                raise BadUpload(
                    f"{_format_path(path)}: is the same name as {_format_path(other)} on some "
                    "systems; rename one of them"
                )
    for parts in found:
        for folder in _parent_folders(parts):
            if folder in found:
                raise BadUpload(f"{_format_path(folder)}: is a file and a folder at once")
    return found


def _parent_folders(parts: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [parts[:length] for length in range(1, len(parts))]


def _require_short(name: str) -> None:
    """Raises: BadUpload for a path that is longer than any, before anything else looks at it."""
    if len(name) > MAX_PATH_LENGTH:
        raise BadUpload(
            f"{one_line(name)}: a path has at most {MAX_PATH_LENGTH} letters; shorten it"
        )


def _split_path(name: str) -> tuple[str, ...]:
    """Return the parts of a path. Raises: BadUpload for one that could lead astray."""
    _require_short(name)
    shown = one_line(name) or "a file without a name"
    path = name.removesuffix("/")
    if make_printable(path) != path or not path:
        raise BadUpload(f"{shown}: has invisible or control characters in its name; rename it")
    if path.startswith("/") or re.match("[A-Za-z]:", path):
        raise BadUpload(f"{shown}: is an absolute path; a bot's files lie in its own folder")
    parts = tuple(path.split("/"))
    if len(parts) > MAX_DEPTH:
        raise BadUpload(f"{shown}: lies in more than {MAX_DEPTH - 1} folders within each other")
    for part in parts:
        if part in ("", ".", ".."):
            raise BadUpload(
                f"{shown}: has '{part}' in its path; a bot's files lie in its own folder"
            )
        if FORBIDDEN_LETTERS.search(part) or RESERVED_NAMES.fullmatch(part) or part[-1] in ". ":
            raise BadUpload(f"{shown}: {one_line(part)!r} is not a name on every system; rename it")
        if len(part.encode(errors="replace")) > MAX_NAME_BYTES:
            raise BadUpload(f"{shown}: a name has at most {MAX_NAME_BYTES} bytes; shorten it")
    return parts


def _is_left_out(parts: tuple[str, ...]) -> bool:
    return parts[0] == MACOS_FOLDER or any(map(is_passed_over, parts))


def _require_sizes(files: Iterable[tuple[str, int]]) -> None:
    """Raises: BadUpload for too many files, or too much in them."""
    sizes = list(files)
    if len(sizes) > MAX_FILES:
        raise BadUpload(f"{len(sizes)} files: a bot may have {MAX_FILES}; remove some")
    why = why_too_large(sizes)
    if why:
        raise BadUpload(why)


# -- which of the files is the bot ------------------------------------------------------------


def _bot_in(files: dict[tuple[str, ...], bytes], archive_name: str) -> Upload:
    """Return the bot that files are. Raises: BadUpload."""
    if not files:
        raise BadUpload("there are no files in what was sent, but for hidden ones")
    name = PurePosixPath(archive_name).stem
    while (
        not {(ENTRY,), (MANIFEST,)} & files.keys()
        and len({parts[0] for parts in files}) == 1
        and all(len(parts) > 1 for parts in files)
    ):
        name = next(iter(files))[0]
        files = {parts[1:]: content for parts, content in files.items()}
    if (MANIFEST,) in files:
        return _program_upload(files, name)
    if (ENTRY,) in files:
        return _upload(files, name, "")
    entry = _find_entry_file(files)
    stem = PurePosixPath(entry).stem
    if len(files) == 1:
        return _upload(files, stem, "", is_folder=False)
    files[(ENTRY,)] = files.pop((entry,))
    return _upload(files, stem, f"{entry} became {ENTRY}, since a bot of several files is a folder")


def _program_upload(files: dict[tuple[str, ...], bytes], name: str) -> Upload:
    """Return a bot in another language, without what its manifest ignores. Raises: BadUpload."""
    content = files[MANIFEST,]
    if names_an_address(content):
        raise BadUpload(
            f"{MANIFEST}: has url, and a bot that is asked over HTTP cannot be handed in, as the "
            "server would call whatever address it names; hand in the bot itself"
        )
    if not are_named():
        raise BadUpload(
            f"a folder with a {MANIFEST} is a bot in another language than Python, and this server "
            "takes none: its organizer has named no languages"
        )
    try:
        ignored = read_manifest(content).ignore
    except BadManifest as error:
        raise BadUpload(str(error)) from error
    included = {parts: content for parts, content in files.items() if parts[0] not in ignored}
    return _upload(included, name, "")


def main_file(names: Collection[str]) -> str:
    """Return which of a bot's files is loaded; '' where that cannot be said."""
    for name in (MANIFEST, ENTRY):
        if name in names:
            return name
    try:
        return _find_entry_file([tuple(name.split("/")) for name in names])
    except BadUpload:
        return ""


def _find_entry_file(files: Collection[tuple[str, ...]]) -> str:
    """Return the file that is loaded, of those without a folder. Raises: BadUpload."""
    sources = sorted(parts[0] for parts in files if len(parts) == 1 and parts[0].endswith(SUFFIX))
    named = [name for name in sources if name.startswith(PREFIX)]
    chosen = named or sources
    if len(chosen) == 1:
        return chosen[0]
    deeper = sorted({parts[0] for parts in files if parts[-1].endswith(SUFFIX)})
    if not chosen and deeper:
        raise BadUpload(
            f"no {SUFFIX} file lies at the top of what was sent, where a bot is looked for; "
            f"there are some in {', '.join(map(one_line, deeper[:5]))}: hand in that folder alone"
        )
    if not chosen:
        raise BadUpload(
            f"there is no {SUFFIX} file: a bot is a file {PREFIX}NAME{SUFFIX}, or a "
            f"folder with an {ENTRY} or a {MANIFEST}"
        )
    listed = ", ".join(map(one_line, chosen[:5])) + ", ..." * (len(chosen) > 5)
    if named:
        raise BadUpload(f"these are several bots ({listed}): hand in one at a time")
    raise BadUpload(f"which file is the bot ({listed})? Call it {PREFIX}NAME{SUFFIX}, or {ENTRY}")


def _upload(
    files: dict[tuple[str, ...], bytes], name: str, note: str, *, is_folder: bool = True
) -> Upload:
    ordered = {"/".join(parts): files[parts] for parts in sorted(files)}
    packed = Packed(files=ordered, is_folder=is_folder)
    return Upload(packed, name.removeprefix(PREFIX) or "bot", note)


def _format_path(parts: Iterable[str]) -> str:
    return one_line("/".join(parts))


def _format_bytes(count: int) -> str:
    return f"{count} bytes" if count < 1_000 else f"{count / 1_000:.1f} kB"
