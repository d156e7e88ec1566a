"""Verifying a replay: the rules play it again, and the two streams are compared."""

from collections.abc import Iterator
from typing import Any

import msgspec

from engine.errors import BadReplay
from engine.game import Event, Game, Outcome, Stage
from engine.record import encode
from engine.replay import Decision, Entry, Keyframe, Replay, digest_of
from engine.spec import MatchSpec
from engine.streams import Streams


class Difference(msgspec.Struct, frozen=True):
    """The first place where the rules, played again, say something else than the record."""

    turn: int
    recorded: Entry | Keyframe | Outcome
    replayed: Entry | Keyframe | Outcome | None
    """None where the rules wait for a decision."""


def verify(replay: Replay) -> Difference | None:
    """Play the recorded orders and faults through the rules again; the first difference.

    Raises: BadReplay if the replay was played under other rules.
    """
    game, spec = replay.game, replay.spec
    if spec.rules_version != game.rules_version:
        raise BadReplay(
            f"{replay.path}: was played under version {spec.rules_version} of the rules of "
            f"{game.name}; this is version {game.rules_version}"
        )
    again = _PlayedAgain(game, spec, len(replay.bots))
    turn = 0
    for recorded in replay.record():
        turn = recorded.turn if isinstance(recorded, Stage) else turn
        replayed = again.instead_of(recorded)
        if replayed != recorded:
            return Difference(turn, recorded, replayed)
    return None


class _PlayedAgain:
    """A match whose decisions are taken from a record, one step after the other."""

    def __init__(self, game: Game[Any, Any, Any], spec: MatchSpec, teams: int) -> None:
        self._game = game
        self._state = game.new(spec.settings, teams)
        self._streams = Streams(spec.seed)
        self._events: Iterator[Event] = game.start(self._state, self._streams)

    def instead_of(self, recorded: Entry | Keyframe | Outcome) -> Entry | Keyframe | Outcome | None:
        """What the rules say where this was recorded; None if they wait for a decision."""
        game, state = self._game, self._state
        if isinstance(recorded, Keyframe):
            return Keyframe(state.turn, digest_of(encode(state)))
        event = next(self._events, None)
        if event is not None:
            state.apply(event)
            return event
        outcome = game.outcome(state)
        if outcome is not None or not isinstance(recorded, Decision):
            return outcome
        if len(recorded.orders) != len(game.asks(state)):
            return None
        self._events = game.play(state, recorded.orders, self._streams)
        return recorded
