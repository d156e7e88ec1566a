"""`main.py check`: what the author of a bot is told before it plays."""

from click.testing import CliRunner

from cli.main import cli
from tests.cli.authors import Author, error_of
from tests.shell import BOT, WALKER


def test_a_good_bot_is_told_to_be_one(author: Author) -> None:
    author.bot("player_walker.py", WALKER)
    out = author.ok("--preset", "small", "check", "player_walker", "--turns", "5")
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
    assert "--in-process" in problem["fix"]


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
    words = ["--preset", "small", "check", "player_walker", "--turns", "1"]
    assert "\x1b[32m" in CliRunner().invoke(cli, words, color=True).output
    assert "\x1b[" not in CliRunner().invoke(cli, words).output


def test_a_bot_that_is_not_there_is_wrong_usage(author: Author) -> None:
    assert "no bot 'nobody'" in error_of(author.run("check", "nobody"))
    assert "would have no effect" in error_of(author.run("check", "x", "--match", "abc"))
