"""Compiled rules are made by one process of a test session; the others wait and load them."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np
import pytest

from bootstrap import try_lock
from engine.games.slime_mind.settings import Settings
from engine.games.smac.settings import Settings as SmacSettings
from engine.games.smack.settings import Settings as SmackSettings
from learning import slime_mind, smac, smack
from learning.simulation.compiled import folder_of
from learning.slime_mind.matches import NO_WEIGHTS, Matches
from learning.slime_mind.notes import new_notes
from learning.slime_mind.play_out import play_out
from learning.slime_mind.players import Player, order_of
from learning.slime_mind.vector_env import SlimeMindVectorEnv
from learning.smac.matches import Matches as SmacMatches
from learning.smac.play_out import play_out as play_out_smac
from learning.smack.layout import NO_ORDER
from learning.smack.matches import Matches as SmackMatches
from learning.smack.play_out import play_out as play_out_smack
from learning.smack.players import Player as SmackPlayer


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile what is not there yet: half a minute in a fresh clone, nothing after it."""
    settings = {"columns": 4, "rows": 4, "slime_pairs": 1, "plant_pairs": 1, "rock_pairs": 0}
    with only_compiler_of(slime_mind.__file__):
        matches = Matches(msgspec.convert(settings, Settings), [1])
        matches.play([0])
        play_out(matches, Player.GLUTTON, Player.GLUTTON)
        order_of(matches.s, matches.rows[0], 0, NO_WEIGHTS, new_notes(1)[0])
        SlimeMindVectorEnv(1, settings=settings).reset(seed=1)


@pytest.fixture(scope="session")
def compiled_smack() -> None:
    """Compile the rules of Smack!, if they are not there yet: ten seconds."""
    with only_compiler_of(smack.__file__):
        matches = SmackMatches(SmackSettings(opening_plies=1), [1, 2])
        matches.legal(0, 1)
        matches.play([[NO_ORDER, NO_ORDER]] * 2)
        play_out_smack(matches, SmackPlayer.RANDOM, SmackPlayer.GREEDY)


@pytest.fixture(scope="session")
def compiled_smac() -> None:
    """Compile the rules of SMAC, if they are not there yet: under half a minute."""
    with only_compiler_of(smac.__file__):
        matches = SmacMatches(SmacSettings(side=12, last_turn=1), [1])
        matches.play(matches.random_orders(np.array([[1]]), 1))
        play_out_smac(matches)


@contextmanager
def only_compiler_of(package: str) -> Iterator[None]:
    """Wait until no other process compiles this package."""
    with (folder_of(Path(package).parent) / "lock").open("w") as lock:
        while not try_lock(lock):
            time.sleep(0.2)
        yield
