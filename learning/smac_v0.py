"""Environments of SMAC by PettingZoo's convention."""

from learning.convention import functions_for

env, raw_env, parallel_env = functions_for("smac")

__all__ = ["env", "parallel_env", "raw_env"]
