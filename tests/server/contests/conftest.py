"""A ladder whose matches tests play by hand."""

from collections.abc import Iterator

import pytest

from server.site.application import Application
from tests.server.contests.test_playing_now import Arena
from tests.server.members import serving
from tests.server.serving import serving_app


@pytest.fixture(scope="module")
def served_arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Arena, str]]:
    """Yield a ladder whose matches are to be played, and the address at which it is served."""
    folder = tmp_path_factory.mktemp("playing") / "results"
    with serving(folder) as server:
        made = Arena(folder, server)
        with serving_app(
            lambda host: Application(server.game_service, [host], server.site, out=folder)
        ) as home:
            yield made, home
            server.site.end_streams()
