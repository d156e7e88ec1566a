"""Settings of short matches, and legal answers, for properties that must hold for all of them."""

from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from engine.game import Ask
from engine.games.smac.orders import ORDERS
from engine.games.smac.pieces import Special
from engine.games.smac.settings import (
    ChanceModel,
    Characteristic,
    DefenseModel,
    ProductionModel,
    Settings,
)
from engine.games.smac.state import Dish

seeds = st.integers(0, 2**64 - 1)
MAX_ORDERS = 12


@st.composite
def settings_of_short_matches(draw: DrawFn) -> Settings:
    """Draw a small board, few turns, and any of the numbers and options."""
    needs = st.integers(2, 6)
    first_turns = st.integers(1, 8)
    return Settings(
        side=draw(st.sampled_from((12, 13, 16))),
        terrain_pct=draw(st.integers(0, 40)),
        symmetric_terrain=draw(st.booleans()),
        start_points=draw(st.integers(0, 60)),
        start_level_points=draw(st.sampled_from(((0, 0, 0, 0, 1, 0, 0), (1, 1, 4, 2, 9, 1, 1)))),
        min_support=draw(st.integers(0, 4)),
        growth_need_dip=draw(needs),
        growth_need=draw(needs),
        growth_need_hill=draw(needs),
        second_center_min_distance=draw(st.integers(3, 9)),
        victory_from_turn=draw(first_turns),
        victory_pct=draw(st.integers(0, 100)),
        victory_step_pct=draw(st.integers(0, 20)),
        last_turn=draw(first_turns),
        specials_from_turn=draw(st.integers(1, 3)),
        one_special_per_game=draw(st.booleans()),
        combat_round_limit=draw(st.sampled_from((1, 3, 200))),
        production_model=draw(st.sampled_from([*ProductionModel])),
        chance_model=draw(st.sampled_from([*ChanceModel])),
        defense_counts=draw(st.sampled_from([*DefenseModel])),
        early_elimination=draw(st.booleans()),
    )


def an_answer(dish: Dish, ask: Ask, dice: Random) -> Any:
    """Return a well-formed answer from what the team knows; parts of it may be illegal."""
    if dish.stage != ORDERS:
        centers = [_a_cell(dish, dice) for _ in range(dice.randrange(6))]
        return {"bid": dice.randrange(4), "centers": centers}
    orders = [_an_order(dish, ask.team, dice) for _ in range(dice.randrange(MAX_ORDERS))]
    answer: dict[str, Any] = {"orders": orders}
    selection = dish.team(ask.team).selection
    if selection is not None and selection.special is not None and dice.random() < 0.7:
        target = dice.choice((None, dice.randrange(1, 3), _a_cell(dish, dice)))
        answer["use"] = {"special": str(selection.special), "target": target}
    if dice.random() < 0.5:
        answer["select"] = str(dice.choice([*Special]))
    return answer


def _an_order(dish: Dish, team: int, dice: Random) -> list[Any]:
    if dice.random() < 0.4:
        return ["evolve", str(dice.choice([*Characteristic]))]
    own = [cell for cell, height in enumerate(dish.layer(team)) if height]
    y, x = divmod(dice.choice(own), dish.side)
    shift = dice.choice((0, 0, 1, 1, 2))
    return ["place", x + dice.randint(-shift, shift), y + dice.randint(-shift, shift)]


def _a_cell(dish: Dish, dice: Random) -> list[int]:
    return [dice.randrange(dish.side), dice.randrange(dish.side)]
