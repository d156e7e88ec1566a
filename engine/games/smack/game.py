"""Smack! as the engine sees it."""

from collections.abc import Iterator, Sequence
from typing import Any

from engine.bots.fault import Fault
from engine.bots.limits import Limits
from engine.game import Ask, Event, Game, Outcome, Refusal, Standing
from engine.games.smack import rules, text
from engine.games.smack.events import SmackEvent
from engine.games.smack.orders import Order, parse
from engine.games.smack.player import BasePlayer, SmackHost
from engine.games.smack.settings import Settings
from engine.games.smack.state import Boards
from engine.streams import Streams


class Smack(Game[Boards, Event, Order]):
    """Two boards at once, a move of each side in every round; everybody sees everything."""

    name = "smack"
    title = "Smack!"
    rules_version = 1
    team_counts = range(2, 3)
    settings = Settings
    state = Boards
    event = SmackEvent
    order = Order
    player = BasePlayer
    bots = "smack"
    limits = Limits(cpu_ms=1_000, wall_ms=10_000, bank_s=600)
    keyframe_turns = 10

    def new(self, settings: Settings, teams: int) -> Boards:
        return Boards(settings)

    def start(self, state: Boards, streams: Streams) -> Iterator[Event]:
        return rules.begin_match(state, streams)

    def asks(self, state: Boards) -> Sequence[Ask]:
        return [Ask(half.team_to_move, half.number) for half in state.open_halves]

    def check(self, state: Boards, ask: Ask, answer: Any) -> Order | Refusal:
        return parse(state.halves[ask.about - 1].position, answer)

    def play(
        self, state: Boards, orders: Sequence[Order | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_round(state, orders)

    def outcome(self, state: Boards) -> Outcome | None:
        ending = state.ending
        return None if ending is None else Outcome(ending.scores, ending.reason)

    def host(self, player: type, state: Boards, team: int, limits: Limits) -> SmackHost:
        return SmackHost(player, state, team, limits)

    def standing(self, state: Boards) -> Standing:
        return Standing(state.turn, state.settings.ply_limit, state.scores)

    def describe(self, state: Boards, team: int) -> str:
        return text.describe(state, team)

    def text(self, state: Boards) -> str:
        return text.draw(state)
