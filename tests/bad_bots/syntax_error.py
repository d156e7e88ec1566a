"""Is no Python."""

class Player(
    def decide
