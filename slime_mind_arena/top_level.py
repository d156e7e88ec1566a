"""Importing this makes `engine`, `runners` and the others top-level modules, as in a clone.

For our own commands, and for tests of bots: bots import `engine`.
"""

from slime_mind_arena.tree import use_top_level

use_top_level()
