"""A game's own part of the contract: settings of short matches, and answers a bot might give."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

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
    if not ask.piece_id:
        return an_army(state.settings, dice, state.teams)
    act = dice.choice([*COMMANDS, None])
    return [act or "rest", [dice.choice(["hi", "ho"])]] if dice.random() < 0.2 else act


def without_broadcasts(order: Any) -> Any:
    return order.command if isinstance(order, Action) else order


def an_army(settings: Any, dice: Random, teams: int = 2) -> Any:
    """Shapes in a column, some of which can be beside each other; the home is left of them."""
    first = settings.home_u + settings.home_width
    masks = [mask for mask in MASKS if len(mask[0]) <= settings.zone_width - first]
    placements: list[list[int]] = []
    rows = settings.zone_rows(teams)
    v = rows.start + dice.randrange(3)
    while v + 3 <= rows.stop and len(placements) < 4:
        placements.append([dice.randrange(len(masks)), dice.choice([first, first + 1]), v])
        v += dice.choice([3, 3, 4])
    types = [[f"Type{number}", mask] for number, mask in enumerate(masks)]
    return {"types": types, "placements": placements}


def small_grids() -> SearchStrategy[Any]:
    """Little room, so that they meet: two homes, and a few columns between them."""
    return st.builds(
        game_of_death.Settings,
        width=st.integers(14, 24),
        height=st.integers(10, 16),
        zone_width=st.just(7),
        home_u=st.integers(0, 1),
        home_v=st.integers(0, 4),
        home_width=st.just(2),
        home_height=st.integers(1, 3),
        home_row_drawn=st.booleans(),
        sight=st.integers(0, 12),
        broadcast=st.integers(0, 12),
        max_turns=st.integers(1, 25),
        capture_turns=st.integers(1, 3),
        friendly_fire=st.booleans(),
        body_factor=st.integers(1, 10),
    )


def grids_for_two_or_four() -> SearchStrategy[Any]:
    """Half of them square, so that four can play there; a few columns between their zones."""
    square = st.integers(18, 22).flatmap(
        lambda side: st.builds(
            game_of_death.Settings,
            width=st.just(side),
            height=st.just(side),
            zone_width=st.just(6),
            home_u=st.just(0),
            home_v=st.integers(6, side - 8),
            home_width=st.just(2),
            home_height=st.integers(1, 2),
            home_row_drawn=st.booleans(),
            sight=st.integers(0, 12),
            broadcast=st.integers(0, 12),
            max_turns=st.integers(1, 25),
            capture_turns=st.integers(1, 3),
            friendly_fire=st.booleans(),
            body_factor=st.integers(1, 10),
            kill_target=st.integers(0, 12),
        )
    )
    return st.one_of(small_grids(), square)


SAMPLES: dict[str, Sample] = {
    "game_of_death": Sample(grids_for_two_or_four(), an_army_or_an_act, listed=without_broadcasts),
    "slime_mind": Sample(settings_of_small_maps(), a_command),
    "smack": Sample(
        st.builds(
            smack.Settings,
            pace=st.sampled_from(smack.Pace),
            opening_plies=st.integers(0, 4),
            no_capture_limit=st.integers(5, 20),
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
