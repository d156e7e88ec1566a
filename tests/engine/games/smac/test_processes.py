"""SMAC with bots in real processes: what one of them can see of the others, and a killed one."""

from contextlib import closing
from pathlib import Path

import pytest

from engine.bots.finding import Copies, find_bots
from engine.games.smac.game import Smac
from engine.games.smac.settings import Settings
from engine.referee import Job, Referee
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec

GAME = Smac()
BOARD = Settings(side=16, specials_from_turn=2, last_turn=8)
HEAD = """
import os

from engine.games.smac.player import BasePlayer


class Player(BasePlayer):
"""
SPY = """
    def settle(self, sheet):
        print(self.board._dish)
        sheet.bid(2)
        for x, y in self.board.free_centers()[:20]:
            sheet.center(x, y)

    def decide(self, orders):
        print(self.board._dish)
        if self.board.turn == 4:
            os._exit(3)
"""
OPEN = """
    def settle(self, sheet):
        for x, y in self.board.free_centers()[::-1]:
            sheet.center(x, y)

    def decide(self, orders):
        pass
"""
HIDING = """
    def settle(self, sheet):
        sheet.bid(1)
        for x, y in self.board.free_centers()[::-1]:
            sheet.center(x, y)

    def decide(self, orders):
        if self.board.turn == 2:
            orders.select("NUKE")
        if self.board.turn == 3:
            orders.select("SPORE")
            return {"orders": [["place", 0, 0], ["fly"]] * 2000, "select": "BLOOM"}
        if self.board.turn == 5:
            raise ValueError
        if self.board.turn == 6:
            orders.use("NUKE", (3, 3))
"""


def play(home: Path, *bodies: str) -> tuple[MatchResult, Path]:
    """Play a match of bots with these methods; return its result and its file."""
    code, out = home / "bots", home / "out"
    code.mkdir(parents=True)
    for number, body in enumerate(bodies, 1):
        (code / f"player_{number}.py").write_text(HEAD + body)
    bots = sorted(find_bots(code), key=lambda bot: bot.name)
    for bot in bots:
        Copies(out / "bots").save(bot)
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=BOARD,
        limits=GAME.limits,
        bots=tuple(bot.digest for bot in bots),
        seed=3,
    )
    contestants = tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots)
    with closing(Referee(out)) as referee:
        result = referee.play(Job(spec=spec, contestants=contestants))
    assert result.replay is not None
    return result, Path(result.replay).parent


def test_7_1_a_bot_in_its_process_sees_the_same_whatever_the_other_hides(tmp_path: Path) -> None:
    """To the end of the match, and after the spy's process was replaced by another."""
    logs = []
    for name, other in (("open", OPEN), ("hiding", HIDING)):
        result, folder = play(tmp_path / name, SPY, other)
        assert result.teams[0].restarts == 1
        logs.append((folder / "1-player_1.log").read_bytes())
    assert logs[0] == logs[1]
    assert logs[0].count(b"Dish(") == 2 + BOARD.last_turn


@pytest.mark.parametrize("teams", [2, 3, 6])
def test_a_match_of_any_number_of_teams_can_be_played_and_verified(
    teams: int, tmp_path: Path
) -> None:
    result, folder = play(tmp_path, *[HIDING, OPEN, SPY, OPEN, HIDING, OPEN][:teams])
    assert len(result.teams) == teams
    assert verify(Replay(folder / "replay.jsonl.gz")) is None
