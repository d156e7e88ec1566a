"""The files of a draft as a page sends them -> checked files, and the bot that they are."""

from collections.abc import Mapping, Sequence

from server.bots.uploads import BadUpload, Sent, Upload, main_file, parse_upload, validate_files
from server.writing.bodies import MAX_BYTES, MAX_FILES, DraftFile


def validate_draft_files(files: Sequence[DraftFile]) -> dict[str, str]:
    """Return the texts of files by name, whether or not they are a bot yet.

    Raises: BadUpload, which names the file.
    """
    if not files:
        raise BadUpload("a draft has at least one file")
    if len(files) > MAX_FILES:
        raise BadUpload(f"a draft has at most {MAX_FILES} files")
    found = validate_files([Sent(one.name, _encode_text(one)) for one in files])
    total = sum(map(len, found.values()))
    if total > MAX_BYTES:
        raise BadUpload(
            f"these files have {total:,} bytes, and a draft has at most {MAX_BYTES:,}: hand in a "
            "bot with larger files at /submit"
        )
    return {one.name: one.text for one in files}


def as_files(files: Mapping[str, str]) -> list[DraftFile]:
    """Return files as they are sent, the main one first."""
    main = main_file(files)
    ordered = sorted(files.items(), key=lambda file: (file[0] != main, file[0]))
    return [DraftFile(name, text) for name, text in ordered]


def upload(files: Mapping[str, str]) -> Upload:
    """Return the bot that a draft is. Raises: BadUpload where it is none."""
    return parse_upload([Sent(name, text.encode()) for name, text in files.items()])


def digest_or_none(files: Mapping[str, str]) -> str:
    """Return the digest of the bot that a draft is; '' where it is none."""
    try:
        return upload(files).packed.digest
    except BadUpload:
        return ""


def _encode_text(file: DraftFile) -> bytes:
    """Raises: BadUpload."""
    if "\0" in file.text:
        raise BadUpload(f"{file.name:.60}: has a NUL in it, which no text of a bot may have")
    try:
        return file.text.encode()
    except UnicodeEncodeError as error:
        raise BadUpload(f"{file.name:.60}: has half a letter in it: {error.reason}") from error
