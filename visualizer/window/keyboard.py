"""What keys do, pressed and held."""

from visualizer.window.actions import REPEATED, Action, action_of
from visualizer.window.showing import Showing

PATIENCE_S = 0.4
"""From pressing a key to its first repeat."""
PAUSE_S = 0.08
"""From one repeat to the next."""


class Keyboard:
    """Told of keys by their names in the table of actions."""

    def __init__(self, showing: Showing) -> None:
        self._showing = showing
        self._held: tuple[str, Action] | None = None
        self._next = 0.0

    def press(self, key: str, *, with_shift: bool) -> None:
        action = (action_of(f"shift+{key}") if with_shift else None) or action_of(key)
        if action is None:
            return
        action.do(self._showing)
        self._held = (key, action) if action.name in REPEATED else None
        self._next = self._showing.clock + PATIENCE_S

    def release(self, key: str) -> None:
        if self._held is not None and self._held[0] == key:
            self._held = None

    def tick(self) -> None:
        """Once a picture at most: what nobody sees need not be stepped through."""
        if self._held is not None and self._showing.clock >= self._next:
            self._held[1].do(self._showing)
            self._next = self._showing.clock + PAUSE_S
