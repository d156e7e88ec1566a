"""What bots lost over several matches, summed up."""

from pathlib import Path

import msgspec
import pytest

from engine.fault import Cause
from engine.result import TeamResult
from runners.lost_decisions import LossTally, LostDecisions, count_decisions, first_fault
from tests.cli.test_match_summary import a_team


def side(calls: int = 10, out: str | None = None, **faults: int) -> TeamResult:
    causes = {Cause[name.upper()]: count for name, count in faults.items()}
    team = a_team("ann")
    return msgspec.structs.replace(
        team,
        faults=causes,
        out=out,
        details={cause: f"first {cause}" for cause in causes},
        cpu=msgspec.structs.replace(team.cpu, calls=calls),
    )


@pytest.mark.parametrize(
    ("team", "decisions"),
    [
        (side(10), 10),
        (side(10, exception=10), 10),
        (side(10, exception=3, illegal=4), 10),
        (side(0, load_error=5), 5),
        (side(7, exit=5), 12),
        (side(0, exception=5), 5),
        (side(10, timeout=9, exception=1), 10),
        (side(100, timeout=90, out="timeout: no answer"), 190),
    ],
)
def test_a_call_that_raised_is_one_decision_and_one_that_never_came_is_one_more(
    team: TeamResult, decisions: int
) -> None:
    assert count_decisions(team) == decisions


def test_what_was_lost_is_summed_up_with_the_first_words_of_each_cause() -> None:
    tally = LossTally()
    tally.add("a", (0, 1), (side(9), side(10, exception=1)))
    tally.add("b", (1, 0), (side(10, exception=2, illegal=1), side(9)))
    assert tally.losses == (
        LostDecisions(
            bot=side().bot,
            player=1,
            lost=4,
            decisions=20,
            causes={Cause.EXCEPTION: 3, Cause.ILLEGAL: 1},
            details={Cause.EXCEPTION: "first exception", Cause.ILLEGAL: "first illegal order"},
            matches=2,
            played=2,
            key="a",
            team=2,
        ),
    )
    assert tally.hopeless is None


def test_a_bot_that_loses_nearly_all_is_known_after_it_had_both_sides() -> None:
    tally = LossTally()
    tally.add("a", (0, 1), (side(10), side(10, exception=10)))
    assert [lost.is_nearly_all for lost in tally.losses] == [False]
    tally.add("b", (1, 0), (side(10, exception=8), side(10)))
    assert [lost.is_nearly_all for lost in tally.losses] == [True]
    tally.add("c", (0, 1), (side(10), side(10)))
    assert tally.hopeless is None


def test_a_replay_that_is_not_there_names_no_fault(tmp_path: Path) -> None:
    assert first_fault(tmp_path / "replay.jsonl.gz", 1) is None
