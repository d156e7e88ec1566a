"""Every game of the catalog, one after another."""

import pytest

from engine.catalog import GAMES
from engine.game import AnyGame
from tests.contract.playing import Matches, random_matches
from tests.contract.samples import SAMPLES, Sample


@pytest.fixture(scope="module", params=[*GAMES.values()], ids=[*GAMES])
def game(request: pytest.FixtureRequest) -> AnyGame:
    picked: AnyGame = request.param
    return picked


@pytest.fixture(scope="module")
def sample(game: AnyGame) -> Sample:
    return SAMPLES[game.name]


@pytest.fixture(scope="module")
def matches(game: AnyGame) -> Matches:
    """Some random matches of the game, which nobody may change."""
    return random_matches(game.name)
