"""Tournaments that begin by themselves at their hour."""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import insert, select, update

from engine.errors import UsageError
from runners.contests.contests import (
    IS_ANNOUNCED,
    Ladder,
    SavedTournament,
    contest_of_id,
    find_tournaments,
)
from runners.contests.entries import enter
from runners.contests.persistence import load_tournament
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.ladder_tables import FieldRule, VersionState, coauthors, fixtures, versions
from runners.storage.store import Store
from runners.storage.tables import contests
from server.contests.contest_entries import entered_bots
from server.contests.notices import tell_of_end
from server.contests.tournaments import Tournaments
from tests.server.contests.field import (
    Made,
    announced,
    bot_in,
    enter_all,
    person_in,
    playing,
    read_notices,
    real_bot_in,
    tiny_ladder_in,
    version_in,
)
from tests.server.groups.grouped import join, make_group
from tests.server.members import Server, page_text, serving
from tests.shell import eventually

HOUR = timedelta(hours=1)


class Event:
    """A ladder with bots, and the tournaments scheduled for it."""

    def __init__(self, database: Database, out: Path) -> None:
        self.database = database
        self.ladder = tiny_ladder_in(database)
        self.tournaments = Tournaments(database, RunOptions(out=out))
        names = ("ann", "bob", "cid")
        self.bots = [bot_in(database, person_in(database, f"of {name}"), name) for name in names]
        enter_all(database, self.ladder, self.bots)

    def announce(self, **changes: Any) -> SavedTournament:
        """Schedule a tournament that begins in an hour."""
        one = announced(**{"ladder": self.ladder.id, **changes})
        self.tournaments.announce(one)
        return one

    def field(self) -> dict[str, str]:
        """Return the versions that play in the cup, by bot; {} before it has begun."""
        found = load_tournament(Store(self.database), "cup")
        entrants = () if found is None else found.field.entrants
        return {entrant.bot.name: entrant.bot.version for entrant in entrants}

    def read_notices(self, bot: Made) -> list[str]:
        return read_notices(self.database, bot.person)

    def now(self) -> SavedTournament:
        found = self.database.find(contest_of_id("cup"))
        assert found is not None
        assert found.tournament is not None
        return found.tournament

    def move(self, **times: datetime) -> None:
        """Move hours of the cup, as only the clock can."""
        self.database.write(update(contests).values(**times))


@pytest.fixture
def event(database: Database, tmp_path: Path) -> Event:
    return Event(database, tmp_path)


def test_it_begins_at_its_hour_and_not_before(event: Event) -> None:
    event.announce()
    event.tournaments.begin_due(now())
    assert event.field() == {}
    event.tournaments.begin_due(now() + HOUR)
    assert event.field() == {"ann": "1", "bob": "1", "cid": "1"}
    assert event.read_notices(event.bots[0]) == ["cup has begun, with 3 bots."]
    assert event.database.find(find_tournaments(IS_ANNOUNCED)) == []
    event.tournaments.begin_due(now() + HOUR)  # once is enough
    assert len(event.read_notices(event.bots[0])) == 1


def test_whoever_shares_a_bot_is_told_as_its_owner_is_and_each_once(event: Event) -> None:
    other = person_in(event.database, "who shares ann")
    share = {"person": other, "invited_at": now(), "accepted_at": now()}
    event.database.write(insert(coauthors).values(bot=event.bots[0].id, **share))
    event.announce(field=FieldRule.ENTERED)
    enter(event.database, "cup", event.bots[0].id)
    assert [one.author for one in event.database.find(entered_bots("cup"))] == [
        "of ann, who shares ann"
    ]
    event.tournaments.call_off("cup")
    event.announce()
    event.tournaments.begin_due(now() + HOUR)
    both = ["cup was called off.", "cup has begun, with 3 bots."]
    assert read_notices(event.database, other) == event.read_notices(event.bots[0]) == both
    tournament = load_tournament(Store(event.database), "cup")
    assert tournament is not None
    for _ in range(2):
        tell_of_end(event.database, tournament)
    (ended,) = read_notices(event.database, other)[2:]
    assert ended.startswith("cup is over: ann took place ")


def test_hours_that_passed_while_nothing_ran_are_made_up_for(event: Event) -> None:
    event.announce()
    version_in(event.database, event.bots[0], "late", number=2)
    late = now() + 2 * HOUR
    changed = update(versions).where(versions.c.id == "late")
    event.database.write(changed.values(handed_in_at=late))
    former = update(versions).where(versions.c.id == event.bots[0].version)
    event.database.write(former.values(state=VersionState.FORMER))
    event.tournaments.begin_due(now() + 3 * HOUR)
    assert event.field()["ann"] == "1", "the version of before entries closed plays"


def test_only_those_entered_play_where_authors_enter(event: Event) -> None:
    event.announce(field=FieldRule.ENTERED)
    for bot in event.bots:
        enter(event.database, "cup", bot.id)
    enter(event.database, "cup", event.bots[0].id)  # twice is once
    event.tournaments.leave("cup", event.bots[1].id)
    assert [one.name for one in event.database.find(entered_bots("cup"))] == ["ann", "cid"]
    event.tournaments.begin_due(now() + HOUR)
    assert list(event.field()) == ["ann", "cid"]
    assert event.read_notices(event.bots[1]) == []


def test_entries_close(event: Event) -> None:
    event.announce(field=FieldRule.ENTERED, entries_until=now() + HOUR / 2)
    enter(event.database, "cup", event.bots[0].id)
    event.move(entries_until=now())
    with pytest.raises(UsageError, match="entries for cup closed on "):
        enter(event.database, "cup", event.bots[1].id)
    with pytest.raises(UsageError, match="closed"):
        event.tournaments.leave("cup", event.bots[0].id)


def test_checks_of_versions_that_came_in_time_are_waited_for(event: Event) -> None:
    event.announce(field=FieldRule.ENTERED)
    for bot in event.bots[:2]:
        enter(event.database, "cup", bot.id)
    version_in(event.database, event.bots[0], "new", number=2, state=VersionState.CHECKING)
    event.tournaments.begin_due(now() + HOUR)
    assert event.field() == {}
    changed = update(versions).where(versions.c.id == "new")
    event.database.write(changed.values(state=VersionState.ACTIVE))
    former = update(versions).where(versions.c.id == event.bots[0].version)
    event.database.write(former.values(state=VersionState.FORMER))
    event.tournaments.begin_due(now() + HOUR)
    assert event.field() == {"ann": "2", "bob": "1"}


def test_without_entrants_it_does_not_begin_and_says_why(event: Event) -> None:
    event.announce(field=FieldRule.ENTERED)
    enter(event.database, "cup", event.bots[0].id)
    event.tournaments.begin_due(now() + HOUR)
    why = "a tournament of matches between 2 bots needs 2 or more; there is 1"
    assert event.now().why == why
    assert event.field() == {}
    assert event.read_notices(event.bots[0]) == [f"cup could not begin: {why}."]
    # An organizer chooses another hour.
    event.tournaments.change(
        replace(event.now(), begins_at=now() + 2 * HOUR, settled_at=None, why="")
    )
    enter(event.database, "cup", event.bots[1].id)
    event.tournaments.begin_due(now() + 2 * HOUR)
    assert list(event.field()) == ["ann", "bob"]


def test_two_of_one_minute_begin_once_however_the_clock_jumps(event: Event) -> None:
    at = now() + HOUR
    for name in ("cup", "bowl"):
        event.announce(name=name, begins_at=at, entries_until=at)
    for passed in (100 * HOUR, -2 * HOUR, 2 * HOUR):
        event.tournaments.begin_due(now() + passed)
    assert event.field() == {"ann": "1", "bob": "1", "cid": "1"}
    found = [f"{name} has begun, with 3 bots." for name in ("bowl", "cup")]
    assert sorted(event.read_notices(event.bots[0])) == found


def test_what_has_begun_is_neither_changed_nor_called_off(event: Event) -> None:
    one = event.announce()
    event.tournaments.begin_due(now() + HOUR)
    with pytest.raises(UsageError, match="cup has begun: it stays as it is"):
        event.tournaments.change(replace(one, words="other"))
    with pytest.raises(UsageError, match="cup has begun: pause it instead"):
        event.tournaments.call_off("cup")
    assert event.field()


def test_whoever_entered_is_told_that_it_was_called_off(event: Event) -> None:
    event.announce(field=FieldRule.ENTERED)
    enter(event.database, "cup", event.bots[0].id)
    event.tournaments.call_off("cup")
    assert event.read_notices(event.bots[0]) == ["cup was called off."]
    with pytest.raises(UsageError, match="there is no such contest"):
        enter(event.database, "cup", event.bots[0].id)
    event.announce()  # the name is free again


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"ladder": "nothing"}, "there is no such ladder"),
        ({"name": "bots"}, "cannot be the name of a tournament"),
        ({"name": "new"}, "choose a name that says more"),
    ],
)
def test_what_cannot_begin_is_refused(event: Event, changes: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        event.announce(**changes)
    assert event.database.find(find_tournaments(IS_ANNOUNCED)) == []


def test_a_name_is_given_once(event: Event) -> None:
    event.announce()
    with pytest.raises(UsageError, match="there is a tournament called cup already"):
        event.announce()


@pytest.mark.slow
def test_a_sealed_ladder_plays_nothing_until_the_tournament_begins(
    database: Database, tmp_path: Path
) -> None:
    event = Event(database, tmp_path)
    ladder = tiny_ladder_in(database, name="Sealed")
    bots = [real_bot_in(database, tmp_path, name) for name in ("dot", "eve")]
    enter_all(database, ladder, bots)
    event.announce(ladder=ladder.id, is_sealed=True)
    other = tiny_ladder_in(database, name="Open")
    enter_all(database, other, bots)

    def played(one: Ladder) -> Sequence[int]:
        query = select(fixtures.c.id).where(fixtures.c.ladder == one.id)
        return database.fetch_column(query)

    with playing(database, tmp_path):
        assert eventually(lambda: len(played(other)) >= 2)
        assert played(ladder) == []
        event.tournaments.begin_due(now() + HOUR)
        assert eventually(lambda: len(played(ladder)) >= 2)


def make_announcement(server: Server, **changes: str) -> dict[str, str]:
    """Return what an organizer types, of a server whose first ladder is that of Slime Mind."""
    ladder = server.site.contests.ladders.all()[0]
    return {
        "ladder": ladder.id,
        "name": "Spring cup",
        "words": "For a cake.\nBring your own bot.",
        "starts": (now() + HOUR).strftime("%Y-%m-%dT%H:%M"),
        "field": "entered",
        **changes,
    }


def test_an_organizer_announces_changes_and_calls_off(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        organizer, visitor = server.organizer(), server.browser()
        ladder = server.site.contests.ladders.all()[0]
        form = page_text(organizer.get(f"/admin/contests/new?ladder={ladder.id}"))
        assert "A new tournament" in form
        page = page_text(organizer.post("/admin/contests", make_announcement(server)))
        for words in ("Spring cup", "For a cake.", "Entries until", "No bot yet"):
            assert words in page
        assert "Sign in to enter a bot" in visitor.text("/contests/Spring_cup")
        assert "Spring cup" in visitor.text("/contests")
        edited = organizer.get("/admin/contests/Spring_cup")
        assert "For a cake." in edited.text
        assert 'value="entered" selected' in edited.text
        changed = make_announcement(server, words="For glory.", sealed="yes")
        page = page_text(organizer.post("/admin/contests/Spring_cup", changed))
        assert "For glory." in page
        assert "Sealed entries until" in page
        assert "Sealed until Spring cup begins" in visitor.text(f"/contests/{ladder.id}")
        gone = page_text(organizer.post("/admin/contests/Spring_cup/call-off"))
        assert "Spring cup" not in gone
        assert visitor.get("/contests/Spring_cup").status_code == 404
        did = server.audit()
        for what in ("tournament announced", "tournament changed", "tournament called off"):
            assert what in did


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"starts": "2020-01-01T10:00"}, 'id="wrong-starts">the begin is in the past'),
        ({"entries_until": "2090-01-01T10:00"}, 'id="wrong-entries_until">entries close before'),
        ({"table": "9"}, 'id="wrong-table">Bots in a match 9: Slime Mind is played by'),
        ({"rounds": "3"}, 'id="wrong-rounds">Rounds would have no effect'),
    ],
)
def test_a_bad_form_says_what_is_wrong_and_keeps_what_was_typed(
    tmp_path: Path, changes: dict[str, str], why: str
) -> None:
    with serving(tmp_path) as server:
        organizer = server.organizer()
        answer = organizer.post("/admin/contests", make_announcement(server, **changes))
        assert answer.status_code == 422
        assert why in answer.text
        assert "For a cake." in answer.text
        assert organizer.get("/contests/Spring_cup").status_code == 404


def test_the_first_page_says_what_is_to_begin(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ladder = server.site.contests.ladders.all()[0]
        server.site.contests.tournaments.announce(announced(ladder.id, "Spring_cup"))
        assert "Spring cup begins" in server.browser().text("/")


def test_members_enter_their_own_bots(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
        organizer.post("/admin/contests", make_announcement(server))
        bot = bot_in(server.storage.database, server.person_id("Ann"), "slimy")
        page = "/contests/Spring_cup"
        assert "Enter slimy" in ann.text(page)
        entered = page_text(ann.post(f"{page}/enter", {"bot": bot.id}))
        assert "slimy entered but it does not play on" in entered
        assert "slimy Ann" in server.browser().text(page)
        assert bob.post(f"{page}/leave", {"bot": bot.id}).status_code == 404
        assert "No bot yet" in page_text(ann.post(f"{page}/leave", {"bot": bot.id}))


def test_entries_for_a_group_wait_for_the_organizer(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
        group, code = make_group(organizer)
        join(ann, code)
        sent = make_announcement(server, entry="approved", group=group)
        page = page_text(organizer.post("/admin/contests", sent))
        assert "Who enters: members of the group Class 10b, whom an organizer approves." in page
        refused = organizer.post(f"/admin/groups/{group}/delete")
        assert "Spring cup can be entered by this group alone" in page_text(refused)
        page, bots = "/contests/Spring_cup", {}
        for name, number in (("Ann", 1), ("Ann", 2), ("Bob", 3)):
            bots[number] = bot_in(server.storage.database, server.person_id(name), f"bot{number}")
            sent = {"bot": bots[number].id}
            answer = page_text((bob if name == "Bob" else ann).post(f"{page}/enter", sent))
            words = "is for the members of the group Class 10b alone" if number == 3 else "bot1"
            assert words in answer
        assert "bot2 waits for an organizer" in ann.text(page)
        assert "2 to approve" in organizer.text("/admin/contests")
        up_to = re.search(r'name="up_to" value="(\d+)"', organizer.get(f"/admin{page}").text)
        assert up_to is not None
        organizer.post(f"/admin{page}/approve", {"up_to": up_to[1]})
        assert "bot2 entered" in ann.text(page)
        ann.post(f"{page}/leave", {"bot": bots[2].id})
        assert "bot2" not in server.browser().text(page)
        ann.post(f"/groups/{group}/leave")
        assert "its author has left the group Class 10b" in server.browser().text(page)


def test_an_organizer_takes_a_bot_out_of_an_announced_tournament(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        organizer, ann = server.organizer(), server.member("Ann")
        organizer.post("/admin/contests", make_announcement(server))
        bot = bot_in(server.storage.database, server.person_id("Ann"), "slimy")
        ann.post("/contests/Spring_cup/enter", {"bot": bot.id})
        entry = f"/admin/contests/Spring_cup/entries/{bot.id}"
        assert "Change slimy" in organizer.text("/admin/contests/Spring_cup")
        organizer.post(f"{entry}/disqualify", {"reason": "a copy"})
        refused = ann.post("/contests/Spring_cup/enter", {"bot": bot.id})
        assert "this bot was disqualified from Spring cup" in page_text(refused)
        assert "disqualified: a copy" in server.browser().text("/contests/Spring_cup")
        organizer.post(f"{entry}/approve")
        assert "slimy entered" in ann.text("/contests/Spring_cup")
