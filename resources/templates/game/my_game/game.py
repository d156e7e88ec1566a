"""The rules: take one to three in turns; whoever takes the last one wins."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from slime_mind_arena.engine.fault import Fault
from slime_mind_arena.engine.game import (
    Ask,
    Event,
    Game,
    MatchEnded,
    Refusal,
    Stage,
    Standing,
)
from slime_mind_arena.engine.limits import Limits
from slime_mind_arena.engine.streams import Streams


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    stones: int = 21
    most: int = 3


class Laid(Event, tag="laid", frozen=True):
    stones: int


class Took(Event, tag="took", frozen=True):
    team: int
    left: int


class Passed(Event, tag="passed", frozen=True):
    """A team gave no usable order."""

    team: int


class Heap(msgspec.Struct):
    settings: Settings
    stones: int = 0
    turn: int = 0
    to_move: int = 1
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Laid(stones):
                self.stones = stones
            case Took(team, left):
                self.stones, self.to_move = left, 3 - team
            case Passed(team):
                self.to_move = 3 - team
            case MatchEnded():
                self.ending = event


class BasePlayer:
    """A bot's file has a class `Player(BasePlayer)` with a method `decide`."""

    limits: Limits

    def decide(self, stones: int, most: int) -> int:
        raise NotImplementedError("a Player needs a method decide(self, stones, most)")


class HeapHost:
    def __init__(self, player: type[BasePlayer], heap: Heap, limits: Limits) -> None:
        player.limits = limits
        self._heap, self._player = heap, player()

    def decide(self, piece_id: int, view: None) -> Any:
        return self._player.decide(self._heap.stones, self._heap.settings.most)

    def place(self, piece_id: int) -> str:
        return f"turn {self._heap.turn}"


class MyGame(Game[Heap, Event, int]):
    name = "my_game"
    title = "My Game"
    rules_version = 1
    team_counts = range(2, 3)
    settings = Settings
    state = Heap
    event = Stage | Laid | Took | Passed | MatchEnded
    order = int
    player = BasePlayer
    bots = "my_game"
    limits = Limits()
    keyframe_turns = 10

    def new(self, settings: Settings, teams: int) -> Heap:
        return Heap(settings)

    def start(self, state: Heap, streams: Streams) -> Iterator[Event]:
        yield Laid(state.settings.stones + streams["heap"].below(4))
        yield Stage(1, "move")

    def asks(self, state: Heap) -> Sequence[Ask]:
        return [Ask(state.to_move)]

    def check(self, state: Heap, ask: Ask, answer: Any) -> int | Refusal:
        legal = self.legal_orders(state, ask)
        if type(answer) is int and answer in legal:
            return answer
        return Refusal(f"{answer!r:.60} is no number of stones from 1 to {legal[-1]}")

    def legal_orders(self, state: Heap, ask: Ask) -> Sequence[int]:
        return range(1, min(state.settings.most, state.stones) + 1)

    def all_orders(self, settings: Settings) -> Sequence[int]:
        return range(1, settings.most + 1)

    def play(self, state: Heap, orders: Sequence[int | Fault], streams: Streams) -> Iterator[Event]:
        team, order = state.to_move, orders[0]
        if isinstance(order, Fault):
            yield Passed(team)
        else:
            yield Took(team, state.stones - order)
        if state.stones == 0:
            yield MatchEnded((1.0, 0.0) if team == 1 else (0.0, 1.0), "last stone")
        elif state.turn == 100:
            yield MatchEnded((0.0, 0.0), "turn limit")
        else:
            yield Stage(state.turn + 1, "move")

    def host(self, player: type, state: Heap, team: int, limits: Limits) -> HeapHost:
        return HeapHost(player, state, limits)

    def standing(self, state: Heap) -> Standing:
        scores = (0.0, 0.0) if state.ending is None else state.ending.scores
        return Standing(state.turn, 100, scores)

    def describe(self, state: Heap, team: int) -> str:
        return f"{state.stones} stones left"

    def text(self, state: Heap) -> str:
        return f"turn {state.turn}: {'o' * state.stones or 'no stones'}"
