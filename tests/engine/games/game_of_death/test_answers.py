"""Whatever a process answers: an order, or a refusal with a reason that can be printed."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.fault import Cause, Fault
from engine.game import Ask, Refusal
from engine.games.game_of_death import rules
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.orders import COMMANDS, Action, Command, Design
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import FREE, Battle
from engine.streams import Streams
from tests.engine.games.game_of_death.battles import DOMINO, Field, play
from tests.examples import examples

GAME = GameOfDeath()
SMALL = Settings(
    width=24, height=14, zone_width=10, home_u=0, home_v=4, home_width=2, home_height=2
)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=10,
)
rows = st.lists(st.text("##.", max_size=5), max_size=4)
names = st.sampled_from(["Wall", "Scout", "A"]) | st.text(max_size=4)
drawings = st.tuples(names, rows) | st.tuples(names, rows | anything, anything)
placements = st.tuples(st.integers(-1, 3), st.integers(-2, 12), st.integers(-2, 15))
designs = st.fixed_dictionaries(
    {
        "types": st.lists(drawings.map(list), max_size=3),
        "placements": st.lists(placements.map(list) | anything, max_size=5),
    }
)
words = st.sampled_from([*COMMANDS]) | st.text(max_size=12)
messages = st.lists(st.text(max_size=40) | anything, max_size=3)
actions = words | st.tuples(words, messages).map(list) | anything


def start_battle() -> Battle:
    battle = GAME.new(SMALL, 2)
    for event in GAME.start(battle, Streams(1)):
        battle.apply(event)
    return battle


def require_reason(refusal: Refusal) -> None:
    assert 0 < len(refusal.reason) < 300
    assert refusal.reason.isprintable()


@settings(max_examples=examples(200))
@given(designs | anything)
def test_a_design_is_legal_or_refused_and_a_legal_one_stands_on_the_grid(answer: Any) -> None:
    battle = start_battle()
    order = GAME.check(battle, Ask(1), answer)
    if isinstance(order, Refusal):
        require_reason(order)
        orders: list[Any] = [Fault(Cause.ILLEGAL, order.reason)] * 2
    else:
        assert isinstance(order, Design)
        orders = [order, order]
    for event in rules.deploy(battle, orders):
        battle.apply(event)
    cells = [place for shape in battle.shapes.values() for place in battle.places(shape)]
    assert len(cells) == len(set(cells))
    assert sum(what not in (FREE, -1, -2) for what in battle.grid) == len(cells)
    assert sum(what in (-1, -2) for what in battle.grid) == 8


@settings(max_examples=examples(200))
@given(actions)
def test_an_act_is_legal_or_refused_and_a_legal_one_can_be_played(answer: Any) -> None:
    field = Field()
    domino = field.put(1, DOMINO, 40, 40)
    field.put(2, DOMINO, 200, 20)
    battle = field.ready()
    order = GAME.check(battle, Ask(1, domino), answer)
    if isinstance(order, Refusal):
        require_reason(order)
    else:
        assert isinstance(order, Command | Action)
        play(battle, {domino: order})


def test_the_commands_of_a_shape_are_listed_without_broadcasts_and_designs_are_not() -> None:
    battle = start_battle()
    assert GAME.legal_orders(battle, Ask(1)) is None
    assert GAME.legal_orders(battle, Ask(1, 1)) == tuple(Command)
    assert GAME.check(battle, Ask(1, 1), ["rest", ["hi"]]) == Action(Command.REST, ("hi",))
