"""What every command that plays says of decisions that were lost."""

import pytest

from tests.cli.authors import Author
from tests.cli.test_versus import RAISES, command
from tests.shell import WALKER

pytestmark = pytest.mark.usefixtures("played_here")


@pytest.fixture(autouse=True)
def bots(author: Author) -> None:
    author.bot("player_bad.py", RAISES)
    author.bot("player_walker.py", WALKER)


def test_a_series_ends_early_where_a_bot_loses_nearly_all_its_decisions(author: Author) -> None:
    arguments = (
        *("-r", "multi_match", "-m", "20", "-1", "player_walker", "-2", "player_bad", "-j", "1"),
    )
    series = ("--preset", "small", "--set", "max_turns=4", "--seed", "5", *arguments)
    answer = author.json(*series, code=1)
    assert (answer["played"], answer["was_stopped"], answer["secret"]) == (2, False, None)
    (lost,) = answer["lost_decisions"]
    assert (lost["bot"]["name"], lost["causes"]) == ("player_bad", {"exception": 16})
    text = author.ok(*series, code=1)
    assert "stopped after 2 matches: player_bad loses nearly all its decisions (16 of 16)" in text
    assert "played before     2 matches, not played again" in text
    assert "the same: exception" in author.ok(*command(text, "look at it:"))


def test_a_series_is_played_on_where_that_is_wanted(author: Author) -> None:
    arguments = (
        *("-r", "multi_match", "-m", "4", "-1", "player_walker", "-2", "player_bad", "-j", "1"),
    )
    answer = author.json("--preset", "small", "--set", "max_turns=2", "--keep-going", *arguments)
    assert (answer["played"], answer["lost_decisions"][0]["lost"]) == (4, 16)


def test_versus_is_played_on_where_that_is_wanted(author: Author) -> None:
    arguments = (
        *("versus", "player_walker", "player_bad", "--max-pairs", "2", "--keep-going", "-j", "1"),
    )
    answer = author.json("--preset", "small", "--set", "max_turns=2", *arguments, code=4)
    assert (answer["matches"], answer["hopeless"]) == (4, None)


def test_an_audit_ends_where_a_bot_loses_nearly_all_its_decisions(author: Author) -> None:
    arguments = ("fairness", "player_walker", "player_bad", "--pairs", "2", "-j", "1")
    short = ("--preset", "small", "--set", "max_turns=2")
    text = author.ok(*short, *arguments, code=1)
    assert "  faults of player_bad: 16 forfeited turns (16 exception), nearly all its " in text
    assert "player_bad loses nearly all its decisions (16 of 16)" in text
    assert text.splitlines()[-1].endswith("mend it first, or leave it out") or "sandbox" in text
    whole = author.json(*short, *arguments, "--keep-going", code=0)
    assert (whole["between"]["sets"], whole["alone"]["sets"], whole["hopeless"]) == (2, 4, None)


def test_keeping_on_is_for_many_matches(author: Author) -> None:
    done = author.run("--keep-going", "-1", "player_walker", "-2", "player_walker")
    assert "--keep-going would have no effect: one match is played" in str(done.exception)


def test_a_match_names_the_command_that_shows_its_first_fault(author: Author) -> None:
    author.bot("elsewhere/player_bad.py", RAISES)
    path = "elsewhere/player_bad.py"
    short = ("--preset", "small", "--set", "max_turns=2", "--render", "none", "-q")
    text = author.ok(*short, "-1", "player_walker", "-2", path)
    asked = command(text, "look at it:")
    assert asked[:3] == ["ask", path, "--match"]
    assert "the same: exception: ZeroDivisionError" in author.ok(*asked)
    again = author.ok("-q", "--render", "none", "--match", asked[3])
    assert command(again, "look at it:")[3].startswith("results/again/")


def test_each_playing_of_watch_names_the_command_that_shows_its_first_fault(
    author: Author, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.watch.wait_for_save", lambda *words: False)
    short = ("--preset", "small", "--set", "max_turns=2", "--render", "none", "-q")
    text = author.ok(*short, "watch", "player_bad", "--against", "player_walker")
    assert "  4 forfeited turns (4 exception): ZeroDivisionError" in text
    out = text.split("look at it: ")[1].split()
    assert "the same: exception" in author.ok(*out[out.index("--out") :])


def test_a_tournament_is_played_on_and_says_who_loses_nearly_all(author: Author) -> None:
    # What raises at once is not let in.
    author.bot("player_bad.py", RAISES.replace("1 / 0", "1 / (self.board.turn == 1)"))
    short = ("--preset", "small", "--set", "max_turns=20", "-j", "1")
    arguments = ("tournament", "--pairs", "1", "--no-report", "--quarantine", "0")
    text = author.ok(*short, *arguments)
    assert "  player_bad: 76 forfeited turns (76 exception), nearly all its decisions" in text
    asked = command(text, "look at it:")
    assert "the same: exception: ZeroDivisionError" in author.ok(*asked)


def test_a_profile_says_what_was_lost_and_where(author: Author) -> None:
    short = ("--preset", "small", "--set", "max_turns=4")
    text = author.ok(*short, "profile", "player_bad", "--against", "player_walker")
    assert "8 forfeited turns (8 exception): ZeroDivisionError: division by zero" in text
    assert "the same: exception: ZeroDivisionError" in author.ok(*command(text, "; look at it:"))
