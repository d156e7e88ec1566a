"""Whoever opens a match that their bot lost plays on in its place, in a real browser."""

from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bootstrap import HOME
from runners.contests.contests import usual_spec
from runners.contests.entries import enter
from tests.runners.playing import GAME, TINY, contestant
from tests.server.conftest import Serve
from tests.server.contests.field import CHOICES, bot_in, ladder_in, person_in
from tests.server.members import Server, serving
from tests.shell import BOT, eventually

STARTER = (HOME / "playerCode" / "player_one.py").read_text(encoding="utf-8")
SPEC = msgspec.structs.replace(
    usual_spec(GAME), settings=msgspec.structs.replace(TINY, max_turns=30)
)


@pytest.fixture
def played(tmp_path: Path) -> Iterator[Server]:
    """Yield a server whose ladder and cup were played, by a bot of Ann's that loses always."""
    with serving(tmp_path, workers=1) as server:
        server.member("Ann")
        database, tournaments = server.storage.database, server.site.contests.tournaments
        ladder = ladder_in(database, name="Spring", spec=SPEC)
        authors = {"hers": server.person_id("Ann"), "other": person_in(database, "Bob")}
        for name, source in (("hers", BOT.format("import os; os._exit(1)")), ("other", STARTER)):
            digest = contestant(tmp_path, name, source).digest
            enter(database, ladder.id, bot_in(database, authors[name], name, digest=digest).id)
        tournaments.make("cup", ladder, tournaments.candidates(ladder.id), CHOICES)

        def is_played(contest: str) -> bool:
            return server.browser().text(f"/contests/{contest}/matches").count(" played") >= 2

        assert all(eventually(partial(is_played, one)) for one in ("cup", ladder.id))
        yield server


@pytest.mark.slow
@pytest.mark.parametrize("contest", ["cup", "spring"])
def test_ones_own_side_is_chosen_and_both_names_stand_there(
    played: Server, serve: Serve, chromium: Any, contest: str
) -> None:
    home = serve(played.game_service, played.site)
    with closing(chromium.new_context(base_url=home)) as context:
        played.sign_in(context, "Ann", home)
        page = context.new_page()
        page.goto(f"/contests/{contest}/matches")
        page.get_by_role("link", name="other against hers").first.click()
        if contest != "cup":
            page.get_by_text("hers lost to other: watch turn").wait_for()
            page.get_by_role("link", name="Watch", exact=True).click()
        page.get_by_text("take over hers: other plays on").wait_for()
        assert page.get_by_label("Play as").input_value() == "2"
        page.get_by_role("button", name="Play on from here").click()
        page.wait_for_url("**/games/*")
        with played.game_service.open_session(page.url.rsplit("/", 1)[1]) as session:
            assert [seat.is_person for seat in session.stored.seats] == [False, True]
            assert session.stored.seats[0].name == "other"
