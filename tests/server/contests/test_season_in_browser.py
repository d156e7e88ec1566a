"""A season from an empty database to its final table, in a real browser."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from server.contests.form_fields import TIME_FORMAT
from tests.server.conftest import People
from tests.server.members import Server, serving
from tests.shell import BITER, WALKER, eventually

DAY = timedelta(days=1)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """Return a server that plays its ladders."""
    with serving(tmp_path, workers=1) as server:
        yield server


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
    assert "· season ·" in spectator.locator("main").inner_text()
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
