"""Tournaments from the command line, as an organizer plays them."""

import json
import os
import re
import shutil
import signal
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from cli.command_line import config_name
from cli.main import cli
from cli.options import NO_DEFAULTS, NOT_FOR_TOURNAMENTS, Runner
from tests import needs
from tests.shell import (
    ALONE,
    BITER,
    BOT,
    BREAKS_IN_MATCHES,
    FLIES_LATER,
    QUICK,
    SLEEPER,
    WALKER,
    Done,
    Shell,
    eventually,
    finish,
)
from tests.terminals import Terminal, python

TINY = (*QUICK, "--no-replay")
KEY = "[0-9a-f]{16}"
SLOW = ("--preset", "small", "--set", "max_turns=20", "--no-replay", "-j", "1")
"""Bots with sleepers among them, so that something can happen meanwhile."""
BRIEF = (*SLOW, "--set", "max_turns=6")


def slow(*values: object) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


NAMES = ("ann", "bob", "cid")
SHELL_BOTS = {f"player_{name}.py": f"{WALKER}# {name}\n" for name in NAMES}
SHELL_PLAYS_HERE = True


@pytest.fixture
def slow_shell(shell: Shell) -> Shell:
    for name in NAMES:
        shell.bot(f"player_{name}.py", f"{SLEEPER}# {name}\n")
    return shell


def tournament(shell: Shell, *arguments: str) -> Done:
    return shell.run("-r", "tournament", "--no-report", *ALONE, *arguments)


def lines(done: Done) -> list[dict[str, Any]]:
    """Return the lines that --json printed."""
    assert (done.code, done.err) == (0, "")
    return [json.loads(line) for line in done.out.splitlines()]


def standings(shell: Shell, *arguments: str) -> Any:
    return shell.json("report", "--standings", *arguments)


def pairings(shell: Shell, *arguments: str) -> list[set[str]]:
    """Return who met whom in the matches that a command plays."""
    played = lines(tournament(shell, *arguments, "--json"))
    return [{team["bot"].removeprefix("player_") for team in match["teams"]} for match in played]


# -- playing ---------------------------------------------------------------------------------


def test_all_bots_but_the_template_meet_in_mirrored_pairs(shell: Shell) -> None:
    shell.plays_here = False
    shell.bot("player_base.py", WALKER)
    shell.bot("player_torn.py", "no Python")
    done = tournament(shell, *TINY, "--seed", "7")
    assert done.code == 0
    heading = "tournament 'tournament': round_robin, 3 bots, seed 7\n6 matches played, over\n"
    verbose = shell.run("report", "--standings", "-v").out
    assert re.match(rf"{heading}maps follow from secret 0x[0-9a-f]{{32}}\n\n", verbose)
    assert done.out.startswith(heading.replace(", seed 7", ""))
    headings = " ".join(done.out.splitlines()[3].split())
    assert headings == "rank bot points W-D-L Elo (95 %) mean score"
    assert len(re.findall(r"^ +[123]  player_(?:ann|bob|cid) ", done.out, re.MULTILINE)) == 3
    assert "show it again: python3 main.py report --standings tournament\n" in done.out
    assert done.err == (
        f"cannot play: player_torn ({shell.home / 'playerCode/player_torn.py'})\n"
        "    syntax error: player_torn, line 1: invalid syntax\n"
        "        1 | no Python\n"
        "    what to do: correct that line, or what is left open before it\n"
        "left out: player_base, it is the template\n"
    )
    log = (shell.home / "results/tournament/log.txt").read_text()
    assert len(re.findall(r"^[-0-9]+ [:0-9]+  round \d: player_", log, re.MULTILINE)) == 6
    assert heading in log


def test_bots_may_stand_before_and_behind_options(shell: Shell) -> None:
    elsewhere = shell.bot("elsewhere/dan.py", WALKER)
    met = pairings(shell, "player_ann", *TINY, "--format=gauntlet", "player_bob.py", str(elsewhere))
    assert sorted(map(sorted, met)) == 2 * [["ann", "bob"]] + 2 * [["ann", "dan"]]


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    ("arguments", "matches"),
    [
        (["--format", "round_robin", "--pairs", "2"], 12),
        (["--format", "double_elimination"], 8),
        slow(["--format", "swiss", "--rounds", "1"], 2),
        slow(["--format", "single_elimination"], 4),
        slow(["--format", "gauntlet"], 4),
        slow(["--format", "ladder", "--rounds", "2"], 4),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_every_format_plays_what_its_dry_run_foretells(
    shell: Shell, arguments: list[str], matches: int
) -> None:
    foretold = tournament(shell, *TINY, *arguments, "--dry-run")
    assert f"\n  matches  {matches}" in foretold.out
    assert not (shell.home / "results").exists()
    done = tournament(shell, *TINY, *arguments)
    assert done.code == 0
    assert standings(shell)["is_over"]


def test_a_dry_run_tells_time_and_disk(shell: Shell) -> None:
    output = tournament(shell, *TINY, "--dry-run", "-j", "2").out
    assert re.search(r"\n  time     about \d+ seconds, 2 matches at a time\n", output)
    assert re.search(r"\n  disk     about \d+ KB\n", output)
    assert re.search(r"\njudged by \d matches of the beginning: [0-9.]+ s and \d KB each\n", output)


def test_json_is_a_line_for_each_match_and_nothing_else(shell: Shell) -> None:
    shell.bot("player_bob.py", FLIES_LATER)
    played = lines(tournament(shell, "player_ann", "player_bob", *QUICK, "--json"))
    assert [match["round"] for match in played] == ["round 1"] * 2
    for match in played:
        by_name = {team["bot"]: team for team in match["teams"]}
        assert by_name["player_bob"]["faults"] == {"illegal order": 4}
        assert (shell.home / match["replay"]).exists()
        assert shell.run("--match", match["key"]).code == 0


def test_the_first_fault_of_each_cause_is_told_once_for_each_bot(shell: Shell) -> None:
    shell.bot("player_bob.py", FLIES_LATER)
    shell.bot("player_cid.py", FLIES_LATER.replace("FLY", "F\\x1b[2J"))
    done = tournament(shell, *TINY)
    message = r"^player_(...): illegal order: '.*' is not a valid command.* \(match [0-9a-f]{16}\)$"
    assert sorted(re.findall(message, done.err, re.MULTILINE)) == ["bob", "cid"]
    assert re.search(r"\n  player_bob: 16 forfeited turns \(16 illegal order\)\n", done.out)
    assert "\x1b" not in done.out + done.err


@pytest.mark.slow
def test_a_quiet_run_shows_the_table_alone(shell: Shell) -> None:
    shell.bot("player_bob.py", FLIES_LATER)
    done = tournament(shell, *TINY, "-q")
    assert done.err == ""
    assert done.out.startswith("tournament 'tournament': ")


BROKEN = {
    "syntax": ("class Player(", "syntax error"),
    "start": ("import nowhere", "import error"),
    "strange": ("class Player:\n    pass\n", "wrong type"),
    "method": (WALKER.replace("(self, slime)", "(self)"), "wrong method"),
    "crash": (BOT.format("import os; os._exit(3)"), "exit"),
    "hang": (BOT.format("while True: pass"), "timeout"),
    "fly": (BOT.format("return 'FLY'"), "illegal order"),
    "eat": (BOT.format("self.eaten = bytearray(10**12); return 'LEFT'"), "out of memory"),
}


def test_a_folder_hides_none_of_its_broken_bots(shell: Shell) -> None:
    shell.plays_here = False  # one ends its process
    for name in ("fine", "sound"):
        shell.bot(f"elsewhere/player_{name}.py", f"{WALKER}# {name}\n")
    shell.bot("elsewhere/player_unfinished.py", "class Player(")
    shell.bot("elsewhere/player_ends.py", "import os; os._exit(3)\n")
    done = tournament(shell, "elsewhere", *TINY)
    assert done.code == 0
    for name, cause in {"unfinished": "syntax error", "ends": "exit"}.items():
        assert re.search(rf"^  player_{name} does not play: {cause}: ", done.out, re.MULTILINE)
    assert len(standings(shell)["left_out"]) == 2


@pytest.mark.parametrize(
    "arguments", [("-r", "tournament"), slow(("fairness",))], ids=lambda arguments: arguments[0]
)
def test_bots_without_a_sandbox_are_told_of_in_the_summary(
    shell: Shell, arguments: tuple[str, ...]
) -> None:
    bots = [str(shell.bot(f"elsewhere/{name}.py", WALKER)) for name in ("ann_b", "bob_b")]
    done = shell.run(*arguments, *bots, "--sandbox", "off", *TINY)
    assert "  sandbox  off: the bots ran " in done.out


@pytest.mark.slow
def test_of_thirty_bots_eight_that_are_broken_in_eight_ways_are_left_out_and_told_why(
    shell: Shell,
) -> None:
    shell.plays_here = False
    sound = [f"elsewhere/fine_{number}.py" for number in range(21)]
    for number, path in enumerate(sound):
        shell.bot(path, f"{WALKER}# {number}\n")
    shell.bot("elsewhere/later.py", BREAKS_IN_MATCHES + WALKER)
    for name, (source, _) in BROKEN.items():
        shell.bot(f"elsewhere/{name}.py", source)
    bots = (*sound, "elsewhere/later.py", *(f"elsewhere/{name}.py" for name in BROKEN))
    arguments = (
        *("--format", "swiss", "--rounds", "2", "--limit", "cpu_ms=10", "--seed", "1"),
        *("--quarantine", "2"),
    )
    foretold = tournament(shell, *bots, *TINY, *arguments, "--dry-run")
    done = shell.run("-r", "tournament", *bots, *TINY, *arguments)
    assert (foretold.code, done.code) == (0, 0)
    for name, (_, cause) in BROKEN.items():
        file = shell.home / f"elsewhere/{name}.py"
        message = (
            rf"^cannot play: {name} \({file}\)\n    {cause}: .*\n(        .*\n)?    what to do: "
        )
        assert re.search(message, foretold.out, re.MULTILINE), foretold
        assert re.search(message, done.err, re.MULTILINE), done
        assert re.search(rf"^  {name} does not play: {cause}: ", done.out, re.MULTILINE)
    table = standings(shell)
    assert {one["bot"]["name"]: one["why"].partition(":")[0] for one in table["left_out"]} == {
        name: cause for name, (_, cause) in BROKEN.items()
    }
    rows = {row["bot"]["name"]: row for row in table["standings"]}
    assert len(rows) == 22
    assert [name for name, row in rows.items() if row["is_quarantined"]] == ["later"]
    assert all(rows[Path(path).stem]["faults"] == {} for path in sound)
    report = shell.home / "results/tournament/report"
    assert "<bdi>hang</bdi>" in (report / "index.html").read_text()
    files = json.loads((report / "files/left_out.json").read_text())
    assert {row["name"] for row in files} == set(BROKEN)


@pytest.mark.slow
def test_who_was_left_out_is_not_looked_at_again_and_enters_when_it_is_mended(shell: Shell) -> None:
    source = f"import time\ntime.sleep(0.01)\nimport nowhere\n{WALKER}"
    shell.bot("player_bob.py", source)
    bots = ("player_ann", "player_bob", "player_cid")
    assert "cannot play: player_bob" in tournament(shell, *bots, *TINY).err
    again = tournament(shell, *bots, *TINY)
    assert again.err.startswith("player_bob cannot play, as was found before: import error: ")
    assert "what to do" not in again.err
    shell.bot("player_bob.py", f"{WALKER}# mended\n")
    mended = tournament(shell, *bots, *TINY)
    assert mended.err == "player_bob joins\n"
    assert "does not play" not in mended.out
    assert len(standings(shell)["standings"]) == 3
    assert standings(shell)["left_out"] == []


@pytest.mark.slow
def test_a_knockout_goes_on_by_the_command_it_began_with_though_a_bot_was_left_out(
    shell: Shell,
) -> None:
    shell.bot("player_dan.py", "import nowhere")
    bots = ("player_ann", "player_bob", "player_cid", "player_dan")
    arguments = ("--format", "single_elimination", *TINY)
    (shell.home / "results").mkdir()  # so that nobody is warned of root
    first, again = (tournament(shell, *bots, *arguments) for _ in range(2))
    assert (first.code, again.code) == (0, 0)
    assert again.out == first.out


@pytest.mark.slow
def test_a_broken_new_version_leaves_the_one_that_entered_in_its_place(shell: Shell) -> None:
    tournament(shell, *TINY)
    before = standings(shell)["standings"]
    shell.bot("player_bob.py", f"import nowhere\n{WALKER}")
    done = tournament(shell, "player_bob", *TINY)
    assert "cannot play; the version registered before plays on: player_bob" in done.err
    assert standings(shell)["standings"] == before
    assert standings(shell)["left_out"] == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("player_bob", "player_ann"), "needs 2 bots or more"),
        (
            ("player_bob", "player_ann", "player_cid", "--format", "gauntlet"),
            "the gauntlet is run by player_bob, which cannot play: fix it first",
        ),
    ],
)
def test_a_tournament_that_cannot_begin_without_its_broken_bots_is_refused(
    shell: Shell, arguments: tuple[str, ...], message: str
) -> None:
    shell.bot("player_bob.py", f"import nowhere\n{WALKER}")
    done = tournament(shell, *arguments, *TINY)
    assert done.code == 2
    assert "cannot play: player_bob" in done.err
    assert message in done.err
    assert shell.run("report", "--standings").code == 2, "nothing was kept of it"


def test_scripts_are_told_who_was_left_out(shell: Shell) -> None:
    shell.bot("player_bob.py", f"import nowhere\n{WALKER}")
    first, *played = lines(tournament(shell, *TINY, "--json"))
    assert first["left_out"]["bot"]["name"] == "player_bob"
    assert first["left_out"]["why"].startswith("import error: ")
    assert len(played) == 2


# -- going on --------------------------------------------------------------------------------


def test_the_same_command_again_plays_nothing_and_shows_the_same(shell: Shell) -> None:
    (shell.home / "results").mkdir()  # so that nobody is warned of root
    first = tournament(shell, *TINY, "--seed", "7")
    again = tournament(shell, *TINY, "--seed", "7")
    assert (again.code, again.out) == (0, first.out)
    assert pairings(shell) == []


@pytest.mark.slow
@needs.call("os.killpg")
def test_a_stopped_tournament_goes_on_by_its_name(slow_shell: Shell) -> None:
    process = slow_shell.start("-r", "tournament", "--name", "spring", "--pairs", "2", *BRIEF)
    assert eventually(lambda: len(slow_shell.finished_matches()) >= 2)
    os.killpg(process.pid, signal.SIGINT)
    stopped = finish(process)
    assert stopped.code == 130
    message = r"^stopped after (\d+) match(?:es)?; resume with:  python3 main.py (.*)$"
    found = re.search(message, stopped.err, re.MULTILINE)
    assert found, stopped
    assert found[2] == "-r tournament --name spring"
    rest = pairings(slow_shell, *found[2].split()[2:], "-j", "2")
    assert len(rest) == 12 - int(found[1])
    assert standings(slow_shell)["played"] == 12


@pytest.mark.slow
def test_what_was_said_at_the_beginning_need_not_be_said_again(shell: Shell) -> None:
    arguments = ("player_ann", "player_bob", "--format", "swiss", "--seed", "7")
    tournament(shell, *arguments, *TINY)
    (shell.home / "results/slime_mind.sqlite").unlink()
    tournament(shell, *arguments, *TINY, "--rounds", "1")
    assert pairings(shell) == []
    assert standings(shell)["seed"] == "7"


def test_what_differs_from_the_beginning_is_refused_by_its_name(shell: Shell) -> None:
    tournament(shell, *TINY, "--seed", "7")
    done = tournament(
        shell,
        *("--seed", "8", "--format", "swiss", "--pairs", "2"),
        *("--preset", "small", "--set", "max_turns=4", "--limit", "cpu_ms=7"),
    )
    assert done.code == 2
    assert done.err == (
        "error: tournament 'tournament' was begun with other options: "
        "--format was round_robin, not swiss; "
        "--pairs was 1, not 2; --seed was 7, not 8; max_turns was 3, not 4; "
        "cpu_ms was 50, not 7. Leave that out to resume it, or give a new one another --name\n"
    )


def test_a_bot_that_is_named_joins(shell: Shell) -> None:
    tournament(shell, "player_ann", "player_bob", *TINY)
    done = tournament(shell, "player_cid", *TINY)
    assert (done.code, done.err) == (0, "player_cid joins\n")
    assert "3 bots" in done.out
    assert "6 matches played, over" in done.out


@pytest.mark.slow
def test_who_joins_a_swiss_tournament_plays_from_the_next_round_on(slow_shell: Shell) -> None:
    arguments = ("--format", "swiss", "--rounds", "1")
    tournament(slow_shell, "player_ann", "player_bob", *TINY, *arguments)
    done = tournament(slow_shell, "player_cid")
    assert done.code == 2
    assert "player_cid cannot join: the last round of tournament 'tournament' has begun" in done.err


@pytest.mark.slow
def test_who_joins_a_ladder_plays_from_the_next_round_on(shell: Shell) -> None:
    tournament(shell, "player_ann", "player_bob", *TINY, "--format", "ladder")
    met = pairings(shell, "player_cid", "-j", "1")
    assert met == 2 * [{"bob", "cid"}] + 2 * [{"ann", "bob"}]
    joined = {row["bot"]["name"]: row["joined"] for row in standings(shell)["standings"]}
    assert joined == {"player_ann": 1, "player_bob": 1, "player_cid": 2}


def test_a_new_version_plays_all_of_it_again_where_the_format_allows_that(shell: Shell) -> None:
    tournament(shell, *TINY)
    shell.bot("player_bob.py", BITER)
    saved = pairings(shell)
    done = tournament(shell, "player_bob", *TINY)
    assert saved == [], "who is not named stays as it was"
    assert done.err == "player_bob is a new version: all it played is played again\n"
    assert "6 matches played, over" in done.out
    with sqlite3.connect(shell.home / "results/slime_mind.sqlite") as results:
        assert results.execute("select count(*) from matches").fetchone() == (10,)


def test_a_running_knockout_takes_neither_newcomers_nor_new_versions(shell: Shell) -> None:
    tournament(shell, "player_ann", "player_bob", *TINY, "--format", "single_elimination")
    joining = tournament(shell, "player_cid")
    assert joining.code == 2
    assert "player_cid cannot join: single_elimination is closed once it has" in joining.err
    shell.bot("player_bob.py", BITER)
    changed = tournament(shell, "player_bob")
    assert changed.code == 2
    assert "player_bob has changed since tournament 'tournament' began" in changed.err
    assert tournament(shell, "player_ann").code == 0


@pytest.mark.slow
@needs.call("os.killpg")
def test_a_second_runner_is_told_that_somebody_plays_already(slow_shell: Shell) -> None:
    process = slow_shell.start("-r", "tournament", "--pairs", "50", *SLOW)
    assert eventually(slow_shell.finished_matches)
    second = tournament(slow_shell)
    shown = standings(slow_shell)
    os.killpg(process.pid, signal.SIGINT)
    assert finish(process).code == 130
    assert second.code == 2
    assert f"is being played by process {process.pid} on " in second.err
    assert shown["played"] >= 1
    assert not shown["is_over"]


@pytest.fixture
def elsewhere(shell: Shell) -> Path:
    """A folder of bots: two that can play, one that is a folder, a broken one, and the template."""
    for name in ("dan", "eve"):
        shell.bot(f"mine/player_{name}.py", f"{WALKER}# {name}\n")
    shell.bot("mine/player_fay/__init__.py", f"{WALKER}# fay\n")
    shell.bot("mine/player_gus.py", "no python")
    shell.bot("mine/player_base.py", WALKER)
    shell.bot("mine/notes.py", "")
    return shell.home / "mine"


def test_a_folder_stands_for_all_bots_in_it(shell: Shell, elsewhere: Path) -> None:
    arguments = ("--pairs", "1", *TINY)
    done = tournament(shell, "mine", "player_ann", *arguments)
    assert done.code == 0, done
    assert "cannot play: player_gus" in done.err
    assert "left out: player_base, it is the template" in done.err
    names = {row["bot"]["name"] for row in standings(shell)["standings"]}
    assert names == {"player_ann", "player_dan", "player_eve", "player_fay"}


def test_a_folder_that_is_a_bot_stays_one(shell: Shell, elsewhere: Path) -> None:
    done = tournament(shell, "mine/player_fay", "player_ann", "--pairs", "1", *TINY)
    assert done.code == 0, done
    names = {row["bot"]["name"] for row in standings(shell)["standings"]}
    assert names == {"player_ann", "player_fay"}


def test_a_folder_without_a_bot_that_can_play_is_refused(shell: Shell) -> None:
    shell.bot("mine/player_base.py", WALKER)
    done = tournament(shell, "./mine", *TINY)
    assert done.code == 2
    assert "mine: no bot in this folder can play; files named player_NAME.py are looked" in done.err
    assert "left out: player_base, it is the template" in done.err


def test_a_seat_takes_one_bot_of_a_folder(shell: Shell, elsewhere: Path) -> None:
    done = shell.run("-p", "mine", "-p", "player_ann", *TINY)
    assert done.code == 2
    assert (
        "error: mine: a folder of bots, and a seat takes one of them: player_base.py, " in done.err
    )


def test_the_bots_of_a_path_are_listed(shell: Shell, elsewhere: Path) -> None:
    listed = shell.run("info", "bots", "mine")
    assert listed.code == 0
    assert listed.out.startswith("bots in mine:\n")
    assert [line.split()[0] for line in listed.out.splitlines()[1:]] == [
        *("player_base.py", "player_dan.py", "player_eve.py", "player_fay", "player_gus.py")
    ]
    one = shell.run("info", "bots", "mine/player_dan.py").out.splitlines()
    assert [line.split()[0] for line in one[1:]] == ["player_dan.py"]
    missing = shell.run("info", "bots", "nowhere")
    assert (missing.code, missing.out) == (2, "")
    assert "no bot 'nowhere'" in missing.err


# -- standings -------------------------------------------------------------------------------


@pytest.mark.slow
def test_standings_are_those_of_the_latest_tournament_or_of_the_one_named(shell: Shell) -> None:
    tournament(shell, "player_ann", "player_bob", *TINY, "--name", "first")
    tournament(shell, "player_cid", "player_bob", *TINY, "--name", "second", "--format", "swiss")
    assert standings(shell)["name"] == "second"
    first = standings(shell, "first")
    assert [(row["rank"], row["bot"]["name"]) for row in first["standings"]] == [
        (1, "player_ann"),
        (2, "player_bob"),
    ]
    shown = shell.run("report", "--standings")
    assert "Buchholz" in shown.out
    assert shown.out in tournament(shell, "--name", "second").out


def test_standings_of_nothing_are_refused(shell: Shell) -> None:
    nothing = shell.run("report", "--standings")
    assert (nothing.code, nothing.out) == (2, "")
    assert "slime_mind.sqlite: there are no results" in nothing.err
    assert not (shell.home / "results").exists()
    tournament(shell, *TINY)
    other = shell.run("report", "--standings", "spring")
    assert other.code == 2
    assert (
        "no tournament 'spring' in sqlite:///results/slime_mind.sqlite; there are: t" in other.err
    )


# -- in a terminal ---------------------------------------------------------------------------


@pytest.fixture
def terminal(slow_shell: Shell) -> Iterator[Terminal]:
    """A tournament that takes a while."""
    needs.require_call("pty.openpty")
    command = (str(slow_shell.home / "main.py"), "-r", "tournament", "--pairs", "9", *SLOW)
    terminal = Terminal(python(*command), slow_shell.home)
    yield terminal
    terminal.close()


@pytest.mark.slow
def test_a_bar_and_the_standings_are_drawn_until_it_is_stopped(terminal: Terminal) -> None:
    assert terminal.shows("/54 [")
    assert terminal.shows("rank  bot         share  points  W-D-L")
    assert terminal.shows("2  player_bob", times=2), "they are drawn again now and then"
    terminal.press("\x03")
    assert terminal.ends() == 130
    drawn, stopped, after = terminal.said.partition("tournament 'tournament': ")
    assert stopped
    assert "%|" not in after
    assert max(len(line) for line in re.split(r"[\r\n]", drawn)) < 80
    assert "stopped after " in after


# -- mistakes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["player_ann"], "a tournament needs 2 bots or more: name them, or put them into player"),
        (["player_ann", "nobody"], "no bot 'nobody': neither a path nor a file in playerCode"),
        (["player_ann", "player_ann.py"], "player_ann is named twice: name each bot once"),
        (["--format", "swiss", "--rounds", "9"], "--rounds 9: with 3 bots swiss can have 2, as"),
        (["--rounds", "2"], "--rounds would have no effect: how many round_robin has follows"),
        (["--format", "cup"], "'cup' is not one of 'round_robin', 'swiss'"),
        (["--pairs", "0"], "0 is not in the range"),
        (["--name", "a/b"], "'a/b' cannot be the name of a tournament: letters, digits"),
        (["--name", "matches"], "'matches' cannot be the name of a tournament"),
        (["--formt", "swiss"], "No such option '--formt'. (Did you mean one of: '--format'"),
        (["-1", "player_ann"], "--player-1 would have no effect: the bots of a tournament are"),
        (["-m", "7"], "--matches would have no effect: a tournament is played"),
        (["--in-process"], "--in-process would have no effect: a tournament is played"),
        (["--results", "mine.sqlite"], "--results: is no URL of a database: expected one such"),
        (["--config", "none.toml"], "none.toml: cannot be read: No such file or directory"),
        (["--preset", "tiny"], "--preset tiny: Slime Mind has the presets"),
        (["--table", "3"], "--table 3: Slime Mind is played by 2 teams"),
        (["--table", "1"], "1 is not in the range"),
        (["-g", "smack", "--set", "pace=free"], "pace = free: whoever copies the opponent's"),
        (
            ["--cluster", "local:2", "-j", "2"],
            "--jobs would have no effect: --cluster plays as many matches at a time as it has",
        ),
    ],
    ids=str,
)
def test_a_mistake_is_told_before_anything_is_written(
    shell: Shell, arguments: Sequence[str], message: str
) -> None:
    done = tournament(shell, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in " ".join(done.err.split())
    assert "Traceback" not in done.err
    assert not (shell.home / "results").exists()


@pytest.mark.slow
def test_a_copy_of_a_bot_that_is_gone_is_told(shell: Shell) -> None:
    tournament(shell, *TINY)
    shutil.rmtree(shell.home / "results/bots")
    done = tournament(shell)
    assert done.code == 2
    assert "no copy of a bot with digest" in done.err
    assert tournament(shell, "player_ann", "player_bob", "player_cid").code == 0


# -- from a file -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_tournament_can_be_a_file(shell: Shell) -> None:
    (shell.home / "results").mkdir()  # so that nobody is warned of root
    (shell.home / "spring.toml").write_text(
        '[options]\nrunner = "tournament"\nname = "spring"\nformat = "swiss"\nseed = 7\n'
        'bots = ["player_ann", "player_bob.py"]\nrounds = 1\npreset = "small"\nreplay = false\n'
        "[settings]\nmax_turns = 3\n[limits]\ncpu_ms = 70\n"
    )
    done = shell.run("--config", "spring.toml")
    assert done.code == 0
    assert "tournament 'spring': swiss, 2 bots\n2 matches played, over\n" in done.out
    assert shell.run("--config", "spring.toml").out == done.out
    other = shell.run("--config", "spring.toml", "--seed", "8")
    assert "--seed was 7, not 8" in other.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[options]\nformt = 'swiss'", "spring.toml: [options] formt: no such option; possible"),
        ("[options]\nformat = 'cup'", "[options] format = 'cup': 'cup' is not one of 'round_rob"),
        ("[options]\ngames = 0", "spring.toml: [options] games = 0: 0 is not in the range"),
        ("[options]\nname = 'a/b'", "[options] name = 'a/b': 'a/b' cannot be the name of a"),
        ("[options]\nbots = ['nobody']", "spring.toml: [options] bots: no bot 'nobody'"),
        ("[options]\nconfig = 'x'", "spring.toml: [options] config: no such option"),
        ("[options]\njobs = [1, 2]", "spring.toml: [options] jobs = [1, 2]: "),
        ('[options]\nout = "a\\u0000b"', "spring.toml: [options] out = 'a\\x00b': "),
        ("[tournament]", "spring.toml: unknown 'tournament'; there may be the tables [settings]"),
        ("[settings]\nrowz = 5", "spring.toml: unknown setting 'rowz'; possible are:"),
        ("[limits]\ncpu_ms = 0", "spring.toml: cpu_ms = 0: expected a whole number >= 1"),
        (
            "[options]\njobs = 2\ncluster = 'local:2'",
            "spring.toml: [options] jobs would have no effect: --cluster plays",
        ),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_file_is_told_with_file_and_key(
    shell: Shell, text: str, message: str
) -> None:
    (shell.home / "spring.toml").write_text(text)
    done = shell.run("--config", "spring.toml", "-r", "tournament")
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not (shell.home / "results").exists()


def prepare_sample(shell: Shell) -> str:
    """The sample with the # taken off, its files made, and its stranger's bot."""
    text = (shell.home / "resources/tournament.sample.toml").read_text()
    (shell.home / "mine.toml").write_text("rock_pairs = 1\n")
    shell.bot("theirs/bot.py", WALKER)
    text = re.sub(r"^# (\w+ = )", r"\1", text, flags=re.MULTILINE)
    for old, new in (
        ("../theirs", "theirs"),
        ("player_one", "player_ann"),
        ("player_two", "player_bob"),
        ("rounds = 5", "rounds = 1"),
        ("max_turns = 500", "max_turns = 3"),
        ('sandbox = "strict"', 'sandbox = "default"'),
        ('["numpy"]', "[]"),
        ("table = 3", "table = 2"),
        ("dry_run = true", "dry_run = false"),
    ):
        assert old in text
        text = text.replace(old, new)
    return text


def test_the_sample_works(shell: Shell) -> None:
    shell.plays_here = False
    here = prepare_sample(shell).replace('cluster = "tcp://10.0.0.1:8786"', "")
    (shell.home / "spring.toml").write_text(here)
    played = lines(shell.run("--config", "spring.toml"))
    assert len(played) == 4
    assert (shell.home / "results/spring.sqlite").exists()


def test_the_sample_names_every_option_of_a_tournament(shell: Shell) -> None:
    text = prepare_sample(shell)
    named = set(re.findall(r"^(\w+) = ", text.partition("\n[settings]")[0], re.MULTILINE))
    group = {p for p in cli.params if p.name not in (*NO_DEFAULTS, *NOT_FOR_TOURNAMENTS)}
    own = cli.commands[Runner.TOURNAMENT].params
    options = {config_name(option) for option in (*group, *own)}
    assert named == options
