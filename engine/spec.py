"""Define everything that decides a match, also where it begins, and the key made from it.

Its first decisions are those of the other match, played with that one's seed, which is public by
then; what comes after them is played with a new seed.
"""

from functools import cache, cached_property
from hashlib import sha256
from typing import Any

import msgspec

from engine.catalog import find_game
from engine.limits import Limits
from engine.streams import parse_seed, seed_text

KEY_LETTERS = 16


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The match from which another one goes on."""

    fingerprint: str
    """The fingerprint of that match, as its result has it."""
    step: int
    """How many of its decisions were taken over."""
    seed: str
    """Its seed, as text."""
    origin: "Origin | None" = None
    """Where that match came from itself."""

    def __post_init__(self) -> None:
        """Raises: ValueError for what no match of ours comes from."""
        parse_seed(self.seed)
        if self.step < 0:
            raise ValueError(f"step {self.step}")


def origin_of(fingerprint: str, step: int, seed: int, before: Origin | None) -> Origin:
    """Return the origin of a match that goes on from a step of another one."""
    return Origin(fingerprint=fingerprint, step=step, seed=seed_text(seed), origin=before)


def seed_at(seed: int, origin: Origin | None, step: int) -> int:
    """Return the seed with which what follows from decision number `step` is played.

    `seed` is that of the match itself; what comes before the first decision belongs to step 0.
    """
    while origin is not None and step <= origin.step:
        seed, origin = parse_seed(origin.seed), origin.origin
    return seed


def begins_anew(origin: Origin | None, step: int) -> bool:
    """Return whether decision number `step` is the first one after those that were taken over."""
    while origin is not None:
        if step == origin.step + 1:
            return True
        origin = origin.origin
    return False


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
    origin: Origin | None = None
    """The match from whose middle this one goes on."""
    publisher: str = ""
    """The package that the game comes in, and its version; '' for a game of ours."""

    def __post_init__(self) -> None:
        """Raises: BadArgument for a seed of which no record could be read or verified again."""
        parse_seed(self.seed)

    @cached_property
    def key(self) -> str:
        """Return the match's key in hex: the same for equal specs on every machine, for ever.

        Fields that have their default are left out, so one that is added later leaves the keys
        of all matches before it as they were (docs/adding_a_game.md, "What may change later").
        """
        fields = {**_non_default_fields(self), "seed": seed_text(self.seed)}
        content = msgspec.json.encode(fields, order="sorted")
        return sha256(content).hexdigest()[:KEY_LETTERS]

    def to_fields(self) -> dict[str, object]:
        """Return the fields as files have them: the seed as text, which no JSON reader rounds."""
        fields = {**msgspec.structs.asdict(self), "seed": seed_text(self.seed)}
        for name in ("origin", "publisher"):
            if not fields[name]:
                del fields[name]
        return fields


def encode_spec(spec: MatchSpec) -> bytes:
    """Return a spec as JSON, with all its fields."""
    return msgspec.json.encode(spec.to_fields())


def decode_spec(content: bytes | msgspec.Raw) -> MatchSpec:
    """Return the spec that `encode_spec` wrote, its settings decoded by the game's type.

    Raises: UnknownGame, msgspec.ValidationError.
    """
    fields = msgspec.json.decode(content, type=dict[str, object])
    if "seed" in fields:
        fields["seed"] = _read_seed(fields["seed"])
    spec = msgspec.convert(fields, MatchSpec)
    settings = msgspec.convert(spec.settings, find_game(spec.game, spec.publisher).settings)
    return msgspec.structs.replace(spec, settings=settings)


def _read_seed(text: object) -> int:
    if not isinstance(text, str):
        raise msgspec.ValidationError(
            f"expected the seed as text, got {text!r:.60}: an older version wrote it - at `$.seed`"
        )
    try:
        return parse_seed(text)
    except ValueError as error:
        raise msgspec.ValidationError(f"{error} - at `$.seed`") from error


def _non_default_fields(value: msgspec.Struct) -> dict[str, object]:
    """Return the fields of a struct that have no default or another value than it."""
    fields = {
        field.encode_name: getattr(value, field.name)
        for field in _struct_fields(type(value))
        if field.required or getattr(value, field.name) != _field_default(field)
    }
    return {
        name: _non_default_fields(inner) if isinstance(inner, msgspec.Struct) else inner
        for name, inner in fields.items()
    }


@cache
def _struct_fields(kind: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    """Return the fields of a kind of struct: finding them takes long, and each key needs them."""
    return msgspec.structs.fields(kind)


def _field_default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
