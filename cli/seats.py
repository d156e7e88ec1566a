"""Declare the options that seat bots: `-1 BOT` to `-6 BOT`, and `-p BOT` for the other seats."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.decorators import FC

from cli.choices import combine, option
from engine.errors import UsageError

if TYPE_CHECKING:
    from engine.bots.finding import Bot

MAX_SEATS = 6
"""Seats that have an option of their own; no game has more."""
SEATS = range(1, MAX_SEATS + 1)
PLAYERS = ("players", *(f"player_{seat}" for seat in SEATS))
SPRITES = tuple(f"sprite_{seat}" for seat in SEATS)
SEAT_OPTIONS = (*PLAYERS, *SPRITES)
"""The names of their parameters."""


class _SeatOption(click.Option):
    """An option of each seat, all of which have one line in --help."""

    def __init__(self, arguments: list[str], *, line: str, **attributes: Any) -> None:
        """`line`: what stands for all of them in --help."""
        super().__init__(arguments, **attributes)
        self._line = line

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        record = super().get_help_record(ctx)
        return None if record is None else (self._line, record[1])


def parse_players(params: Mapping[str, Any]) -> tuple[str | None, ...]:
    """Return the bots named, by seat number; None for a seat without one before one with."""
    numbered = {seat: params[f"player_{seat}"] for seat in SEATS}
    seated = {seat: word for seat, word in numbered.items() if word is not None}
    others = iter(params["players"])
    players: list[str | None] = []
    while len(players) < max(seated, default=0):
        seat = len(players) + 1
        players.append(seated[seat] if seat in seated else next(others, None))
    return (*players, *others)


def sprites_for(sprites: Sequence[Path | None], teams: int) -> list[Path | None]:
    """Return those of the teams that play. Raises: UsageError for one of no team."""
    for seat, sprite in enumerate(sprites[teams:], teams + 1):
        if sprite is not None:
            raise UsageError(f"--sprite-{seat} would have no effect: {teams} teams play")
    return list(sprites[:teams])


def save_own_sprites(bots: Sequence["Bot"], out: Path) -> None:
    """Keep the bots' own pictures, for whoever watches now or later. Raises: BadSprite."""
    from visualizer.drawing.custom_sprites import find_custom, save_sprites  # takes a while

    customs = [find_custom(bot.path) for bot in bots]
    for bot, custom in zip(bots, customs, strict=True):
        save_sprites(custom, out, bot.digest)


def _player_option(seat: int) -> Callable[[FC], FC]:
    return option(
        f"-{seat}",
        f"--player-{seat}",
        cls=_SeatOption,
        line=f"-1 .. -{MAX_SEATS}, --player-1 .. --player-{MAX_SEATS} BOT",
        metavar="BOT",
        hidden=seat > 1,
        help="The bots of teams 1, 2 and so on; default: drawn at random.",
    )


def _sprite_option(seat: int) -> Callable[[FC], FC]:
    return option(
        f"--sprite-{seat}",
        cls=_SeatOption,
        line=f"--sprite-1 .. --sprite-{MAX_SEATS} FILE",
        type=click.Path(path_type=Path),
        hidden=seat > 1,
        help="A picture for the pieces of that team (PNG); default: the one beside its bot, if "
        "there is one.",
    )


_PLAYER = option(
    "-p",
    "--player",
    "players",
    multiple=True,
    metavar="BOT",
    help="The bot of the next team without one; may be repeated. As many teams play as bots "
    "are named, but at least as many as the game needs.",
)
seat_options = combine([*map(_player_option, SEATS), _PLAYER, *map(_sprite_option, SEATS)])
