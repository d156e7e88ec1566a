"""Environments of Smack! by PettingZoo's convention."""

from learning.convention import functions_for

env, raw_env, parallel_env = functions_for("smack")

__all__ = ["env", "parallel_env", "raw_env"]
