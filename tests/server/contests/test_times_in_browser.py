"""Times on pages, as the clocks of whoever reads them show them."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from runners.storage.database import now
from tests.server.conftest import Serve
from tests.server.contests.field import ladder_in
from tests.server.members import Server

END = datetime(2099, 5, 28, 14, tzinfo=UTC)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path)
    with closing(server.storage), closing(server.site):
        yield server


@pytest.mark.slow
def test_times_are_the_readers_own_and_the_servers_on_hover(
    server: Server, serve: Serve, chromium: Any
) -> None:
    far = ladder_in(server.storage.database, name="Far", ends_at=END)
    near_end = now() + timedelta(hours=3, minutes=10)
    near = ladder_in(server.storage.database, name="Near", ends_at=near_end)
    with closing(
        chromium.new_context(
            base_url=serve(server.game_service, server.site), timezone_id="America/New_York"
        )
    ) as browser:
        page = browser.new_page()
        page.goto(f"/contests/{far.id}")
        shown = page.locator("time.relative")
        assert shown.inner_text() == "2099-05-28 10:00 EDT"
        assert shown.get_attribute("title") == "2099-05-28 14:00 UTC"
        page.goto(f"/contests/{near.id}")
        assert page.locator("time.relative").inner_text().endswith("(in 3 hours)")


@pytest.mark.slow
def test_without_scripts_the_servers_time_and_its_zone_stand_there(
    server: Server, serve: Serve, chromium: Any
) -> None:
    far = ladder_in(server.storage.database, name="Far", ends_at=END)
    home = serve(server.game_service, server.site)
    with closing(chromium.new_context(base_url=home, java_script_enabled=False)) as browser:
        page = browser.new_page()
        page.goto(f"/contests/{far.id}")
        assert page.locator("time.relative").inner_text() == "2099-05-28 14:00 UTC"
