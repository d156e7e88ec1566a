"""Bots of a package with a game play where those of ours do."""

from pathlib import Path

import pytest

from server.bots.built_in_bots import BuiltInBots
from tests.game_packages import BIDS, NAME, Install
from tests.server.contests.field import ladder_in
from tests.server.members import Server, page_text


@pytest.mark.parametrize(
    ("name", "title", "bot"), [(NAME, "Connect Four", "Looking"), (BIDS, "Sealed Bids", "Modest")]
)
def test_a_guest_plays_against_a_bot_of_a_package_within_a_click(
    install: Install, tmp_path: Path, name: str, title: str, bot: str
) -> None:
    install()
    install("sealed-bids", BIDS, BIDS)
    server = Server(tmp_path / "server")
    guest = server.browser()
    assert f"{title} For 2" in page_text(guest.get("/"))
    assert bot in page_text(guest.get(f"/play/{name}"))
    answer = guest.post(f"/play/{name}")
    assert (answer.status_code, answer.url.path[:7]) == (200, "/games/")
    ladder = ladder_in(server.storage.database, name, name="theirs")
    BuiltInBots(server.storage.database, server.folder).enter(ladder)
    assert bot in page_text(guest.get(f"/contests/{ladder.id}"))
    server.close()
