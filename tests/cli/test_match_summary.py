"""Results in words."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cli.fault_lines import FaultPlaces
from cli.info import bots_table, sandbox_table
from cli.logs import bot_logs, fold_tracebacks
from cli.match_summary import as_json, match_summary
from engine.bots.finding import Bot
from engine.bots.log_reading import TRACEBACK
from engine.bots.sandbox import Layer, Level
from engine.fault import Cause
from engine.limits import Limits
from engine.replays.writing import Contestant
from engine.result import CpuUse, MatchResult, Protection, TeamResult
from engine.spec import MatchSpec
from runners.commands import Commands
from tests.runners.playing import GAME, TINY

PLACES = FaultPlaces(commands=Commands(), game="slime_mind")
CPU = CpuUse(calls=1200, median_us=14, p95_us=950, max_us=50_100, total_ms=7540)


def a_team(name: str, **fields: Any) -> TeamResult:
    bot = Contestant(name=name, digest="0" * 16, **fields.pop("said", {}))
    defaults: dict[str, Any] = {
        "bot": bot,
        "score": 12.5,
        "left": "2 slimes: 2 of level 3",
        "faults": {},
        "details": {},
        "restarts": 0,
        "out": None,
        "cpu": CPU,
    }
    return TeamResult(**{**defaults, **fields})


def a_result(*teams: TeamResult, **fields: Any) -> MatchResult:
    spec = MatchSpec(
        game=GAME.name,
        rules_version=1,
        settings=TINY,
        limits=Limits(),
        bots=tuple(team.bot.digest for team in teams),
        seed=7,
    )
    defaults: dict[str, Any] = {
        "key": "3f9a",
        "spec": spec,
        "winner": 1,
        "reason": "last turn",
        "turns": 300,
        "teams": teams,
        "fingerprint": "f",
        "wall_ms": 300,
        "cpu_ms": 250,
        "sandbox": Protection(level=Level.DEFAULT, layers=(), failings={}),
        "folder": "results/matches/3f9a",
        "replay": "results/matches/3f9a/replay.jsonl.gz",
    }
    return MatchResult(**{**defaults, **fields})


def test_a_match_is_summed_up_with_all_there_is_to_know() -> None:
    ann = a_team("player_ann", said={"title": "Ann's", "version": "1.0", "author": "Ann"})
    bad = a_team(
        "bad",
        score=1.0,
        left="no slimes",
        faults={Cause.EXIT: 4, Cause.OUT: 146},
        details={Cause.EXIT: "process ended itself with exit code 3", Cause.OUT: "exit: again"},
        restarts=3,
        cpu=msgspec.structs.replace(CPU, calls=0),
    )
    assert (
        match_summary(a_result(ann, bad), PLACES, is_verbose=True)
        == """\
Ann's won, 12.5 to 1.0: last turn, in turn 300

  team 1  Ann's (player_ann) 1.0 by Ann       12.5  winner
  team 2  bad                                  1.0

  remaining  Ann's: 2 slimes: 2 of level 3
             bad: no slimes
  faults     bad: 150 forfeited turns (4 exit, 146 out of the match); restarted 3 times
               exit: process ended itself with exit code 3
               out of the match: exit: again
  cpu        Ann's: p95 950 µs, max 50 ms, median 14 µs; 1200 calls, 7.54 s
             bad: no call returned
  match      3f9a, seed 7

play it again:  python3 main.py --match 3f9a
bots' logs in:  results/matches/3f9a
watch it:       python3 replay.py results/matches/3f9a/replay.jsonl.gz"""
    )


def test_a_draw_is_marked_on_both_sides() -> None:
    text = match_summary(a_result(a_team("a"), a_team("b"), winner=None), PLACES)
    assert text.count("  draw\n") == 2
    assert "winner" not in text


def test_each_try_that_was_void_is_named_with_its_reason() -> None:
    tries = ("ann waited for a processor for most of 51 s: the machine is overloaded", "bob waited")
    result = a_result(a_team("ann"), a_team("bob"), void_tries=tries)
    assert [line for line in match_summary(result, PLACES).splitlines() if "void" in line] == [
        f"  void       try 1: {tries[0]}; all was played again",
        "  void       try 2: bob waited; all was played again",
    ]


def test_of_more_than_two_everybodys_place_is_told() -> None:
    teams = [a_team(name, score=score) for name, score in zip("abcd", (3, 9, 1, 3), strict=True)]
    lines = match_summary(a_result(*teams, winner=2), PLACES).splitlines()
    assert [line.split()[3:] for line in lines[2:6]] == [
        ["3", "place", "2"],
        ["9", "winner"],
        ["1", "place", "4"],
        ["3", "place", "2"],
    ]


def test_only_the_best_of_many_share_a_draw() -> None:
    teams = [a_team(name, score=score) for name, score in zip("abc", (9, 1, 9), strict=True)]
    text = match_summary(a_result(*teams, winner=None), PLACES)
    assert text.count("  draw\n") == 2
    assert "1  place 3" in text


def test_a_bot_against_itself_is_told_apart_by_team() -> None:
    text = match_summary(a_result(a_team("a"), a_team("a")), PLACES)
    assert "a (1): 2 slimes" in text
    assert "a (2): 2 slimes" in text


def test_one_of_something_is_no_plural() -> None:
    team = a_team("a", faults={Cause.TIMEOUT: 1}, restarts=1)
    assert "a: 1 forfeited turn (1 timeout); restarted once" in match_summary(
        a_result(team, a_team("b")), PLACES
    )


def test_a_match_without_replay_offers_none_to_watch() -> None:
    assert "watch" not in match_summary(a_result(a_team("a"), a_team("b"), replay=None), PLACES)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        ("f", "  again      identical to the first playing, which stays the result\n"),
        ("e", "  again      differs from the first playing, which stays the result: a bot"),
    ],
)
def test_a_later_playing_is_compared_with_the_first(first: str, message: str) -> None:
    result = a_result(a_team("a"), a_team("b"), first_fingerprint=first)
    assert message in match_summary(result, PLACES)
    assert "again   " not in match_summary(a_result(a_team("a"), a_team("b")), PLACES)


def test_what_nobody_judged_is_told_apart_and_offers_no_match_to_play_again() -> None:
    result = a_result(
        a_team("a", faults={Cause.TIMEOUT: 1}),
        a_team("b"),
        in_process=True,
        folder="results/in-process/3f9a",
    )
    text = match_summary(result, PLACES)
    assert "  unrated    played in process, stored separately in results/in-process/3f9a\n" in text
    assert "--match" not in text
    assert "bots' logs" not in text


def test_a_result_survives_as_json() -> None:
    result = a_result(a_team("a", faults={Cause.TIMEOUT: 1}), a_team("b"))
    saved = msgspec.json.decode(as_json(result), type=MatchResult)
    assert saved.teams == result.teams
    assert "\n" not in as_json(result)


def test_bots_are_listed_with_what_they_say_of_themselves() -> None:
    bots = [
        Bot(name="player_base", path=Path("player_base.py"), digest="0" * 16),
        Bot(
            name="player_x",
            path=Path("player_x.py"),
            digest="1" * 16,
            title="X",
            version="2",
            author="Ann",
            needs=("torch", "jax"),
        ),
        Bot(name="player_y", path=Path("player_\x1by.py"), digest="", flaw="no good"),
    ]
    assert (
        bots_table(Path("playerCode"), bots)
        == """\
bots in playerCode:
  player_base.py  0000000000000000  the template: copy it
  player_x.py     1111111111111111  X, 2, by Ann, needs torch, jax
  player_ y.py                      NOT A VALID BOT: no good"""
    )


def test_logs_are_shown_with_their_names(tmp_path: Path) -> None:
    for name in ("1-a.log", "2-b.log"):
        (tmp_path / name).write_text("fine\n")
    result = a_result(a_team("a"), a_team("b"), folder=str(tmp_path))
    shown = [f"==> {tmp_path / name} <==\nfine\n" for name in ("1-a.log", "2-b.log")]
    assert bot_logs(result) == "\n".join(shown)


def test_without_a_log_it_is_said_that_nothing_was_printed(tmp_path: Path) -> None:
    result = a_result(a_team("a"), a_team("b"), folder=str(tmp_path))
    assert bot_logs(result) == "the bots printed nothing"


def test_a_traceback_in_a_log_is_shown_once_and_then_counted() -> None:
    trace = f"{TRACEBACK}  File 'player_x', line 3\nValueError: oops\n"
    other = trace.replace("oops", "no")
    log = f"--- turn 1, slime 1\nhello\n{trace}" + "".join(
        f"--- turn {turn}, slime 1\n{words}"
        for turn, words in enumerate((trace, other, trace, other, "hello\n" + trace, trace), 2)
    )
    assert fold_tracebacks(log) == (
        f"--- turn 1, slime 1\nhello\n{trace}"
        "[a traceback as above repeated once, the last one in: turn 2, slime 1]\n"
        f"--- turn 3, slime 1\n{other}"
        "[a traceback as above repeated 2 times, the last one in: turn 5, slime 1]\n"
        "--- turn 6, slime 1\nhello\n"
        "[a traceback as above repeated 2 times, the last one in: turn 7, slime 1]\n"
    )


def test_a_log_without_tracebacks_is_shown_as_it_is() -> None:
    log = "loading\n--- turn 1, slime 1\nI am 1\n--- turn 2, slime 1\nI am 1\n"
    assert fold_tracebacks(log) == log


def test_what_does_not_hold_bots_back_is_told_with_the_reason() -> None:
    lines = sandbox_table(
        {Layer.FILES: "no Landlock"}, {Level.BWRAP: "no bubblewrap", Level.CGROUP: ""}
    ).splitlines()
    beginnings = [" ".join(line.split()[:5]) for line in lines]
    assert [line for line in beginnings if "hold" in line or "because" in line] == [
        *("process holds it ends with", "limits holds memory, CPU, open"),
        *("files does not hold it", "because: no Landlock; a bot"),
        *("calls holds no processes, threads,", "--sandbox bwrap does not hold"),
        *("because: no bubblewrap", "--sandbox cgroup holds a cgroup"),
    ]


@pytest.mark.parametrize("as_root", [False, True])
def test_a_sandbox_that_is_off_is_told_of(as_root: bool) -> None:
    off = Protection(level=Level.OFF, layers=(), failings={}, as_root=as_root)
    result = a_result(a_team("ann"), a_team("bob"), sandbox=off)
    summary = match_summary(result, PLACES)
    assert "sandbox    off: the bots ran " in summary
    assert ("as root" in summary) == as_root
    assert json.loads(as_json(result))["sandbox"]["level"] == "off"
    assert json.loads(as_json(result))["sandbox"]["as_root"] is as_root


def test_bots_that_ran_as_root_are_told_of() -> None:
    root = Protection(level=Level.DEFAULT, layers=tuple(Layer), failings={}, as_root=True)
    summary = match_summary(a_result(a_team("ann"), a_team("bob"), sandbox=root), PLACES)
    assert "sandbox    the bots ran as root" in summary
    confined = msgspec.structs.replace(root, as_root=False)
    summary = match_summary(a_result(a_team("ann"), a_team("bob"), sandbox=confined), PLACES)
    assert "sandbox" not in summary


def test_words_of_a_recorded_match_are_printed_in_their_lines_and_reach_no_terminal() -> None:
    team = a_team("ann\x1b[2J\u202e\u200b" + "e" + "\u0301" * 500, left="\x9b31m")
    summary = match_summary(a_result(team, a_team("bob")), PLACES)
    assert all(line.isprintable() for line in summary.split("\n"))
    assert "\u0301" * 5 not in summary


@pytest.mark.parametrize("level", [Level.DEFAULT, Level.BWRAP, Level.CGROUP])
def test_a_sandbox_with_gaps_is_told_of(level: Level) -> None:
    gaps = Protection(level=level, layers=(), failings={Layer.FILES: "no Landlock"})
    summary = match_summary(a_result(a_team("ann"), a_team("bob"), sandbox=gaps), PLACES)
    assert "sandbox    incomplete: a bot could read and change your files" in summary
