"""A season from an empty database to its final table, in a real browser."""

from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from server.contests.form_fields import TIME_FORMAT
from tests.server.conftest import Serve
from tests.server.members import Server
from tests.shell import BITER, WALKER, eventually

DAY = timedelta(days=1)


class People:
    """Browsers, one for each person."""

    def __init__(self, chromium: Any, home: str) -> None:
        self._chromium = chromium
        self._home = home
        self._contexts: list[Any] = []
        self.errors: list[str] = []

    def browser(self) -> Any:
        context = self._chromium.new_context(
            viewport={"width": 1280, "height": 800}, base_url=self._home, reduced_motion="reduce"
        )
        self._contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", self._note_error)
        return page

    def join(self, link: str, name: str) -> Any:
        """Return the browser of somebody who has followed the link of an invitation."""
        page = self.browser()
        page.goto(link)
        page.get_by_label("Name").fill(name)
        page.locator("main form button").first.click()
        page.get_by_role("heading", name=f"Welcome, {name}").wait_for()
        return page

    def _note_error(self, message: Any) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def close(self) -> None:
        for context in self._contexts:
            context.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server that plays its ladders."""
    server = Server(tmp_path, workers=1)
    with closing(server.storage), closing(server.site):
        yield server


@pytest.fixture
def people(server: Server, serve: Serve, chromium: Any) -> Iterator[People]:
    with closing(People(chromium, serve(server.game_service, server.site))) as people:
        yield people


def invite(people: People, organizer: Any, name: str) -> Any:
    organizer.goto("/admin")
    organizer.get_by_role("button", name="Make an invitation").click()
    return people.join(organizer.locator(".once input").input_value(), name)


def hand_in(author: Any, folder: Path, ladder: str, name: str, source: str) -> None:
    """Hand a bot in on the page for a ladder of Slime Mind, and wait for its checks."""
    path = folder / f"player_{name}.py"
    path.write_text(source)
    author.goto("/submit")
    author.get_by_label("Ladder").select_option(label=f"{ladder} (Slime Mind)")
    author.get_by_label("The bot's name").fill(name)
    author.get_by_label("A file player_*.py").set_input_files(path)
    author.get_by_role("button", name="Submit", exact=True).click()
    author.get_by_text("This is the version that plays.").wait_for()


def read_table(page: Any) -> list[list[str]]:
    """Return the texts of a ladder's table, row by row."""
    return [row.locator("td").all_inner_texts() for row in page.locator("#table tbody tr").all()]


@pytest.mark.slow
def test_a_season_is_made_played_watched_and_ended(
    server: Server, people: People, tmp_path: Path
) -> None:
    organizer = people.join(f"/welcome/{server.key}", "Olga")
    organizer.goto("/admin/contests")
    organizer.get_by_role("link", name="Make a ladder or season").click()
    organizer.get_by_role("textbox", name="Name", exact=True).fill("Spring")
    organizer.get_by_text("Settings of the game").click()
    organizer.get_by_label("max_turns").fill("6")
    organizer.get_by_label("Who enters").select_option("approved")
    organizer.get_by_label("Built-in bots").select_option("no")
    now = datetime.now(UTC)
    organizer.get_by_label("Begins (").fill((now - DAY).strftime(TIME_FORMAT))
    organizer.get_by_label("Ends (").fill((now + DAY).strftime(TIME_FORMAT))
    organizer.get_by_role("button", name="Make it").click()
    organizer.get_by_role("heading", name="Spring").wait_for()
    administered = organizer.url
    shown = administered.replace("/admin/", "/")

    for name, source in (("walker", WALKER), ("biter", BITER)):
        author = invite(people, organizer, name.capitalize())
        hand_in(author, tmp_path, "Spring", name, source)
        organizer.goto(administered)
        organizer.get_by_role("link", name=f"Decide {name}").click()
        organizer.get_by_role("button", name="Approve it").click()

    spectator = people.browser()

    def are_rated() -> bool:
        spectator.goto(shown)
        rows = read_table(spectator)
        return len(rows) == 2 and all(row[2].strip()[:1].isdigit() for row in rows)

    assert eventually(are_rated)
    assert "a season from" in spectator.locator("main").inner_text()
    spectator.get_by_role("link", name="biter", exact=True).click()
    spectator.locator("a[href^='/matches/']:not([href$='/watch'])").first.click()
    spectator.get_by_role("link", name="Watch", exact=True).click()
    spectator.locator("body:not(.loading) #board").wait_for()

    organizer.goto(administered)
    organizer.get_by_label("Ends (").fill(datetime.now(UTC).strftime(TIME_FORMAT))
    with organizer.expect_navigation():
        organizer.get_by_role("button", name="Save").click()

    def is_final() -> bool:
        spectator.goto(shown)
        return "and this table is final." in spectator.locator("main").inner_text()

    assert eventually(is_final, 60)
    final = read_table(spectator)
    assert len(final) == 2
    assert spectator.get_by_role("link", name="Submit a bot").count() == 0
    with spectator.expect_download() as download:
        spectator.get_by_role("link", name="table as CSV").click()
    assert "walker" in Path(download.value.path()).read_text()
    assert people.errors == []
