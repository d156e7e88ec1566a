"""What `versus` and `tune` answer and refuse, without a match."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cli.fault_lines import CANNOT_PLAY, FaultPlaces
from cli.options import MatchOptions
from cli.store_options import StoreOptions
from cli.tune import parse_parameter
from cli.versus import (
    VersusQuestion,
    answer_text,
    exit_code,
    opening_line,
    progress_line,
    resolving_players,
    with_quick_preset,
)
from engine.catalog import GAMES, find_game
from engine.errors import UsageError
from engine.replays.writing import Contestant
from runners.commands import Commands
from runners.configuration import preset_names
from runners.lost_decisions import LostDecisions
from runners.match_request import MatchRequest
from runners.questions.versus import Answer
from runners.statistics.sequential import SHARES, Pair, SequentialTest, Verdict
from tests.cases import for_each
from tests.cli.authors import Author, read_error

TEST = SequentialTest()
NOBODY: Any = None
"""Options that are not looked at."""


def an_answer(counts: tuple[int, ...], **changes: Any) -> Answer:
    """Return the answer after so many pairs with 0, 1/2, 1, 3/2 and 2 points."""
    ann, ben = (Contestant(name=name, digest=name) for name in ("ann", "ben"))
    shares = [share for share, count in zip(SHARES, counts, strict=True) for _ in range(count)]
    answer = Answer(
        players=(ann, ben),
        seed="5",
        secret=None,
        assessment=TEST.run(map(Pair, shares)),
        matches=2 * sum(counts),
        distinct=2 * sum(counts),
        keys=(),
    )
    return replace(answer, **changes)


def verdict_text(answer: Answer) -> str:
    places = FaultPlaces(commands=Commands(), game="slime_mind")
    return answer_text(answer, places)


@pytest.mark.parametrize(
    ("counts", "verdict", "code"),
    [
        ((0, 0, 0, 0, 400), Verdict.BETTER, 0),
        ((400, 0, 0, 0, 0), Verdict.WORSE, 3),
        ((0, 0, 400, 0, 0), Verdict.NO_BETTER, 3),
        ((1, 0, 1, 0, 1), Verdict.UNDECIDED, 4),
    ],
)
def test_the_exit_code_is_the_verdict(counts: tuple[int, ...], verdict: Verdict, code: int) -> None:
    answer = an_answer(counts)
    assert (answer.assessment.verdict, exit_code(answer)) == (verdict, code)


def test_there_is_no_verdict_on_a_bot_that_cannot_play() -> None:
    lost = LostDecisions(
        bot=Contestant(name="ben", digest="ben"),
        player=2,
        lost=9,
        decisions=9,
        causes={},
        details={},
        matches=2,
        played=2,
        key="k",
        team=1,
    )
    answer = an_answer((0, 0, 0, 0, 400), hopeless=lost)
    assert exit_code(answer) == CANNOT_PLAY


def test_pairs_are_counted_by_how_they_ended() -> None:
    assert "  pairs  1 of 0:2, 2 of 0.5:1.5, 3 of 1:1, 4 of 1.5:0.5, 5 of 2:0\n" in verdict_text(
        an_answer((1, 2, 3, 4, 5))
    )


def test_more_pairs_are_offered_where_the_test_is_not_decided() -> None:
    answer = an_answer((1, 0, 1, 0, 1))
    assert verdict_text(answer).endswith("more pairs may decide it: --max-pairs 6")
    again = replace(answer.assessment, repeated=2)
    assert verdict_text(replace(answer, assessment=again)).endswith(" decide it: --max-pairs 10")
    for counts in ((0, 0, 0, 0, 400), (400, 0, 0, 0, 0), (0, 0, 0, 0, 0)):
        assert "--max-pairs" not in verdict_text(an_answer(counts))


def test_those_who_play_the_same_games_again_are_told_so_and_offered_no_more_pairs() -> None:
    same = TEST.run([Pair(1.0, ("a", "b"))] * 100)
    text = verdict_text(an_answer((0, 0, 0, 0, 1), assessment=same, matches=22, distinct=2))
    assert text.startswith("ann against ben: 11 side-swapped pairs, 22 matches, 2 distinct games\n")
    assert "  again  10 pairs of games that were seen before: not counted\n" in text
    assert text.endswith("; they play the same 2 games again and again")


def test_both_tests_and_the_chance_are_shown() -> None:
    assert verdict_text(an_answer((0, 0, 0, 0, 9))).splitlines()[3:6] == [
        "  lead   at least +38 Elo, 99.9 % likely better",
        "  bets   89.7 on better, 0.112 on worse (80 wins)",
        "  LLR    +0.47 (-3.66: not better by 20 Elo, +3.66: better)",
    ]


ASKED = VersusQuestion(store=NOBODY, players=("ann", "ben"), test=TEST, most=1_000)


def test_before_the_first_match_it_is_said_how_many_are_likely() -> None:
    assert opening_line(ASKED, ("ann", "ben")) == (
        "is ann better than ben? 18 matches if one wins all of them, about 144 with a lead of "
        "100 Elo, at most 2000; the first one is timed"
    )
    assert ", about 60 with a lead of 100 Elo, at most 60; " in opening_line(
        replace(ASKED, most=30), ("ann", "ben")
    )


@for_each(
    "counts, pair_s, line",
    [
        ((0, 0, 0, 0, 4), None, "8:0, at least -162 Elo, 96 % likely better"),
        ((0, 0, 0, 0, 4), 30.0, "8:0, at least -162 Elo, 96 % likely better, 2.5 minutes left"),
        ((4, 0, 0, 0, 0), 3.0, "0:8, at most +162 Elo, 4 % likely better, 15 seconds left"),
        ((1, 0, 2, 0, 5), None, "12:4, +191 Elo (-146 to +634), 93 % likely better"),
        (
            (0, 0, 9, 0, 0),
            60.0,
            "9:9, +0 Elo (-166 to +166), 50 % likely better, 75.0 minutes left",
        ),
    ],
)
def test_the_line_says_score_interval_chance_and_what_is_left(
    counts: tuple[int, ...], pair_s: float | None, line: str
) -> None:
    assert progress_line(ASKED, an_answer(counts).assessment, pair_s) == line


@for_each(
    "game, changes, preset",
    [
        ("game_of_death", {}, "small"),
        ("smack", {}, "quick"),
        ("smac", {}, None),
        ("slime_mind", {}, None),
        ("smack", {"preset": "standard"}, "standard"),
        ("smack", {"settings": ("ply_limit=9",)}, None),
    ],
)
def test_slow_games_begin_with_the_preset_that_they_name_unless_settings_are_chosen(
    game: str, changes: Any, preset: str | None, capsys: Any
) -> None:
    request = MatchRequest(game=game, **changes)
    options = StoreOptions(match=MatchOptions(request=request))
    assert with_quick_preset(options).match.request.preset == preset
    is_said = "(--preset standard)" in capsys.readouterr().err
    assert is_said == (preset in ("small", "quick"))


def test_the_presets_that_games_name_are_there() -> None:
    for name in GAMES:
        assert find_game(name).quick_preset in (None, *preset_names(name))


@pytest.mark.parametrize(
    ("named", "new", "old"),
    [
        (("ann", None), None, None),
        ((None, None), None, None),
        ((None, None), "ann", None),
        ((None, None), None, "HEAD"),
        (("ann", None), "ann", "HEAD"),
        (("ann", "ben"), None, "HEAD"),
    ],
)
def test_two_bots_are_named_or_one_and_a_version_of_it(
    named: tuple[str | None, str | None], new: str | None, old: str | None
) -> None:
    with pytest.raises(UsageError, match=r"versus A B|without A and B"):
        resolving_players(NOBODY, named, new, old).__enter__()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("reach", "expected NAME=LOW..HIGH"),
        ("reach=8..1", "8 is not below 1"),
        ("reach=3..3", "3 is not below 3"),
        ("reach=4..8", "the bot's own value, 3, is not in that range"),
        ("reach=0..2", "the bot's own value, 3, is not in that range"),
        ("reach=a..8", "'a' is not a number"),
        ("raech=1..8", "there are: reach, speed; did you mean 'reach'"),
    ],
)
def test_a_range_that_cannot_be_tuned_is_refused(text: str, why: str) -> None:
    with pytest.raises(UsageError, match=r"^--param ") as refused:
        parse_parameter(text, {"reach": 3, "speed": 0.5})
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("text", "is_whole"), [("reach=1..8", True), ("reach=0.5..8", False), ("speed=0..1", False)]
)
def test_whole_numbers_stay_whole_within_whole_limits(text: str, is_whole: bool) -> None:
    assert parse_parameter(text, {"reach": 3, "speed": 0.5}).is_whole == is_whole


def test_a_parameter_has_one_range(author: Author) -> None:
    author.bot("player_mine.py", 'PARAMS = {"reach": 3}\n')
    arguments = ("--param", "reach=1..8", "--param", "reach=0..4")
    done = author.run("tune", "player_mine", *arguments)
    assert read_error(done) == "--param: a parameter has two ranges; give each of them one"
    assert not Path(author.home / "results").exists()
