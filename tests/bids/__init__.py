"""A game for two to six teams, small enough to know by heart, and whole: with players and a scene.

Everybody names a number each turn, and that is what it scores.
"""

import shutil
from pathlib import Path

import pytest

from engine import catalogue
from tests.bids.game import Bids
from tests.shell import Shell

NAME = Bids.name
ENTRY = f"""

from engine.games.{NAME}.game import Bids

GAMES[Bids.name] = Bids()
"""
BOT = f"""
from engine.games.{NAME}.game import BasePlayer

class Player(BasePlayer):
    def bid(self, turn, scores):
        {{}}
"""


def bidder(number: int) -> str:
    """A bot that always bids the same."""
    return BOT.format(f"return {number}")


def install(monkeypatch: pytest.MonkeyPatch) -> Bids:
    """Put the game where games are looked for."""
    game = Bids()
    monkeypatch.setitem(catalogue.GAMES, NAME, game)
    return game


def bids_shell(home: Path, *numbers: int) -> Shell:
    """A project that has the game, and a bot `player_N` that bids N for each number."""
    shell = Shell(home)
    here = Path(__file__).parent
    folder = home / "engine/games" / NAME
    folder.mkdir()
    (folder / "__init__.py").touch()
    shutil.copy(here / "game.py", folder / "game.py")
    shutil.copy(here / "scene.py", home / f"visualizer/scenes/{NAME}.py")
    with (home / "engine/catalogue.py").open("a") as catalogue_file:
        catalogue_file.write(ENTRY)
    for number in numbers:
        shell.bot(f"playerCode/{NAME}/player_{number}.py", bidder(number))
    return shell
