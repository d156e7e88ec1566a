"""The files of a draft as a page sends them -> checked files, and the bot that they are."""

from collections.abc import Mapping, Sequence

from server.bots.uploads import BadUpload, Sent, Upload, checked_files, main_file, upload_of
from server.writing.bodies import MOST_BYTES, MOST_FILES, DraftFile

IN_COPY = {False: "bot.py", True: "__init__.py"}
"""What the main file is called where a bot plays: of one file, and of several."""


def checked(files: Sequence[DraftFile]) -> dict[str, str]:
    """Return the texts of files by name, whether or not they are a bot yet.

    Raises: BadUpload, which names the file.
    """
    if not files:
        raise BadUpload("a draft has at least one file")
    if len(files) > MOST_FILES:
        raise BadUpload(f"a draft has at most {MOST_FILES} files")
    found = checked_files([Sent(one.name, _bytes_of(one)) for one in files])
    total = sum(map(len, found.values()))
    if total > MOST_BYTES:
        raise BadUpload(
            f"these files have {total:,} bytes, and a draft has at most {MOST_BYTES:,}: hand in a "
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
    return upload_of([Sent(name, text.encode()) for name, text in files.items()])


def digest_or_none(files: Mapping[str, str]) -> str:
    """Return the digest of the bot that a draft is; '' where it is none."""
    try:
        return upload(files).packed.digest
    except BadUpload:
        return ""


def _bytes_of(file: DraftFile) -> bytes:
    """Raises: BadUpload."""
    if "\0" in file.text:
        raise BadUpload(f"{file.name:.60}: has a NUL in it, which no text of a bot may have")
    try:
        return file.text.encode()
    except UnicodeEncodeError as error:
        raise BadUpload(f"{file.name:.60}: has half a letter in it: {error.reason}") from error
