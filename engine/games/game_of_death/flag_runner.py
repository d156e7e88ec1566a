"""A `Soldier` that captures the flag, and makes room for the shape that has it."""

from engine.games.game_of_death.player import Home
from engine.games.game_of_death.soldier import Soldier

__all__ = ["FlagRunner"]

MEMORY = 6
"""The turns for which the bearer's call is believed."""
ROOM = 15
"""The distance from the homes that others keep then, so that the bearer has room, cells."""


class FlagRunner(Soldier):
    """`self.carry() or self.shoot() or self.cover() or self.reach(self.enemy_home)` is a plan."""

    call: str = "I have the flag"
    """Its broadcast while it has the flag. Enemies hear it, too: choose a word of your own."""
    heard: list[str]
    """The messages that it read this turn."""
    _called: int = -MEMORY
    """When it last heard the call."""

    def carry(self) -> bool:
        """Listen; bring the flag home, or capture it; return False if it can do neither."""
        self.heard = self.receive()
        call = self.call[: self.settings.message_max]
        if call in self.heard:
            self._called = self.now
        if self.has_flag:
            if self.settings.broadcasts_per_turn:
                self.broadcast(call)
            self.reach(self.home)
            return True
        is_capturing = self._is_at_a_flag() and not self.is_carried
        if is_capturing and not self.capture_progress:
            self.capture()
        return is_capturing

    @property
    def target(self) -> Home:
        """The home whose flag it goes for; among several enemies, pick another one if you like."""
        return self.enemy_home

    @property
    def is_carried(self) -> bool:
        """Return whether another shape of its team has the flag, as far as it heard."""
        return self.now - self._called < MEMORY

    def cover(self) -> bool:
        """Keep out of the way of another one that has the flag, and chase the enemies behind it."""
        if not self.is_carried:
            return False
        front = self.target.u - ROOM
        enemies = [cell for cell in self.seen("h") if cell[0] < front]
        if self.anchor[0] > front:
            self.walk_to(front - ROOM, self.anchor[1])
        elif enemies:
            self.chase(enemies)
        elif self.anchor[0] > self.home.u + ROOM:
            self.walk_to(self.home.u + ROOM, self.anchor[1])
        return True

    def _is_at_a_flag(self) -> bool:
        """Return whether it touches the home of an enemy that is not out."""
        return any(self.touches(enemy.home) for enemy in self.enemies if not enemy.is_defeated)
