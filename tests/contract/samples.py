"""A game's own part of the contract: settings of short matches, and answers a bot might give."""

from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from hypothesis.strategies import SearchStrategy

from engine.game import Ask
from engine.games.slime_mind.orders import Command
from tests.engine.games.slime_mind.strategies import settings_of_small_maps


class Sample(NamedTuple):
    """How to try out a game without knowing it."""

    settings: SearchStrategy[Any]
    answer: Callable[[Any, Ask, Random], Any]
    """A legal answer drawn at random, from the state as the asked team knows it."""


def a_command(state: Any, ask: Ask, dice: Random) -> Any:
    return str(dice.choice([*Command]))


SAMPLES: dict[str, Sample] = {
    "slime_mind": Sample(settings_of_small_maps(), a_command),
}
