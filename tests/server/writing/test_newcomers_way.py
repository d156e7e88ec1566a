"""A newcomer's way in a real browser at a real server: open, change, run, fail, mend, climb."""

from pathlib import Path
from typing import Any

import pytest

from tests import needs
from tests.server.writing.newcomers_way import server_with_ladder, walk

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs.PROC]
SCREENS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "tablet": {"viewport": {"width": 820, "height": 1180}, "has_touch": True},
}
STEPS = ["open", "change", "run", "fail", "mend", "compare", "hand_in", "climb"]


@pytest.mark.variants(1, all=1)
@pytest.mark.parametrize("screen", SCREENS)
def test_from_an_invitation_to_a_place_on_a_ladder(
    chromium: Any, tmp_path: Path, screen: str
) -> None:
    pictures, errors = list[str](), list[str]()
    with server_with_ladder(tmp_path) as (server, invitation):
        context = chromium.new_context(base_url=server.base, **SCREENS[screen])
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))

        def picture(step: str) -> None:
            page.screenshot(path=tmp_path / f"{step}.png")
            pictures.append(step)

        walk(page, invitation, picture)
        context.close()
    assert pictures == STEPS
    assert errors == []
