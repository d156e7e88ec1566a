"""Observers of a running match: a progress bar, and warnings of slow bots."""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import RLock, Timer
from typing import NoReturn, Self

from tqdm import tqdm

from engine.errors import BadReplay
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, Outcome, Stage, State
from engine.limits import Limits
from engine.observer import Observer
from engine.replays.live import LiveReplay
from engine.support.signals import deferring_signals
from engine.support.wording import pluralize
from runners.durations import LONG_S, duration_estimate, format_duration
from runners.lost_decisions import Side

BAR_FORMAT = "{l_bar}{bar}| turn {n_fmt}/{total_fmt} [{remaining} left{postfix}]"
"""Short, so that the scores fit on a narrow terminal."""

SHORT_S = 5.0
"""Before that nothing is said of how long something takes."""
FIRST_S = 20.0
"""After that it is said that the first match takes long."""
NO_MATCH_YET = "no match has ended after {}; how long all of them take is said when one has"
OVER_TIME = frozenset({Cause.TIMEOUT, Cause.SLEPT, Cause.PONDERED})
WARNED_AFTER = frozenset({3, 30, 300, 3_000, 30_000})
"""Forfeited decisions of a bot after which it is warned of: early, and then seldom."""

# Its thread, there to redraw a bar that hangs, would hear the signals that the pool holds back.
tqdm.monitor_interval = 0
# Its own lock is one between processes, which may be a file that a kill leaves in /dev/shm.
tqdm.set_lock(RLock())


def is_off(*, is_wanted: bool) -> bool | None:
    """Return tqdm's `disable`: None shows a bar only where there is a terminal for it."""
    return None if is_wanted else True


def say(text: str) -> None:
    """Print beside the result, which scripts read from stdout, and above a bar."""
    tqdm.write(text, file=sys.stderr)


class Forecast:
    """Says once, after the first match that was played, how long the others will take.

    A context manager: inside it is also said that the first match is a long one, before it ends.
    """

    def __init__(
        self,
        matches: int,
        workers: int,
        *,
        is_wanted: bool,
        why: str = "",
        live: Path | None = None,
    ) -> None:
        """`why` stands behind: why just so many matches. `live` is the first one while it grows."""
        self._matches, self._workers, self._why = matches, workers, why
        self._is_open = is_wanted
        self._began_s = time.monotonic()
        wait_s = FIRST_S if live is None else SHORT_S
        self._patience = Timer(wait_s, lambda: say(self._first_words(live)))
        self._patience.daemon = True

    def __enter__(self) -> Self:
        if self._is_open:
            with deferring_signals():  # its thread takes none, ever
                self._patience.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._patience.cancel()

    def add_match(self, sides: Iterable[Side]) -> None:
        """Take in a match; one that took no time was played before."""
        self._patience.cancel()
        if self._is_open and time.monotonic() - self._began_s > SHORT_S:
            self._is_open = False
            match_s = sum(side.cpu.total_ms for side in sides) / 1_000
            text = duration_estimate(self._matches, match_s, self._workers)
            if text is not None:
                say(f"{text}{self._why}")

    def _first_words(self, live: Path | None) -> str:
        """Return how long all matches take at most, from how far the first one is."""
        spent_s = time.monotonic() - self._began_s
        turns = None if live is None else read_turns(live)
        if turns is None:
            return NO_MATCH_YET.format(format_duration(spent_s))
        turn, last = turns
        match_s = max(1, spent_s * last / max(1, turn))
        all_s = match_s * self._matches / self._workers
        return (
            f"turn {turn} of at most {last} after {format_duration(spent_s)}: a match takes up to "
            f"{format_duration(match_s)}, {pluralize(self._matches, 'match')} up to "
            f"{format_duration(all_s)}{self._why}"
        )


def read_turns(live: Path) -> tuple[int, int] | None:
    """Return the last turn of a match that is being played, and the last that it may have.

    None where there is nothing to read yet, or no more.
    """
    try:
        replay = LiveReplay(live) if live.exists() else None
    except BadReplay:
        return None
    if replay is None or not replay.last_turn:
        return None
    turn = replay.last_turn
    return turn, replay.game.standing(replay.state_at(turn)).last_turn


class SlowBotWarner(Observer):
    """An observer that warns of a bot which is over its time limits again and again."""

    def __init__(self, names: Sequence[str], limits: Limits) -> None:
        self._names = names
        self._limits = limits
        self._lost = [0] * len(names)

    def on_fault(self, ask: Ask, fault: Fault) -> None:
        if fault.cause not in OVER_TIME:
            return
        team = ask.team - 1
        self._lost[team] += 1
        if self._lost[team] in WARNED_AFTER:
            say(self._warning_text(team, fault))

    def _warning_text(self, team: int, fault: Fault) -> str:
        return (
            f"{self._names[team]} has forfeited {self._lost[team]} turns by exceeding its "
            f"time limits, most recently: {fault.detail}. A decision may take "
            f"{self._limits.cpu_ms} ms of CPU time and {self._limits.wall_ms} ms in all; "
            "--limit cpu_ms=N and --limit wall_ms=N change that"
        )


class TurnBar(Observer):
    """A progress bar: the turn, and the score of every team."""

    def __init__(self, game: AnyGame, names: tuple[str, ...], *, is_wanted: bool) -> None:
        self._game = game
        self._names = names
        self._is_wanted = is_wanted
        self._state: State | None = None
        self._turn = 0
        self._began_s = time.monotonic()
        self._is_said = False
        self._bar: tqdm[NoReturn] | None = None

    @property
    def standing(self) -> str:
        """Return how the match stands: `in turn 12: player_one 3.4, player_two 2.0`."""
        return "before it began" if self._state is None else f"in turn {self._turn}: {self._scores}"

    def on_start(self, state: State) -> None:
        self._state = state
        self._bar = tqdm(
            total=self._game.standing(state).last_turn,
            unit="turn",
            leave=False,
            dynamic_ncols=True,
            bar_format=BAR_FORMAT,
            disable=is_off(is_wanted=self._is_wanted),
        )

    def on_event(self, event: Event) -> None:
        if type(event) is Stage and event.turn != self._turn:
            self._turn = event.turn
            self._redraw_bar()

    def on_end(self, outcome: Outcome) -> None:
        self.close()

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._bar is not None:
            self._bar.close()

    def _redraw_bar(self) -> None:
        bar = self._bar
        if bar is not None and bar.disable:
            self._say_how_long()
        elif bar is not None and bar.update(self._turn - bar.n):
            bar.set_postfix_str(self._scores)

    def _say_how_long(self) -> None:
        """Say once, where there is no bar, how long a long match will take."""
        spent_s = time.monotonic() - self._began_s
        if self._is_said or not self._is_wanted or spent_s < SHORT_S:
            return
        self._is_said = True
        last = self._game.standing(self._state).last_turn
        left_s = spent_s / max(1, self._turn) * (last - self._turn)
        if left_s > LONG_S:
            say(
                f"turn {self._turn} of at most {last} after {format_duration(spent_s)}: "
                f"the match takes up to {format_duration(left_s)} more, if all turns take as long"
            )

    @property
    def _scores(self) -> str:
        scores = self._game.standing(self._state).scores
        pairs = zip(self._names, scores, strict=True)
        return ", ".join(f"{name} {score:.1f}" for name, score in pairs)
