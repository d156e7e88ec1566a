"""What the policy that learns rates, and by which features: the names of its weights.

playerCode/player_learned has the same names. Features are numbers of about 0 to 1.
"""

from itertools import accumulate
from pathlib import Path

FEATURES: dict[str, tuple[str, ...]] = {
    "plant": (
        *("pace", "grown", "grown, seeders are rare", "young, bite kills"),
        *("young, bite kills, plants are rare", "level", "bite kills, end is near"),
        *("friends beside it", "enemies beside it", "nearness", "waste"),
    ),
    "enemy": (
        *("pace", "would win", "would tie", "xp", "beside", "dies", "beside, would win"),
        *("end is near", "outnumbered", "supported", "beside, harm"),
    ),
    "friend": ("one", "end is near", "nearness", "gain", "end is near, gain", "has more xp"),
    "merge": (
        *("one", "around", "around, end is near", "gain", "gain, end is near"),
        *("ready", "ready, gain", "ready, hurt"),
    ),
    "split": (
        *("one", "level", "level above 5", "crowding", "plants are rare", "seeders are rare"),
        *("turn", "end is near", "enemies beside", "outnumbering", "room"),
    ),
    "step": ("one", "by turns", "end is near"),
    "square": ("harm", "deadly", "enemies beside", "threat", "friends beside"),
}
"""The features of each thing that is rated; a square's rating is added to that of each order."""
OFFSETS = (0, *accumulate(len(names) for names in FEATURES.values()))
"""Where the weights of each begin in an array of all, and where they end."""
PLANT, ENEMY, FRIEND, MERGING, SPLITTING, STEP, SQUARE = range(len(FEATURES))
FEATURE_COUNT = OFFSETS[-1]
HAND_SET = Path(__file__).with_name("hand_set.json")
"""Weights that were set by hand, most of them 0: they play much like player_six."""
