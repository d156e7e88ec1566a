"""A class in real browsers: a group, its ladder, a bot of two authors."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.bots.examined import ExaminedAtOnce
from tests.server.conftest import People
from tests.server.contests.test_season_in_browser import hand_in
from tests.server.members import Server, serving
from tests.shell import WALKER


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, new_examiner=ExaminedAtOnce) as server:
        yield server


def test_an_evening_of_a_class(server: Server, people: People, tmp_path: Path) -> None:
    organizer = people.join(f"/welcome/{server.key}", "Olga")
    organizer.goto("/admin/groups")
    organizer.get_by_label("Name").fill("Class 10b")
    organizer.get_by_role("button", name="Make the group").click()
    link = organizer.locator(".once input").nth(1).input_value()
    group = organizer.url

    organizer.get_by_role("link", name="invited into this group").click()
    organizer.get_by_role("button", name="Make an invitation").click()
    ann = people.join(organizer.locator(".once input").input_value(), "Ann")
    organizer.goto("/admin")
    organizer.get_by_role("button", name="Make an invitation").click()
    bob = people.join(organizer.locator(".once input").input_value(), "Bob")
    bob.goto(link)
    bob.get_by_role("button", name="Join the group").click()
    bob.get_by_role("rowheader", name="Ann").wait_for()

    organizer.goto("/admin/contests/new?game=slime_mind")
    organizer.get_by_role("textbox", name="Name", exact=True).fill("Homework")
    organizer.get_by_text("Settings of the game").click()
    organizer.get_by_label("max_turns").fill("many")
    organizer.get_by_label("Only for").select_option(label="Class 10b")
    organizer.get_by_role("button", name="Make it").click()
    organizer.locator("#wrong-set-max_turns").wait_for()
    organizer.get_by_label("max_turns").fill("6")
    organizer.get_by_role("button", name="Make it").click()
    organizer.get_by_role("heading", name="Homework").wait_for()

    hand_in(ann, tmp_path, "Homework", "first", WALKER)
    hand_in(bob, tmp_path, "Homework", "second", WALKER)
    organizer.goto(group)
    organizer.get_by_role("link", name="second", exact=True).wait_for()

    ann.goto("/bots")
    ann.get_by_role("link", name="first", exact=True).click()
    ann.get_by_label("Share it with").fill("Bob")
    ann.get_by_role("button", name="Invite").click()
    ann.get_by_text("invited, has yet to say yes").wait_for()
    bob.goto("/bots")
    bob.get_by_role("button", name="Share first", exact=True).click()
    bob.get_by_text("by Ann, Bob").wait_for()
    refused = [one for one in people.errors if "422" not in one]  # of the form that was wrong
    assert refused == []
