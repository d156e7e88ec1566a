"""The weights that training begins with: set by hand, they play much like player_six.

All others begin at 0.
"""

HAND_SET: dict[str, dict[str, float]] = {
    "plant": {
        "pace": 1.0,
        "grown, seeders are rare": -8.0,
        "young, bite kills": -0.95,
        "bite kills, end is near": 2.0,
    },
    "enemy": {
        "pace": -1.0,
        "would win": 5.0,
        "beside": 3.0,
        "dies": 3.0,
    },
    "friend": {"one": -1.0, "end is near": 5.0, "nearness": 1.0},
    "merge": {"one": -0.5, "around, end is near": 8.0},
    "split": {
        "one": 4.0,
        "level above 5": -10.0,
        "crowding": -6.0,
        "end is near": -20.0,
        "enemies beside": -16.0,
    },
    "step": {"one": -0.3, "by turns": 0.2},
    "square": {"deadly": -4.0},
}
