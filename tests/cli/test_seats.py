"""Who sits where, as the command line says it."""

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from cli.seats import parse_players, seat_options, sprites_for
from engine.errors import UsageError
from tests.cases import for_each


@click.command()
@seat_options
def command(**options: Any) -> None:
    click.echo(repr(parse_players(options)))


def players(text: str) -> str:
    done = CliRunner().invoke(command, text.split(), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output.strip()


@for_each(
    "text, seated",
    [
        ("", ()),
        ("-1 a", ("a",)),
        ("-2 b", (None, "b")),
        ("-1 a -2 b", ("a", "b")),
        ("-p a -p b -p c", ("a", "b", "c")),
        ("--player a --player-3 c --player b", ("a", "b", "c")),
        ("-2 b -p a -p c", ("a", "b", "c")),
        ("-4 d -p a", ("a", None, None, "d")),
        ("-1 a -2 b -3 c -4 d -5 e -6 f", ("a", "b", "c", "d", "e", "f")),
        ("-p a -p b -p c -p d -p e -p f -p g", ("a", "b", "c", "d", "e", "f", "g")),
    ],
)
def test_numbered_bots_have_their_seats_and_the_others_those_left(
    text: str, seated: tuple[str | None, ...]
) -> None:
    assert players(text) == repr(seated)


def test_an_empty_name_is_a_wish_too() -> None:
    assert parse_players(
        {"players": ("",), **dict.fromkeys(map("player_{}".format, range(1, 7)))}
    ) == ("",)


def test_help_has_a_line_for_all_seats() -> None:
    page = " ".join(CliRunner().invoke(command, ["--help"]).output.split())
    assert "-1 .. -6, --player-1 .. --player-6 BOT The bots of teams 1, 2 and so on" in page
    assert "--sprite-1 .. --sprite-6 FILE" in page
    assert page.count("--player-") == 2


def test_a_picture_is_for_a_team_that_plays() -> None:
    sprites = (None, Path("x.png"), None, None, None, None)
    assert sprites_for(sprites, 3) == [None, Path("x.png"), None]
    too_many = (*sprites[:3], Path("y.png"), None, None)
    with pytest.raises(UsageError, match="--sprite-4 would have no effect: 3 teams play"):
        sprites_for(too_many, 3)
