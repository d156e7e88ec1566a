"""`bot.toml`: what makes a folder a bot in any language, or one that is asked over HTTP."""

import tomllib
from typing import Annotated

import msgspec
from msgspec import Meta

from engine.bots.over_http.address import Address, BadAddress, parse_address
from engine.support.sanitizing import one_line
from engine.support.text_decoding import decode_text

MANIFEST = "bot.toml"
MAX_BYTES = 16_384
"""The longest manifest, bytes."""
OWN_FILE_PREFIX = "./"
"""How the name of one of the bot's own files begins, where a runtime could stand."""
DEFAULT_IGNORED = ("target", "node_modules")
"""Folders that tools of authors make beside the sources."""

Word = Annotated[str, Meta(min_length=1, max_length=1_000)]
Command = Annotated[tuple[Word, ...], Meta(min_length=1, max_length=100)]
Text = Annotated[str, Meta(max_length=60)]


class BadManifest(Exception):
    """Why a manifest is not one, in a sentence for its author."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a bot's folder says of itself."""

    game: Word
    """The game that it plays: `slime_mind`."""
    name: Text
    run: Command = ()
    """The program: one of its own files (`./bot`) or a runtime (`node`), and its arguments."""
    url: Annotated[str, Meta(max_length=1_000)] = ""
    """Where the bot is asked over HTTP, in place of a program that is run here."""
    author: Text = ""
    version: Text = ""
    build: Command | None = None
    """The command that makes the program, a toolchain first; None if there is nothing to build."""
    threads: bool = False
    """Whether a program of its own has threads, as every one in Go has."""
    ignore: Annotated[tuple[Word, ...], Meta(max_length=100)] = DEFAULT_IGNORED
    """Files and folders at the top of the bot's folder that do not belong to it."""

    @property
    def address(self) -> Address | None:
        """Return where it is asked over HTTP; None for a program."""
        return parse_address(self.url) if self.url else None

    @property
    def own_program(self) -> str | None:
        """Return which of its own files it runs; None if it runs a runtime."""
        first = self.run[0]
        return first.removeprefix(OWN_FILE_PREFIX) if first.startswith(OWN_FILE_PREFIX) else None

    @property
    def language(self) -> str:
        """Return what it is written in, as far as the commands say so: the tool's name."""
        if self.url:
            return ""
        if self.own_program is None:
            return self.run[0]
        return "a program" if self.build is None else self.build[0]


def read_manifest(content: bytes) -> Manifest:
    """Raises: BadManifest, saying what is wrong with which line or field."""
    if len(content) > MAX_BYTES:
        raise BadManifest(f"{MANIFEST}: has {len(content)} bytes, and may have {MAX_BYTES}")
    try:
        fields = tomllib.loads(decode_text(content))
        manifest = msgspec.convert(fields, Manifest)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise BadManifest(one_line(f"{MANIFEST}: {error}")) from error
    _require_one_way_to_play(manifest)
    for name in ("run", "build"):
        _require_command(name, getattr(manifest, name))
    return manifest


def names_an_address(content: bytes) -> bool:
    """Return whether this is the manifest of a bot that is asked over HTTP."""
    try:
        return bool(read_manifest(content).url)
    except BadManifest:
        return False


def ignored_names(content: bytes | None) -> frozenset[str]:
    """Return what does not belong to a bot with this manifest; None: it has none."""
    if content is None:
        return frozenset()
    try:
        return frozenset(read_manifest(content).ignore)
    except BadManifest:
        return frozenset(DEFAULT_IGNORED)


def _require_one_way_to_play(manifest: Manifest) -> None:
    """Raises: BadManifest for a bot with a program and an address, or with neither."""
    if not manifest.url:
        if not manifest.run:
            raise BadManifest(f"{MANIFEST}: expected `run`, or `url` of a bot asked over HTTP")
        return
    for name in ("run", "build"):
        if getattr(manifest, name):
            raise BadManifest(f"{MANIFEST}: has url and {name}: a bot is asked there, or run here")
    try:
        parse_address(manifest.url)
    except BadAddress as error:
        raise BadManifest(one_line(f"{MANIFEST}: url: {error}")) from error


def _require_command(name: str, command: tuple[str, ...] | None) -> None:
    """Raises: BadManifest for a program that is neither an own file nor a bare name."""
    if not command:
        return
    first = command[0]
    if any("\0" in word for word in command):
        raise BadManifest(f"{MANIFEST}: {name} has a NUL in it")
    own = first.removeprefix(OWN_FILE_PREFIX)
    if first.startswith(OWN_FILE_PREFIX):
        parts = own.split("/")
        if name == "run" and all(part not in ("", ".", "..") for part in parts):
            return
        text = "expected a toolchain, such as 'cargo'" if name == "build" else "not a file's name"
    elif "/" not in first:
        return
    else:
        text = "expected './FILE' of the bot's folder, or the name of a runtime such as 'node'"
    raise BadManifest(one_line(f"{MANIFEST}: {name} begins with {first!r}: {text}"))
