"""Verify a replay: play it again by the rules, and compare the events."""

from collections.abc import Iterator

import msgspec

from engine.errors import BadReplay
from engine.game import AnyGame, Event, Outcome, Stage
from engine.replays.decisions import Decision
from engine.replays.reading import Keyframe, Replay, ReplayEntry, compute_state_digest
from engine.spec import MatchSpec, begins_anew, seed_at
from engine.streams import Streams


class Difference(msgspec.Struct, frozen=True):
    """The first place where the rules, played again, say something else than the record."""

    turn: int
    recorded: ReplayEntry | Keyframe | Outcome
    replayed: ReplayEntry | Keyframe | Outcome | None
    """None where the rules wait for a decision."""


def verify(replay: Replay) -> Difference | None:
    """Play the recorded orders and faults through the rules again; the first difference.

    Raises: BadReplay if the replay was played under another version of the rules.
    """
    game, spec = replay.game, replay.spec
    if spec.rules_version != game.rules_version:
        raise BadReplay(
            f"{replay.path}: was played under version {spec.rules_version} of the rules of "
            f"{game.name}; this is version {game.rules_version}. It can be watched and exported; "
            f"to verify it, install the release that recorded it, {replay.engine}"
        )
    again = _Replayer(game, spec, len(replay.bots))
    turn = 0
    for recorded in replay.record():
        turn = recorded.turn if isinstance(recorded, Stage) else turn
        with replay.convert_errors():
            replayed = again.recompute_entry(recorded)
        if replayed != recorded:
            return Difference(turn, recorded, replayed)
    return None


class _Replayer:
    """A match whose decisions are taken from a record, one step after the other."""

    def __init__(self, game: AnyGame, spec: MatchSpec, teams: int) -> None:
        self._game = game
        self._state = game.new(spec.settings, teams)
        self._spec = spec
        self._decided = 0
        self._streams = Streams(seed_at(spec.seed, spec.origin, 0))
        self._events: Iterator[Event] = game.start(self._state, self._streams)

    def recompute_entry(
        self, recorded: ReplayEntry | Keyframe | Outcome
    ) -> ReplayEntry | Keyframe | Outcome | None:
        """Return what the rules say where this was recorded; None if they wait for a decision."""
        game, state = self._game, self._state
        if isinstance(recorded, Keyframe):
            return Keyframe(state.turn, compute_state_digest(state))
        event = next(self._events, None)
        if event is not None:
            state.apply(event)
            return event
        outcome = game.outcome(state)
        if outcome is not None or not isinstance(recorded, Decision):
            return outcome
        events = self._events_after(recorded)
        if events is None:
            return None
        self._events = events
        return recorded

    def _events_after(self, decision: Decision) -> Iterator[Event] | None:
        """Return what follows from a recorded decision; None if none of its kind was open."""
        game, state = self._game, self._state
        if decision.sits is not None:
            return iter(())
        self._decided += 1
        if begins_anew(self._spec.origin, self._decided):
            self._streams = Streams(seed_at(self._spec.seed, self._spec.origin, self._decided))
        if decision.act is not None:
            is_open = decision.act in game.legal_acts(state, decision.act.team)
            return game.play_act(state, decision.act) if is_open else None
        asks = game.asks(state)
        if decision.ask is not None:
            is_open = game.asks_are_separate(state) and decision.ask in asks
            order = decision.orders[0]
            return game.play_one(state, decision.ask, order, self._streams) if is_open else None
        if game.asks_are_separate(state) or len(decision.orders) != len(asks):
            return None
        return game.play(state, decision.orders, self._streams)
