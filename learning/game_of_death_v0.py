"""Environments of the Game of Death by PettingZoo's convention."""

from learning.convention import functions_for

env, raw_env, parallel_env = functions_for("game_of_death")

__all__ = ["env", "parallel_env", "raw_env"]
