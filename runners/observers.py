"""What a runner is told of a running match."""

import sys
from typing import Any

from tqdm import tqdm

from engine.game import Event, Game, Outcome, Stage
from engine.match import Watcher

BAR = "{l_bar}{bar}| turn {n_fmt}/{total_fmt} [{remaining}{postfix}]"
"""Short, so that the scores fit on a narrow terminal."""

# Its thread, there to redraw a bar that hangs, would hear the signals that the pool holds back.
tqdm.monitor_interval = 0


def is_off(*, is_wanted: bool) -> bool | None:
    """tqdm's `disable`: None shows a bar only where there is a terminal to draw it on."""
    return None if is_wanted else True


def say(text: str) -> None:
    """Beside the result, which scripts read from stdout, and above a bar."""
    tqdm.write(text, file=sys.stderr)


class TurnBar(Watcher):
    """A progress bar: the turn, and the score of every team."""

    def __init__(
        self, game: Game[Any, Any, Any], names: tuple[str, ...], *, is_wanted: bool
    ) -> None:
        self._game = game
        self._names = names
        self._is_wanted = is_wanted
        self._state: Any = None
        self._turn = 0
        self._bar: tqdm[Any] | None = None

    @property
    def standing(self) -> str:
        """`in turn 12: player_one 3.4, player_two 2.0`."""
        return "before it began" if self._state is None else f"in turn {self._turn}: {self._scores}"

    def began(self, state: Any) -> None:
        self._state = state
        self._bar = tqdm(
            total=self._game.standing(state).last_turn,
            unit="turn",
            leave=False,
            dynamic_ncols=True,
            bar_format=BAR,
            disable=is_off(is_wanted=self._is_wanted),
        )

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
            bar.set_postfix_str(self._scores)

    @property
    def _scores(self) -> str:
        scores = self._game.standing(self._state).scores
        pairs = zip(self._names, scores, strict=True)
        return ", ".join(f"{name} {score:.1f}" for name, score in pairs)
