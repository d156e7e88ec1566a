"""Which matches are worth watching."""

import pytest

from engine.replays.writing import Contestant
from engine.result import cpu_use
from runners.storage.database import now
from runners.storage.store import StoredResult, StoredTeam
from server.contests.match_rows import Match, Seat
from server.site.front_page import UPSET_ELO, _choose_matches

RATINGS = {"weak": 1500.0, "strong": 1500.0 + UPSET_ELO}


def a_seat(bot: str) -> Seat:
    return Seat(
        bot=bot, name=bot, authors=frozenset(), author="", version=bot, number=1, digest="0"
    )


def a_match(number: int, first: float, second: float, turns: int = 100) -> Match:
    bot = Contestant(name="", digest="0")
    teams = [
        StoredTeam(
            bot=bot, score=score, faults={}, details={}, restarts=0, out=None, cpu=cpu_use(())
        )
        for score in (first, second)
    ]
    result = StoredResult(
        key="", winner=None, reason="", turns=turns, teams=tuple(teams), fingerprint=""
    )
    return Match(
        id=number,
        public_id=str(number),
        ladder="",
        set_number=1,
        seats=(a_seat("weak"), a_seat("strong")),
        seed=1,
        key="",
        result=result,
        why="",
        is_void=False,
        created_at=now(),
        played_at=now(),
    )


def choose(*matches: Match) -> dict[str, int]:
    """Return the numbers of the matches that are chosen, the newest come first."""
    return {why: match.id for why, match in _choose_matches(matches, RATINGS)}


def test_of_each_kind_there_is_one() -> None:
    upset = a_match(1, 9, 0)
    close = a_match(2, 10, 11)
    long = a_match(3, 0, 9, turns=900)
    newest = a_match(5, 0, 9)
    other = a_match(4, 0, 8)
    assert choose(newest, other, long, close, upset) == {
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
