"""What stays of a file when names, spaces and comments are changed: its likeness.

Sources of strangers are read in a confined child, as where they are parsed (engine/bots/parsing).
"""

import io
import token
import tokenize
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from keyword import iskeyword
from typing import Self

import msgspec

from engine.bots.confined_child import ConfinedChild
from engine.bots.finding import Packed
from engine.bots.own_files import SOURCE
from engine.bots.programs.manifest import MANIFEST
from engine.catalog import GAMES, game_named
from runners.authoring.new_bot import TEMPLATES
from runners.configuration import bundled_bots

FEWEST_TOKENS = 60
"""A shorter source is alike by chance: a bot that always does the same has about 30."""
FEWEST_BYTES = 200
"""The same of other files, without their spaces."""
MOST_FILES = 200
"""Files of a version that are looked at, in the order of their names."""
ANSWER_BYTES = 1_000
PASSED_OVER = {tokenize.ENCODING, tokenize.COMMENT, tokenize.NL, tokenize.ENDMARKER}
BEFORE_DOCSTRINGS = {None, token.NEWLINE, token.INDENT, token.DEDENT}


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of a file."""

    digest: str
    size: int
    """Tokens of Python's, else bytes without spaces."""
    fewest: int
    """What is smaller is not compared."""

    @property
    def counts(self) -> bool:
        """Return whether there is enough of it to be compared, and the project's own is not it."""
        return self.size >= self.fewest and self.digest not in own_digests()


class LikenessReader:
    """Reads files of strangers. A context, which holds a child."""

    def __init__(self) -> None:
        self._child: ConfinedChild | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def files_of(self, packed: Packed) -> Iterator[tuple[str, Likeness]]:
        """Yield the files of a bot that count, by name. Raises: EngineFailure."""
        for name in sorted(packed.files)[:MOST_FILES]:
            if name == MANIFEST:
                continue
            content = packed.files[name]
            found = self._of_source(content) if name.endswith(SOURCE) else of_text(content)
            if found.counts:
                yield name, found

    def _of_source(self, content: bytes) -> Likeness:
        self._child = self._child or ConfinedChild(_answer, most_bytes=ANSWER_BYTES)
        try:
            return msgspec.json.decode(self._child.ask(content), type=Likeness)
        except (TimeoutError, EOFError, msgspec.MsgspecError):  # it was too much for the child
            self._end()
            return of_text(content)

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()


def of_text(content: bytes) -> Likeness:
    """Return the likeness of a file of any language: all of it but its spaces."""
    text = b"".join(content.split())
    return Likeness(digest=sha256(text).hexdigest(), size=len(text), fewest=FEWEST_BYTES)


def of_source(content: bytes) -> Likeness:
    """Return the likeness of a Python source: its tokens, with numbers in place of names."""
    try:
        found = [
            one
            for one in tokenize.tokenize(io.BytesIO(content).readline)
            if one.type not in PASSED_OVER
        ]
    except (SyntaxError, tokenize.TokenError, UnicodeError):
        return of_text(content)
    names: dict[str, int] = {}
    digest, size = sha256(), 0
    for kind, text in _without_docstrings(found):
        kept = _kept(kind, text, names)
        digest.update(f"{kind} {len(kept)} {kept}\n".encode())
        size += 1
    return Likeness(digest=digest.hexdigest(), size=size, fewest=FEWEST_TOKENS)


def _kept(kind: int, text: str, names: dict[str, int]) -> str:
    """Return what is compared of a token: of a name its number, in the order in which they come."""
    if kind == token.NAME and not iskeyword(text):
        return str(names.setdefault(text, len(names)))
    # How lines are indented, and how they end, says nothing.
    return "" if kind in (token.NEWLINE, token.INDENT, token.DEDENT) else text


def _without_docstrings(found: list[tokenize.TokenInfo]) -> Iterator[tuple[int, str]]:
    before: int | None = None
    is_after_docstring = False
    for one, after in zip(found, [*found[1:], None], strict=True):
        is_line = before in BEFORE_DOCSTRINGS and after is not None and after.type == token.NEWLINE
        if one.type == token.STRING and is_line:
            is_after_docstring = True
            continue
        if not is_after_docstring:
            yield one.type, one.string
            before = one.type
        is_after_docstring = False


@cache
def own_digests() -> frozenset[str]:
    """Return the likenesses of the project's own bots and templates: whoever uses them may."""
    folders = {TEMPLATES, *(bundled_bots(game_named(name)) for name in GAMES)}
    return frozenset(
        of_source(path.read_bytes()).digest
        for folder in folders
        for path in folder.rglob(f"*{SOURCE}")
    )


def _answer(content: bytes) -> bytes:
    return msgspec.json.encode(of_source(content))
