"""A game's own part of the contract: settings of short matches, and answers a bot might give."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from engine.game import Ask
from engine.games.game_of_death import settings as game_of_death
from engine.games.game_of_death.orders import COMMANDS, Action
from engine.games.slime_mind.orders import Command
from engine.games.smac.settings import Settings as SmacSettings
from engine.games.smack import settings as smack
from tests.engine.games.slime_mind.strategies import settings_of_small_maps
from tests.engine.games.smac.strategies import an_answer, settings_of_short_matches


class Sample(NamedTuple):
    """How to try out a game without knowing it."""

    settings: SearchStrategy[Any]
    answer: Callable[[Any, Ask, Random], Any]
    """A legal answer drawn at random, from the state as the asked team knows it."""
    idle: SearchStrategy[Any] | None = None
    """Settings with which nothing but orders makes a team better; None: all of them."""
    listed: Callable[[Any], Any] = lambda order: order
    """The order that `legal_orders` lists for an order: without what comes on top of it."""


def a_command(state: Any, ask: Ask, dice: Random) -> Any:
    return str(dice.choice([*Command]))


def a_move(state: Any, ask: Ask, dice: Random) -> Any:
    move = str(dice.choice(state.halves[ask.piece_id - 1].position.moves()))
    return move if dice.random() < 0.7 else {"move": move, "end": dice.random() < 0.3}


MASKS = (["##"], ["#", "#"], ["##", "#."], [".#.", "###", ".#."], ["###", "#.#", "###"])


def an_army_or_an_act(state: Any, ask: Ask, dice: Random) -> Any:
    settings = state.settings
    if not ask.piece_id:
        return an_army(settings, dice, state.teams)
    act = dice.choice([*COMMANDS, None])
    if settings.broadcasts_per_turn and dice.random() < 0.2:
        return [act or "rest", [dice.choice(["hi", "ho"])[: settings.message_max]]]
    return act


def without_broadcasts(order: Any) -> Any:
    return order.command if isinstance(order, Action) else order


def an_army(settings: Any, dice: Random, teams: int = 2) -> Any:
    """Shapes in a column, some of which can be beside each other; the home is left of them."""
    first = settings.home_u + settings.home_width
    sizes = range(settings.min_shape_size, min(settings.max_shape_size, settings.max_cells) + 1)
    masks = [
        mask
        for mask in MASKS
        if len(mask[0]) < settings.zone_width - first and count_cells(mask) in sizes
    ]
    placements: list[list[int]] = []
    rows, cells = settings.zone_rows(teams), 0
    v = rows.start + dice.randrange(3)
    while v + 3 <= rows.stop and len(placements) < 4:
        number = dice.randrange(len(masks))
        cells += count_cells(masks[number])
        if cells > settings.max_cells:
            break
        placements.append([number, dice.choice([first, first + 1]), v])
        v += dice.choice([3, 3, 4])
    types = [[f"Type{number}", mask] for number, mask in enumerate(masks)]
    return {"types": types, "placements": placements}


def count_cells(mask: list[str]) -> int:
    return "".join(mask).count("#")


@st.composite
def small_grids(draw: DrawFn, *, square: bool = False) -> game_of_death.Settings:
    """Little room, so that they meet: a few columns between two zones; any other numbers.

    On a square four can play; only there some play in pairs, who cannot be two teams.
    """
    width = draw(st.integers(18, 22) if square else st.integers(14, 24))
    height = width if square else draw(st.integers(10, 16))
    zone_width = 6 if square else 7
    few, smallest = st.integers(1, 3), draw(st.integers(2, 3))
    return game_of_death.Settings(
        width=width,
        height=height,
        zone_width=zone_width,
        home_u=draw(st.integers(0, 1)),
        home_v=draw(st.integers(zone_width, width - 8) if square else st.integers(0, 4)),
        home_width=draw(st.integers(1, 2)),
        home_height=draw(st.integers(1, 2 if square else 3)),
        home_row_drawn=draw(st.booleans()),
        max_cells=draw(st.sampled_from((5, 16, 500))),
        min_shape_size=smallest,
        max_shape_size=draw(st.sampled_from((smallest, 5, 500))),
        sight=draw(st.integers(0, 12)),
        broadcast=draw(st.integers(0, 12)),
        message_max=draw(st.integers(1, 3)),
        broadcasts_per_turn=draw(st.integers(0, 2)),
        team_message_bytes_per_turn=draw(st.sampled_from((0, 3, 2_048))),
        max_turns=draw(st.integers(1, 25)),
        capture_turns=draw(few),
        attack_gap=draw(st.integers(0, 3)),
        heal_every=draw(few),
        hp_factor=draw(few),
        range_factor=draw(few),
        body_factor=draw(st.integers(1, 10)),
        friendly_fire=draw(st.booleans()),
        disclosure_pct=draw(st.sampled_from((0, 50, 80, 100))),
        isolated_shapes=draw(st.booleans()),
        kill_target=draw(st.sampled_from((0, 0, 2, 12))),
        kill_target_counts=draw(st.sampled_from(("cells", "shapes"))),
        groups=draw(st.sampled_from((*PAIRS, ()))) if square else (),
    )


PAIRS = ((1, 3), (2, 4)), ((4, 1), (2, 3))


def grids_for_two_or_four() -> SearchStrategy[Any]:
    """Half of them square, so that four can play there."""
    return st.one_of(small_grids(), small_grids(square=True))


SAMPLES: dict[str, Sample] = {
    "game_of_death": Sample(grids_for_two_or_four(), an_army_or_an_act, listed=without_broadcasts),
    "slime_mind": Sample(settings_of_small_maps(), a_command),
    "smack": Sample(
        st.builds(
            smack.Settings,
            pace=st.sampled_from(smack.Pace),
            opening_plies=st.integers(0, 4),
            no_capture_limit=st.integers(5, 20),
            repetition_limit=st.integers(2, 4),
            ply_limit=st.integers(5, 40),
        ),
        a_move,
    ),
    "smac": Sample(
        settings_of_short_matches(),
        an_answer,
        # Without terrain, to grow into and to live on, all clusters are alike.
        st.builds(SmacSettings, terrain_pct=st.just(0), last_turn=st.integers(1, 20)),
    ),
}
