"""Who sits where, as the command line says it: `-1 BOT` to `-6 BOT`, and `-p BOT` for the rest."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from engine.errors import UsageError

MOST_SEATS = 6
"""That have an option; no game has more."""
SEATS = range(1, MOST_SEATS + 1)
PLAYERS = ("players", *(f"player_{seat}" for seat in SEATS))
PICTURES = tuple(f"sprite_{seat}" for seat in SEATS)
SEAT_OPTIONS = (*PLAYERS, *PICTURES)
"""By our names."""


class _SeatOption(click.Option):
    """One for each seat, and one line for all of them in --help."""

    def __init__(self, words: list[str], *, line: str, **attributes: Any) -> None:
        """`line`: what stands for all of them in --help."""
        super().__init__(words, **attributes)
        self._line = line

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return None if record is None else (self._line, record[1])


def seat_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Decorates a click command."""
    for seat in reversed(SEATS):
        command = _picture(seat)(command)
    command = click.option(
        "-p",
        "--player",
        "players",
        multiple=True,
        metavar="BOT",
        help="Of the next team that is not named yet; may be repeated. As many play as were "
        "named, or as few as the game has at least.",
    )(command)
    for seat in reversed(SEATS):
        command = _player(seat)(command)
    return command


def players_of(options: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Who was wished for, by their seats; None for a seat without a wish before one with."""
    wishes = {seat: options[f"player_{seat}"] for seat in SEATS}
    seated = {seat: wish for seat, wish in wishes.items() if wish is not None}
    others = iter(options["players"])
    players: list[str | None] = []
    while len(players) < max(seated, default=0):
        seat = len(players) + 1
        players.append(seated[seat] if seat in seated else next(others, None))
    return (*players, *others)


def pictures_of(options: Mapping[str, Any], teams: int) -> list[Path | None]:
    """Of each team the picture that was asked for. Raises: UsageError for one of no team."""
    for seat in SEATS[teams:]:
        if options[f"sprite_{seat}"] is not None:
            raise UsageError(f"--sprite-{seat} would have no effect: {teams} teams play")
    return [options[name] for name in PICTURES[:teams]]


def _player(seat: int) -> Callable[..., Any]:
    return click.option(
        f"-{seat}",
        f"--player-{seat}",
        cls=_SeatOption,
        line=f"-1 .. -{MOST_SEATS}, --player-1 .. --player-{MOST_SEATS} BOT",
        metavar="BOT",
        hidden=seat > 1,
        help="Team 1, 2 and so on; default: drawn at random.",
    )


def _picture(seat: int) -> Callable[..., Any]:
    return click.option(
        f"--sprite-{seat}",
        cls=_SeatOption,
        line=f"--sprite-1 .. --sprite-{MOST_SEATS} FILE",
        type=click.Path(path_type=Path),
        metavar="FILE",
        hidden=seat > 1,
        help="A picture for the pieces of that team (PNG); default: the one beside its bot, if "
        "any.",
    )
