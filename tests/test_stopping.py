"""How runs end that somebody ends: no process and no half-written folder is left behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

import pytest

from engine.support.signals import INTERRUPTED_EXIT_CODE
from tests import needs
from tests.processes import kill, list_children, parent_pid, read_command
from tests.shell import ENVIRONMENT, PATIENCE_S, QUICK, SLEEPER, WALKER, Shell, eventually, finish

with suppress(ImportError):  # Windows has none
    import pty

pytestmark = [needs.PROC]

SHORT = ("-1", "player_sleeper", "-2", "player_walker", "--preset", "small", "--set", "max_turns=4")
ENDLESS = (*SHORT, "--set", "max_turns=100000")
SERIES = (*SHORT, "-r", "multi_match", "-m", "1000", "-j", "2")

Send = Callable[["subprocess.Popen[str]"], None]


def to_the_group(name: str) -> Send:
    """Signal the group as a terminal does it on Ctrl-C."""
    return lambda process: os.killpg(process.pid, signal.Signals[name])


def to_it_alone(signum: int) -> Send:
    return lambda process: process.send_signal(signum)


def twice(signum: int) -> Send:
    def send(process: "subprocess.Popen[str]") -> None:
        process.send_signal(signum)
        os.killpg(process.pid, signum)

    return send


STOPS = {
    "Ctrl-C": to_the_group("SIGINT"),
    "SIGINT to it alone": to_it_alone(signal.SIGINT),
    "SIGINT twice": twice(signal.SIGINT),
    "SIGTERM": to_it_alone(signal.SIGTERM),
    "SIGTERM to the group": to_the_group("SIGTERM"),
    "terminal closed": to_the_group("SIGHUP"),
}


def slow(value: Any) -> Any:
    return pytest.param(value, marks=pytest.mark.slow)


def parametrize_stops(usual: str, *others: str) -> pytest.MarkDecorator:
    """Run a test for some of STOPS, and all but the usual one only with the slow tests."""
    params = [pytest.param(STOPS[name], id=name, marks=pytest.mark.slow) for name in others]
    return pytest.mark.parametrize("stop", [pytest.param(STOPS[usual], id=usual), *params])


SHELL_BOTS = {"player_sleeper.py": SLEEPER, "player_walker.py": WALKER}


def is_playing(shell: Shell) -> bool:
    """Return whether a match is under way, with bots that are asked."""
    return shell.half_written_folders() != [] and sum(map(is_worker, shell.processes())) >= 2


def is_worker(pid: int) -> bool:
    """Return whether what it prints goes to a bot's log."""
    try:
        return Path(f"/proc/{pid}/fd/1").readlink().name.startswith("memfd:log")
    except OSError:  # it has ended
        return False


def is_clean(shell: Shell) -> bool:
    return eventually(lambda: not shell.processes()) and shell.half_written_folders() == []


def pool_processes(runner: int) -> list[int]:
    return [pid for pid in list_children(runner) if b"spawn_main" in read_command(pid)]


@parametrize_stops(*STOPS)
def test_a_stopped_match_says_how_it_stood_and_how_it_goes_on(shell: Shell, stop: Send) -> None:
    process = shell.start(*ENDLESS)
    assert eventually(shell.has_recorded)
    stop(process)
    done = finish(process)
    assert (done.code, done.out) == (130, "")
    assert done.err.startswith("stopped in turn ")
    (replay,) = shell.interrupted_replays()
    key = replay.parent.name
    assert done.err.endswith(
        f": player_sleeper 0.4, player_walker 0.4; to resume: --continue {key}\n"
    )
    assert len(done.err.splitlines()) == 1
    assert is_clean(shell)


@pytest.mark.slow
@parametrize_stops("SIGTERM", "Ctrl-C", "SIGINT twice")
def test_a_stopped_series_shows_what_is_done(shell: Shell, stop: Send) -> None:
    process = shell.start(*SERIES, "--json")
    assert eventually(lambda: len(shell.finished_matches()) >= 4)
    stop(process)
    done = finish(process)
    assert (done.code, done.err) == (130, "")
    result = json.loads(done.out)
    assert result["was_stopped"]
    assert 1 <= result["played"] == len(result["results"]) < 1000
    assert result["failures"] == []
    assert is_clean(shell)


@pytest.mark.slow
@parametrize_stops("SIGINT to it alone", "SIGTERM to the group", "terminal closed")
def test_a_series_stopped_before_it_really_began_ends_in_silence(shell: Shell, stop: Send) -> None:
    process = shell.start(*SERIES, "-q")
    assert eventually(lambda: pool_processes(process.pid))
    stop(process)
    done = finish(process)
    assert (done.code, done.err) == (130, "")
    assert " of 1000 matches" in done.out
    assert eventually(lambda: not shell.processes())


BEGIN = """
import runpy, sys
import engine.support.signals
print(flush=True)
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""Says so when Python has come up and main.py begins: before, nobody can help a Ctrl-C."""
FIRST_S = 1.2
MOMENTS = 8


@pytest.mark.parametrize(
    "tool", ["main.py", *map(slow, ("replay.py", "slime_mind_arena/__main__.py"))]
)
def test_a_ctrl_c_in_the_very_first_lines_shows_no_traceback(shell: Shell, tool: str) -> None:
    text = (shell.home / "engine/support/signals.py").read_text()
    shell.change("engine/support/signals.py", f"import os, signal\nos.kill(os.getpid(), 2)\n{text}")
    done = shell.run("--version", tool=tool, env={**ENVIRONMENT, "PYTHONPATH": str(shell.home)})
    assert (done.code, done.out, done.err) == (130, "", "")


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(MOMENTS))
def test_a_run_can_be_stopped_at_any_moment_of_its_start(shell: Shell, moment: int) -> None:
    arguments = SERIES if moment % 2 else ("-r", "tournament", "--pairs", "500")
    chance, (group, alone) = Random(moment), (os.killpg, os.kill)
    process = subprocess.Popen(
        [sys.executable, "-c", BEGIN, str(shell.home / "main.py"), *arguments, "--no-replay"],
        cwd=shell.home,
        env={**ENVIRONMENT, "PYTHONPATH": str(shell.home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    sleep((moment + chance.random()) * FIRST_S / MOMENTS)
    chance.choice((group, alone))(process.pid, signal.SIGINT)
    done = finish(process)
    assert done.code == 130, done
    assert "Traceback" not in done.out + done.err
    assert eventually(lambda: not shell.processes())


@pytest.mark.slow
def test_a_series_in_our_own_process_can_be_stopped(shell: Shell) -> None:
    process = shell.start(*SERIES, "--in-process")
    assert eventually(lambda: shell.finished_matches("in-process"))
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.code, done.err) == (130, "")
    assert ", stopped\n" in done.out
    assert is_clean(shell)


SWALLOWER = """
import time
from engine.games.slime_mind.player import BasePlayer

class Player(BasePlayer):
    def decide(self, slime):
        if not hasattr(self, "fed"):
            try:
                time.sleep(60)
            except BaseException:
                self.fed = True
        return "LEFT"
"""


@pytest.mark.slow
def test_a_bot_in_our_own_process_can_swallow_one_ctrl_c_and_not_all(shell: Shell) -> None:
    shell.bot("player_sleeper.py", SWALLOWER)
    process = shell.start(*ENDLESS, "--in-process")
    assert eventually(shell.half_written_folders)

    def has_ended() -> bool:
        process.send_signal(signal.SIGINT)
        return process.poll() is not None

    assert eventually(has_ended)
    done = finish(process)
    assert (done.code, done.out) == (130, "")
    assert is_clean(shell)


@pytest.mark.slow
def test_a_runner_that_is_told_to_ignore_ctrl_c_does(shell: Shell) -> None:
    arguments = (*SHORT, "--set", "max_turns=100")  # long enough to be seen at work
    process = shell.start(
        *arguments, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN), stdout=None
    )
    assert eventually(lambda: is_playing(shell))
    process.send_signal(signal.SIGINT)
    assert finish(process).code == 0


@pytest.mark.parametrize("arguments", [ENDLESS, slow(SERIES)], ids=["match", "series"])
def test_nothing_survives_a_runner_that_is_killed(shell: Shell, arguments: tuple[str, ...]) -> None:
    process = shell.start(*arguments)
    assert eventually(lambda: is_playing(shell))
    process.kill()
    finish(process)
    assert eventually(lambda: not shell.processes())


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [SERIES, ("-r", "tournament", "--pairs", "500", *SHORT[4:])])
def test_a_runner_holds_no_file_in_dev_shm_that_a_kill_would_leave(
    shell: Shell, arguments: tuple[str, ...]
) -> None:
    process = shell.start(*arguments)
    assert eventually(lambda: len(shell.finished_matches()) >= 2)
    pids = (process.pid, *pool_processes(process.pid))
    maps = [Path(f"/proc/{pid}/maps").read_text() for pid in pids]
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    assert len(maps) > 1
    assert not [text for text in maps if "/dev/shm/sem." in text]


@pytest.mark.slow
def test_a_killed_runner_of_a_series_leaves_no_half_written_match(shell: Shell) -> None:
    process = shell.start(*SERIES)
    assert eventually(lambda: is_playing(shell))
    process.kill()
    finish(process)
    assert is_clean(shell)


@pytest.mark.slow
def test_what_a_killed_match_left_is_cleared_at_the_next_start_and_no_living_one(
    shell: Shell,
) -> None:
    killed, living = (shell.start(*ENDLESS, "--seed", seed) for seed in "12")
    assert eventually(lambda: len(shell.half_written_folders()) == 2)
    killed.kill()
    finish(killed)
    assert len(shell.half_written_folders()) == 2
    assert shell.run(*SHORT).code == 0
    assert len(shell.half_written_folders()) == 1
    living.terminate()
    assert finish(living).code == 130
    assert is_clean(shell)


@pytest.mark.slow
def test_nothing_survives_a_runner_that_is_killed_while_it_starts(shell: Shell) -> None:
    process = shell.start(*SERIES)
    assert eventually(lambda: pool_processes(process.pid))
    process.kill()
    finish(process)
    assert eventually(lambda: not shell.processes())


@pytest.mark.slow
def test_matches_lost_with_a_killed_process_are_played_again(shell: Shell) -> None:
    process = shell.start(*SHORT, "-r", "multi_match", "-m", "8", "-j", "2", "--json")
    for _ in range(2):
        assert eventually(lambda: is_playing(shell) and pool_processes(process.pid))
        kill(pool_processes(process.pid)[0])
        finished = len(shell.finished_matches())
        assert eventually(lambda: len(shell.finished_matches()) > finished)  # noqa: B023 - used at once
    result = json.loads(finish(process).out)
    assert (result["played"], result["failures"]) == (8, [])
    assert process.returncode == 0
    assert eventually(lambda: not shell.processes())


@pytest.mark.slow
@needs.mark(
    ENVIRONMENT.get("SLIME_MIND_LAUNCHER") != "spawn",
    "the zygote, which SLIME_MIND_LAUNCHER=spawn turns off",
)
def test_a_match_whose_starter_of_bots_is_killed_is_not_played_and_the_others_are(
    shell: Shell,
) -> None:
    process = shell.start(*SHORT, "-r", "multi_match", "-m", "6", "-j", "1", "--json")
    assert eventually(lambda: is_playing(shell))
    (starter,) = [pid for pid in shell.processes() if is_starter(pid)]
    os.kill(starter, signal.SIGKILL)
    done = finish(process)
    result = json.loads(done.out)
    assert (done.code, result["played"]) == (1, 5)
    assert result["failures"][0].endswith("the process that starts bots has gone away")
    assert eventually(lambda: not shell.processes())


def is_starter(pid: int) -> bool:
    """Return whether bots are forked from this process."""
    return b"zygote" in read_command(pid) and b"zygote" not in read_command(parent_pid(pid))


def break_match_4(shell: Shell, how: str) -> None:
    """Spoil the engine of this project: what it does when the fourth match is to be played."""
    marked = "+ turn, (map_number * len(seats) + turn != 3) * seed,"
    shell.replace("runners/series.py", "+ turn, seed,", marked)
    head = " -> MatchResult:\n"
    spoiled = f"{head}        if job.spec.seed == 0: {how}\n"
    shell.replace("engine/referee.py", head, spoiled)


@pytest.mark.slow
def test_a_match_that_breaks_its_process_every_time_is_given_up_and_the_others_are_not(
    shell: Shell,
) -> None:
    break_match_4(shell, "__import__('os')._exit(9)")
    done = shell.run(*SHORT, "-r", "multi_match", "-m", "6", "-j", "2")
    assert done.code == 1
    assert ": 5 of 6 matches" in done.out
    assert "  not played        match 4: the process that played it was killed, 4 times" in done.out


@pytest.mark.slow
def test_a_bug_of_ours_is_told_with_its_traceback_and_the_series_goes_on(shell: Shell) -> None:
    break_match_4(shell, "raise KeyError('ours')")
    done = shell.run(*SHORT, "-r", "multi_match", "-m", "6")
    assert done.code == 1
    assert ": 5 of 6 matches" in done.out
    assert "  not played        match 4: " in done.out
    assert "Traceback (most recent call last)" in done.out
    assert "KeyError: 'ours'" in done.out


@pytest.mark.slow
def test_a_tournament_whose_lines_nobody_reads_any_more_ends_and_says_so(shell: Shell) -> None:
    arguments = (
        "-r",
        "tournament",
        "--pairs",
        "200",
        "--json",
        "--no-report",
        "-j",
        "1",
        *SHORT[4:],
    )
    process = shell.start(*arguments)
    assert process.stdout is not None
    first = json.loads(process.stdout.readline())
    process.stdout.close()  # as `head -1` does
    assert process.stderr is not None
    err = process.stderr.read()
    assert process.wait(PATIENCE_S) == 1
    assert err == (
        "error: nobody reads the output of --json any more; what was played is kept, and the "
        "same command resumes\n"
    )
    assert first["key"] in {folder.name for folder in shell.finished_matches()}
    assert shell.json("report", "--standings")["played"] >= 1
    assert is_clean(shell)


@pytest.mark.slow
def test_a_pipe_that_is_closed_early_gives_no_traceback(shell: Shell) -> None:
    for words in (("--help",), ("info", "bots"), ("info", "settings"), QUICK):
        command = subprocess.list2cmdline([sys.executable, str(shell.home / "main.py"), *words])
        done = subprocess.run(
            f"{command} | head -c 1",
            shell=True,
            capture_output=True,
            text=True,
            cwd=shell.home,
            env=ENVIRONMENT,
            check=False,
        )
        assert (len(done.stdout), done.stderr) == (1, "")


def on_a_terminal(shell: Shell, *arguments: str, columns: int) -> str:
    """All that a command writes to a terminal of that width."""
    ours, other = pty.openpty()
    subprocess.run(["stty", "cols", str(columns), "rows", "24"], stdin=other, check=True)
    process = subprocess.Popen(
        [sys.executable, str(shell.home / "main.py"), *arguments],
        cwd=shell.home,
        env={**ENVIRONMENT, "TERM": "xterm"},
        stdin=other,
        stdout=other,
        stderr=other,
        start_new_session=True,
    )
    os.close(other)
    written = b""
    while True:
        try:
            written += os.read(ours, 65_536)
        except OSError:  # the terminal's other end is closed
            break
    os.close(ours)
    process.wait()
    return written.decode()


def test_the_bar_of_a_match_shows_turn_and_scores_on_a_narrow_terminal(shell: Shell) -> None:
    shown = on_a_terminal(shell, *SHORT, "--set", "max_turns=40", columns=70)
    bars = [line for line in shown.split("\r") if "turn " in line and "%|" in line]
    assert bars
    assert max(map(len, bars)) <= 70
    assert "player_sleeper 0.4, player_walker" in bars[-1]
    assert "%|" not in shown.split("A draw: ")[-1], "the bar is gone when the summary comes"


@pytest.mark.slow
def test_the_bar_of_a_series_shows_wins_draws_and_losses(shell: Shell) -> None:
    shown = on_a_terminal(shell, *SHORT, "-r", "multi_match", "-m", "4", columns=60)
    bars = [line for line in shown.split("\r") if "%|" in line]
    assert max(map(len, bars)) <= 60
    assert "4/4" in bars[-1]
    assert "+0 =4 -0" in bars[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments", [SHORT, (*SHORT, "-r", "multi_match", "-m", "2")], ids=["match", "series"]
)
def test_a_quiet_run_shows_no_bar(shell: Shell, arguments: tuple[str, ...]) -> None:
    assert "%|" not in on_a_terminal(shell, *arguments, "-q", "--set", "max_turns=2", columns=80)


LOST = """
import os, signal, sys, time
import click
from cli.command_line import run

class Closed:
    def __del__(self):
        os.kill(os.getpid(), signal.{})
        for _ in range(1000):
            pass  # the handler is called in here

@click.command()
def command():
    Closed()
    time.sleep(20)

sys.exit(run(command, dict))
"""


@pytest.mark.parametrize("stop", ["SIGINT", "SIGTERM"])
def test_a_signal_that_comes_while_something_is_finalized_is_not_lost(stop: str) -> None:
    lost = [sys.executable, "-c", LOST.format(stop)]
    done = finish(subprocess.Popen(lost, stderr=subprocess.PIPE, text=True))
    assert (done.code, done.err.strip()) == (INTERRUPTED_EXIT_CODE, "stopped")
