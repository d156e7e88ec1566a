"""What members of a group have handed in: as members see it, as organizers do, as a table."""

import csv
import io
from codecs import BOM_UTF8
from datetime import timedelta
from zipfile import ZipFile

import msgspec
from msgspec.structs import replace
from sqlalchemy import insert, update

from runners.contests.entries import enter
from runners.storage.database import now
from runners.storage.ladder_tables import EntryState, VersionState, entries, players, versions
from server.writing.courses import CourseProgress, load_steps
from server.writing.drafts import Owner
from tests.runners.results import a_match_result, a_team
from tests.server.contests.field import CHOICES, bot_in, enter_all, ladder_in, play_set, version_in
from tests.server.groups.grouped import join, make_group
from tests.server.members import Browser, Server


def read_grades(organizer: Browser, group_id: str) -> list[dict[str, str]]:
    text = organizer.get(f"/admin/groups/{group_id}/grades.csv").text
    return list(csv.DictReader(io.StringIO(text)))


def read_page(browser: Browser, path: str) -> str:
    """Return a page as text, without what stands for nothing."""
    return " ".join(browser.text(path).replace("\N{EN DASH}", "").split())


def test_a_table_for_grading_has_everybody_of_a_group(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    for name in ("Ann", "Bob", "Cleo"):
        join(server.member(name), code)
    ladder = ladder_in(database, name="Homework", only_group=group_id)
    ann, bob = (bot_in(database, server.person_id(name), f"bot {name}") for name in ("Ann", "Bob"))
    for bot in (ann, bob):
        enter(database, ladder.id, bot.id)
    play_set(database, ladder)
    database.write(update(players).values(faults=2))
    version_in(database, bob, "next", number=2, state=VersionState.REFUSED)
    why = {"why": "=cmd|' /C calc'!A0"}
    database.write(update(versions).where(versions.c.id == "next").values(why))

    rows = read_grades(organizer, group_id)
    assert [(one["person"], one["bot"], one["version"], one["ladder"]) for one in rows] == [
        ("Ann", "bot Ann", "1", "Homework"),
        ("Bob", "bot Bob", "2", "Homework"),
        ("Cleo", "", "", ""),
    ]
    assert [(one["checks"], one["games"], one["faults"]) for one in rows] == [
        ("passed", "2", "4"),
        ("refused: =cmd|' /C calc'!A0", "2", "4"),
        ("", "", ""),
    ]
    assert {one["person_id"] for one in rows} == {
        server.person_id(name) for name in ("Ann", "Bob", "Cleo")
    }
    assert rows[0]["bot_id"] == ann.id
    assert rows[0]["ladder_id"] == ladder.id
    assert rows[0]["handed_in"].endswith("+00:00")
    page = organizer.text(f"/admin/groups/{group_id}")
    assert "refused: =cmd" in page
    assert "Cleo nothing so far" in page


def test_the_table_for_grading_has_places_of_tournaments(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    for name in ("Ann", "Bob"):
        join(server.member(name), code)
    bots = [bot_in(database, server.person_id(name), f"bot {name}") for name in ("Ann", "Bob")]
    ladder, tournaments = ladder_in(database, name="Homework"), server.site.contests.tournaments
    enter_all(database, ladder, bots)
    tournaments.make("Spring_cup", ladder, tournaments.candidates(ladder.id), CHOICES)
    tournament = tournaments.load_tournament("Spring_cup")
    assert tournament is not None
    for entry in tournament.ledger():
        names = [tournament.field.entrants[number].bot.name for number in entry.fixture.seats]
        teams = tuple(replace(a_team(name), score=float(name == "bot Bob")) for name in names)
        tournament.store.add(a_match_result(key=entry.key, teams=teams))
    rows = [one for one in read_grades(organizer, group_id) if one["ladder"] == "Spring cup"]
    found = [(one["bot"], one["place"], one["games"], one["is_final"]) for one in rows]
    assert found == [("bot Ann", "2", "2", "True"), ("bot Bob", "1", "2", "True")]
    assert "bot Bob 1 final Spring cup" in read_page(organizer, f"/groups/{group_id}")


def test_how_far_members_have_come_in_courses_is_shown(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    for name in ("Ann", "Bob"):
        join(server.member(name), code)
    progress = CourseProgress(database)
    ann = Owner(person=server.person_id("Ann"))
    for step in (1, 2):
        progress.count_try(ann, "slime_mind", step)
        progress.note_done(ann, "slime_mind", step)
    progress.count_try(ann, "slime_mind", 3)
    steps = len(load_steps("slime_mind"))
    page = read_page(organizer, f"/admin/groups/{group_id}")
    assert page.count(f"Slime Mind 2 of {steps}") == 1
    rows = {row["person"]: row for row in read_grades(organizer, group_id)}
    assert (rows["Ann"]["course_slime_mind"], rows["Ann"]["course_smack"]) == ("2", "0")
    assert rows["Bob"]["course_slime_mind"] == "0"


def test_a_formula_in_a_name_is_no_formula_in_the_table(server: Server) -> None:
    organizer = server.organizer()
    group_id, code = make_group(organizer)
    join(server.member("=1+1 and more"), code)
    assert [one["person"] for one in read_grades(organizer, group_id)] == ["'=1+1 and more"]


def test_the_table_opens_in_spreadsheets_and_comes_as_json(server: Server) -> None:
    organizer = server.organizer()
    group_id, code = make_group(organizer)
    join(server.member("Jürgen"), code)
    path = f"/admin/groups/{group_id}/grades"
    answer = organizer.get(f"{path}.csv?spreadsheet")
    assert answer.content.startswith(BOM_UTF8)
    assert answer.headers["content-disposition"] == 'attachment; filename="grades.csv"'
    assert not organizer.get(f"{path}.csv").content.startswith(BOM_UTF8)
    (row,) = msgspec.json.decode(organizer.get(f"{path}.json").content)
    assert (row["person"], row["bot"]) == ("Jürgen", None)
    assert organizer.get(f"{path}.xml").status_code == 404
    assert organizer.get("/admin/groups/none/grades.csv").status_code == 404


def test_everything_that_organizers_download_has_the_groups(server: Server) -> None:
    organizer = server.organizer()
    group_id, code = make_group(organizer, "Class 10b", "Mondays")
    empty, _ = make_group(organizer, "Empty")
    join(server.member("Ann"), code)
    with ZipFile(io.BytesIO(organizer.get("/admin/export.zip").content)) as made:
        rows = msgspec.json.decode(made.read("groups.json"))
    found = [(one["group_id"], one["group"], one["note"], one["person"]) for one in rows]
    assert found == [(group_id, "Class 10b", "Mondays", "Ann"), (empty, "Empty", "", "")]


def test_members_see_of_others_what_everybody_sees(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    ann, bob = server.member("Ann"), server.member("Bob")
    join(ann, code)
    join(bob, code)
    at = now()
    ladder = ladder_in(
        database,
        name="Frozen",
        begins_at=at - timedelta(days=1),
        freezes_at=at - timedelta(hours=1),
        ends_at=at + timedelta(days=1),
    )
    open_bot = bot_in(database, server.person_id("Ann"), "open")
    version_in(database, open_bot, "refused", number=2, state=VersionState.REFUSED)
    frozen_bot = bot_in(database, server.person_id("Ann"), "frozen")
    enter(database, ladder.id, frozen_bot.id)
    page = f"/groups/{group_id}"
    assert "open version 1" in read_page(bob, page)
    assert "frozen" not in read_page(bob, page)
    assert "open version 2" in read_page(ann, page)
    assert "frozen Frozen version 1" in read_page(ann, page)
    assert "open version 2" in read_page(organizer, page)


def test_a_final_table_gives_final_places(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    join(server.member("Ann"), code)
    at = now()
    begins_at, ends_at = at - timedelta(days=2), at - timedelta(days=1)
    ladder = ladder_in(database, begins_at=begins_at, ends_at=ends_at, concluded_at=at)
    bot = bot_in(database, server.person_id("Ann"), "walker")
    entered = {"contest": ladder.id, "bot": bot.id, "state": EntryState.PLAYING, "why": ""}
    database.write(insert(entries).values(**entered, entered_at=begins_at, changed_at=begins_at))
    (row,) = read_grades(organizer, group_id)
    assert (row["is_final"], row["entry"]) == ("True", "playing")
