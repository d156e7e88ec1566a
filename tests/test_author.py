"""An author's first hour: what is said of a bot that is not right yet, by real commands."""

import os
import re
import subprocess
import sys
from contextlib import suppress
from typing import Any

import pytest

from tests import needs
from tests.shell import BOT, ENVIRONMENT, PATIENCE_S, QUICK, WALKER, Shell

with suppress(ImportError):  # Windows has none
    import pty

TOP = "from engine.games.slime_mind.player import BasePlayer\n"
SMACK_BOT = """
from engine.games.smack.player import BasePlayer

class Player(BasePlayer):
    def decide(self, board):
        return board.position.moves()[0]
"""


SHELL_BOTS = {"player_walker.py": WALKER}


def method(form: str, body: str = "return 'LEFT'") -> str:
    return f"{TOP}class Player(BasePlayer):\n    {form}:\n        {body}\n"


# -- a bot that cannot play -------------------------------------------------------------------


def slow(*values: str) -> Any:
    return pytest.param(*values, marks=pytest.mark.slow)


BROKEN = {
    "syntax": (
        f"{TOP}class Player(BasePlayer)\n",
        "syntax error: player_bad, line 2: expected ':'",
        "put a colon at the end of that line",
    ),
    "import": (
        f"import nowhere\n{WALKER}",
        (
            "import error: ModuleNotFoundError: 'nowhere' is not part of Python, numpy or this "
            "bot, and is not an installed package (player_bad, line 1)"
        ),
        "correct the import",
    ),
    "package": (
        f"import click\n{WALKER}",
        "and was not allowed (--allow-package click) (player_bad, line 1)",
        "do without that package, or let bots import it with --allow-package",
    ),
    "misspelt import": (
        WALKER.replace("import BasePlayer", "import BasePlayr"),
        "Did you mean: 'BasePlayer'? (player_bad, line 2)",
        "correct the import",
    ),
    "misspelt name": (
        f"import random\nx = randon.random()\n{WALKER}",
        (
            "load error: NameError: name 'randon' is not defined. Did you mean: 'random'? "
            "(player_bad, line 2)"
        ),
        "correct that line",
    ),
    "no class": (
        "class Bot:\n    pass\n",
        (
            "no Player class: player_bad defines no class Player; expected: `class "
            "Player(BasePlayer):`, with `from engine.games.slime_mind.player import BasePlayer`"
        ),
        "add that class",
    ),
    "another class": (
        "\nclass Player:\n    pass\n",
        "wrong type: player_bad, line 2: Player must be a class derived from BasePlayer; expected:",
        "derive it from the class that is expected, or play it in its own game",
    ),
    "another game": (
        SMACK_BOT,
        (
            "player_bad, line 4: Player is a bot of the game smack, and this is slime_mind; to "
            "play its own game: -g smack"
        ),
        "derive it from the class that is expected, or play it in its own game",
    ),
    "no decide": (
        method("def decied(self, slime)"),
        (
            "wrong method: player_bad, line 2: class Player has no method decide; expected: "
            "def decide(self, slime)"
        ),
        "write in the class Player:  def decide(self, slime):",
    ),
    "decide without slime": (
        method("def decide(self)"),
        (
            "wrong method: player_bad, line 3: decide(self) cannot be called; expected: "
            "def decide(self, slime)"
        ),
        "write in the class Player:  def decide(self, slime):",
    ),
    "decide with more": (
        method("def decide(self, slime, board)"),
        (
            "player_bad, line 3: decide(self, slime, board) cannot be called; expected: "
            "def decide(self, slime)"
        ),
        "write in the class Player:  def decide(self, slime):",
    ),
    "async decide": (
        method("async def decide(self, slime)"),
        (
            "player_bad, line 3: async def decide(self, slime) answers with a coroutine; expected: "
            "def decide(self, slime)"
        ),
        "write in the class Player:  def decide(self, slime):",
    ),
    "init without board": (
        method("def __init__(self)", "pass") + "    def decide(self, slime):\n        pass\n",
        (
            "player_bad, line 3: __init__(self) cannot be called; expected: "
            "def __init__(self, board, team)"
        ),
        "write in the class Player:  def __init__(self, board, team):",
    ),
    "init that passes nothing on": (
        method("def __init__(self, board, team)", "super().__init__()")
        + "    def decide(self, slime):\n        pass\n",
        "expected: super().__init__(board, team) (player_bad, line 4)",
        "correct that line",
    ),
    "ends itself": (
        f"import sys\nsys.exit('enough')\n{WALKER}",
        "exit: SystemExit: enough (player_bad, line 2)",
        "take out what ends the process",
    ),
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """One for all matches of which nothing is kept."""
    shell = Shell(tmp_path_factory.mktemp("project"))
    shell.bot("player_walker.py", WALKER)
    return shell


USUAL = ("syntax", "import", "no decide", "ends itself")
"""These are one of each kind; the others are with the slow tests."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in USUAL else pytest.mark.slow) for name in BROKEN]
)
def test_a_match_is_refused_before_it_begins_if_a_bot_cannot_play(
    name: str, project: Shell
) -> None:
    source, why, advice = BROKEN[name]
    project.bot("player_bad.py", source)
    done = project.run("-1", "player_walker", "-2", "player_bad", *QUICK)
    assert (done.code, done.out) == (2, "")
    assert "error: the match was not played, and nothing of it is kept:\n" in done.err
    assert "  team 2: player_bad (playerCode/player_bad.py)\n" in done.err
    assert why in done.err
    assert f"    what to do: {advice}" in done.err
    assert (
        project.finished_matches()
        == project.interrupted_replays()
        == project.half_written_folders()
        == []
    )


@pytest.mark.parametrize("name", ["syntax", "misspelt import", "no decide", "ends itself"])
def test_so_is_one_in_process_with_the_authors_own_path(name: str, project: Shell) -> None:
    project.bot("player_bad.py", BROKEN[name][0])
    done = project.run("-1", "player_walker", "-2", "player_bad", *QUICK, "--in-process")
    assert (done.code, done.out) == (2, "")
    assert f"    what to do: {BROKEN[name][2]}" in done.err
    assert re.search(r"playerCode/player_bad.py, line \d", done.err)
    assert project.finished_matches("in-process") == project.half_written_folders() == []


def test_breakpoint_in_a_process_says_where_it_works(shell: Shell) -> None:
    shell.bot("player_bad.py", BOT.format("breakpoint(); return 'LEFT'"))
    done = shell.run("-1", "player_bad", "-2", "player_walker", *QUICK)
    assert "exception: BdbQuit: breakpoint() stops with --in-process alone" in done.out


def test_all_broken_bots_of_a_match_are_told_at_once_and_each_once(shell: Shell) -> None:
    shell.bot("player_bad.py", "import nowhere")
    shell.bot("player_torn.py", "class Player(")
    done = shell.run("-1", "player_bad", "-2", "player_torn", *QUICK)
    assert (done.code, done.err.count("what to do")) == (2, 2)
    twice = shell.run("-1", "player_bad", "-2", "player_bad", *QUICK)
    assert (twice.code, twice.err.count("what to do")) == (2, 1)
    assert "team 1 and 2: player_bad" in twice.err


def test_a_file_beside_a_bot_is_answered_with_how_to_make_a_folder_which_then_plays(
    shell: Shell,
) -> None:
    shell.bot("player_bad.py", f"import helper\n{WALKER}")
    shell.bot("helper.py", "WORD = 'LEFT'\n")
    done = shell.run("-1", "player_bad", "-2", "player_walker", *QUICK)
    assert "--allow-package" not in done.err
    assert (
        "helper lies beside player_bad.py, but only the bot's own files are played. Make it a "
        "folder: mkdir player_bad; move player_bad.py to player_bad/__init__.py and helper into "
        "player_bad/; name it as player_bad. `import helper` then works"
    ) in done.err
    bots = shell.home / "playerCode"
    (bots / "player_bad").mkdir()
    (bots / "player_bad.py").rename(bots / "player_bad" / "__init__.py")
    (bots / "helper.py").rename(bots / "player_bad" / "helper.py")
    assert shell.json("-1", "player_bad", "-2", "player_walker", *QUICK)["teams"][0]["faults"] == {}


def test_a_series_forfeits_what_a_broken_bot_cannot_play(shell: Shell) -> None:
    shell.bot("player_bad.py", "import nowhere")
    parts = ("-r", "multi_match", "-m", "2", "-1", "player_bad", "-2", "player_walker", *QUICK)
    assert shell.run(*parts).code == 1
    assert len(shell.finished_matches()) == 2


@pytest.mark.slow
def test_a_recorded_match_of_a_broken_bot_is_played_again_as_recorded(shell: Shell) -> None:
    shell.bot("player_bad.py", "import nowhere")
    parts = ("-r", "multi_match", "-m", "2", "-1", "player_bad", "-2", "player_walker", *QUICK)
    shell.run(*parts)
    key = shell.finished_matches()[0].name
    again = shell.json("--match", key)
    assert again["first_fingerprint"] == again["fingerprint"]


# -- hints ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "hint"),
    [
        ("return slime.idd", "no attribute 'idd'. Did you mean: 'id'?"),
        slow("return board.turn", "name 'board' is not defined. Did you mean: 'self.board'?"),
        slow("return random.choice('a')", "is not defined. Did you forget to import 'random'?"),
        slow("return self.board.nearst_plant(slime)", "Did you mean: 'nearest_plant'?"),
    ],
)
def test_the_name_that_was_meant_is_told_in_summary_and_log(
    body: str, hint: str, shell: Shell
) -> None:
    shell.bot("player_bad.py", BOT.format(body))
    done = shell.run("-1", "player_bad", "-2", "player_walker", "--bot-logs", *QUICK)
    assert f"{hint} (player_bad, line 6)" in done.out
    assert f"{hint}\n" in done.err


def test_one_traceback_is_shown_once_and_counted(shell: Shell) -> None:
    shell.bot("player_bad.py", BOT.format("raise ValueError('oops')"))
    parts = ("-1", "player_bad", "-2", "player_walker", "--bot-logs", *QUICK)
    for where in ((), ("--in-process",)):
        done = shell.run(*parts, *where)
        assert done.err.count("Traceback") == 1
        assert "repeated 5 times" in done.err
        assert "printed nothing" not in done.err


# -- in process -------------------------------------------------------------------------------


def debug(shell: Shell, typed: str, *parts: str) -> tuple[int, str]:
    """The exit code and all that a terminal shows of a match whose author types this."""
    needs.require_call("pty.openpty")
    ours, other = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, str(shell.home / "main.py"), *parts, "--in-process", *QUICK[:2]],
        cwd=shell.home,
        env=ENVIRONMENT,
        stdin=other,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    os.write(ours, typed.encode())
    out, _ = process.communicate(timeout=PATIENCE_S)
    os.close(ours)
    os.close(other)
    return process.returncode, out.decode()


def test_q_in_the_debugger_ends_the_match_with_one_line(shell: Shell) -> None:
    shell.bot("player_mine.py", BOT.format("breakpoint(); return 'LEFT'"))
    code, shown = debug(shell, "q\n", "-1", "player_mine", "-2", "player_walker")
    assert code == 130
    assert "the debugger was left in turn 1: " in shown.splitlines()[-1]
    assert shown.splitlines()[-1].endswith("nothing is kept of this match")
    assert "Traceback" not in shown


def test_the_debugger_stops_in_the_authors_own_file_and_takes_breakpoints_there(
    shell: Shell,
) -> None:
    path = shell.bot("player_mine.py", BOT.format("x = 1\n        return 'LEFT'"))
    start = shell.bot(
        "player_start.py", BOT.format("if self.board.turn == 1: breakpoint()\n        return 'UP'")
    )
    code, shown = debug(
        shell, f"b {path}:7\nc\np x\nq\n", "-1", "player_start", "-2", "player_mine"
    )
    assert f"> {start}(7)decide()" in shown
    assert f"Breakpoint 1 at {path}:7" in shown
    assert f"> {path}(7)decide()" in shown
    assert code == 130
    assert not (shell.home / "playerCode" / "__pycache__").exists()


def test_in_process_a_recorded_turn_is_played_by_the_authors_own_file(shell: Shell) -> None:
    path = shell.bot("player_mine.py", BOT.format("raise ValueError('oops')"))
    shell.json("-1", "player_mine", "-2", "player_walker", *QUICK)
    replay = str(next(shell.matches.glob("*/replay*")))
    parts = ("--continue", replay, "--turn", "2", "--in-process")
    assert f'File "{path}", line 6, in decide' in shell.run(*parts).err
    path.write_text(BOT.format("return 'UP'"))
    changed = shell.run(*parts).err
    assert f"{path}: was changed since; its copy is played: {shell.home}/results/bots/" in changed


def test_a_file_that_changes_while_it_is_loaded_is_told(shell: Shell) -> None:
    path = shell.home / "playerCode" / "player_mine.py"
    shell.bot("player_mine.py", f"open({str(path)!r}, 'a').write('# more')\n{WALKER}")
    done = shell.run("-1", "player_mine", "-2", "player_walker", "--in-process", *QUICK)
    assert done.code == 2
    message = "playerCode/player_mine.py: was changed while the match began; start again"
    assert done.err == f"error: {message}\n"


def test_lines_that_a_sheet_did_not_take_are_counted_with_the_first_reasons(shell: Shell) -> None:
    shell.bot(
        "playerCode/smac/player_mine.py",
        "from engine.games.smac.player import BasePlayer\n"
        "class Player(BasePlayer):\n"
        "    def decide(self, orders):\n"
        "        orders.place(99, 0)\n"
        "        orders.evolve('jumping')\n"
        "        return {'orders': [['fly']]} if self.board.turn == 2 else None\n",
    )
    parts = ("-g", "smac", "--preset", "short")
    done = shell.run(*parts, "-1", "player_mine", "-2", "player_mine")
    assert done.code == 0
    message = r"^  refused    player_mine \(1\): \d+ orders, the rest was played; the first:$"
    assert re.search(message, done.out, re.MULTILINE), done
    assert (
        "\n               turn 1: place 99 0: (99, 0) is no cell of a board of 14 x 14\n"
        in done.out
    )
    assert "\n               turn 1: evolve jumping: 'jumping' is none of attack, " in done.out
    assert "forfeited" not in done.out


def test_a_bot_that_is_too_slow_again_and_again_is_told_of_while_it_plays(shell: Shell) -> None:
    shell.bot("player_slow.py", BOT.format("while True: pass"))
    parts = ("-1", "player_slow", "-2", "player_walker", "--limit", "cpu_ms=5", *QUICK)
    output = shell.run(*parts).err
    assert output.replace(" (player_slow, line 6)", "") == (  # said by a worker that comes back
        "player_slow has forfeited 3 turns by exceeding its time limits, most recently: no answer "
        "after 5 ms of CPU time. A decision may take 5 ms of CPU time and 1000 ms in all; "
        "--limit cpu_ms=N and --limit wall_ms=N change that\n"
    )
    for quiet in ("-q", "--json"):
        assert shell.run(*parts, quiet).err == ""
