"""The commands we print for users to type."""

from pathlib import Path

import pytest

from runners.commands import Commands, commands_for, format_command
from runners.configuration import DEFAULT_OUT


def test_a_match_is_played_again_from_where_its_results_are() -> None:
    assert Commands().play_again_command("3f9a") == "python3 main.py --match 3f9a"
    elsewhere = Commands(out=Path("my results"))
    assert elsewhere.play_again_command("3f9a") == "python3 main.py --out 'my results' --match 3f9a"


def test_a_tournament_of_another_game_is_named_with_it() -> None:
    commands = commands_for("main.py", DEFAULT_OUT, game="smac")
    assert commands.resume("x") == "python3 main.py -g smac -r tournament --name x"
    assert commands.standings("x") == "python3 main.py -g smac report --standings x"
    assert (
        commands.play_again_command("3f9a") == "python3 main.py --match 3f9a"
    )  # its record says the game


def test_a_replay_is_watched_by_its_path() -> None:
    assert Commands().watch("a b/replay") == "python3 replay.py 'a b/replay'"


def test_a_game_of_a_person_goes_on_from_where_it_is_kept() -> None:
    elsewhere = Commands(out=Path("my results"))
    assert elsewhere.play("smack") == "python3 main.py --out 'my results' play -g smack"


@pytest.mark.parametrize(
    ("arguments", "typed"),
    [
        (["main.py", "check", "my bot.py"], "python3 main.py check 'my bot.py'"),
        (["/usr/bin/slime-mind-arena", "serve"], "slime-mind-arena serve"),
        (
            ["main.py", "--results", "postgresql+psycopg://ann:se:cret@db/arena", "--seed=7"],
            "python3 main.py --results postgresql+psycopg://ann@db/arena --seed=7",
        ),
        (
            ["main.py", "--results", "postgresql://db/a"],
            "python3 main.py --results postgresql://db/a",
        ),
    ],
)
def test_a_command_is_shown_as_it_was_typed_without_its_password(
    arguments: list[str], typed: str
) -> None:
    assert format_command(arguments) == typed
