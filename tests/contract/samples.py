"""A game's own part of the contract: settings of short matches, and answers a bot might give."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.game import Ask
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


def a_command(state: Any, ask: Ask, dice: Random) -> Any:
    return str(dice.choice([*Command]))


def a_move(state: Any, ask: Ask, dice: Random) -> Any:
    move = str(dice.choice(state.halves[ask.about - 1].position.moves()))
    return move if dice.random() < 0.7 else {"move": move, "end": dice.random() < 0.3}


SAMPLES: dict[str, Sample] = {
    "slime_mind": Sample(settings_of_small_maps(), a_command),
    "smack": Sample(
        st.builds(
            smack.Settings,
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
