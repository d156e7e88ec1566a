"""SMAC as the engine sees it, and as one team may suppose it to be."""

from collections.abc import Iterator, Sequence

from engine.fault import Fault
from engine.game import Ask, Draft, Event, Game, Refusal, Refused, Standing, union_of_events
from engine.games.smac import events, rules, text
from engine.games.smac.board_view import Board
from engine.games.smac.drafts import make_draft
from engine.games.smac.events import Skipped, observed_event
from engine.games.smac.orders import ORDERS, Order, Orders, Placement, RefusedLines, parse
from engine.games.smac.pieces import Selection, Skip, Special, Team
from engine.games.smac.player import BasePlayer, SmacHost
from engine.games.smac.settings import MILLI, Characteristics, Settings
from engine.games.smac.sheets import OrderSheet, PlacementSheet
from engine.games.smac.state import Dish, new_dish
from engine.limits import Limits
from engine.streams import Stream, Streams


class Smac(Game[Dish, Event, Order]):
    """Two to six teams order simultaneously; orders, banks and selections are hidden."""

    name = "smac"
    title = "SMAC"
    rules_version = 2
    team_counts = range(2, 7)
    settings = Settings
    state = Dish
    event = union_of_events(events)
    order = Order
    player = BasePlayer
    calls = ("settle", "decide")
    bots = "smac"
    # An answer of 10 000 orders fits into the limit of bytes; 1000 of them are read (rules 9.4).
    limits = Limits(cpu_ms=1_000, wall_ms=10_000, answer_bytes=262_144)
    keyframe_turns = 10
    score_decimals = 1
    open_information = False

    new = staticmethod(new_dish)

    def start(self, state: Dish, streams: Streams) -> Iterator[Event]:
        return rules.begin_match(state, streams)

    def asks(self, state: Dish) -> Sequence[Ask]:
        return [Ask(team) for team in state.playing]

    def check(self, state: Dish, ask: Ask, answer: object) -> Order | Refusal:
        return parse(state, answer)

    def draft(self, state: Dish, ask: Ask, lines: object) -> Draft | None:
        """Return a sheet filled in by clicks: see drafts.py for the lines (rules 9)."""
        return make_draft(state, ask.team, lines)

    def play(
        self, state: Dish, orders: Sequence[Order | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_stage(state, orders, streams)

    def find_refusals(self, what: Event | Order) -> Refused | None:
        """Return what a sheet refused, or which orders were skipped (rules 9.4)."""
        if isinstance(what, Skipped):
            count = len(what.skips) + what.more
            return Refused(count, tuple(map(_skip_text, what.skips)), what.team)
        if isinstance(what, Orders | Placement) and isinstance(what.refused_lines, RefusedLines):
            lines = what.refused_lines
            return Refused(lines.count, tuple(map(_skip_text, lines.first)))
        return None

    def parts(self, order: Order) -> int:
        """Return how many lines a sheet had, and what was refused of it at once."""
        lines = order.refused_lines
        refused = lines.count if isinstance(lines, RefusedLines) else 0
        skipped = len(order.skips) + order.more
        if isinstance(order, Placement):
            return len(order.centers) + bool(order.bid) + skipped + refused
        specials = (order.use is not None) + (order.select is not None)
        return len(order.orders) + specials + skipped + refused

    def host(self, player: type, state: Dish, team: int, limits: Limits) -> SmacHost:
        return SmacHost(player, state, team, limits, self)

    def copy(self, state: Dish) -> Dish:
        return state.copy()

    def sample(self, state: Dish, team: int, chance: Stream) -> Dish:
        """Return a copy of a team's dish in which nothing is unknown."""
        drawn = state.copy()
        for each in drawn.teams:
            if each.bank is None:
                # Before it produced anything a team has its points for the first bid.
                start_points = drawn.settings.start_points if drawn.turn <= 1 else 0
                each.bank = chance.below(1 + max(each.production, start_points * MILLI))
            if each.points is None:  # rules 4.2: so many make a level
                points = (level**2 + chance.below(2 * level + 1) for level in each.levels)
                each.points = Characteristics(*points)
            if each.selection is None:
                each.selection = _draw_selection(drawn, each, chance)
        return drawn

    def board(self, state: Dish, team: int) -> Board:
        return Board(state, team, self)

    def sheet(self, state: Dish, team: int) -> OrderSheet | PlacementSheet:
        """Return the sheet that `decide` or `settle` is given."""
        return (OrderSheet if state.stage == ORDERS else PlacementSheet)(state, team)

    def as_answer(self, order: object) -> object:
        return order.answer() if isinstance(order, OrderSheet | PlacementSheet) else order

    def standing(self, state: Dish) -> Standing:
        return Standing(state.turn, state.settings.last_turn, rules.scores(state))

    describe = staticmethod(text.describe)
    text = staticmethod(text.draw)

    def observed_event(self, state: Dish, event: Event, team: int | None) -> Event | None:
        return observed_event(event, team)


def _skip_text(skip: Skip) -> str:
    return f"{skip.order}: {skip.reason}"


def _draw_selection(dish: Dish, team: Team, chance: Stream) -> Selection:
    """Draw nothing, or one of the specials that the team may have selected before this turn."""
    settings = dish.settings
    free = [special for special in Special if special not in team.used]
    if dish.turn <= settings.specials_from_turn or (team.used and settings.one_special_per_game):
        free = []
    chosen = chance.choice([None, *free])
    return Selection(chosen, dish.turn - 1) if chosen else Selection()
