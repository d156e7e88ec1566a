"""Smack! as the engine sees it."""

from collections.abc import Iterator, Sequence

from engine.fault import Fault
from engine.game import Act, Ask, Event, Game, Refusal, Standing, union_of_events
from engine.games.smack import events, rules, text
from engine.games.smack.orders import Order, legal_orders, parse
from engine.games.smack.player import BasePlayer, Board, SmackHost, make_board
from engine.games.smack.position import Move
from engine.games.smack.settings import Pace, Settings
from engine.games.smack.state import Boards
from engine.limits import Limits
from engine.simulation import Simulator
from engine.streams import Streams


class Smack(Game[Boards, Event, Order]):
    """Two boards at once, one ply on each per round, with perfect information."""

    name = "smack"
    title = "Smack!"
    rules_version = 2
    team_counts = range(2, 3)
    settings = Settings
    state = Boards
    event = union_of_events(events)
    order = Order
    player = BasePlayer
    bots = "smack"
    quick_preset = "quick"
    limits = Limits(cpu_ms=1_000, wall_ms=10_000, bank_s=600)
    keyframe_turns = 10

    def why_not_rated(self, settings: Settings) -> str | None:
        if settings.pace is Pace.LOCKSTEP:
            return None
        return (
            "pace = free: whoever copies the opponent's moves from board to board always draws; "
            "what is rated is played with pace = lockstep"
        )

    def new(self, settings: Settings, teams: int) -> Boards:
        return Boards(settings)

    def start(self, state: Boards, streams: Streams) -> Iterator[Event]:
        return rules.begin_match(state, streams)

    def asks(self, state: Boards) -> Sequence[Ask]:
        halves = state.open_halves
        if self.asks_are_separate(state):
            halves.sort(key=lambda half: half.ply)  # so that bots bring both boards forward
        return [Ask(half.team_to_move, half.number) for half in halves]

    def asks_are_separate(self, state: Boards) -> bool:
        return state.settings.pace is Pace.FREE

    def check(self, state: Boards, ask: Ask, answer: object) -> Order | Refusal:
        return parse(state.halves[ask.piece_id - 1].position, answer)

    def legal_orders(self, state: Boards, ask: Ask) -> Sequence[Order]:
        """Return all moves, first without and then with the offer to end the half."""
        return legal_orders(state.halves[ask.piece_id - 1].position)

    def play(
        self, state: Boards, orders: Sequence[Order | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_round(state, orders)

    def play_one(
        self, state: Boards, ask: Ask, order: Order | Fault, streams: Streams
    ) -> Iterator[Event]:
        return rules.play_half(state, state.halves[ask.piece_id - 1], order)

    def legal_acts(self, state: Boards, team: int) -> Sequence[Act]:
        return rules.possible_acts(state, team)

    def play_act(self, state: Boards, act: Act) -> Iterator[Event]:
        return rules.play_act(state, act)

    def host(self, player: type, state: Boards, team: int, limits: Limits) -> SmackHost:
        return SmackHost(player, state, team, limits, self)

    def copy(self, state: Boards) -> Boards:
        return state.copy()

    def board(self, state: Boards, team: int) -> tuple[Board, Board]:
        """Return both boards."""
        simulate = Simulator(self, state, team)
        first, second = (make_board(state, number, team, simulate) for number in (1, 2))
        return first, second

    def as_answer(self, order: object) -> object:
        return str(order) if isinstance(order, Move) else super().as_answer(order)

    def standing(self, state: Boards) -> Standing:
        plies = state.settings.ply_limit * (2 if self.asks_are_separate(state) else 1)
        return Standing(state.turn, plies, state.scores)

    describe = staticmethod(text.describe)
    text = staticmethod(text.draw)
