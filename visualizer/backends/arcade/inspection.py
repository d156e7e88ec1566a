"""The details of a piece: its facts, its history, its bot's log lines."""

from pathlib import Path

import msgspec

from visualizer.backends.arcade.replay_view import ReplayView
from visualizer.model.cursor import Cursor
from visualizer.model.drawings import DecisionKey, read_logs
from visualizer.model.narration import Moment
from visualizer.scene import Block, Sprite, Thing

LOGS_S = 1.0
"""Seconds between searches for logs that do not exist yet."""
PAUSE_S = 0.2
"""Seconds between updates of the history while playing: one takes ten milliseconds."""


class LoggedMoment(msgspec.Struct, frozen=True):
    """A moment, and what the bot printed in it."""

    moment: Moment
    log: tuple[str, ...]


class PieceDetails(msgspec.Struct, frozen=True):
    """What the inspector shows of a piece."""

    name: str
    thing: Thing | None
    """The piece; if it is no longer there, as it was last."""
    absence: str
    """Why it is not on the board; '' if it is."""
    facts: tuple[tuple[str, str], ...]
    history: tuple[LoggedMoment, ...]
    """The moments, newest first."""

    @property
    def bar(self) -> tuple[int, int] | None:
        return self.thing.bar if isinstance(self.thing, Sprite | Block) else None


class Inspector:
    """Looks up the details of pieces, and caches them."""

    def __init__(self) -> None:
        self._key: tuple[object, ...] = ()
        self._history: tuple[LoggedMoment, ...] = ()
        self._last: dict[int, Thing | None] = {}
        """The selected piece as it was last, if it is no longer there."""
        self._looked_at = 0.0
        self._logs: dict[Path, tuple[float, dict[DecisionKey, list[str]]]] = {}

    def details(self, view: ReplayView, thing_id: int, now: float, is_fresh: bool) -> PieceDetails:
        """Return the details of a piece now; unless `is_fresh`, the history may lag a little."""
        cursor, timeline = view.cursor, view.timeline
        gone = timeline.removed_at.get(thing_id, cursor.position + 1)
        position = min(cursor.position, gone)
        thing = cursor.things.get(thing_id)
        self._refresh(view, thing_id, position, now, is_fresh)
        if thing is not None:
            absence = ""
            self._last = {thing_id: thing}
        elif gone <= cursor.position:
            if thing_id not in self._last:
                self._last = {thing_id: _last_look(view, gone, thing_id)}
            thing = self._last[thing_id]
            absence = f"gone since turn {timeline.turn_at(gone)}"
        else:
            absence = "not there yet"
        return PieceDetails(
            view.narrator.name(thing_id, thing),
            thing,
            absence,
            tuple(view.narrator.facts(thing)) if thing is not None else (),
            self._history,
        )

    def _refresh(
        self, view: ReplayView, thing_id: int, position: int, now: float, is_fresh: bool
    ) -> None:
        key = (id(view), thing_id, position)
        is_other = key[:2] != self._key[:2]
        # A history replays up to twelve turns, too slow for each frame while playing.
        if key == self._key or not (is_other or is_fresh or now - self._looked_at >= PAUSE_S):
            return
        self._key, self._looked_at = key, now
        logs, logged = self._load_logs(view, now), view.timeline.notes.logged
        self._history = tuple(
            LoggedMoment(moment, (*_decision_log(moment, logs), *_decision_log(moment, logged)))
            for moment in view.narrator.piece_history(thing_id, position)
        )

    def _load_logs(self, view: ReplayView, now: float) -> dict[DecisionKey, list[str]]:
        """Return the log lines; those of a match that is being played come at its end."""
        read_at, lines = self._logs.get(view.logs, (-LOGS_S, {}))
        if not lines and now - read_at >= LOGS_S:
            lines = read_logs(view.logs)
            self._logs[view.logs] = now, lines
        return lines


def _last_look(view: ReplayView, gone: int, thing_id: int) -> Thing | None:
    """Return a piece as it was before the step that removed it."""
    cursor = Cursor(view.timeline)
    cursor.jump(gone)
    return cursor.step.before.get(thing_id)


def _decision_log(moment: Moment, logs: dict[DecisionKey, list[str]]) -> tuple[str, ...]:
    ordered = moment.ordered
    if ordered is None:
        return ()
    return tuple(logs.get((moment.turn, ordered.team, ordered.piece_id), ()))
