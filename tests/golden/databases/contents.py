"""What golden databases are made of.

The digests of bots are in keys of matches, so their text never changes. It imports nothing of the
project: servers of former versions import it, too.
"""

from pathlib import Path

ARMY = """\
from engine.games.game_of_death.player import BasePlayer, Shape


class Bar(Shape):
    drawing = "{drawing}"

    def update(self):
        {act}

    def die(self):
        self.rest()


class Player(BasePlayer):
    def design(self):
        self.place(Bar, 20, self.home.v)
"""
MOLD = """\
from engine.games.smac.player import BasePlayer


class Player(BasePlayer):
    def settle(self, sheet):
        for x, y in self.board.free_centers()[{first}:]:
            sheet.center(x, y)
            break

    def decide(self, orders):
        for x, y in sorted(self.board.reach())[:{most}]:
            if orders.why_not_place(x, y) is None:
                orders.place(x, y)
"""
SOURCES = {
    "biter": """\
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("BITELEFT", "BITEUP", "BITERIGHT", "BITEDOWN")[(slime.x + slime.y) % 4]
""",
    "eater": """\
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("BITEUP", "LEFT", "BITEDOWN", "UP", "BITERIGHT")[(slime.x + slime.current_hp) % 5]
""",
    "first_move": """\
from engine.games.smack.player import BasePlayer


class Player(BasePlayer):
    def decide(self, board):
        return board.position.moves()[0]
""",
    "flyer": """\
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return "FLY" if slime.x % 3 == 0 else "BITELEFT"
""",
    "last_move": """\
from engine.games.smack.player import BasePlayer


class Player(BasePlayer):
    def decide(self, board):
        return board.position.moves()[-1]
""",
    "leaver": """\
import os

from engine.games.slime_mind.player import BasePlayer

decided = 0


class Player(BasePlayer):
    def decide(self, slime):
        global decided
        decided += 1
        return os._exit(3) if decided > 5 else "RIGHT"
""",
    "stumbler": """\
from engine.games.slime_mind.player import BasePlayer

decided = 0


class Player(BasePlayer):
    def decide(self, slime):
        global decided
        decided += 1
        return "FLY" if decided % 4 == 0 else "UP"
""",
    "walker": """\
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        return ("LEFT", "UP", "RIGHT", "DOWN")[(slime.id + slime.x) % 4]
""",
    "army_1": ARMY.format(drawing="####", act='self.attack("forward")'),
    "army_2": ARMY.format(drawing="#####", act='self.move("forward")'),
    "army_3": ARMY.format(drawing="######", act='self.move("forward")'),
    "army_4": ARMY.format(drawing="#######", act='self.move("forward")'),
    "mold_1": MOLD.format(first=3, most=2),
    "mold_2": MOLD.format(first=6, most=4),
    "mold_3": MOLD.format(first=9, most=6),
}
"""By name."""


def write_bots(folder: Path) -> None:
    """Write all of them into a folder."""
    folder.mkdir(exist_ok=True)
    for name, source in SOURCES.items():
        (folder / f"{name}.py").write_text(source, encoding="utf-8")


HALF = {"half": "round_robin", "cup": "double_elimination"}
"""The tournaments of a server that were paused in their middle, and their formats."""


def make_password(person: str) -> str:
    """Return a password that is no secret."""
    return f"password of {person}"
