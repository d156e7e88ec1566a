"""`main.py check`: what the author of a bot is told before it plays."""

from click.testing import CliRunner

from cli.main import cli
from engine.bots.syntax_hints import THIS_PYTHON
from runners.configuration import HOME
from tests.cli.authors import Author, read_error
from tests.shell import BOT, WALKER

FAR = """
from engine.games.smac.player import BasePlayer


class Player(BasePlayer):
    def settle(self, sheet):
        pass

    def decide(self, orders):
        orders.place(99, 99)
"""


def test_a_good_bot_is_told_to_be_one(author: Author) -> None:
    author.bot("player_walker.py", WALKER)
    out = author.ok("--preset", "small", "check", "player_walker", "--turns", "5")
    assert out.split("\n")[0].endswith(f"player_walker.py), a bot of Slime Mind, in {THIS_PYTHON}")
    for words in ("loads", "decides", "as team 2 against", "median", "deterministic", "slowest"):
        assert words in out
    assert out.endswith("it plays without a fault\n")
    assert not list(author.home.glob("results/matches/*")), "nothing of it is a result"


def test_a_report_has_every_figure_for_scripts(author: Author) -> None:
    author.bot("player_walker.py", WALKER)
    report = author.json("--preset", "small", "check", "player_walker", "--turns", "4")
    assert [match["team"] for match in report["matches"]] == [1, 2, 1]
    assert report["cpu"]["calls"] == sum(match["decisions"] for match in report["matches"])
    assert report["is_deterministic"] is True
    assert report["is_loaded"] is True
    assert report["slowest"][0]["us"] == report["cpu"]["max_us"]
    assert report["problems"] == []


def test_a_fault_is_told_with_its_line_how_often_and_what_to_do(author: Author) -> None:
    author.bot("player_bad.py", BOT.format("return 1 / 0"))
    report = author.json("--preset", "small", "check", "player_bad", "--turns", "2", code=1)
    (problem,) = report["problems"]
    assert problem["cause"] == "exception"
    assert problem["detail"] == "ZeroDivisionError: division by zero (player_bad, line 6)"
    assert problem["where"].startswith("match 1, turn 1, piece ")
    assert problem["times"] == sum(match["decisions"] for match in report["matches"])
    assert problem["fix"].startswith("handle 0")
    assert {match["opponent"] for match in report["matches"][:2]} == {"player_one", "player_two"}


def test_the_command_that_is_named_shows_the_fault_again(author: Author) -> None:
    author.bot("player_bad.py", BOT.format("return 1 / 0 if self.board.turn == 2 else 'UP'"))
    out = author.ok("--preset", "small", "check", "player_bad", "--turns", "3", code=1)
    (command,) = [line for line in out.splitlines() if "look at it:" in line]
    arguments = command.split(" ask ")[1].split()
    assert arguments[arguments.index("--turn") + 1] == "2"
    found = author.ok("ask", *arguments)
    assert "the same: exception: ZeroDivisionError: division by zero (player_bad, line 6)" in found


def test_what_lies_beside_it_is_no_opponent(author: Author) -> None:
    for name in ("player_aaa.py", "player_bbb.py"):
        author.bot(name, "raise RuntimeError\n")
    author.bot("player_walker.py", WALKER)
    report = author.json("--preset", "small", "check", "player_walker", "--turns", "2")
    opponents = [match["opponent"] for match in report["matches"]]
    assert opponents == ["player_one", "player_two", "player_walker"]


def test_a_starter_bot_meets_the_others(author: Author) -> None:
    path = str(HOME / "playerCode" / "player_one.py")
    report = author.json("--preset", "small", "check", path, "--turns", "2")
    opponents = [match["opponent"] for match in report["matches"]]
    assert opponents == ["player_two", "player_four", "player_one"]


def test_a_bot_that_loses_every_decision_is_not_said_to_play(author: Author) -> None:
    author.bot("player_none.py", BOT.format("pass"))
    out = author.ok("--preset", "small", "check", "player_none", "--turns", "2", code=1)
    assert "  FAIL  plays          it orders nothing that counts: it lost each of its " in out
    assert "ok    plays" not in out
    assert "ok    decides" not in out
    assert "not None (a way through decide ends without return)" in out


def test_a_loop_without_an_end_is_named_as_one_with_its_line(author: Author) -> None:
    author.bot("player_loops.py", BOT.format("x = 0\n        while True:\n            x += 1"))
    report = author.json(
        "--preset", "small", "--limit", "cpu_ms=20", "check", "player_loops", "--turns", "1", code=1
    )
    problem = report["problems"][0]
    assert problem["cause"] == "timeout"
    if "(player_loops, line " in problem["detail"]:  # on a busy machine it may be killed instead
        assert "it was in the loop of line 7, `while True:`" in problem["fix"]


def test_a_traceback_is_not_counted_as_printed(author: Author) -> None:
    author.bot("player_bad.py", BOT.format("print('here'); return 1 / 0"))
    report = author.json("--preset", "small", "check", "player_bad", "--turns", "1", code=1)
    assert "Traceback" not in report["printed"]
    asked = sum(match["decisions"] for match in report["matches"])
    assert report["printed"].count("here\n") < asked
    assert report["printed_bytes"] == asked * len("--- turn 1, slime 1\nhere\n")


def test_a_bot_whose_orders_are_all_refused_does_not_play_without_a_fault(author: Author) -> None:
    author.bot("playerCode/smac/player_far.py", FAR)
    report = author.json("-g", "smac", "check", "player_far", "--turns", "4", code=1)
    (problem,) = report["problems"]
    assert problem["cause"] == "illegal order"
    assert problem["detail"].endswith(
        "orders were refused; the first: turn 1: place 99 99: (99, 99) is no cell of a board of "
        "20 x 20"
    )


def test_a_bot_that_cannot_play_is_told_so_without_playing(author: Author) -> None:
    author.bot("player_bad.py", "class Player(:\n")
    out = author.ok("check", "player_bad", code=1)
    assert "syntax error" in out
    assert "what to do: correct that line" in out
    assert out.endswith("it cannot play\n")


def test_chance_that_is_not_seeded_is_seen(author: Author) -> None:
    chance = "import os; return ('LEFT', 'UP')[os.urandom(1)[0] % 2]"
    author.bot("player_dicey.py", BOT.format(chance))
    report = author.json("--preset", "small", "check", "player_dicey", "--turns", "20")
    assert report["is_deterministic"] is False
    assert "ordered something else, first in turn " in report["warnings"][0]


def test_memory_is_measured_beside_its_limit(author: Author) -> None:
    author.bot("player_big.py", f"HELD = bytearray(40_000_000)\n{WALKER}")
    report = author.json("--preset", "small", "check", "player_big", "--turns", "2")
    assert 38 <= report["memory_mb"] < 64


def test_what_it_printed_is_counted_and_shown_if_wanted(author: Author) -> None:
    author.bot("player_chatter.py", BOT.format("print('I am'); return 'LEFT'"))
    out = author.ok("--preset", "small", "check", "player_chatter", "--turns", "2", "--bot-logs")
    assert "it printed, to begin with:" in out
    assert "I am\n" in out


def test_a_terminal_sees_colors_and_a_pipe_does_not(author: Author) -> None:
    author.bot("player_walker.py", WALKER)
    arguments = ["--preset", "small", "check", "player_walker", "--turns", "1"]
    assert "\x1b[32m" in CliRunner().invoke(cli, arguments, color=True).output
    assert "\x1b[" not in CliRunner().invoke(cli, arguments).output


def test_a_bot_that_is_not_there_is_wrong_usage(author: Author) -> None:
    assert "no bot 'nobody'" in read_error(author.run("check", "nobody"))
    assert "would have no effect" in read_error(author.run("check", "x", "--match", "abc"))
