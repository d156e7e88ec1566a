"""The Game of Death as the engine sees it, also where a design is tried out.

A battle of two equal armies may go by without a death, and with it goes every mistake in `die`.
"""

from collections.abc import Iterator, Sequence

from engine.fault import Fault
from engine.game import (
    Ask,
    DesignInspection,
    Event,
    Game,
    Groups,
    Refusal,
    Standing,
    union_of_events,
)
from engine.games.game_of_death import disclosure, events, rules, sight, text
from engine.games.game_of_death.designs import parse_design
from engine.games.game_of_death.host import ArmyHost
from engine.games.game_of_death.inspection import inspect_design
from engine.games.game_of_death.lone_shapes import lone_board, lone_views
from engine.games.game_of_death.orders import Command, Order, parse_action
from engine.games.game_of_death.pieces import Shape
from engine.games.game_of_death.player import BasePlayer
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle, new_battle
from engine.games.game_of_death.victory import scores_now
from engine.limits import Limits
from engine.streams import Streams

TRIED_TEAM = 1
"""The team that is tried out."""
TRIED_TURNS = range(12, 16)
"""The turns in which a shape of each type is made to die."""


class GameOfDeath(Game[Battle, Event, Order]):
    """First the designs are asked for; then every shape in every turn, all at once.

    A team's process knows its own shapes, and what they see and hear together.
    """

    name = "game_of_death"
    title = "Game of Death"
    rules_version = 4
    team_counts = range(2, 5, 2)
    settings = Settings
    state = Battle
    event = union_of_events(events)
    order = Order
    takes_agents = False  # shapes share nothing, and are not shown the board
    player = BasePlayer
    calls = ("design",)
    bots = "game_of_death"
    quick_preset = "small"
    limits = Limits(bank_s=600, answer_bytes=262_144)
    keyframe_turns = 500
    open_information = False
    public_is_late = True
    has_designs = True
    has_numpy = True

    new = staticmethod(new_battle)

    def groups(self, settings: Settings) -> Groups:
        return settings.groups

    def why_not_played(self, settings: Settings, teams: int) -> str | None:
        why = settings.why_not_for(teams)
        return why and f"{why}; the presets four and four_small are made for four teams"

    def start(self, state: Battle, streams: Streams) -> Iterator[Event]:
        return rules.begin_match(state, streams)

    def asks(self, state: Battle) -> Sequence[Ask]:
        if not state.turn:
            return [Ask(team) for team in state.all_teams]
        return [Ask(state.piece_team(shape_id), shape_id) for shape_id in sorted(state.shapes)]

    def check(self, state: Battle, ask: Ask, answer: object) -> Order | Refusal:
        if ask.piece_id:
            return parse_action(answer, state.settings)
        assert state.home_v is not None
        return parse_design(answer, state.settings, state.home_v, state.teams)

    def has_lone_pieces(self, settings: Settings) -> bool:
        return settings.isolated_shapes

    lone_board = staticmethod(lone_board)
    lone_views = staticmethod(lone_views)

    def legal_orders(self, state: Battle, ask: Ask) -> Sequence[Order] | None:
        """Return the commands of a shape; None for a design, of which there are too many.

        Broadcasts come on top: with texts that may be broadcast, each of the commands makes
        another legal order (rules 5.5), and those are not listed.
        """
        return tuple(Command) if ask.piece_id else None

    def play(
        self, state: Battle, orders: Sequence[Order | Fault], streams: Streams
    ) -> Iterator[Event]:
        return rules.play_turn(state, orders) if state.turn else rules.deploy(state, orders)

    def host(self, player: type, state: Battle, team: int, limits: Limits) -> ArmyHost:
        return ArmyHost(player, state, team, limits)

    def standing(self, state: Battle) -> Standing:
        scores = state.ending.scores if state.ending is not None else scores_now(state)
        return Standing(state.turn, state.settings.max_turns, scores)

    describe = staticmethod(text.describe)
    text = staticmethod(text.draw)

    def observed_event(self, state: Battle, event: Event, team: int | None) -> Event | None:
        if team is None:
            return self.public_event(event)  # all but code, later than the armies see it
        return sight.observed_event(state, event, team)

    readable_parts = staticmethod(disclosure.readable_parts)
    public_event = staticmethod(disclosure.public_event)
    public_order = staticmethod(disclosure.public_order)

    def rehearsed_order(self, state: Battle, ask: Ask) -> Command | None:
        """Return the order to die for the first shape of a type of which none has died yet.

        The last shape of all lives: with it the battle would end.
        """
        if ask.team != TRIED_TEAM or state.turn not in TRIED_TURNS or not ask.piece_id:
            return None
        shape = state.shapes[ask.piece_id]
        whole = {first.id for first, _ in _whole_types(state, TRIED_TEAM)}
        others = sum(1 for other in state.living_shapes(TRIED_TEAM) if other.id not in whole)
        return Command.SUICIDE if shape.id in whole and others else None

    def describe_untried(self, state: Battle, team: int) -> tuple[str, ...]:
        """Return the types whose `die` was never called, in words."""
        return tuple(
            f"class {name}: none of its shapes died, and its die was not tried"
            for _, name in _whole_types(state, team)
        )

    def inspect(self, state: Battle, ask: Ask, answer: object) -> DesignInspection:
        assert state.home_v is not None
        return inspect_design(answer, state.settings, state.home_v, state.teams)


def _whole_types(battle: Battle, team: int) -> Iterator[tuple[Shape, str]]:
    """Yield the first shape, and the name, of each type all of whose shapes live."""
    by_type: dict[int, list[Shape]] = {}
    for shape in battle.living_shapes(team):
        by_type.setdefault(shape.type, []).append(shape)
    for number, shapes in by_type.items():
        drawn = battle.types[team - 1][number]
        if len(shapes) == drawn.count:
            yield min(shapes, key=lambda shape: shape.id), drawn.name
