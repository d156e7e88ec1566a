"""Whole behaviors to derive from: a class needs a drawing, and nothing else."""

from typing import NamedTuple

from engine.games.game_of_death.flag_runner import FlagRunner
from engine.games.game_of_death.soldier import Soldier

__all__ = ["Breaker", "Defender", "Guard", "Hunter", "Runner"]

UNLIMITED_SHOTS = 100_000
"""More shots from a place than a match has turns."""


class Runner(FlagRunner):
    """Runs for the flag and brings it home, and shoots at enemies on its way."""

    starts: int = 0
    """The turn in which it sets out; until then it shoots from where it was placed."""

    def update(self) -> None:
        """Carry or capture the flag, shoot, aim, cover the bearer, or run, in this order."""
        if self.carry() or self.shoot() or self.aim() or self.cover():
            return
        if self.now >= self.starts:
            self.reach(self.target)
        else:
            self.rest()


class Hunter(FlagRunner):
    """Chases the enemies it sees, and runs for the flag when it sees none."""

    least: int = 2
    """It attacks only with sides of at least this attack."""

    def update(self) -> None:
        """Carry or capture the flag, shoot, aim, chase, or run, in this order."""
        if self.carry() or self.shoot(self.least) or self.aim(self.least) or self.cover():
            return
        if not self.chase(self.seen("h"), self.least):
            self.reach(self.target)


class Breaker(Soldier):
    """Goes straight at enemies without turning, and shoots with its strong sides: for long bars."""

    shots_from_a_place = 100_000
    least: int = 3
    """It attacks only with sides of at least this attack."""

    def update(self) -> None:
        """Shoot, end the move that is under way, go to where it can shoot, or to the flag."""
        if self.shoot(self.least) or (self.pending is not None and self.progress < self.speed):
            return
        if not self.chase(self.seen("h"), self.least):
            self.reach(self.enemy_home)


class Guard(Soldier):
    """Stays where it was placed, and shoots at what comes into its lanes."""

    shots_from_a_place = 100_000
    least: int = 2
    """It attacks only with sides of at least this attack."""

    def update(self) -> None:
        """Shoot, or rest."""
        if not self.shoot(self.least):
            self.rest()


class Defender(Soldier):
    """Waits at its place, chases enemies that come near the home, and goes back."""

    leash: int = 30
    """How far from the home it chases enemies, columns."""
    post: tuple[int, int] | None = None
    """The place where it waits: where it was placed."""

    def update(self) -> None:
        """Shoot, aim, chase who is near, or go back, in this order."""
        self.post = self.post or self.anchor
        if self.shoot() or self.aim():
            return
        near = [cell for cell in self.seen("h") if cell[0] < self.home.u + self.leash]
        if near:
            self.chase(near)
        elif self.anchor == self.post or not self.walk_to(*self.post):
            self.rest()


class Number(NamedTuple):
    """A number of a behavior that whoever designs an army may set."""

    name: str
    words: str
    least: int
    most: int


SHOTS = Number("shots_from_a_place", "shots from one place before it moves on", 1, UNLIMITED_SHOTS)
MIN_ATTACK = Number("least", "attacks only with sides of at least this attack", 1, 100)
NUMBERS: dict[type[Soldier], tuple[Number, ...]] = {
    Runner: (Number("starts", "sets out in turn", 0, 1_000_000), SHOTS),
    Hunter: (MIN_ATTACK, SHOTS),
    Breaker: (MIN_ATTACK,),
    Guard: (MIN_ATTACK,),
    Defender: (Number("leash", "chases up to so many columns from the home", 0, 1_000), SHOTS),
}
"""The behaviors in the order in which they are offered, with their numbers."""
BEHAVIORS = {behavior.__name__: behavior for behavior in NUMBERS}
