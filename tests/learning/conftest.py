"""Compiled rules are made by one process of a test session; the others wait and load them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest

from bootstrap import try_lock
from engine.games.slime_mind.settings import Settings
from learning.slime_mind.compiled import cache_folder
from learning.slime_mind.matches import NO_WEIGHTS, Matches, play_out
from learning.slime_mind.notes import new_notes
from learning.slime_mind.players import Player, choose_order
from learning.slime_mind.vector_env import SlimeMindVectorEnv


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile what is not there yet: half a minute in a fresh clone, nothing after it."""
    settings = {"columns": 4, "rows": 4, "slime_pairs": 1, "plant_pairs": 1, "rock_pairs": 0}
    with the_only_compiler():
        matches = Matches(msgspec.convert(settings, Settings), [1])
        matches.play([0])
        play_out(matches, Player.GLUTTON, Player.GLUTTON)
        choose_order(matches.s, matches.rows[0], 0, NO_WEIGHTS, new_notes(1)[0])
        SlimeMindVectorEnv(1, settings=settings).reset(seed=1)


@contextmanager
def the_only_compiler() -> Iterator[None]:
    """Wait until no other process compiles these rules."""
    with (cache_folder() / "lock").open("w") as lock:
        while not try_lock(lock):
            time.sleep(0.2)
        yield
