"""What there is to know of a thing: its attributes, its history, its bot's log lines."""

from pathlib import Path

import msgspec

from visualizer.cursor import Cursor
from visualizer.logs import Place, read_logs
from visualizer.scene import Block, Sprite, Thing
from visualizer.telling import Moment
from visualizer.window.reel import Reel

HISTORY_TURNS = 12
LOGS_S = 1.0
"""Where there are no logs they are looked for so often."""
PAUSE_S = 0.2
"""While playing, the history is looked up so seldom: it takes ten milliseconds."""


class Told(msgspec.Struct, frozen=True):
    """A moment, and what the bot printed in it."""

    moment: Moment
    log: tuple[str, ...]


class Inspection(msgspec.Struct, frozen=True):
    """To be drawn."""

    name: str
    thing: Thing | None
    """How it looks; if it is gone, how it looked last."""
    absence: str
    """Why it is not on the board; '' if it is."""
    facts: tuple[tuple[str, str], ...]
    history: tuple[Told, ...]
    """The newest first."""

    @property
    def bar(self) -> tuple[int, int] | None:
        return self.thing.bar if isinstance(self.thing, Sprite | Block) else None


class Inspector:
    """Looks things up, and remembers what it found."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._history: tuple[Told, ...] = ()
        self._last: dict[int, Thing | None] = {}
        """How the thing looked last, before it was gone."""
        self._looked_at = 0.0
        self._logs: dict[Path, tuple[float, dict[Place, list[str]]]] = {}

    def look(self, reel: Reel, thing_id: int, now: float, is_fresh: bool) -> Inspection:
        """Of a thing now. While it need not be fresh, the history may be a little old."""
        cursor, film = reel.cursor, reel.film
        gone = film.gone.get(thing_id, cursor.position + 1)
        position = min(cursor.position, gone)
        thing = cursor.things.get(thing_id)
        self._refresh(reel, thing_id, position, now, is_fresh)
        if thing is not None:
            absence = ""
            self._last = {thing_id: thing}
        elif gone <= cursor.position:
            if thing_id not in self._last:
                self._last = {thing_id: _last_look(reel, gone, thing_id)}
            thing = self._last[thing_id]
            absence = f"gone since turn {film.turn_at(gone)}"
        else:
            absence = "not there yet"
        return Inspection(
            reel.teller.name(thing_id, thing),
            thing,
            absence,
            tuple(reel.teller.facts(thing)) if thing is not None else (),
            self._history,
        )

    def _refresh(
        self, reel: Reel, thing_id: int, position: int, now: float, is_fresh: bool
    ) -> None:
        key = (id(reel), thing_id, position)
        is_other = key[:2] != self._key[:2]
        if key == self._key or not (is_other or is_fresh or now - self._looked_at >= PAUSE_S):
            return
        self._key, self._looked_at = key, now
        logs = self._logs_of(reel, now)
        self._history = tuple(
            Told(moment, _log_of(moment, logs))
            for moment in reel.teller.history(thing_id, position, HISTORY_TURNS)
        )

    def _logs_of(self, reel: Reel, now: float) -> dict[Place, list[str]]:
        """Read once there are any: those of a match that is being played come at its end."""
        read_at, lines = self._logs.get(reel.logs, (-LOGS_S, {}))
        if not lines and now - read_at >= LOGS_S:
            lines = read_logs(reel.logs)
            self._logs[reel.logs] = now, lines
        return lines


def _last_look(reel: Reel, gone: int, thing_id: int) -> Thing | None:
    """Before the step that took it away."""
    cursor = Cursor(reel.film)
    cursor.jump(gone)
    return cursor.step.before.get(thing_id)


def _log_of(moment: Moment, logs: dict[Place, list[str]]) -> tuple[str, ...]:
    ordered = moment.ordered
    if ordered is None:
        return ()
    return tuple(logs.get((moment.turn, ordered.team, ordered.about), ()))
