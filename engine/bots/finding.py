"""playerCode -> bots: found, read without being run, and copied by what they contain."""

import ast
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec

from engine.bots.wire import one_line
from engine.errors import BadBot, EngineFailure

PREFIX = "player_"
TEMPLATE = "player_base"
"""The file an author copies; never drawn at random."""
DIGEST_LETTERS = 16
MOST_BYTES = 32_000_000
CONSTANTS = ("NAME", "AUTHOR", "VERSION")


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as its author left it. `path` is a file, or a folder with an `__init__.py`."""

    name: str
    path: Path
    digest: str
    title: str = ""
    author: str = ""
    version: str = ""
    needs: tuple[str, ...] = ()
    """Third-party packages it says it imports."""
    flaw: str = ""
    """Why it is no bot: the line a listing shows. It may be named, and then breaks in its match."""


def find_bots(folder: Path) -> list[Bot]:
    """Everything in `folder` that could be meant as a bot, by name; flaws and all."""
    if not folder.is_dir():
        return []
    return [_listed(path) for path in sorted(folder.iterdir()) if _looks_meant(path)]


def resolve(word: str, folder: Path) -> Bot:
    """The bot meant by a file name in `folder`, a name without `.py`, or a path anywhere.

    What has a separator in it (`./player_one.py`) is a path first.
    Raises: BadBot, listing what there is.
    """
    there, here = (folder / word, folder / f"{word}.py"), (Path(word), Path(f"{word}.py"))
    for path in (*here, *there) if Path(word).name != word else (*there, *here):
        if _is_bot_path(path):
            return read_bot(path)
    names = ", ".join(bot.path.name for bot in find_bots(folder)) or "none"
    raise BadBot(f"no bot '{word}': neither a path nor a file in {folder}; there are: {names}")


def read_bot(path: Path) -> Bot:
    """Digest and constants of a bot, read without running it. Raises: BadBot if unreadable."""
    path = path.absolute()  # the `.` of somebody who stands in a bot's folder has no name
    files = dict(_files_of(path))
    entry = "__init__.py" if path.is_dir() else path.name
    if entry not in files:
        raise BadBot(f"{path}: a folder without an __init__.py is no bot")
    constants, flaw = _read_source(files[entry])
    needs = constants.get("NEEDS", ())
    return Bot(
        name=one_line(path.stem if path.is_file() else path.name),
        path=path.resolve(),
        digest=_digest(files, is_folder=path.is_dir()),
        title=_words(constants.get("NAME")),
        author=_words(constants.get("AUTHOR")),
        version=_words(constants.get("VERSION")),
        needs=tuple(map(_words, needs)) if isinstance(needs, list | tuple) else (),
        flaw=flaw,
    )


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's files on their way to another machine."""

    files: dict[str, bytes]
    is_folder: bool


class Copies:
    """Private copies of bots, by digest: what a worker loads, and what plays a match again."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._intact: set[str] = set()
        """Digests of the copies that were read through; once is enough for us."""

    def keep(self, bot: Bot) -> Path:
        """Copy the bot's own files unless they are there; the path to load.

        Raises: BadBot if they are no longer those that were read, or their copy no longer
        theirs; EngineFailure if they cannot be written.
        """
        home = self._folder / bot.digest
        if not home.exists():
            files = dict(_files_of(bot.path))
            if _digest(files, is_folder=bot.path.is_dir()) != bot.digest:
                raise BadBot(f"{bot.path}: was changed while it was being read; start again")
            self._write(files, home, is_folder=bot.path.is_dir())
        return self.entry(bot.digest)

    def entry(self, digest: str) -> Path:
        """The path to load. Raises: BadBot if there is no copy, or a changed one."""
        bot = self._copy(digest)
        return (bot / "__init__.py" if bot.is_dir() else bot).resolve()

    def pack(self, digest: str) -> Packed:
        """For the copies of another machine. Raises: BadBot as `entry` does."""
        bot = self._copy(digest)
        return Packed(files=dict(_files_of(bot)), is_folder=bot.is_dir())

    def unpack(self, digest: str, packed: Packed) -> None:
        """Take in a copy from another machine.

        Raises: BadBot if it is of another bot; EngineFailure if it cannot be written.
        """
        if _digest(packed.files, is_folder=packed.is_folder) != digest:
            raise BadBot(f"the bot with digest {digest} was changed on its way here")
        home = self._folder / digest
        if not home.exists():
            self._write(packed.files, home, is_folder=packed.is_folder)

    def has(self, digest: str) -> bool:
        """Whether there is a copy, intact or not."""
        return (self._folder / digest).exists()

    def _copy(self, digest: str) -> Path:
        home = self._folder / digest
        for bot in (home / "bot.py", home / "bot"):
            if _is_bot_path(bot):
                self._require_intact(bot, digest)
                return bot
        raise BadBot(
            f"{self._folder}: no copy of a bot with digest {digest}; it was never played here"
        )

    def _require_intact(self, bot: Path, digest: str) -> None:
        if digest in self._intact:
            return
        if _digest(dict(_files_of(bot)), is_folder=bot.is_dir()) != digest:
            raise BadBot(
                f"{self._folder / digest}: was changed since it was copied; remove this folder, "
                "and name the bot by its own file (-1, -2) to have it copied again"
            )
        self._intact.add(digest)

    def _write(self, files: dict[str, bytes], home: Path, *, is_folder: bool) -> None:
        """Raises: EngineFailure."""
        try:
            self._put(files, home, is_folder=is_folder)
        except OSError as error:
            where = error.filename or self._folder
            raise EngineFailure(f"{where}: cannot be written: {error.strerror}") from error

    def _put(self, files: dict[str, bytes], home: Path, *, is_folder: bool) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".copy-", dir=self._folder))
        try:
            for name, content in files.items():
                file = beside / (f"bot/{name}" if is_folder else "bot.py")
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            beside.chmod(0o755)
            beside.rename(home)
        except OSError:
            if not home.is_dir():  # else another process was first; equal digests, equal files
                raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)


def _listed(path: Path) -> Bot:
    """One that cannot be read has that for its flaw, and no digest."""
    try:
        return read_bot(path)
    except BadBot as error:
        return Bot(name=path.stem, path=path, digest="", flaw=str(error))


def _looks_meant(path: Path) -> bool:
    return path.name.startswith(PREFIX) and _is_bot_path(path)


def _is_bot_path(path: Path) -> bool:
    try:
        return path.is_file() if path.suffix == ".py" else (path / "__init__.py").is_file()
    except (OSError, ValueError):  # no name that a file could have
        return False


def _files_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """The bot's own files: relative name and content, in order of names."""
    inside = sorted(p for p in path.rglob("*") if _counts(p, path)) if path.is_dir() else [path]
    total = 0
    for file in inside:
        if file.is_symlink():
            raise BadBot(f"{file}: a link; a bot's folder may hold files only")
        try:
            content = file.read_bytes()
        except OSError as error:
            raise BadBot(f"{file}: cannot be read: {error.strerror}") from error
        total += len(content)
        if total > MOST_BYTES:
            raise BadBot(
                f"{path}: a bot may have {MOST_BYTES // 1_000_000} MB of files, this has more"
            )
        yield (file.name if file == path else file.relative_to(path).as_posix()), content


def _counts(file: Path, folder: Path) -> bool:
    parts = file.relative_to(folder).parts
    if any(part == "__pycache__" or part.startswith(".") for part in parts):
        return False
    return file.is_file() or file.is_symlink()


def _digest(files: dict[str, bytes], *, is_folder: bool) -> str:
    """A file's name is no part of it: a copy under another name is the same bot."""
    content = sha256()
    for name, text in files.items():
        label = name if is_folder else ""
        content.update(f"{len(label)}:{label}{len(text)}:".encode() + text)
    return content.hexdigest()[:DIGEST_LETTERS]


def _read_source(source: bytes) -> tuple[dict[str, object], str]:
    """Constants assigned at the top, and why it is no bot ('' if it looks like one)."""
    try:
        with warnings.catch_warnings(action="ignore"):
            module = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = getattr(error, "lineno", None)
        return (
            {},
            f"syntax error{f' in line {line}' if line else ''}: {getattr(error, 'msg', error)}",
        )
    constants: dict[str, object] = {}
    defines_player = False
    for statement in module.body:
        for name in _names_bound(statement):
            defines_player |= name in ("Player", "*")
            if name in (*CONSTANTS, "NEEDS") and isinstance(statement, ast.Assign | ast.AnnAssign):
                constants[name] = _constant(statement.value)
    return constants, "" if defines_player else "defines no class Player"


def _names_bound(statement: ast.stmt) -> list[str]:
    match statement:
        case ast.ClassDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [target.id for target in targets if isinstance(target, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [alias.asname or alias.name for alias in names]
        case _:
            return []


def _constant(node: ast.expr | None) -> object:
    try:
        return None if node is None else ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _words(value: object) -> str:
    """A stranger's constant fit to print."""
    try:
        return one_line(value)[:60] if isinstance(value, str | int | float) else ""
    except ValueError:  # a number of more digits than Python writes
        return ""
