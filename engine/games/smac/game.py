"""SMAC as the engine sees it."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.bots.fault import Fault
from engine.bots.limits import Limits
from engine.game import Ask, Event, Game, Outcome, Refusal, Standing
from engine.games.smac import rules, text
from engine.games.smac.events import SmacEvent, seen_by
from engine.games.smac.orders import Order, parse
from engine.games.smac.player import BasePlayer, SmacHost
from engine.games.smac.settings import Settings
from engine.games.smac.state import Dish, new_dish
from engine.streams import Streams


class Smac(Game[Dish, Event, Order]):
    """Two to six teams order at the same time; what they order and own stays theirs to know."""

    name = "smac"
    title = "SMAC"
    rules_version = 1
    team_counts = range(2, 7)
    settings = Settings
    state = Dish
    event = SmacEvent
    order = Order
    player = BasePlayer
    bots = "smac"
    # 10 000 orders in one answer can be sent; how many are read the rules say (9.4).
    limits = Limits(cpu_ms=1_000, wall_ms=10_000, answer_bytes=262_144)
    keyframe_turns = 10
    open_information = False

    def new(self, settings: Settings, teams: int) -> Dish:
        return new_dish(settings, teams)

    def start(self, state: Dish, streams: Streams) -> Iterator[Event]:
        return rules.begin_match(state, streams)

    def asks(self, state: Dish) -> Sequence[Ask]:
        return [Ask(team) for team in state.playing]

    def check(self, state: Dish, ask: Ask, answer: Any) -> Order | Refusal:
        return parse(state, answer)

    def play(
        self, state: Dish, orders: Sequence[Order | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_stage(state, orders, streams)

    def outcome(self, state: Dish) -> Outcome | None:
        ending = state.ending
        return None if ending is None else Outcome(ending.scores, ending.reason)

    def host(self, player: type, state: Dish, team: int, limits: Limits) -> SmacHost:
        return SmacHost(player, state, team, limits)

    def standing(self, state: Dish) -> Standing:
        return Standing(state.turn, state.settings.last_turn, rules.scores(state))

    def describe(self, state: Dish, team: int) -> str:
        return text.describe(state, team)

    def text(self, state: Dish) -> str:
        return text.draw(state)

    def seen_by(self, event: Event, team: int) -> Event | None:
        return seen_by(event, team)
