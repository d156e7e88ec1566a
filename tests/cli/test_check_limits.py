"""What a check says of limits: of each call, and of the time for a whole match."""

from pathlib import Path

import click
import pytest
from msgspec.structs import replace

from cli.check import as_text
from engine.fault import Cause
from engine.referee import BotSeat
from runners.authoring import check as check_module
from runners.authoring.check import check
from runners.authoring.check_report import CheckReport, Playing
from runners.commands import commands_for
from runners.configuration import read_configuration
from runners.match_request import MatchRequest, RunOptions
from tests import needs
from tests.shell import BOT

SLEEPS = BOT.format("import time; time.sleep(0.02); return 'LEFT'")


def check_source(
    tmp_path: Path, source: str, *limits: str, turns: int = 4, match_s: float = 30.0
) -> CheckReport:
    """Return the report on a bot, of matches of 500 turns."""
    file = tmp_path / "player_checked.py"
    file.write_text(source, encoding="utf-8")
    request = MatchRequest(
        game="slime_mind",
        preset="small",
        settings=("max_turns=500",),
        limits=limits,
        run=RunOptions(out=tmp_path / "results"),
    )
    return check(request, str(file), read_configuration(), turns=turns, match_s=match_s)


def text_of(report: CheckReport) -> str:
    return click.unstyle(as_text(report, commands_for("main.py", Path("results"))))


@needs.path("/proc/self/schedstat")
def test_a_bot_whose_time_would_not_last_for_a_whole_match_is_not_fit(tmp_path: Path) -> None:
    report = check_source(tmp_path, SLEEPS, "bank_s=10")
    (problem,) = report.problems
    assert problem.cause is Cause.BANK_EMPTY
    assert "sleep included: its 10 s would be gone in turn " in problem.detail
    assert " of 500, and all later decisions lost" in problem.detail
    assert "do not sleep" in problem.fix
    assert not report.lost, "no decision is lost in so few turns"
    text = text_of(report)
    assert "FAIL  whole match    about " in text
    assert text.endswith("its time would be over before the match is")


def test_the_time_of_a_quick_bot_lasts(tmp_path: Path) -> None:
    report = check_source(tmp_path, BOT.format("return 'LEFT'"))
    assert report.is_fit
    assert report.warnings == ()
    match = report.matches[0]
    assert match.projected_s == pytest.approx(match.used_s * 500 / 4, abs=0.1)
    assert "ok    whole match    about " in text_of(report)


def test_a_match_that_was_cut_short_is_said_to_be(tmp_path: Path) -> None:
    report = check_source(tmp_path, BOT.format("return 'LEFT'"), turns=400, match_s=0.01)
    assert [match.is_cut_short for match in report.matches] == [True, True, True]
    assert "in the 8 seconds that a check plays" in text_of(report)


def test_what_is_over_a_limit_is_never_ok(tmp_path: Path) -> None:
    slow = "import time; end = time.process_time() + 0.04\n"
    slow += "        while time.process_time() < end: pass\n        "
    report = check_source(tmp_path, BOT.format(slow + "return 'UP'"), "cpu_ms=20")
    text = text_of(report)
    assert "FAIL  plays          it orders nothing that counts: it lost each of its" in text
    assert "FAIL  time           median " in text


def test_a_bot_that_loses_some_decisions_is_told_how_many_where_it_plays(tmp_path: Path) -> None:
    source = BOT.format("return 1 / 0 if self.board.turn == 2 else 'UP'")
    report = check_source(tmp_path, source)
    assert 0 < report.lost < report.decisions
    text = f"FAIL  plays          but loses {report.lost} of {report.decisions} decisions: as team"
    assert text in text_of(report)


def test_a_build_is_no_part_of_loading(tmp_path: Path) -> None:
    report = check_source(tmp_path, BOT.format("return 'LEFT'"), turns=1)
    built = replace(report, load_ms=30, build_ms=14_400)
    assert "ok    loads          in 30 of 5000 ms, after a build of 14.4 s" in text_of(built)


def test_a_build_takes_nothing_of_the_time_of_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def build_long(seat: BotSeat, playing: Playing) -> None:
        seat.start()
        playing.build_s = 60.0

    monkeypatch.setattr(check_module, "_start", build_long)
    report = check_source(tmp_path, BOT.format("return 'LEFT'"), turns=2, match_s=0.0)
    assert [match.is_cut_short for match in report.matches] == [False, False, False]
