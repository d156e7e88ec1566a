"""The rules of Sealed Bids, for two to four teams that decide at the same time.

Each turn there are so many coins for every team. Everybody bids for 0 to 9 of them, under seal, and
gets them; but if all bids together are more than there is, the highest bids get nothing. How many
coins a team has is its secret until the end.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta
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
from slime_mind_arena.engine.streams import Stream, Streams

HIGHEST = 9
ORDERS = range(HIGHEST + 1)


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    last_turn: Annotated[int, Meta(ge=1, le=1000)] = 10
    coins_per_team: Annotated[int, Meta(ge=1, le=HIGHEST)] = 5
    """The coins of a turn are so many for each team."""
    head_start: Annotated[int, Meta(ge=0, le=1000)] = 0
    """Coins that team 1 has before the first turn."""
    luck: Annotated[int, Meta(ge=0, le=1000)] = 10
    """Each team is given up to so many coins before the first turn."""


class Dealt(Event, tag="dealt", frozen=True):
    """What a team has before the first turn: its secret."""

    team: int
    coins: int


class Bid(Event, tag="bid", frozen=True):
    team: int
    bid: int
    coins: int | None
    """What it has now; None for the others."""


class Passed(Event, tag="passed", frozen=True):
    """A team gave no legal order, and gets nothing."""

    team: int


class Table(msgspec.Struct):
    settings: Settings
    coins: list[int | None]
    """None for those of other teams, in what a team knows."""
    bids: list[int | None]
    """The last ones; None where there is none."""
    turn: int = 0
    ending: MatchEnded | None = None

    def apply(self, event: Any) -> None:
        match event:
            case Stage(turn, _):
                self.turn = turn
            case Dealt(team, coins):
                self.coins[team - 1] = coins
            case Bid(team, bid, coins):
                self.bids[team - 1], self.coins[team - 1] = bid, coins
            case Passed(team):
                self.bids[team - 1] = None
            case MatchEnded(scores, _):
                self.coins, self.ending = [int(score) for score in scores], event


class BasePlayer:
    """A bot's file has a class `Player(BasePlayer)` with a method `bid`."""

    team: int
    settings: Settings

    def bid(self, turn: int, coins: tuple[int | None, ...]) -> int:
        """Return how many coins are wanted; of `coins` the own ones are known, others None."""
        raise NotImplementedError("a Player needs a method bid(self, turn, coins)")


class BidsHost:
    """The worker's end: the player and its copy of the table."""

    def __init__(self, player: type[BasePlayer], table: Table, team: int) -> None:
        player.team, player.settings = team, table.settings
        self._table, self._player = table, player()

    def decide(self, piece_id: int, view: None) -> Any:
        return self._player.bid(self._table.turn, tuple(self._table.coins))

    def place(self, piece_id: int) -> str:
        return f"turn {self._table.turn}"


class SealedBids(Game[Table, Event, int]):
    name = "sealed_bids"
    title = "Sealed Bids"
    rules_version = 1
    team_counts = range(2, 5)
    settings = Settings
    state = Table
    event = Stage | Dealt | Bid | Passed | MatchEnded
    order = int
    player = BasePlayer
    calls = ("bid",)
    bots = "sealed_bids"
    limits = Limits()
    keyframe_turns = 10
    open_information = False

    def new(self, settings: Settings, teams: int) -> Table:
        return Table(settings, [None] * teams, [None] * teams)

    def start(self, state: Table, streams: Streams) -> Iterator[Event]:
        for team in _teams(state):
            gift = streams["luck"].below(state.settings.luck + 1)
            yield Dealt(team, gift + (state.settings.head_start if team == 1 else 0))
        yield Stage(1, "bids")

    def asks(self, state: Table) -> Sequence[Ask]:
        return [Ask(team) for team in _teams(state)]

    def check(self, state: Table, ask: Ask, answer: Any) -> int | Refusal:
        if type(answer) is int and answer in ORDERS:
            return answer
        return Refusal(f"{answer!r:.60} is no number of coins from 0 to {HIGHEST}")

    def legal_orders(self, state: Table, ask: Ask) -> Sequence[int]:
        return ORDERS

    def all_orders(self, settings: Settings) -> Sequence[int]:
        return ORDERS

    def play(
        self, state: Table, orders: Sequence[int | Fault], streams: Streams
    ) -> Iterator[Event]:
        """Yield what everybody gets, all of which is computed before anything changes."""
        bids = [0 if isinstance(order, Fault) else order for order in orders]
        is_too_much = sum(bids) > state.settings.coins_per_team * len(bids)
        coins = [
            (had or 0) + (0 if is_too_much and bid == max(bids) else bid)
            for had, bid in zip(state.coins, bids, strict=True)
        ]
        for team, order in enumerate(orders, 1):
            if isinstance(order, Fault):
                yield Passed(team)
            else:
                yield Bid(team, order, coins[team - 1])
        if state.turn == state.settings.last_turn:
            yield MatchEnded(tuple(map(float, coins)), "last turn")
        else:
            yield Stage(state.turn + 1, "bids")

    def observed_event(self, state: Table, event: Event, team: int | None) -> Event | None:
        """Return nothing of what others were dealt, and their bids without what they have."""
        match event:
            case Dealt(whose, _) if whose != team:
                return None
            case Bid(whose, bid, _) if whose != team:
                return Bid(whose, bid, None)
        return event

    def sample(self, state: Table, team: int, chance: Stream) -> Table:
        """Return the table with coins drawn for the others: up to all that they can have."""
        sampled = self.copy(state)
        more_than_most = HIGHEST * state.turn + state.settings.luck
        sampled.coins = [
            chance.below(more_than_most) if has is None else has for has in state.coins
        ]
        return sampled

    def host(self, player: type, state: Table, team: int, limits: Limits) -> BidsHost:
        return BidsHost(player, state, team)

    def standing(self, state: Table) -> Standing:
        """Return coins as scores: 0 where they are not known."""
        scores = tuple(float(has or 0) for has in state.coins)
        return Standing(state.turn, state.settings.last_turn, scores)

    def describe(self, state: Table, team: int) -> str:
        has = state.coins[team - 1]
        return f"{'?' if has is None else has} coins"

    def text(self, state: Table) -> str:
        lines = [f"team {team}: {self.describe(state, team)}" for team in _teams(state)]
        return "\n".join([f"turn {state.turn} of {state.settings.last_turn}", *lines])


def _teams(state: Table) -> range:
    return range(1, len(state.coins) + 1)
