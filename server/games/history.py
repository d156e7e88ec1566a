"""What was decided in a game of people, played through the rules."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.catalog import find_game
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, Event, Outcome
from engine.replays.decisions import Decision, DecisionReader, encode
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec
from engine.stepper import AnyStepper, Listener
from engine.streams import seed_hash
from server.games.game_rows import Participant, StoredGame
from server.http.errors import OtherRules

Viewer = int | None
"""A team, or None for the public."""
NOBODY = Participant(name="nobody", digest="", is_person=False)
"""Sits where a person is away and no bot was chosen."""
MISSED = frozenset({Cause.LATE, Cause.ABSENT})
UNDONE = "!undone"


class Undone(msgspec.Struct, frozen=True):
    """Decisions about a piece do not count any more: a move was taken back."""

    piece: int
    numbers: tuple[int, ...]


class History:
    """A game's decisions, what they led to, and who was told what."""

    def __init__(self, stored: StoredGame) -> None:
        """Raises: OtherRules: played through our rules, its decisions would mean something else."""
        self.stored = stored
        self.game: AnyGame = find_game(stored.spec.game)
        if stored.spec.rules_version != self.game.rules_version:
            raise OtherRules(
                f"this game was begun under version {stored.spec.rules_version} of the rules of "
                f"{self.game.title}, and this server plays version {self.game.rules_version}: "
                "nothing of it is lost, but only a server with those rules can show it or go on"
            )
        self.waiting: dict[Ask, Any] = {}
        """Orders for which others are still waited for."""
        self._reader = DecisionReader(self.game, len(stored.seats))
        self._replay_log([])

    @property
    def title(self) -> str:
        """Return what its game is called."""
        return self.game.title

    @property
    def names(self) -> tuple[str, ...]:
        """Return who sat first, by the order of teams."""
        return tuple(one.name for one in self.stored.seats)

    @property
    def asks_consent(self) -> bool:
        """Return whether the first message of who was not accepted is announced."""
        return self.stored.terms.asks_consent

    @property
    def people(self) -> frozenset[int]:
        """Return the teams of people."""
        return frozenset(team for team, one in enumerate(self.stored.seats, 1) if one.is_person)

    def _replay_log(self, log: Sequence[Decision | Undone]) -> None:
        """Play from the beginning what counts of all that was decided."""
        self.log: list[Decision | Undone] = []
        """What was decided so far; also what does not count any more, and that it does not."""
        self.observed: dict[Viewer, list[list[Event]]] = {}
        """What each viewer has observed: the events before the first decision, then after each."""
        self.sitting = list(self.stored.seats)
        """Who plays each team now."""
        self._asked: list[Sequence[Ask]] = []
        """The asks that each decision answered."""
        self._opened: dict[Ask, int] = {}
        self._last: dict[Viewer, list[Event]] = {}
        """What each viewer is told now."""
        self.stepper = AnyStepper(
            self.game,
            self.stored.spec,
            listeners={viewer: self._event_recorder(viewer) for viewer in self.viewers},
        )
        self.stepper.start()
        self._note_end(())
        self._undone = {number for one in log if isinstance(one, Undone) for number in one.numbers}
        for number, decision in enumerate(log):
            if isinstance(decision, Undone) or number in self._undone:
                self._skip(decision)
            else:
                self._play(decision)

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All teams, and the public."""
        return (None, *range(1, len(self.stored.seats) + 1))

    @property
    def outcome(self) -> Outcome | None:
        return self.stepper.outcome

    @property
    def seed_hash(self) -> str:
        """The SHA-256 of the seed as text: shown from the start, so that it can be checked."""
        return seed_hash(self.stored.spec.seed)

    @property
    def decisions(self) -> list[Decision]:
        """Return what was decided so far and counts."""
        return [decision for _, decision in self._valid_decisions()]

    def encode_decisions(self) -> list[str]:
        """Return what was decided so far and counts, as it is written."""
        return [encode(decision.to_record()).decode() for decision in self.decisions]

    def ask_step(self, ask: Ask) -> int:
        """Return after how many decisions an open ask was opened; an order names that."""
        return self._opened[ask]

    def is_away(self, team: int) -> bool:
        """Return whether somebody else plays a person's team."""
        return self.stored.seats[team - 1].is_person and not self.sitting[team - 1].is_person

    def is_played_by_bot(self, team: int) -> bool:
        """Return whether a bot plays a team now."""
        sitting = self.sitting[team - 1]
        return not sitting.is_person and sitting != NOBODY

    def record(self, path: Path) -> str:
        """Write the replay of the game so far, and return its fingerprint."""
        seats = [seated.contestant for seated in self.stored.seats]
        return record_match(self.stored.spec, seats, self.decisions, path)

    def _play(self, decision: Decision) -> None:
        asks = self.stepper.asks if decision.ask is None else (decision.ask,)
        answered = () if answers_nothing(decision) else tuple(asks)
        self.stepper.play(decision)
        if (sits := decision.sits) is not None:
            first = self.stored.seats[sits.team - 1]
            other = Participant(name=sits.name, digest=sits.digest, is_person=False)
            self.sitting[sits.team - 1] = first if sits.digest == first.digest else other
        self.log.append(decision)
        self._asked.append(answered)
        self._note_end(answered)

    def _skip(self, decision: Decision | Undone) -> None:
        """Note what does not count; a move taken back opens its ask anew."""
        self.log.append(decision)
        self._asked.append(())
        self._note_end(())
        if isinstance(decision, Undone):
            for ask in self._opened:
                if ask.piece_id == decision.piece:
                    self._opened[ask] = len(self.log)

    def _read(self, content: str) -> Decision | Undone:
        if content.startswith(f'["{UNDONE}"'):
            _, piece, numbers = msgspec.json.decode(content, type=tuple[str, int, tuple[int, ...]])
            return Undone(piece, numbers)
        return self._reader.read(content.encode())

    def _note_end(self, answered: Sequence[Ask]) -> None:
        """Note what each viewer was told, and after which decision each ask was opened."""
        for viewer in self.viewers:
            self.observed.setdefault(viewer, []).append(self._last.pop(viewer, []))
        still_open = self._opened.keys() - set(answered)
        self._opened = {
            ask: self._opened[ask] if ask in still_open else len(self.log)
            for ask in self.stepper.asks
        }
        self.waiting = {
            ask: order
            for ask, order in self.waiting.items()
            if ask in still_open and ask in self._opened  # an act may have closed it
        }

    def _was_given(self, ask: Ask, step: int, answer: object) -> bool:
        """Return whether a former ask was answered so."""
        for number, decision in self._valid_decisions():
            if number >= step and ask in self._asked[number]:
                given = decision.orders[self._asked[number].index(ask)]
                return bool(self._stepper_before(number).check(ask, answer) == given)
        return False

    def _stepper_before(self, number: int) -> AnyStepper:
        stepper = AnyStepper(self.game, self.stored.spec)
        stepper.start()
        for earlier, decision in self._valid_decisions():
            if earlier < number:
                stepper.play(decision)
        return stepper

    def _valid_decisions(self) -> list[tuple[int, Decision]]:
        """Return what was decided so far and counts, with its numbers."""
        return [
            (number, decision)
            for number, decision in enumerate(self.log)
            if isinstance(decision, Decision) and number not in self._undone
        ]

    def _since_last_move(self, team: int, piece: int) -> tuple[int, ...]:
        """Return the decisions about a piece since a person's last one, that one included."""
        if not self.stored.seats[team - 1].is_person:
            return ()
        since: list[int] = []
        for number in range(len(self.log) - 1, -1, -1):
            decision = self.log[number]
            if isinstance(decision, Undone) or number in self._undone:
                continue
            if decision_piece_id(decision) == piece:
                since.insert(0, number)
                if decision.ask is not None and decision.ask.team == team:
                    return tuple(since)
        return ()

    def _count_missed_turns(self, team: int) -> int:
        """Return how many turns in a row a team has missed, since somebody sat down there."""
        missed = 0
        for number, decision in reversed(self._valid_decisions()):
            if decision.sits is not None and decision.sits.team == team:
                break
            orders = [
                order
                for ask, order in zip(self._asked[number], decision.orders, strict=True)
                if ask.team == team
            ]
            if any(type(order) is not Fault or order.cause not in MISSED for order in orders):
                break
            missed += bool(orders)
        return missed

    def _event_recorder(self, viewer: Viewer) -> Listener[Event]:
        return lambda event: self._last.setdefault(viewer, []).append(event)


def answers_nothing(decision: Decision) -> bool:
    return decision.act is not None or decision.sits is not None


def decision_piece_id(decision: Decision | Undone) -> int | None:
    """Return the piece that a decision is about, where it is about one."""
    if isinstance(decision, Undone):
        return decision.piece
    about = decision.ask or decision.act
    return None if about is None else about.piece_id


def record_match(
    spec: MatchSpec, contestants: Sequence[Contestant], decisions: Iterable[Decision], path: Path
) -> str:
    """Write the replay of what the rules make of decisions, and return its fingerprint."""
    game = find_game(spec.game)
    recorder = Recorder(game, spec, contestants, path)
    stepper = AnyStepper(game, spec, [recorder])
    stepper.start()
    for decision in decisions:
        stepper.play(decision)
    if stepper.outcome is not None:
        stepper.end()
    recorder.close()
    return recorder.fingerprint
