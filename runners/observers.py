"""What a runner is told of a running match."""

from typing import Any

from tqdm import tqdm

from engine.game import Event, Game, Outcome, Stage
from engine.match import Watcher


class TurnBar(Watcher):
    """A progress bar: the turn, and the score of every team."""

    def __init__(self, game: Game[Any, Any, Any], names: tuple[str, ...]) -> None:
        self._game = game
        self._names = names
        self._state: Any = None
        self._turn = 0
        self._bar: tqdm[Any] | None = None

    def began(self, state: Any) -> None:
        self._state = state
        last = self._game.standing(state).last_turn
        self._bar = tqdm(total=last, unit="turn", leave=False, dynamic_ncols=True)

    def happened(self, event: Event) -> None:
        if type(event) is Stage and event.turn != self._turn:
            self._turn = event.turn
            self._advance()

    def ended(self, outcome: Outcome) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._bar is not None:
            self._bar.close()

    def _advance(self) -> None:
        bar = self._bar
        if bar is not None and bar.update(self._turn - bar.n):
            scores = self._game.standing(self._state).scores
            pairs = zip(self._names, scores, strict=True)
            bar.set_postfix_str(", ".join(f"{name} {score:.1f}" for name, score in pairs))
