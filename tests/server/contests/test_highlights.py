"""Which matches are worth watching."""

from typing import Any

import pytest
from msgspec.structs import replace

from runners.storage.database import now
from server.contests.match_rows import Match, Seat
from server.site.home_pages import UPSET_ELO, _choose_matches
from tests.runners.contests.fields import a_result

RATINGS = {"weak": 1500.0, "strong": 1500.0 + UPSET_ELO}


def a_match(number: int, first: float, second: float, turns: int = 100) -> Match:
    usual: dict[str, Any] = {"authors": frozenset(), "author": "", "number": 1, "digest": "0"}
    seats = tuple(Seat(bot=bot, name=bot, version=bot, **usual) for bot in RATINGS)
    result = replace(a_result("", (first, second)), turns=turns)
    about: dict[str, Any] = {"public_id": str(number), "ladder": "", "set_number": 1, "seed": 1}
    about |= {"key": "", "why": "", "is_void": False, "created_at": now(), "played_at": now()}
    return Match(id=number, seats=seats, result=result, **about)


def choose(*matches: Match) -> dict[str, int]:
    """Return the numbers of the matches that are chosen, the newest come first."""
    return {why: match.id for why, match in _choose_matches(matches, RATINGS)}


def test_of_each_kind_there_is_one() -> None:
    upset, close, long = a_match(1, 9, 0), a_match(2, 10, 11), a_match(3, 0, 9, turns=900)
    assert choose(a_match(5, 0, 9), a_match(4, 0, 8), long, close, upset) == {
        "an upset": 1,
        "the closest": 2,
        "the longest": 3,
        "the newest": 5,
    }


def test_the_favorite_is_no_upset_and_no_match_is_chosen_twice() -> None:
    assert choose(a_match(1, 0, 9)) == {"the closest": 1}
    assert choose() == {}


@pytest.mark.parametrize(("first", "second"), [(0, 0), (5, 5), (-1, 1)])
def test_draws_and_odd_scores_are_no_mistake(first: float, second: float) -> None:
    assert choose(a_match(1, first, second)) == {"the closest": 1}
