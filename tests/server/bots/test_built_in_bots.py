"""The house's bots play on ladders, so that a lone author has opponents."""

from pathlib import Path

import pytest
from sqlalchemy import select, update

from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import LadderFixtures
from runners.contests.ladders import Ladders
from runners.contests.player import PAUSE_S
from runners.planning import bots_folder
from runners.storage.database import Database
from runners.storage.ladder_tables import EntryState, bots, versions
from server.bots import built_in_bots
from server.bots.built_in_bots import BuiltInBots
from server.contests.contest_entries import Moderation
from server.contests.ladder_tables import LadderTables
from server.identity.people import BUILT_IN_OWNER, People
from tests.server.contests.field import (
    enter_all,
    ladder_in,
    person_in,
    playing,
    real_bot_in,
    results_in,
    tiny_ladder_in,
)
from tests.server.members import Server
from tests.shell import eventually


def names_on(database: Database, ladder: Ladder) -> list[str]:
    return sorted(one.name for one in LadderFixtures(database).find_contenders(ladder.id))


TITLES = {
    "slime_mind": ["Farmer", "Glutton", "Wanderer"],
    "smack": ["Greedy", "Random", "Searcher"],
    "smac": ["Fortress", "Random", "Spreader"],
    "game_of_death": ["Fortress", "Militia", "Raiders"],
}
ALL = TITLES["slime_mind"]


@pytest.mark.parametrize("game", [*TITLES])
def test_the_starter_bots_of_each_game_enter(database: Database, tmp_path: Path, game: str) -> None:
    ladder = ladder_in(database, game=game)
    BuiltInBots(database, tmp_path).enter(ladder)
    BuiltInBots(database, tmp_path).enter(ladder)
    assert names_on(database, ladder) == TITLES[game]
    assert People(database).find_all() == []


@pytest.mark.slow
def test_a_lone_author_has_opponents_and_the_house_alone_plays_nothing(
    database: Database, tmp_path: Path
) -> None:
    ladder = tiny_ladder_in(database)
    BuiltInBots(database, tmp_path).enter(ladder)
    with playing(database, tmp_path):
        # Nothing is played within two looks.
        assert not eventually(lambda: results_in(database, ladder), 2 * PAUSE_S)
        enter_all(database, ladder, [real_bot_in(database, tmp_path, "lone", "return 'LEFT'")])
        assert eventually(lambda: len(results_in(database, ladder)) >= 2)
    standings = LadderTables(database).table(ladder, None).standings
    listed = {one.name: one.is_house for one in standings}
    assert listed == {"lone": False, **dict.fromkeys(ALL, True)}
    assert any(one.games >= 1 for one in standings)


def test_an_organizer_takes_the_house_off_a_ladder_and_lets_it_in_again(
    database: Database, tmp_path: Path
) -> None:
    ladder, team = ladder_in(database), BuiltInBots(database, tmp_path)
    team.enter(ladder)
    one = database.fetch_value(select(bots.c.id).where(bots.c.name == "Wanderer"))
    out = EntryState.DISQUALIFIED
    Moderation(database).take_out(ladder.id, one, out, "too weak", voids=False)
    team.leave(ladder.id)
    assert not team.plays_on(ladder.id)
    assert names_on(database, ladder) == []
    team.enter(ladder)
    assert names_on(database, ladder) == ["Farmer", "Glutton"]


def test_a_newer_starter_bot_takes_the_place_of_the_older_one(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder, team = ladder_in(database), BuiltInBots(database, tmp_path)
    team.enter(ladder)
    folder = tmp_path / "newer"
    folder.mkdir()
    for name in built_in_bots.STARTER_FILES:
        older = bots_folder("slime_mind") / f"{name}.py"
        newer = older.read_bytes() + b"\n# newer\n" * (name == "player_one")
        (folder / f"{name}.py").write_bytes(newer)
    monkeypatch.setattr(built_in_bots, "bots_folder", lambda game: folder)
    team.start()
    team.start()
    query = select(bots.c.name, versions.c.number, versions.c.state).join(
        versions, versions.c.bot == bots.c.id
    )
    assert sorted(map(tuple, database.fetch_all(query))) == [
        ("Farmer", 1, "active"),
        ("Glutton", 1, "active"),
        ("Wanderer", 1, "former"),
        ("Wanderer", 2, "active"),
    ]


def test_bots_of_an_earlier_version_are_renamed_unless_an_author_has_that_name(
    database: Database, tmp_path: Path
) -> None:
    ladder, team = ladder_in(database), BuiltInBots(database, tmp_path)
    team.enter(ladder)
    for title, former in (("Farmer", "house three"), ("Glutton", "house two")):
        named = update(bots).where(bots.c.name == title)
        database.write(named.values(name=former, name_key=former))
    real_bot_in(database, tmp_path, "glutton", "return 'LEFT'")
    team.start()
    team.start()
    assert names_on(database, ladder) == ["Farmer", "Wanderer", "house two"]


def test_somebody_who_has_the_houses_name_keeps_it(database: Database, tmp_path: Path) -> None:
    person_in(database, built_in_bots.BUILT_IN_NAME)
    ladder = ladder_in(database)
    BuiltInBots(database, tmp_path).enter(ladder)
    assert names_on(database, ladder) == ALL


def test_a_new_server_has_the_house_on_its_ladders_and_the_form_takes_it_off(
    server: Server,
) -> None:
    organizer, database = server.organizer(), server.storage.database
    ladder = Ladders(database).all()[0]
    assert names_on(database, ladder) == ALL
    text = server.browser().text(f"/contests/{ladder.id}")
    assert "Wanderer built-in" in text
    assert "the house" in text
    assert "the house" not in organizer.text("/admin")
    organizer.post(f"/admin/contests/{ladder.id}", {"house": "no"})
    assert names_on(database, ladder) == []
    (row,) = [one for one in server.site.audit.rows(9) if one.what == "ladder changed"]
    assert row.words.endswith("house yes -> no")
    assert BUILT_IN_OWNER not in {one.id for one in server.site.people.find_all()}


def test_a_game_with_fewer_starter_bots_has_those_that_there_are(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(built_in_bots, "STARTER_FILES", ("player_one", "player_none"))
    ladder = ladder_in(database)
    BuiltInBots(database, tmp_path).enter(ladder)
    assert names_on(database, ladder) == ["Wanderer"]
