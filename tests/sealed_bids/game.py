"""Bids: each turn every team names a number from 0 to 9, which is added to its score."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.fault import Fault
from engine.game import Ask, Event, Game, MatchEnded, Outcome, Refusal, Stage, Standing
from engine.limits import Limits
from engine.streams import Streams

HIGHEST = 9


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    last_turn: int = 3
    head_start: int = 0
    """What team 1 has before the first turn."""
    luck: int = 0
    """Up to so much each team is given before the first turn."""


class Bid(Event, tag="bid", frozen=True):
    team: int
    score: float
    """What it has now."""


class Table(msgspec.Struct):
    settings: Settings
    scores: list[float]
    turn: int = 0
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Bid(team, score):
                self.scores[team - 1] = score
            case MatchEnded():
                self.ending = event
            case _:
                pass


class BasePlayer:
    """Its subclass has a method `bid(turn, scores)`."""

    def __init__(self, team: int) -> None:
        self.team = team

    def bid(self, turn: int, scores: Sequence[float]) -> Any:
        raise NotImplementedError


class BidsHost:
    """The worker's end."""

    def __init__(self, player: type[BasePlayer], table: Table, team: int) -> None:
        self._player = player(team)
        self._table = table

    def decide(self, piece_id: int, view: None) -> Any:
        return self._player.bid(self._table.turn, tuple(self._table.scores))

    def place(self, piece_id: int) -> str:
        return f"turn {self._table.turn}"


class Bids(Game[Table, Event, int]):
    """All decide at once; everybody sees everything."""

    name = "bids"
    title = "Bids"
    rules_version = 1
    team_counts = range(2, 7)
    settings = Settings
    state = Table
    event = Stage | Bid | MatchEnded
    order = int
    player = BasePlayer
    bots = "bids"
    limits = Limits()
    keyframe_turns = 5

    def new(self, settings: Settings, teams: int) -> Table:
        return Table(settings, [0.0] * teams)

    def start(self, state: Table, streams: Streams) -> Iterator[Event]:
        for team in range(1, len(state.scores) + 1):
            gift = streams["luck"].below(state.settings.luck + 1)
            yield Bid(team, float(gift + state.settings.head_start * (team == 1)))
        yield Stage(1, "bids")

    def asks(self, state: Table) -> Sequence[Ask]:
        return [Ask(team) for team in range(1, len(state.scores) + 1)]

    def check(self, state: Table, ask: Ask, answer: Any) -> int | Refusal:
        if type(answer) is int and 0 <= answer <= HIGHEST:
            return answer
        return Refusal(f"{answer!r} is no number from 0 to {HIGHEST}")

    def play(
        self, state: Table, orders: Sequence[int | Fault], streams: Streams
    ) -> Iterator[Event]:
        for team, order in enumerate(orders, 1):
            if not isinstance(order, Fault):
                yield Bid(team, state.scores[team - 1] + order)
        if state.turn == state.settings.last_turn:
            yield MatchEnded(tuple(state.scores), "last turn")
        else:
            yield Stage(state.turn + 1, "bids")

    def outcome(self, state: Table) -> Outcome | None:
        ending = state.ending
        return None if ending is None else Outcome(ending.scores, ending.reason)

    def host(self, player: type, state: Table, team: int, limits: Limits) -> BidsHost:
        return BidsHost(player, state, team)

    def standing(self, state: Table) -> Standing:
        return Standing(state.turn, state.settings.last_turn, tuple(state.scores))

    def describe(self, state: Table, team: int) -> str:
        return f"{state.scores[team - 1]:g} points"

    def text(self, state: Table) -> str:
        return str(state)
