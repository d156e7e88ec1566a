"""Tables of ladders as CSV and JSON, and everything as one zip."""

import csv
import io
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import update

from runners.contests.contests import Ladder
from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.database import now
from runners.storage.ladder_tables import entries, versions
from runners.storage.store import StoredResult
from server.contests import contest_entries
from tests.runners.results import a_match_result
from tests.server.contests.field import Made, add_match, bot_in, keep_result, ladder_in, rate
from tests.server.members import Browser, Server, page_text, serving

HOUR = timedelta(hours=1)


class World:
    """A frozen season: one match was played before the freeze, one after it."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.organizer = server.organizer()
        database, at = server.storage.database, now()
        server.member("Ann")
        self.season: Ladder = ladder_in(
            database,
            name="Spring",
            begins_at=at - 4 * HOUR,
            freezes_at=at - 2 * HOUR,
            ends_at=at + HOUR,
        )
        owner = server.person_id("Ann")
        self.bots = [bot_in(database, owner, name) for name in ("=ann", "bob")]
        for bot in self.bots:
            enter(database, self.season.id, bot.id)
        database.write(update(entries).values(entered_at=self.season.begins_at))
        database.write(update(versions).values(handed_in_at=self.season.begins_at))
        late = bot_in(database, owner, "late")
        enter(database, self.season.id, late.id)
        for key, hours in (("before", 3), ("after", 1)):
            self._play(key, at - hours * HOUR, self.bots)
        for hours, elo in ((3, 1600.0), (1, 1700.0)):
            rate(database, self.season.id, {self.bots[0].version: elo}, at - hours * HOUR)

    def _play(self, key: str, at: Any, bots: list[Made]) -> None:
        result = msgspec.convert(a_match_result(), StoredResult, from_attributes=True)
        database = self.server.storage.database
        add_match(database, self.season.id, *bots, key=key, created_at=at, played_at=at)
        with database.transaction() as connection:
            keep_result(connection, key, msgspec.json.encode(result).decode())

    def give_up(self, why: str, *, is_void: bool) -> None:
        """Add a match of before the freeze that was not played."""
        at = self.season.begins_at
        values = {"key": why, "why": why, "is_void": is_void, "created_at": at, "played_at": at}
        values["has_result"] = False
        add_match(self.server.storage.database, self.season.id, self.bots[0], **values)

    def read_table(self, browser: Browser, name: str) -> list[dict[str, Any]]:
        """Return the rows of a table of the season, which are the same in both formats."""
        path = f"/contests/{self.season.id}/{name}"
        answer = browser.get(f"{path}.json")
        assert answer.status_code == 200, answer.text
        rows: list[dict[str, Any]] = json.loads(answer.content)
        lines = list(csv.DictReader(io.StringIO(browser.get(f"{path}.csv").text)))
        assert len(lines) == len(rows)
        return rows


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with serving(tmp_path_factory.mktemp("served")) as server:
        yield World(server)


def test_a_frozen_seasons_tables_say_nothing_of_what_came_after(world: World) -> None:
    for browser in (world.server.browser(), world.server.member("Eve")):
        assert [row["key"] for row in world.read_table(browser, "matches")] == ["before"] * 2
        assert [row["rating"] for row in world.read_table(browser, "table")] == [1600.0]
    assert [row["key"] for row in world.read_table(world.organizer, "matches")][2:] == ["after"] * 2
    assert [row["rating"] for row in world.read_table(world.organizer, "table")] == [1700.0]


def test_pgn_has_the_matches_of_two_that_may_be_seen(world: World) -> None:
    path = f"/contests/{world.season.id}/matches.pgn"
    games = {who: who.get(path).text for who in (world.server.browser(), world.organizer)}
    assert [text.count("[Event ") for text in games.values()] == [1, 2]
    assert all('[Event "Spring"]' in text and '[Match "before"]' in text for text in games.values())
    many = ladder_in(world.server.storage.database, "smac")
    assert world.organizer.get(f"/contests/{many.id}/matches.pgn").status_code == 404


def test_a_frozen_season_does_not_tell_who_broke_or_entered_since(world: World) -> None:
    visitor = world.server.browser()
    assert [row["state"] for row in world.read_table(visitor, "table")] == [""]
    assert [row["state"] for row in world.read_table(world.organizer, "table")] == ["active"]
    assert "late" not in {row["bot"] for row in world.read_table(visitor, "entries")}
    assert "late" in {row["bot"] for row in world.read_table(world.organizer, "entries")}
    page = f"/bots/{world.bots[0].id}"
    states = [
        re.search(r"version 1</(?:a|td)>.*?<td>([^<]*)</td>", browser.get(page).text, re.DOTALL)
        for browser in (visitor, world.organizer)
    ]
    assert [state and state[1] for state in states] == ["\N{EN DASH}", "active"]


def test_why_a_match_was_not_played_is_not_told_to_everybody(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        world = World(server)
        world.give_up("/srv/results: the disk is full", is_void=False)
        world.give_up("the power went off", is_void=True)
        rows = world.read_table(server.browser(), "matches")
    found = {row["key"]: (row["why"], row["is_void"], row["winner"]) for row in rows}
    assert found["/srv/results: the disk is full"] == ("", False, None)
    assert found["the power went off"] == ("the power went off", True, None)


def test_whoever_downloads_without_end_is_refused(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(world.server.site.limits._counting["table.address"], "tries", 0)
    answer = world.server.browser().get(f"/contests/{world.season.id}/matches.csv")
    assert answer.status_code == 429
    assert "too often" in page_text(answer)


def test_entries_name_bots_and_authors(world: World) -> None:
    rows = world.read_table(world.server.browser(), "entries")
    assert [(row["bot"], row["author"], row["state"]) for row in rows] == [
        ("=ann", "Ann", "playing"),
        ("bob", "Ann", "playing"),
    ]


def test_a_name_is_no_formula_for_a_spreadsheet(world: World) -> None:
    answer = world.server.browser().get(f"/contests/{world.season.id}/entries.csv")
    assert "=ann" in answer.text
    assert not any(line.startswith("=") for line in answer.text.splitlines())


@pytest.mark.parametrize("path", ["none/table.csv", "{}/people.csv", "{}/table.xml"])
def test_what_is_not_there_is_not_found(world: World, path: str) -> None:
    answer = world.server.browser().get("/contests/" + path.format(world.season.id))
    assert answer.status_code == 404


def test_organizers_get_everything_in_one_zip(world: World) -> None:
    answer = world.organizer.get("/admin/export.zip")
    assert answer.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(answer.content)) as made:
        names = set(made.namelist())
        people = json.loads(made.read("people.json"))
        matches = json.loads(made.read(f"ladders/{world.season.id}/matches.json"))
    assert {"people.csv", "audit.csv", "ladders.csv", "groups.csv"} <= names
    assert {person["name"] for person in people} >= {"Olga", "Ann"}
    assert [row["key"] for row in matches[::2]] == ["before", "after"]
    assert b"session" not in answer.content
    assert "everything exported" in world.server.audit()
    assert "Download everything" in page_text(world.organizer.get("/admin/export"))


def test_a_download_is_named_and_not_kept(world: World, tmp_path: Path) -> None:
    answer = world.server.browser().get(f"/contests/{world.season.id}/table.csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="table.csv"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"


def test_of_a_season_that_is_over_the_table_names_who_did_not_play_in_the_same_columns(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as server:
        world = World(server)
        Ladders(server.storage.database).change(
            replace(world.season, freezes_at=None, ends_at=now(), concluded_at=now())
        )
        rows = world.read_table(server.browser(), "table")
        path = f"/contests/{world.season.id}/table.csv"
        plain, marked = (server.browser().get(f"{path}{words}") for words in ("", "?spreadsheet"))
    assert (rows[0]["rank"], rows[0]["bot"], rows[0]["why"]) == (1, "=ann", "")
    assert (None, "late", contest_entries.ALONE) in [
        (row["rank"], row["bot"], row["why"]) for row in rows
    ]
    assert rows[0]["bot_id"] == world.bots[0].id
    assert all(list(row) == list(rows[0]) for row in rows)
    assert marked.content == b"\xef\xbb\xbf" + plain.content
    assert plain.content.startswith(b"rank,bot,bot_id,author,author_id")
