"""A film as it is shown: its cursor, its pictures, and what moves on its board just now."""

from collections import deque
from pathlib import Path

from visualizer.cursor import Cursor
from visualizer.film import Film
from visualizer.sprites import Sprites
from visualizer.telling import Teller
from visualizer.window.signs import Move, Sign, moves_of, signs_of

STEPWISE = 300
"""So many steps of one frame are gone through one by one, to see what happens in each."""
SIGNS_KEPT = 400
SIGN_S = 0.45
"""A sign stays while the match is played on."""
GLIDE_S = 0.12
GLIDE_SPEED = 4.0
"""Faster than this, things jump."""


class Reel:
    """One of the films of a window."""

    def __init__(self, film: Film, sprites: Sprites, logs: Path) -> None:
        self.film = film
        self.sprites = sprites
        self.logs = logs
        """The folder with what the bots printed."""
        self.signs: deque[Sign] = deque(maxlen=SIGNS_KEPT)
        self.moves: dict[int, Move] = {}
        self._load()

    def _load(self) -> None:
        self._beginnings = self.film.replay.beginnings
        self.cursor = Cursor(self.film)
        self.teller = Teller(self.film)
        self.signs.clear()
        self.moves.clear()

    def read_on(self, budget_s: float) -> None:
        if self.film.is_over:
            return
        knew_nothing = not self.film.steps
        self.film.read_on(budget_s)
        if knew_nothing or self._beginnings != self.film.replay.beginnings:
            self._load()

    def follow(self, position: int, now: float, speed: float) -> None:
        """Move to where the playhead is, and keep what happened on the way there."""
        steps = position - self.cursor.position
        if 0 < steps <= STEPWISE:
            for _ in range(steps):
                self.cursor.advance()
                self.signs.extend(signs_of(self.cursor, now))
                if speed <= GLIDE_SPEED:
                    self.moves.update(moves_of(self.cursor, now))
        elif steps:
            self.cursor.seek(position)
            self.rest(now)

    def rest(self, now: float) -> None:
        """Show the last step alone, and nothing on its way."""
        self.moves.clear()
        self.signs.clear()
        self.signs.extend(signs_of(self.cursor, now))

    def forget(self, now: float, is_playing: bool) -> None:
        """What was long enough to be seen; while nothing is played, the last step stays."""
        while is_playing and self.signs and now - self.signs[0].since > SIGN_S:
            self.signs.popleft()
        for thing_id in [i for i, move in self.moves.items() if now - move.since > GLIDE_S]:
            del self.moves[thing_id]
