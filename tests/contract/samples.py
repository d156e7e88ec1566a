"""A game's own part of the contract: settings of short matches, and answers a bot might give."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from engine.game import Ask
from engine.games.slime_mind.orders import Command
from engine.games.smack import settings as smack
from tests.engine.games.slime_mind.strategies import settings_of_small_maps


class Sample(NamedTuple):
    """How to try out a game without knowing it."""

    settings: SearchStrategy[Any]
    answer: Callable[[Any, Ask, Random], Any]
    """A legal answer drawn at random, from the state as the asked team knows it."""


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
}
