"""Two games small enough to know by heart: one simultaneous, one with secrets."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from engine.fault import Fault
from engine.game import Ask, Event, Game, Host, MatchEnded, Refusal, Stage, Standing
from engine.limits import Limits
from engine.spec import MatchSpec
from engine.streams import Streams


class ToySettings(msgspec.Struct, frozen=True, kw_only=True):
    last_turn: int = 2
    asks_each: int = 1


class Drawn(Event, tag="drawn", frozen=True):
    """A team holds a card; what others see of it is None."""

    team: int
    card: int | None


class Peeked(Event, tag="peeked", frozen=True):
    """A team looked at its card; nobody else knows."""

    team: int


class Scored(Event, tag="scored", frozen=True):
    scores: tuple[float, ...]


ToyEvent = Stage | Drawn | Peeked | Scored | MatchEnded


class Table(msgspec.Struct):
    settings: ToySettings
    scores: tuple[float, ...]
    cards: list[int | None]
    turn: int = 0
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Drawn(team, card):
                self.cards[team - 1] = card
            case Scored(scores):
                self.scores = scores
            case MatchEnded():
                self.ending = event
            case _:
                pass


class Toy(Game[Table, Event, int]):
    """What both toys share: every team says a number each turn, and the numbers are added."""

    rules_version = 1
    team_counts = range(1, 9)
    settings = ToySettings
    state = Table
    event = ToyEvent
    order = int
    player = object
    limits = Limits()
    keyframe_turns = 1

    def new(self, settings: ToySettings, teams: int) -> Table:
        return Table(settings, scores=(0.0,) * teams, cards=[None] * teams)

    def start(self, state: Table, streams: Streams) -> Iterator[Event]:
        yield Stage(1, "numbers")

    def asks(self, state: Table) -> Sequence[Ask]:
        teams = range(1, len(state.scores) + 1)
        return [
            Ask(team, piece_id) for piece_id in range(state.settings.asks_each) for team in teams
        ]

    def check(self, state: Table, ask: Ask, answer: Any) -> int | Refusal:
        return answer if type(answer) is int else Refusal(f"{answer!r} is no number")

    def play(
        self, state: Table, orders: Sequence[int | Fault], streams: Streams
    ) -> Iterator[Event]:
        scores = list(state.scores)
        for ask, order in zip(self.asks(state), orders, strict=True):
            scores[ask.team - 1] += 0 if isinstance(order, Fault) else order
        yield Scored(tuple(scores))
        if state.turn == state.settings.last_turn:
            yield MatchEnded(state.scores, "last turn")
        else:
            yield Stage(state.turn + 1, "numbers")

    def host(self, player: type, state: Table, team: int, limits: Limits) -> Host:
        raise NotImplementedError

    def standing(self, state: Table) -> Standing:
        return Standing(state.turn, state.settings.last_turn, state.scores)

    def describe(self, state: Table, team: int) -> str:
        return str(state.scores[team - 1])

    def text(self, state: Table) -> str:
        return str(state)


class Numbers(Toy):
    """Simultaneous, and everybody sees everything."""

    name = "numbers"
    title = "Numbers"


class Cards(Toy):
    """Each team is dealt a card that only it may see, and looks at it unnoticed."""

    name = "cards"
    title = "Cards"
    open_information = False

    def start(self, state: Table, streams: Streams) -> Iterator[Event]:
        for team in range(1, len(state.scores) + 1):
            yield Drawn(team, streams["cards"].below(52))
            yield Peeked(team)
        yield from super().start(state, streams)

    def observed_event(self, state: Table, event: Event, team: int | None) -> Event | None:
        if isinstance(event, Drawn) and event.team != team:
            return Drawn(event.team, None)
        if isinstance(event, Peeked) and event.team != team:
            return None
        return event

    def view(self, state: Table, ask: Ask) -> Any:
        return f"your card is {state.cards[ask.team - 1]}"


def a_spec(game: Toy, *, teams: int = 2, seed: int = 1, **settings: int) -> MatchSpec:
    return MatchSpec(
        game=game.name,
        rules_version=1,
        settings=ToySettings(**settings),
        limits=Limits(),
        bots=tuple(f"bot {team}" for team in range(1, teams + 1)),
        seed=seed,
    )
