"""What a person meets who plays with one click."""

from pathlib import Path

import pytest

from server.games.new_games import Opponents
from slime_mind_arena.library import play_series

EATER = """
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        view = self.board
        near = sorted(view.plants, key=lambda plant: view.distance(slime, plant))[:8]
        steps = (view.bite(slime, plant) or view.step_towards(slime, plant) for plant in near)
        return next(filter(None, steps), "UP")
"""
"""Does what *Others eat* has all slimes do, turn by turn."""
SEEDS = 20


@pytest.mark.slow
def test_the_first_opponent_beats_whoever_only_eats(tmp_path: Path) -> None:
    bot = tmp_path / "player_eater.py"
    bot.write_text(EATER)
    opponent = Opponents(tmp_path).find_middle_bot("slime_mind")
    preset, out = "people", tmp_path / "results"
    played = play_series(bot, opponent, maps=SEEDS // 2, preset=preset, seed=3, out=out)
    names = [[match.teams[team - 1].bot for team in match.winners] for match in played]
    assert names.count([opponent]) >= SEEDS // 2
