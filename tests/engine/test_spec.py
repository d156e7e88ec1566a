"""Everything that decides a match, and its key."""

from typing import Any

import msgspec
import pytest

from engine.bots.limits import Limits
from engine.errors import UnknownGame
from engine.games.slime_mind.settings import Settings
from engine.spec import MatchSpec, decode_spec

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


@pytest.mark.parametrize(
    "change",
    [
        {"game": "other"},
        {"rules_version": 2},
        {"settings": Settings(rows=21)},
        {"limits": Limits(cpu_ms=71)},
        {"bots": ("digest of two", "digest of one")},
        {"packages": ("scipy",)},
        {"seed": 2**63 + 1},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_decides_a_match_changes_its_key(change: dict[str, Any]) -> None:
    assert msgspec.structs.replace(SPEC, **change).key != SPEC.key


def test_a_spec_survives_the_wire_with_its_settings_typed() -> None:
    decoded = decode_spec(msgspec.json.encode(SPEC))
    assert (decoded, decoded.key) == (SPEC, SPEC.key)
    assert type(decoded.settings) is Settings


def test_a_spec_of_an_unknown_game_says_which_games_there_are() -> None:
    content = msgspec.json.encode(msgspec.structs.replace(SPEC, game="chess"))
    with pytest.raises(UnknownGame, match=r"no game is called 'chess'; there are: .*slime_mind"):
        decode_spec(content)


def test_settings_that_the_game_does_not_know_are_refused() -> None:
    content = msgspec.json.encode(msgspec.structs.replace(SPEC, settings={"wings": 2}))
    with pytest.raises(msgspec.ValidationError, match="wings"):
        decode_spec(content)
