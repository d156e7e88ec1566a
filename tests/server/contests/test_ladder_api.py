"""The API of ladders: what it lists, and that it shows no more than the pages do."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest

from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import Published, publish
from runners.contests.ladders import Ladders
from runners.storage.database import now
from server.contests import contest_api
from tests.server.contests.field import bot_in, enter_all, ladder_in
from tests.server.members import Browser, Server


@pytest.fixture(name="ladder")
def a_rated_ladder(server: Server) -> Ladder:
    """A ladder with three bots of Ann, of which two are rated."""
    server.member("Ann")
    database = server.storage.database
    ladder = ladder_in(database, "smack", name="Summer")
    bots = [bot_in(database, server.person_id("Ann"), f"bot {n}", game="smack") for n in range(3)]
    enter_all(database, ladder, bots)
    rate(server, ladder, {bots[0].version: 1500.0, bots[1].version: 1600.0})
    return ladder


def rate(server: Server, ladder: Ladder, elos: Mapping[str, float]) -> None:
    """Publish ratings, by version."""
    at = now()
    found = {
        version: Published(version=version, at=at, games=1000, elo=elo, low=elo - 50, high=elo + 50)
        for version, elo in elos.items()
    }
    publish(server.storage.database, ladder.id, found, at)


def answer(browser: Browser, path: str) -> Any:
    found = browser.client.get(f"/api/v1{path}")
    assert found.status_code == 200, found.text
    return found.json()


def test_all_ladders_are_listed(server: Server, ladder: Ladder) -> None:
    found = answer(server.browser(), "/ladders")
    names = [one["name"] for one in found["ladders"]]
    assert names == [one.name for one in Ladders(server.storage.database).all()]
    (summer,) = [one for one in found["ladders"] if one["id"] == ladder.id]
    assert (summer["game"], summer["bots"], summer["state"]) == ("smack", 3, "running")
    assert (summer["ends_at"], summer["is_frozen"]) == (None, False)


def test_a_table_has_ranks_and_ratings_with_their_intervals(server: Server, ladder: Ladder) -> None:
    found = answer(server.browser(), f"/ladders/{ladder.id}")
    rows = [
        (one["rank"], one["name"], one["author"], one["elo"], one["low"], one["high"])
        for one in found["standings"]
    ]
    assert rows == [
        (1, "bot 1", "Ann", 1600, 1550, 1650),
        (2, "bot 0", "Ann", 1500, 1450, 1550),
        (None, "bot 2", "Ann", None, None, None),
    ]
    assert (found["page"], found["pages"], found["ladder"]["name"]) == (1, 1, "Summer")


def test_a_long_table_has_pages(
    server: Server, ladder: Ladder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest_api, "BOTS_PER_PAGE", 2)
    browser, path = server.browser(), f"/ladders/{ladder.id}"
    for page, names in ((1, ["bot 1", "bot 0"]), (2, ["bot 2"]), (99, ["bot 2"])):
        found = answer(browser, f"{path}?page={page}")
        assert [one["name"] for one in found["standings"]] == names
        assert (found["page"], found["pages"]) == (min(page, 2), 2)


def test_a_frozen_table_is_shown_as_it_stood(server: Server, ladder: Ladder) -> None:
    organizer, visitor = server.organizer(), server.browser()
    frozen = msgspec.structs.replace(ladder, freezes_at=now(), ends_at=now().replace(year=2999))
    Ladders(server.storage.database).change(frozen)
    bot = bot_in(server.storage.database, server.person_id("Olga"), "late", game="smack")
    enter_all(server.storage.database, ladder, [bot])
    rate(server, ladder, {bot.version: 2000.0})
    shown = {browser: answer(browser, f"/ladders/{ladder.id}") for browser in (organizer, visitor)}
    assert '"late"' in msgspec.json.encode(shown[organizer]).decode()
    assert '"late"' not in msgspec.json.encode(shown[visitor]).decode()
    assert '"is_frozen":true' in msgspec.json.encode(shown[visitor]).decode()


def test_bots_of_who_was_banned_are_not_listed(server: Server, ladder: Ladder) -> None:
    server.organizer().post(f"/admin/people/{server.person_id('Ann')}/ban")
    found = answer(server.browser(), f"/ladders/{ladder.id}")
    assert found["standings"] == []


@pytest.mark.parametrize(
    ("path", "status"),
    [("/ladders/nothing", 404), ("/ladders/{}?page=0", 400), ("/ladders/{}?page=x", 400)],
)
def test_what_there_is_not_is_said(server: Server, ladder: Ladder, path: str, status: int) -> None:
    answered = server.browser().client.get("/api/v1" + path.format(ladder.id))
    assert answered.status_code == status
    assert answered.json()["error"]
