"""Watching a match while it is played: whatever a viewer does, the match does not mind."""

import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import sleep

import pytest

from benchmarks.display import WHAT_IS_MISSING, can_have_one, display
from tests import needs
from tests.processes import kill, read_command
from tests.shell import BITER, ENVIRONMENT, QUICK, SLEEPER, WALKER, Shell, eventually, finish
from tests.terminals import Run, Terminal, python

pytestmark = [needs.PROC]

BOTS = ("-1", "player_sleeper", "-2", "player_walker")
SHORT = (*BOTS, *QUICK)
LONG = (*BOTS, "--preset", "small", "--set", "max_turns=100000")
TERMINAL = ("--render", "terminal")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    shell.bot("player_sleeper.py", SLEEPER)
    shell.bot("player_walker.py", WALKER)
    (tmp_path / "tmp").mkdir()
    yield shell
    shell.kill_all()


@pytest.fixture
def run(shell: Shell) -> Iterator[Run]:
    """Type a command into a terminal of its own."""
    terminals: list[Terminal] = []

    def start(*arguments: str, tool: str = "main.py", **environment: str) -> Terminal:
        where = {"TMPDIR": str(shell.home / "tmp"), **environment}
        terminals.append(Terminal(python(str(shell.home / tool), *arguments), shell.home, **where))
        return terminals[-1]

    yield start
    for terminal in terminals:
        terminal.close()


def viewers(shell: Shell) -> list[int]:
    return [pid for pid in shell.processes() if b"--live" in read_command(pid)]


def folders(shell: Shell) -> list[Path]:
    """Return folders of viewers, for the lines of matches."""
    return list((shell.home / "tmp").glob("slime-mind-live-*"))


def is_played(shell: Shell) -> bool:
    return shell.half_written_folders() != []


def has_cleaned_up(shell: Shell) -> bool:
    return eventually(lambda: not shell.processes()) and eventually(lambda: not folders(shell))


def test_a_match_is_watched_in_the_terminal_and_then_summed_up(shell: Shell, run: Run) -> None:
    terminal = run(*SHORT, *TERMINAL)
    assert terminal.shows("player_sleeper")
    assert eventually(shell.finished_matches)
    terminal.press("q")
    assert terminal.ends() == 0
    assert terminal.is_as_it_was()
    summary = terminal.after_leaving()
    assert summary.strip().startswith("A draw: ")
    assert "watch it:" in summary
    assert "turn/s" not in terminal.said  # no progress bar
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_who_quits_early_gets_the_summary_when_the_match_is_over(shell: Shell, run: Run) -> None:
    terminal = run(*BOTS, "--preset", "small", "--set", "max_turns=60", *TERMINAL)
    assert terminal.shows("seed")
    terminal.press("q")
    assert terminal.ends() == 0
    assert "the last turn, 60" in terminal.after_leaving()
    assert terminal.is_as_it_was()
    assert has_cleaned_up(shell)


ENDS: dict[str, Callable[[Terminal], object]] = {
    "Ctrl-C": lambda terminal: terminal.press("\x03"),
    "SIGINT": lambda terminal: terminal.process.send_signal(signal.SIGINT),
    "SIGTERM": lambda terminal: terminal.process.send_signal(signal.SIGTERM),
    "the window is closed": Terminal.hang_up,
}


@pytest.mark.slow
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_whatever_ends_the_match_ends_the_viewer_first(
    shell: Shell, run: Run, end: Callable[[Terminal], object]
) -> None:
    terminal = run(*LONG, *TERMINAL)
    assert terminal.shows("seed")
    end(terminal)
    assert terminal.ends() == 130
    assert terminal.is_as_it_was()
    assert terminal.after_leaving().strip().startswith("stopped in turn ")
    assert has_cleaned_up(shell)
    assert shell.half_written_folders() == []


@pytest.mark.slow
def test_ctrl_c_after_the_match_keeps_it_and_its_summary(shell: Shell, run: Run) -> None:
    terminal = run(*SHORT, *TERMINAL)
    assert terminal.shows("player_sleeper")
    assert eventually(shell.finished_matches)
    sleep(0.5)  # it is in its place a moment before its runner knows
    terminal.press("\x03")
    assert terminal.ends() == 130
    assert terminal.after_leaving().strip().startswith("A draw: ")
    assert terminal.is_as_it_was()
    assert has_cleaned_up(shell)


@pytest.mark.slow
@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT])
def test_a_viewer_that_is_told_to_end_leaves_the_match_to_itself(
    shell: Shell, run: Run, signum: int
) -> None:
    terminal = run(*BOTS, "--preset", "small", "--set", "max_turns=60", *TERMINAL)
    assert terminal.shows("seed")
    for viewer in viewers(shell):
        kill(viewer, signum)
    assert terminal.ends() == 0
    assert "the last turn, 60" in terminal.after_leaving()
    assert terminal.is_as_it_was()
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_a_viewer_that_is_killed_hurts_neither_match_nor_terminal(shell: Shell, run: Run) -> None:
    terminal = run(*BOTS, "--preset", "small", "--set", "max_turns=60", *TERMINAL)
    assert terminal.shows("seed")
    for viewer in viewers(shell):
        kill(viewer)
    assert terminal.ends() == 0
    assert "the last turn, 60" in terminal.said
    assert "the viewer ended early: killed by SIGKILL" in terminal.said
    assert terminal.is_as_it_was()
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_a_viewer_whose_match_is_killed_ends_and_cleans_up(shell: Shell, run: Run) -> None:
    terminal = run(*LONG, *TERMINAL)
    assert terminal.shows("seed")
    terminal.process.kill()
    terminal.process.wait()
    assert has_cleaned_up(shell)
    assert terminal.is_as_it_was()


@pytest.mark.slow
def test_a_viewer_that_crashes_says_why_in_a_line(shell: Shell, run: Run) -> None:
    shell.replace("visualizer/backends/terminal/frame.py", "canvas = Canvas(", "canvas = Chisel(")
    terminal = run(*SHORT, *TERMINAL)
    assert terminal.ends() == 0
    assert "the viewer ended early: NameError: name 'Chisel' is not defined" in terminal.said
    assert "Traceback" not in terminal.said
    assert "watch it:" in terminal.said
    assert terminal.is_as_it_was()
    assert has_cleaned_up(shell)


def test_without_a_terminal_boards_are_printed_and_then_the_summary(shell: Shell) -> None:
    done = shell.run(*SHORT, *TERMINAL)
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    boards, summary = done.out.split("\nA draw: ", 1)
    assert [f"turn {turn} of 3" in boards for turn in range(4)] == [True] * 4
    assert "watch it:" in summary
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_without_a_screen_that_is_said_in_one_line(shell: Shell, run: Run) -> None:
    terminal = run(*SHORT)
    assert terminal.ends() == 0
    (found,) = [line for line in terminal.said.splitlines() if "not shown" in line]
    assert "there is no screen" in found
    assert "--render terminal" in found
    assert "replay.py" in found
    assert "watch it:" in terminal.said


@pytest.mark.parametrize(
    "arguments",
    [
        ["--render", "none"],
        *(pytest.param([w], marks=pytest.mark.slow) for w in ("-q", "--json", "--in-process")),
    ],
)
def test_who_does_not_want_to_watch_hears_nothing_of_it(
    shell: Shell, run: Run, arguments: list[str]
) -> None:
    terminal = run(*SHORT, *arguments)
    assert terminal.ends() == 0
    assert "not shown" not in terminal.said


def test_scripts_hear_nothing_of_screens(shell: Shell) -> None:
    done = shell.run(*SHORT)
    assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--render", "window"], "--render window: there is no screen here"),
        (["--render", "window", "-r", "multi_match"], "only a single match is shown"),
        (["--render", "terminal", "-r", "multi_match"], "only a single match is shown"),
        (["--render", "terminal", "--json"], "--json needs the terminal for itself"),
        (["--render", "terminal", "--in-process"], "--in-process needs the terminal for itself"),
        (
            ["--render", "hologram"],
            "'hologram' is not one of 'auto', 'window', 'terminal', 'web', 'none'",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_shown_is_refused_before_anything_is_played(
    shell: Shell, arguments: list[str], message: str
) -> None:
    done = shell.run(*SHORT, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert shell.finished_matches() == []
    assert has_cleaned_up(shell)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [["--json"], ["-r", "multi_match", "-m", "2"], ["-q"]])
def test_what_config_toml_wants_shown_is_not_shown_to_scripts(
    shell: Shell, arguments: list[str]
) -> None:
    (shell.home / "config.toml").write_text('[options]\nrender = "terminal"\n')
    done = shell.run(*SHORT, *arguments)
    assert (done.code, "turn 0 of" in done.out) == (0, False)


@pytest.mark.slow
def test_config_toml_can_turn_watching_off(shell: Shell, run: Run) -> None:
    (shell.home / "config.toml").write_text('[options]\nrender = "none"\n')
    terminal = run(*SHORT)
    assert terminal.ends() == 0
    assert "not shown" not in terminal.said


@pytest.fixture
def screen() -> Iterator[str]:
    if not can_have_one():
        needs.skip(WHAT_IS_MISSING)
    with display() as name:
        yield name


def start_on(screen: str, shell: Shell, *arguments: str) -> "subprocess.Popen[str]":
    """A command where windows can open."""
    return subprocess.Popen(
        python(str(shell.home / "main.py"), *arguments),
        cwd=shell.home,
        env={**ENVIRONMENT, "DISPLAY": screen, "TMPDIR": str(shell.home / "tmp")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.slow
def test_with_a_screen_a_match_is_shown_in_a_window_and_summed_up_at_once(
    shell: Shell, screen: str
) -> None:
    process = start_on(screen, shell, *SHORT)
    assert eventually(shell.finished_matches)
    (viewer,) = viewers(shell)  # the window is still open
    assert process.poll() is None
    kill(viewer, signal.SIGTERM)
    done = finish(process)
    assert (done.code, done.err) == (0, "")
    assert "watch it:" in done.out
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_ctrl_c_closes_the_window_too(shell: Shell, screen: str) -> None:
    process = start_on(screen, shell, *LONG, "--render", "window")
    assert eventually(lambda: is_played(shell) and viewers(shell))
    process.send_signal(signal.SIGINT)
    done = finish(process)
    assert (done.code, done.out) == (130, "")
    assert done.err.startswith("stopped ")
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_a_screen_without_a_window_on_it_is_an_error_with_a_remedy(shell: Shell) -> None:
    done = finish(start_on(":250", shell, *SHORT, "--render", "window"))
    assert (done.code, done.out) == (2, "")
    assert "--render window: " in done.err
    assert "--render terminal" in done.err
    assert len(done.err.splitlines()) == 1
    assert shell.finished_matches() == []
    assert has_cleaned_up(shell)


@pytest.mark.slow
def test_where_no_window_opens_by_itself_the_match_is_played_all_the_same(shell: Shell) -> None:
    done = finish(start_on(":250", shell, *SHORT))
    assert done.code == 0
    assert "not shown: " in done.err
    assert "watch it:" in done.out


@pytest.fixture
def recorded(shell: Shell) -> str:
    shell.bot("player_biter.py", BITER)
    return str(shell.json("-1", "player_walker", "-2", "player_biter", *QUICK)["replay"])


def test_a_replay_is_watched_in_the_terminal(shell: Shell, run: Run, recorded: str) -> None:
    terminal = run(recorded, *TERMINAL, "--turn", "2", tool="replay.py")
    assert terminal.shows("player_walker")
    assert terminal.shows("turn 2 of 3")
    terminal.press("q")
    assert terminal.ends() == 0
    assert terminal.is_as_it_was()


@pytest.mark.slow
def test_a_terminal_may_change_its_size(shell: Shell, run: Run, recorded: str) -> None:
    terminal = run(recorded, *TERMINAL, tool="replay.py")
    assert terminal.shows("seed")
    terminal.resize(30, 5)
    assert terminal.shows("40x16 needed")
    terminal.resize(120, 40)
    assert terminal.shows("seed", 2)
    terminal.press("q")
    assert terminal.ends() == 0
    assert terminal.is_as_it_was()


@pytest.mark.slow
def test_a_replay_that_is_stopped_gives_the_terminal_back(
    shell: Shell, run: Run, recorded: str
) -> None:
    for end in ENDS.values():
        terminal = run(recorded, *TERMINAL, tool="replay.py")
        assert terminal.shows("player_walker")
        end(terminal)
        assert terminal.ends() == 130
        assert terminal.is_as_it_was()


@pytest.mark.slow
def test_a_crash_gives_the_terminal_back_before_its_traceback(
    shell: Shell, run: Run, recorded: str
) -> None:
    shell.replace("visualizer/backends/terminal/frame.py", "canvas = Canvas(", "canvas = Chisel(")
    terminal = run(recorded, *TERMINAL, tool="replay.py")
    assert terminal.ends() == 1
    assert "name 'Chisel' is not defined" in terminal.after_leaving()
    assert terminal.is_as_it_was()


@pytest.mark.slow
def test_two_replays_are_shown_side_by_side(shell: Shell, run: Run, recorded: str) -> None:
    terminal = run(recorded, recorded, *TERMINAL, tool="replay.py")
    assert terminal.shows("player_walker", 2)
    terminal.press("q")
    assert terminal.ends() == 0


@pytest.mark.slow
def test_without_a_screen_a_replay_is_told_about(shell: Shell, run: Run, recorded: str) -> None:
    terminal = run(recorded, tool="replay.py")
    assert terminal.ends() == 0
    assert "not shown: there is no screen here" in terminal.said
    assert " points after the last turn, 3. " in terminal.said
    terminal = run(recorded, "--render", "none", tool="replay.py")
    assert terminal.ends() == 0
    assert "not shown" not in terminal.said


def test_a_replay_in_a_pipe_is_plain_text(shell: Shell, recorded: str) -> None:
    done = shell.run(recorded, *TERMINAL, tool="replay.py")
    assert (done.code, done.err) == (0, "")
    assert "\x1b" not in done.out
    assert [done.out.count(f"turn {turn} of 3") for turn in range(4)] == [1, 1, 1, 1]
    done = shell.run(recorded, *TERMINAL, "--turn", "3", tool="replay.py")
    assert "turn 0 of 3" not in done.out
    assert done.out.count("turn 3 of 3") == 1


def test_a_window_for_a_replay_without_a_screen_is_an_error(shell: Shell, recorded: str) -> None:
    done = shell.run(recorded, "--render", "window", tool="replay.py")
    assert (done.code, done.out) == (2, "")
    assert "--render window: there is no screen" in done.err
    assert "--render terminal" in done.err
