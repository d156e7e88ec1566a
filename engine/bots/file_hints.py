"""What a bot's author may not know of a file that a bot cannot find, or cannot decode."""

from pathlib import Path, PureWindowsPath

from engine.bot_modules import is_folder
from engine.support.text_decoding import wide_encoding

LOOKED_AT = 4_096
"""The bytes of a file by which its encoding is recognized."""


def missing_file_hint(name: object, entry: Path) -> str:
    """Return how to name a file that was not found; '' where that is not known."""
    if not isinstance(name, str) or not name or "\0" in name:
        return ""
    path, here = Path(name), entry.parent
    if path.is_absolute() and path.is_relative_to(here):
        return (
            ": there is no such file in the bot's folder" if is_folder(entry) else _as_folder(name)
        )
    is_elsewhere = path.is_absolute() or PureWindowsPath(name).is_absolute()
    if not is_folder(entry):
        return _as_folder(PureWindowsPath(name).name)
    if is_elsewhere:
        file = PureWindowsPath(name).name
        return f": a bot reads its own files: put it beside __init__.py, as {_call(file)}"
    if (here / path).exists():
        return f": it is in the bot's folder, not in the current one: name it {_call(name)}"
    return f": it is not in the bot's folder; a file there is {_call(name)}"


def decoding_hint(error: UnicodeDecodeError) -> str:
    """Return what a file is that a bot cannot decode, and what to do."""
    wide = wide_encoding(bytes(error.object[:LOOKED_AT]))
    if wide:
        return f": the file is {wide}: save it as UTF-8, or open it with encoding='utf-16'"
    return (
        f": the file is not {error.encoding}: save it as UTF-8, or open it with its own encoding, "
        "such as encoding='latin-1'"
    )


def _as_folder(name: str) -> str:
    """Return how a bot of one file gets another one."""
    file = Path(name).name
    return (
        f": a bot of one file has no other: make it a folder with an __init__.py and {file}, and "
        f"name it {_call(file)}"
    )


def _call(name: str) -> str:
    """Return how a file of the bot is named, whatever the current folder is."""
    parts = Path(name).parts
    if len(parts) == 1:
        return f"Path(__file__).with_name({name!r})"
    return f"Path(__file__).parent / {Path(name).as_posix()!r}"
