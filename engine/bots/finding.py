"""Finding bots in playerCode, reading them without running them, and copying them by digest."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import msgspec

from engine.bots.own_files import Signature, compute_signature, digest_of_files, read_files
from engine.bots.parsing import Parser
from engine.bots.programs.manifest import (
    MANIFEST,
    BadManifest,
    ignored_names,
    names_an_address,
    read_manifest,
)
from engine.catalog import GAMES
from engine.errors import BadBot, EngineFailure
from engine.support.files import make_private_folder, write_private_file
from engine.support.sanitizing import one_line
from engine.support.staging import StagingFolder
from engine.support.wording import did_you_mean

PREFIX = "player_"
MAX_NAMED_SOURCES = 5
TEMPLATE = "player_base"
"""The file an author copies; never drawn at random."""
DIGEST_LETTERS = 16
SETTLED_NS = 2_000_000_000
"""Some file systems tell times this coarsely: what was changed just now may change unseen."""


class Bot(msgspec.Struct, frozen=True, kw_only=True):
    """A bot as its author left it.

    `path` is a file, a folder with an `__init__.py`, or one with a `bot.toml`.
    """

    name: str
    path: Path
    digest: str
    title: str = ""
    author: str = ""
    version: str = ""
    needs: tuple[str, ...] = ()
    """Third-party packages that the bot declares."""
    flaw: str = ""
    """Why it is not a valid bot, in one line. It can be named all the same, and then fails."""
    language: str = ""
    """What a program in another language than Python is run or built by."""
    origin: str = ""
    """Where a bot is asked over HTTP, of which nothing is run here."""


class BotReader:
    """Reads bots without running them. As a context: their sources share one parser."""

    def __init__(self) -> None:
        self._parser = Parser()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *about: object) -> None:
        self._parser.__exit__(*about)

    def find(self, folder: Path) -> list[Bot]:
        """Return everything in `folder` that could be meant as a bot, by name, with its flaws."""
        return [self._read_for_listing(path) for path in bot_candidates(folder)]

    def resolve(self, word: str, folder: Path) -> Bot:
        """Return the bot meant by a file name in `folder`, a name without `.py`, or any path.

        What has a separator in it (`./player_one.py`) is a path first; `player_` may be left out.
        Raises: BadBot, listing what there is.
        """
        path = bot_path(word, folder)
        if path is not None:
            return self.read(path)
        if word and (why := _why_no_bot(Path(word))) is not None:
            raise BadBot(f"{one_line(word)}: {why}")
        found = [path.stem for path in bot_candidates(folder)]
        names = ", ".join(one_line(path.name) for path in bot_candidates(folder)) or "none"
        where = _hint_at_other_game(word, folder) or did_you_mean(word.removesuffix(".py"), found)
        raise BadBot(
            f"no bot '{one_line(word)}': neither a path nor a file in {folder}; there are: {names}"
            f"{where}"
        )

    def read(self, path: Path) -> Bot:
        """Return digest and constants of a bot. Raises: BadBot if unreadable or too large."""
        path = path.absolute()  # the `.` of somebody who stands in a bot's folder has no name
        files = read_own_files(path)
        if path.is_dir() and MANIFEST in files:
            return _read_program(path, files)
        entry = "__init__.py" if path.is_dir() else path.name
        if entry not in files:
            raise BadBot(
                f"{one_line(path)}: a folder without an __init__.py, or a {MANIFEST}, is not a bot"
            )
        source = self._parser.parse(files[entry])
        return Bot(
            name=one_line(path.stem if path.is_file() else path.name),
            path=path.resolve(),
            digest=_compute_digest(files, is_folder=path.is_dir()),
            title=source.title,
            author=source.author,
            version=source.version,
            needs=source.needs,
            flaw=source.flaw,
        )

    def _read_for_listing(self, path: Path) -> Bot:
        """Return a bot for a listing; one that cannot be read has a flaw and no digest."""
        try:
            return self.read(path)
        except BadBot as error:
            return Bot(name=one_line(path.stem), path=path, digest="", flaw=str(error))


def bot_path(word: str, folder: Path) -> Path | None:
    """Return the file or folder of the bot that a word means, as `BotReader.resolve` takes it."""
    there, here = (folder / word, folder / f"{word}.py"), (Path(word), Path(f"{word}.py"))
    if Path(word).name != word:
        return next(filter(_is_bot_path, (*here, *there)), None)
    in_full = f"{PREFIX}{word}"
    paths = (*there, *here, folder / in_full, folder / f"{in_full}.py")
    return next(filter(_is_bot_path, paths), None)


def _hint_at_other_game(word: str, folder: Path) -> str:
    """Return where else a bot of this name is, if it lies in the folder of another game."""
    games = {game.bots: name for name, game in GAMES.items()}
    ours = next((bots for bots in games if bots != "." and folder.name == bots), ".")
    root = folder if ours == "." else folder.parent
    for bots, game in games.items():
        path = bot_path(word, root / bots) if bots != ours else None
        if path is not None:
            return (
                f"; {path} is in the folder of {game}: if it is a bot of that game, say -g {game}, "
                f"otherwise move it to {folder}"
            )
    return ""


def find_bots(folder: Path) -> list[Bot]:
    """Do as `BotReader.find`, for callers that read nothing else."""
    with BotReader() as reader:
        return reader.find(folder)


def resolve(word: str, folder: Path) -> Bot:
    """Do as `BotReader.resolve`, for callers that read nothing else. Raises: BadBot."""
    with BotReader() as reader:
        return reader.resolve(word, folder)


def read_bot(path: Path) -> Bot:
    """Do as `BotReader.read`, for callers that read nothing else. Raises: BadBot."""
    with BotReader() as reader:
        return reader.read(path)


def compute_bot_digest(path: Path) -> str:
    """Return the digest of what a bot's files hold now. Raises: BadBot if unreadable."""
    return _compute_digest(read_own_files(path), is_folder=path.is_dir())


def find_entry_file(path: Path) -> Path:
    """Return the file of a bot that is loaded, or the manifest of a program."""
    if not path.is_dir():
        return path
    return path / (MANIFEST if is_program(path) else "__init__.py")


def is_program(path: Path) -> bool:
    """Return whether this is the folder of a bot in another language."""
    return (path / MANIFEST).is_file()


def is_over_http(path: Path) -> bool:
    """Return whether this is the folder of a bot that is asked over HTTP."""
    return is_program(path) and names_an_address((path / MANIFEST).read_bytes())


def is_packed_program(packed: "Packed") -> bool:
    """Return whether these are the files of a bot in another language."""
    return packed.is_folder and MANIFEST in packed.files


def read_own_files(path: Path) -> dict[str, bytes]:
    """Return a bot's files, without what its manifest says is none of it. Raises: BadBot."""
    manifest = path / MANIFEST
    content = read_files(manifest)[MANIFEST] if path.is_dir() and manifest.is_file() else None
    return read_files(path, ignored_names(content))


class Packed(msgspec.Struct, frozen=True, kw_only=True):
    """A bot's files on their way to another machine."""

    files: dict[str, bytes]
    """Their contents by name, in the order of the parts of the names."""
    is_folder: bool

    @property
    def digest(self) -> str:
        return _compute_digest(self.files, is_folder=self.is_folder)


class Copies:
    """Private copies of bots, by digest: what a worker loads, and what plays a match again.

    Only who plays them can read them, whatever the umask: workers are the same user.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, Signature] = {}
        """Signatures of verified copies; a copy that still has its signature is unchanged."""

    def save(self, bot: Bot) -> Path:
        """Copy the bot's own files unless they are there; return the path to load.

        Raises: BadBot if they are no longer those that were read, or their copy no longer
        theirs; EngineFailure if they cannot be written.
        """
        home = self._folder / bot.digest
        if not home.exists():
            files = read_own_files(bot.path)
            if _compute_digest(files, is_folder=bot.path.is_dir()) != bot.digest:
                raise BadBot(f"{bot.path}: was changed while it was being read; start again")
            self._write(files, home, is_folder=bot.path.is_dir())
        return self.find_path(bot.digest)

    def find_path(self, digest: str) -> Path:
        """Return the path to load. Raises: BadBot if there is no copy, or a changed one."""
        bot, _ = self._require_intact_copy(digest)
        return find_entry_file(bot).resolve()

    def pack(self, digest: str) -> Packed:
        """Return a bot for the copies of another machine. Raises: BadBot as `entry` does."""
        bot, _ = self._require_intact_copy(digest)
        return Packed(files=read_own_files(bot), is_folder=bot.is_dir())

    def unpack(self, digest: str, packed: Packed) -> None:
        """Take in a copy from another machine.

        Raises: BadBot if it is of another bot; EngineFailure if it cannot be written.
        """
        if packed.digest != digest:
            raise BadBot(f"the bot with digest {digest} was changed on its way here")
        home = self._folder / digest
        if not home.exists():
            self._write(packed.files, home, is_folder=packed.is_folder)

    def has(self, digest: str) -> bool:
        """Return whether there is a copy, intact or not."""
        return (self._folder / digest).exists()

    @contextmanager
    def require_unchanged(self, digests: Sequence[str]) -> Iterator[None]:
        """Raise, as a context, BadBot if one of these copies was changed before or meanwhile."""
        before = {digest: self._require_intact_copy(digest)[1] for digest in digests}
        yield
        for digest, signature in before.items():
            if compute_signature(self._folder / digest) != signature:
                raise BadBot(
                    f"{self._folder / digest}: was changed while it was played; the match does "
                    "not count"
                )

    def _require_intact_copy(self, digest: str) -> tuple[Path, Signature]:
        """Return the bot in a copy that holds just what its digest is of. Raises: BadBot."""
        home = self._folder / digest
        for bot in (home / "bot.py", home / "bot"):
            if _is_bot_path(bot):
                signature = compute_signature(home)
                if self._read.get(digest) != signature:
                    self._read_through(bot, digest, signature)
                return bot, signature
        raise BadBot(
            f"{self._folder}: no copy of a bot with digest {digest}; it was never played here"
        )

    def _read_through(self, bot: Path, digest: str, signature: Signature) -> None:
        if not _holds_only(bot, digest, signature):
            raise BadBot(
                f"{self._folder / digest}: was changed since it was copied; remove this folder, "
                "and name the bot by its own file (-1, -2) to have it copied again"
            )
        if _is_settled(signature):
            self._read[digest] = signature

    def _write(self, files: dict[str, bytes], home: Path, *, is_folder: bool) -> None:
        """Raises: EngineFailure."""
        try:
            self._move_into_place(files, home, is_folder=is_folder)
        except OSError as error:
            where = error.filename or self._folder
            raise EngineFailure(f"{where}: cannot be written: {error.strerror}") from error

    def _move_into_place(self, files: dict[str, bytes], home: Path, *, is_folder: bool) -> None:
        make_private_folder(self._folder)
        beside = StagingFolder(home)
        try:
            beside.make(is_private=True)
            for name, content in files.items():
                file = beside.path / (f"bot/{name}" if is_folder else "bot.py")
                for folder in reversed(file.relative_to(beside.path).parents[:-1]):
                    make_private_folder(beside.path / folder)
                write_private_file(file, content)
            beside.path.rename(home)
        except OSError:
            if not home.is_dir():  # else another process was first; equal digests, equal files
                raise
        finally:
            beside.drop()


def bot_candidates(folder: Path) -> list[Path]:
    """Return what could be meant as a bot in a folder, by name."""
    return sorted(filter(_has_bot_prefix, folder.iterdir())) if folder.is_dir() else []


def _read_program(path: Path, files: dict[str, bytes]) -> Bot:
    """Return what a bot in another language says of itself; nothing of it is run."""
    name, digest = one_line(path.name), _compute_digest(files, is_folder=True)
    try:
        manifest = read_manifest(files[MANIFEST])
    except BadManifest as error:
        return Bot(name=name, path=path.resolve(), digest=digest, flaw=str(error))
    return Bot(
        name=name,
        path=path.resolve(),
        digest=digest,
        title=one_line(manifest.name),
        author=one_line(manifest.author),
        version=one_line(manifest.version),
        language=one_line(manifest.language),
        origin="" if manifest.address is None else manifest.address.origin,
    )


def _has_bot_prefix(path: Path) -> bool:
    return path.name.startswith(PREFIX) and _is_bot_path(path)


def _is_bot_path(path: Path) -> bool:
    try:
        if path.suffix == ".py":
            return path.is_file()
        return (path / "__init__.py").is_file() or is_program(path)
    except (OSError, ValueError):  # no name that a file could have
        return False


def _why_no_bot(path: Path) -> str | None:
    """Return what an existing path lacks to be a bot; None where there is no such path."""
    try:
        if path.is_file():
            return f"no bot, which is a .py file, or a folder with __init__.py or {MANIFEST}"
        if not path.is_dir():
            return None
        sources = sorted(one_line(each.name) for each in path.glob("*.py"))
    except (OSError, ValueError):  # no name that a file could have
        return None
    why = f"a folder without an __init__.py, or a {MANIFEST}, is not a bot"
    if len(sources) > MAX_NAMED_SOURCES:
        sources[MAX_NAMED_SOURCES:] = [f"and {len(sources) - MAX_NAMED_SOURCES} more"]
    return f"{why}; these files lie in it: {', '.join(sources)}" if sources else why


def _compute_digest(files: dict[str, bytes], *, is_folder: bool) -> str:
    return digest_of_files(files, is_folder=is_folder, letters=DIGEST_LETTERS)


def _holds_only(bot: Path, digest: str, signature: Signature) -> bool:
    """Return whether a copy's files are those of the digest, and nothing lies there beside them."""
    files, is_folder = read_own_files(bot), bot.is_dir()
    paths = [Path(bot.name, name) if is_folder else Path(bot.name) for name in files]
    expected = {place.parts for path in paths for place in (path, *path.parents)}
    there = {parts for parts, *_ in signature}
    return there == expected and _compute_digest(files, is_folder=is_folder) == digest


def _is_settled(signature: Signature) -> bool:
    """Return whether the last change is so long ago that another one would have another time."""
    latest = max(changed for *_, changed in signature)
    return time.time_ns() - latest > SETTLED_NS
