"""Environments of Slime Mind by PettingZoo's convention."""

from learning.convention import functions_for

env, raw_env, parallel_env = functions_for("slime_mind")

__all__ = ["env", "parallel_env", "raw_env"]
