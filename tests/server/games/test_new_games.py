"""What a person meets who plays with one click."""

from pathlib import Path

import pytest

from server.games.new_games import PEOPLE_PRESETS, Opponents
from slime_mind_arena.library import play_series

EATER = """
from engine.games.slime_mind.player import BasePlayer


class Player(BasePlayer):
    def decide(self, slime):
        near = sorted(self.board.plants, key=lambda plant: self.board.distance(slime, plant))
        for plant in near[:8]:
            step = self.board.bite(slime, plant) or self.board.step_towards(slime, plant)
            if step is not None:
                return step
        return "UP"
"""
"""Does what *Others eat* has all slimes do, turn by turn."""
SEEDS = 20


@pytest.mark.slow
def test_the_first_opponent_beats_whoever_only_eats(tmp_path: Path) -> None:
    bot = tmp_path / "player_eater.py"
    bot.write_text(EATER)
    opponent = Opponents(tmp_path / "results").find_middle("slime_mind")
    preset = PEOPLE_PRESETS["slime_mind"]
    played = play_series(
        bot, opponent, maps=SEEDS // 2, preset=preset, seed=3, out=tmp_path / "results"
    )
    assert len(played) == SEEDS
    lost = [
        match for match in played for team in match.winners if match.teams[team - 1].bot == opponent
    ]
    assert len(lost) >= SEEDS // 2
