"""Everything that decides a match, and the key made from it."""

from functools import cached_property
from hashlib import sha256
from typing import Any

import msgspec

from engine.bots.limits import Limits
from engine.catalogue import game_named

KEY_LETTERS = 16


class MatchSpec(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """Same spec, same match, with bots that use no clock and no entropy of the system.

    `bots` are content digests in seat order; `settings` is a struct of the game's type;
    `packages` are the third-party packages the bots may import.
    """

    game: str
    rules_version: int
    settings: Any
    limits: Limits
    bots: tuple[str, ...]
    packages: tuple[str, ...] = ()
    seed: int

    @cached_property
    def key(self) -> str:
        """Hex, the same for equal specs on every machine."""
        content = msgspec.json.encode(self, order="sorted")
        return sha256(content).hexdigest()[:KEY_LETTERS]


def decode_spec(content: bytes | msgspec.Raw) -> MatchSpec:
    """A spec from JSON, its settings decoded by the game's type.

    Raises: UnknownGame, msgspec.ValidationError.
    """
    spec = msgspec.json.decode(content, type=MatchSpec)
    settings = msgspec.convert(spec.settings, game_named(spec.game).settings)
    return msgspec.structs.replace(spec, settings=settings)
