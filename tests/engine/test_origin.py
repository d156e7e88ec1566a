"""Matches that go on from the middle of others: which seed belongs to which decision."""

import msgspec
import pytest

from engine.spec import Origin, begins_anew, origin_of, seed_at

FIRST = origin_of("a" * 64, 5, 1, None)
SECOND = origin_of("b" * 64, 8, 2, FIRST)


@pytest.mark.parametrize(
    ("origin", "step", "seed"),
    [
        (None, 0, 3),
        (None, 9, 3),
        (FIRST, 0, 1),
        (FIRST, 5, 1),
        (FIRST, 6, 3),
        (SECOND, 5, 1),
        (SECOND, 6, 2),
        (SECOND, 8, 2),
        (SECOND, 9, 3),
    ],
)
def test_the_decisions_that_were_taken_over_keep_their_seed(
    origin: Origin | None, step: int, seed: int
) -> None:
    assert seed_at(3, origin, step) == seed


def test_of_a_game_left_before_the_place_where_it_went_on_itself_its_own_seed_does_not_count() -> (
    None
):
    origin = origin_of("b" * 64, 3, 2, FIRST)
    assert [seed_at(9, origin, step) for step in (0, 3, 4)] == [1, 1, 9]


def test_chance_begins_anew_after_the_decisions_that_were_taken_over() -> None:
    assert [step for step in range(12) if begins_anew(SECOND, step)] == [6, 9]
    assert not begins_anew(None, 1)


@pytest.mark.parametrize("damage", [{"seed": "x"}, {"step": -1}])
def test_what_no_match_comes_from_is_refused(damage: dict[str, object]) -> None:
    fields = {"fingerprint": "a", "step": 1, "seed": "7", **damage}
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(fields, Origin)
