"""A game for two to six teams, small enough to know by heart, and whole: with players and a scene.

Everybody names a number each turn, and that is what it scores.
"""

from pathlib import Path

import pytest

from engine import catalog
from tests.sealed_bids.game import Bids
from tests.shell import Shell
from tests.template import template, variant

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
    monkeypatch.setitem(catalog.GAMES, NAME, game)
    return game


def bids_shell(home: Path, *numbers: int, plays_here: bool = False) -> Shell:
    """A project that has the game, and a bot `player_N` that bids N for each number."""
    here = Path(__file__).parent
    files = {
        f"engine/games/{NAME}/__init__.py": "",
        f"engine/games/{NAME}/game.py": (here / "game.py").read_text(),
        f"visualizer/scenes/{NAME}.py": (here / "scene.py").read_text(),
        "engine/catalog.py": (template() / "engine/catalog.py").read_text() + ENTRY,
    }
    shell = Shell(home, variant(NAME, files), plays_here=plays_here)
    for number in numbers:
        shell.bot(f"playerCode/{NAME}/player_{number}.py", bidder(number))
    return shell
