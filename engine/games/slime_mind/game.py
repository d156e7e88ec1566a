"""Slime Mind as the engine sees it."""

from collections.abc import Iterator, Sequence

from engine.fault import Fault
from engine.game import Ask, Event, Game, Refusal, Standing, union_of_events
from engine.games.slime_mind import events, premoves, rules, text
from engine.games.slime_mind.board_view import BoardView
from engine.games.slime_mind.orders import Command, parse
from engine.games.slime_mind.player import BasePlayer, SlimeHost
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.setup import generate_map
from engine.games.slime_mind.state import Board
from engine.limits import Limits
from engine.streams import Streams


class SlimeMind(Game[Board, Event, Command]):
    """One slime decides at a time, with perfect information."""

    name = "slime_mind"
    title = "Slime Mind"
    rules_version = 2
    team_counts = range(2, 3)
    settings = Settings
    state = Board
    event = union_of_events(events)
    order = Command
    player = BasePlayer
    bots = "."
    limits = Limits()
    keyframe_turns = 100
    score_decimals = 1
    has_premoves = True

    def new(self, settings: Settings, teams: int) -> Board:
        return Board(settings)

    def start(self, state: Board, streams: Streams) -> Iterator[Event]:
        yield from generate_map(state, streams)
        yield from rules.begin_round(state, streams)

    def asks(self, state: Board) -> Sequence[Ask]:
        slime = state.slimes[state.queue[0]]
        return (Ask(slime.team, slime.id),)

    def check(self, state: Board, ask: Ask, answer: object) -> Command | Refusal:
        return parse(answer)

    def legal_orders(self, state: Board, ask: Ask) -> Sequence[Command]:
        """Return all commands: one that has no effect is legal, too."""
        return tuple(Command)

    def premove(self, state: Board, ask: Ask, order: object) -> Command | Refusal:
        premove = premoves.parse_premove(state, order)
        if isinstance(premove, Refusal):
            return premove
        return premoves.resolve_premove(state, ask, premove)

    def premove_lasts(self, state: Board, ask: Ask, order: object) -> bool:
        premove = premoves.parse_premove(state, order)
        return not isinstance(premove, Refusal) and premoves.lasts_next_turn(state, ask, premove)

    def play(
        self, state: Board, orders: Sequence[Command | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_round(state, orders[0], streams)

    def host(self, player: type, state: Board, team: int, limits: Limits) -> SlimeHost:
        return SlimeHost(player, state, team, limits, self)

    def copy(self, state: Board) -> Board:
        return state.copy()

    def board(self, state: Board, team: int) -> BoardView:
        return BoardView(state, team, self)

    def as_answer(self, order: object) -> object:
        return str(order) if isinstance(order, Command) else order

    def standing(self, state: Board) -> Standing:
        return Standing(state.turn, state.settings.max_turns, rules.scores(state))

    describe = staticmethod(text.describe)
    text = staticmethod(text.draw)
