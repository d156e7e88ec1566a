"""Everything that decides a match, and its key."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from engine.errors import UnknownGame
from engine.games.slime_mind.settings import Settings
from engine.limits import Limits
from engine.spec import MatchSpec, decode_spec, encode_spec
from tests.cases import for_each

SPEC = MatchSpec(
    game="slime_mind",
    rules_version=1,
    settings=Settings(rows=20),
    limits=Limits(cpu_ms=70),
    bots=("digest of one", "digest of two"),
    seed=2**63,
)


def test_equal_specs_have_equal_keys() -> None:
    twin = msgspec.structs.replace(SPEC, settings=Settings(rows=20))
    assert (twin, twin.key) == (SPEC, SPEC.key)


def test_a_key_is_sixteen_hex_digits() -> None:
    assert len(SPEC.key) == 16
    assert int(SPEC.key, 16) >= 0


@for_each(
    "change",
    [
        {"game": "other"},
        {"rules_version": 2},
        {"settings": Settings(rows=21)},
        {"settings": Settings()},
        {"limits": Limits(cpu_ms=71)},
        {"limits": Limits()},
        {"bots": ("digest of two", "digest of one")},
        {"packages": ("scipy",)},
        {"publisher": "slime-four 1.0"},
        {"seed": 2**63 + 1},
        {"seed": 2**127},
    ],
)
def test_whatever_decides_a_match_changes_its_key(change: dict[str, Any]) -> None:
    assert msgspec.structs.replace(SPEC, **change).key != SPEC.key


class LaterSettings(Settings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings of a version to come."""

    wind: int = 0
    colors: dict[str, int] = msgspec.field(default_factory=dict)


class LaterLimits(Limits, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The limits of a version to come."""

    threads: int | None = None


class LaterSpec(MatchSpec, frozen=True, kw_only=True, dict=True):
    """The spec of a version to come."""

    handicap: tuple[int, ...] = ()


def of_later(
    settings: dict[str, Any] | None = None, limits: dict[str, Any] | None = None, **fields: Any
) -> LaterSpec:
    """The same match in a version to come, with more fields everywhere."""
    as_now = msgspec.structs.asdict(SPEC)
    changed = {
        "settings": LaterSettings(rows=20, **settings or {}),
        "limits": LaterLimits(cpu_ms=70, **limits or {}),
    }
    return LaterSpec(**{**as_now, **changed, **fields})


def test_fields_that_are_added_later_leave_a_key_as_it_was() -> None:
    assert of_later().key == SPEC.key
    assert LaterSpec(**msgspec.structs.asdict(SPEC)).key == SPEC.key


@pytest.mark.parametrize(
    "change",
    [
        {"settings": {"wind": 1}},
        {"settings": {"colors": {"red": 1}}},
        {"limits": {"threads": 4}},
        {"handicap": (1,)},
    ],
    ids=str,
)
def test_fields_that_are_added_later_change_a_key_where_they_are_used(
    change: dict[str, Any],
) -> None:
    assert of_later(**change).key != SPEC.key


def test_a_key_leaves_out_all_that_is_as_usual() -> None:
    """It is of the same bytes whatever else there is by then."""
    spelled = {
        "bots": ["digest of one", "digest of two"],
        "game": "slime_mind",
        "limits": {"cpu_ms": 70},
        "rules_version": 1,
        "seed": "0x00000000000000008000000000000000",
        "settings": {"rows": 20},
    }
    content = msgspec.json.encode(spelled, order="sorted")
    assert SPEC.key == sha256(content).hexdigest()[:16]


def test_a_spec_survives_the_wire_with_its_settings_typed() -> None:
    decoded = decode_spec(encode_spec(SPEC))
    assert (decoded, decoded.key) == (SPEC, SPEC.key)
    assert type(decoded.settings) is Settings


@pytest.mark.parametrize("seed", [0, 7, 2**53 - 1, 2**53, 2**64, 2**128 - 1])
def test_a_seed_is_written_as_text_and_read_exactly(seed: int) -> None:
    spec = msgspec.structs.replace(SPEC, seed=seed)
    content = encode_spec(spec)
    assert type(msgspec.json.decode(content)["seed"]) is str
    assert decode_spec(content) == spec


@pytest.mark.parametrize(
    ("seed", "message"),
    [
        (b'"-1"', "is not a seed"),
        (b'"0x1%s"' % (b"0" * 32), "is not a seed"),
        (b'"seven"', "is not a seed"),
        (b"7", "expected the seed as text, got 7: an older version wrote it"),
        (b"null", "expected the seed as text"),
    ],
)
def test_what_is_no_seed_is_refused(seed: bytes, message: str) -> None:
    written = b'"seed":"0x00000000000000008000000000000000"'
    content = encode_spec(SPEC)
    assert written in content
    with pytest.raises(msgspec.ValidationError, match=rf"{message}.*\$\.seed"):
        decode_spec(content.replace(written, b'"seed":' + seed))


def test_a_spec_without_a_seed_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError, match="missing required field `seed`"):
        decode_spec(b'{"game":"slime_mind","rules_version":1,"settings":{},"limits":{},"bots":[]}')


def test_a_spec_of_an_unknown_game_says_which_games_there_are() -> None:
    content = encode_spec(msgspec.structs.replace(SPEC, game="chess"))
    with pytest.raises(UnknownGame, match=r"no game is called 'chess'; there are: .*slime_mind"):
        decode_spec(content)


def test_settings_that_the_game_does_not_know_are_refused() -> None:
    content = encode_spec(msgspec.structs.replace(SPEC, settings={"wings": 2}))
    with pytest.raises(msgspec.ValidationError, match="wings"):
        decode_spec(content)
