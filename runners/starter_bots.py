"""The starter bots of each game in the order of their strength: the rungs of an author's climb."""

from collections.abc import Sequence
from pathlib import Path

from engine.bots.finding import bot_path
from engine.catalog import describe_game, find_game
from runners.configuration import bundled_bots_folder


def starter_bots(game: str) -> tuple[str, ...]:
    """Return the names of the starter bots of a game, the weakest first; none of a new game."""
    return describe_game(game).starter_bots


def starter_files(game: str) -> list[Path]:
    """Return the files of a game's starter bots, the weakest first; of a new game whatever it has.

    They are ours: whatever else lies in a folder of bots is not among them.
    """
    folder = bundled_bots_folder(find_game(game))
    names = starter_bots(game) or sorted(path.stem for path in folder.glob("player_*.py"))
    return [path for path in (bot_path(name, folder) for name in names) if path is not None]


def find_rivals(bot: Path, game: str) -> list[Path]:
    """Return the starter bots to try a bot against, the weakest first; itself if there is none."""
    own = bot.resolve()
    return [path for path in starter_files(game) if path.resolve() != own] or [bot]


def next_opponent(order: Sequence[str], beaten: str, own: str) -> str | None:
    """Return the next stronger bot than the one that was beaten; None for the strongest.

    `own` is the bot that has beaten it: nobody is asked to play itself.
    """
    stronger = [name for name in order[order.index(beaten) + 1 :] if name != own]
    return stronger[0] if stronger else None
