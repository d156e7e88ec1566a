"""Bots that several people share: who may do what, and who comes after the owner."""

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import msgspec
import pytest

from runners.contests.entries import enter
from runners.contests.ladder_fixtures import LadderFixtures
from runners.storage.ladder_tables import EntryState, VersionState
from server.bots import bots as bot_rows
from server.bots import sharing
from server.bots.sharing import Sharing
from server.contests import match_pages
from server.contests.contest_entries import Moderation
from server.contests.ladder_tables import LadderTables
from server.contests.match_rows import load_match
from server.contests.notices import Notices
from tests.runners.contests.fields import a_result
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import GOOD, await_checks, hand_in
from tests.server.contests.field import (
    Made,
    bot_in,
    contest_of,
    ladder_in,
    play_on_paper,
    play_set,
    real_bot_in,
    tiny_ladder_in,
)
from tests.server.groups.grouped import join, make_group
from tests.server.members import Browser, Server, page_text, serving


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with serving(tmp_path, new_examiner=ExaminedAtOnce) as server:
        yield server


def invite(owner: Browser, bot: Made, name: str) -> str:
    return page_text(owner.post(f"/bots/{bot.id}/authors", {"name": name}))


def share_bot(server: Server, *, ladder: str = "") -> tuple[Browser, Browser, Made]:
    """Return the browsers of Ann and Bob, and a bot of Ann's that both share."""
    ann, bob = server.member("Ann"), server.member("Bob")
    made = real_bot_in(
        server.storage.database, server.folder, "walker", person=server.person_id("Ann")
    )
    if ladder:
        enter(server.storage.database, ladder, made.id)
    invite(ann, made, "Bob")
    assert bob.post(f"/bots/{made.id}/authors/accept").status_code == 200
    return ann, bob, made


def read_notices(server: Server, name: str) -> list[str]:
    notices = Notices(server.storage.database).of(server.person_id(name), 10)
    return [one.words for one in notices]


def test_who_is_invited_says_yes_and_is_an_author(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    bot = bot_in(server.storage.database, server.person_id("Ann"), "walker")
    assert "Bob invited, has yet to say yes" in invite(ann, bot, " bob ")
    assert read_notices(server, "Bob") == [
        "Ann asks you to share the bot walker, as one of its authors"
    ]
    assert "Ann asks you to share the bot walker" in bob.text("/bots")
    page = page_text(bob.post(f"/bots/{bot.id}/authors/accept"))
    assert "by Ann, Bob" in page
    assert "Share it no more" in page
    assert "walker slime_mind" in bob.text("/bots").replace("Slime Mind, shared by 2", "slime_mind")
    assert read_notices(server, "Ann") == ["Bob shares walker now"]
    assert bob.post(f"/bots/{bot.id}/authors/accept").status_code == 404


def test_an_author_hands_in_versions_and_reads_checks_and_source_of_all(server: Server) -> None:
    ann, bob, bot = share_bot(server)
    assert hand_in(bob, {"player_x.py": GOOD}, name="walker").status_code == 200
    assert await_checks(server, "walker", 2).person_id == server.person_id("Bob")
    for browser in (ann, bob):
        for number in (1, 2):
            page = f"/bots/{bot.id}/versions/{number}"
            assert browser.get(page).status_code == 200
            assert browser.get(f"{page}/source.zip").status_code == 200
            assert browser.get(f"/api/v1{page}").status_code == 200
    assert bob.post(f"/bots/{bot.id}/versions/1/activate").status_code == 200


def test_who_has_yet_to_say_yes_or_shares_it_no_more_is_a_stranger(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    bot = real_bot_in(
        server.storage.database, server.folder, "walker", person=server.person_id("Ann")
    )
    page = f"/bots/{bot.id}/versions/1"

    def is_stranger() -> bool:
        taken = hand_in(bob, {"player_x.py": GOOD}, name="walker")
        assert taken.status_code == 200 or "somebody else's bot is called walker" in page_text(
            taken
        )
        asked = [bob.get(page), bob.get(f"{page}/source.zip"), bob.post(f"{page}/activate")]
        return {one.status_code for one in asked} == {404} and taken.status_code == 422

    assert is_stranger()
    invite(ann, bot, "Bob")
    assert is_stranger()
    bob.post(f"/bots/{bot.id}/authors/accept")
    assert not is_stranger()
    bob_id = server.person_id("Bob")
    assert ann.post(f"/bots/{bot.id}/authors/{bob_id}/remove").status_code == 200
    assert is_stranger()
    assert "Ann shares walker with you no more" in read_notices(server, "Bob")
    assert ann.post(f"/bots/{bot.id}/authors/{bob_id}/remove").status_code == 404


def test_only_the_owner_withdraws_it_and_decides_who_shares_it(server: Server) -> None:
    ladder = ladder_in(server.storage.database)
    ann, bob, bot = share_bot(server, ladder=ladder.id)
    server.member("Cleo")
    page = bob.text(f"/bots/{bot.id}")
    assert "Share it no more" in page
    assert "Invite" not in page
    leave = f"/bots/{bot.id}/leave"
    refused = bob.post(leave, {"ladder": ladder.id})
    assert refused.status_code == 403
    assert "only its owner withdraws a bot" in page_text(refused)
    for path, fields in (
        ("authors", {"name": "Cleo"}),
        (f"authors/{server.person_id('Ann')}/remove", {}),
        (f"authors/{server.person_id('Bob')}/remove", {}),
        ("open", {"open": "yes"}),
    ):
        assert bob.post(f"/bots/{bot.id}/{path}", fields).status_code == 404, path
    assert ann.post(leave, {"ladder": ladder.id}).status_code == 200


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("Nobody", "nobody here is called Nobody"),
        ("", "nobody here is called so"),
        ("Eve", "nobody here is called Eve"),
        ("ann", "you own this bot already"),
        ("Bob", "Bob is an author already"),
        ("Dan", "Dan was invited already"),
        ("Gus", "you and they have nothing to do with each other"),
    ],
)
def test_who_cannot_be_invited_is_not(server: Server, name: str, why: str) -> None:
    ann, _, bot = share_bot(server)
    for other in ("Eve", "Dan"):
        server.member(other)
    gus = server.member("Gus")
    gus.post(f"/people/{server.person_id('Ann')}", {"do": "block", "next": "/me"})
    server.site.people.set_banned(server.person_id("Eve"), True)
    invite(ann, bot, "Dan")
    assert why in invite(ann, bot, name)


def test_a_bot_has_so_many_authors_and_no_more(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, _, bot = share_bot(server)
    server.member("Cleo")
    monkeypatch.setattr(sharing, "MAX_AUTHORS", 2)
    assert "a bot has at most 2 authors" in invite(ann, bot, "Cleo")


def test_bots_with_an_author_in_common_do_not_meet(server: Server) -> None:
    database = server.storage.database
    ladder = ladder_in(database)
    bob_before = server.member("Bob")
    own = bot_in(database, server.person_id("Bob"), "own")
    ann = server.member("Ann")
    walker = bot_in(database, server.person_id("Ann"), "walker")
    for bot in (own, walker):
        enter(database, ladder.id, bot.id)
    played = LadderFixtures(database)
    played.add_set(ladder, played.find_contenders(ladder.id), 1)
    invite(ann, walker, "Bob")
    assert len(played.find_waiting(ladder.id)) == 2
    bob_before.post(f"/bots/{walker.id}/authors/accept")
    assert played.find_waiting(ladder.id) == []  # what was drawn before
    authors = {one.bot: one.authors for one in played.find_contenders(ladder.id)}
    assert authors[walker.id] & authors[own.id] == {server.person_id("Bob")}


def test_what_a_shared_bot_uses_of_a_day_counts_for_all_of_its_authors(server: Server) -> None:
    database = server.storage.database
    ladder = tiny_ladder_in(database, cpu_s_per_day=0.0005)
    _, _, walker = share_bot(server, ladder=ladder.id)
    for name in ("Cleo", "Dan"):
        server.member(name)
        other = bot_in(database, server.person_id(name), f"bot of {name}")
        enter(database, ladder.id, other.id)
    played = LadderFixtures(database)
    pair = [one for one in played.find_contenders(ladder.id) if one.bot in (walker.id, other.id)]
    for fixture in played.add_set(ladder, pair, 1):  # a millisecond for each
        played.save_result(fixture, a_result(fixture.key, (1, 0)), ladder.spec.game)
    own = bot_in(database, server.person_id("Bob"), "own")
    enter(database, ladder.id, own.id)
    assert play_on_paper(contest_of(database, ladder), 1) == []  # Cleo has time, and nobody to meet


def test_what_an_author_alone_sees_of_a_match_co_authors_see_too(server: Server) -> None:
    database = server.storage.database
    ladder = ladder_in(database)
    _, _, walker = share_bot(server, ladder=ladder.id)
    server.member("Cleo")
    other = bot_in(database, server.person_id("Cleo"), "other")
    enter(database, ladder.id, other.id)
    drawn = play_set(database, ladder)
    with database.reading() as connection:
        match = load_match(connection, drawn[0].public_id)
    assert match is not None
    (seat,) = [number for number, one in enumerate(match.seats) if one.bot == walker.id]
    sees = {}
    for name in ("Ann", "Bob", "Cleo"):
        request = cast(Any, SimpleNamespace(person=server.site.people.find_person_by_name(name)))
        teams = match_pages._own_teams(request, [one.authors for one in match.seats])
        sees[name] = (match_pages._sees_log(request, match, seat), seat + 1 in teams)
    assert sees == {"Ann": (True, True), "Bob": (True, True), "Cleo": (False, False)}


def test_the_table_of_a_ladder_names_all_authors_at_once(server: Server) -> None:
    database = server.storage.database
    ladder = ladder_in(database)
    tables = LadderTables(database)
    assert tables.table(ladder, None).standings == []
    ann, bob, bot = share_bot(server, ladder=ladder.id)
    (standing,) = tables.table(ladder, None).standings
    assert (standing.author, len(standing.authors)) == ("Ann, Bob", 2)
    assert "Your bot walker" in bob.text(f"/contests/{ladder.id}")
    bob.post(f"/bots/{bot.id}/authors/leave")
    (standing,) = tables.table(ladder, None).standings
    assert standing.author == "Ann"
    assert "Bob does not share walker" in read_notices(server, "Ann")
    assert "by Ann" in ann.text(f"/bots/{bot.id}")


def test_what_organizers_decide_is_told_to_all_authors(server: Server) -> None:
    database = server.storage.database
    ladder = ladder_in(database, name="Spring")
    _, _, bot = share_bot(server, ladder=ladder.id)
    moderation = Moderation(database)
    moderation.take_out(ladder.id, bot.id, EntryState.WITHDRAWN, "a copy", voids=False)
    for name in ("Ann", "Bob"):
        assert read_notices(server, name)[0] == "walker was withdrawn from Spring: a copy"


def test_what_somebody_hands_in_counts_for_them_whosever_the_bot_is(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob, _ = share_bot(server)
    hand_in(bob, {"player_x.py": GOOD}, name="walker")
    monkeypatch.setattr(bot_rows, "MAX_BYTES_PER_DAY", len(GOOD) + 200)
    again = GOOD + b"#"
    refused = hand_in(bob, {"player_x.py": again}, name="another")
    assert "your versions of the last 24 hours" in page_text(refused)
    assert hand_in(ann, {"player_x.py": again}, name="walker").status_code == 200


def test_a_ladder_for_a_group_takes_versions_of_its_members_alone(server: Server) -> None:
    organizer = server.organizer()
    group_id, code = make_group(organizer)
    ladder = ladder_in(server.storage.database, name="Homework", only_group=group_id)
    ann, bob, _ = share_bot(server)
    join(ann, code)
    refused = hand_in(bob, {"player_x.py": GOOD}, name="walker", ladder=ladder.id)
    assert "is for the members of the group Class 10b alone" in page_text(refused)
    join(bob, code)
    taken = hand_in(bob, {"player_x.py": GOOD}, name="walker", ladder=ladder.id)
    assert taken.status_code == 200
    page = organizer.text(f"/admin/groups/{group_id}")
    assert page.count("walker , version 2") == 2  # at Ann and at Bob
    assert "by Bob" in page


def leave(browser: Browser, name: str) -> None:
    assert browser.post("/me/delete", {"name": name}).status_code == 200


def test_a_shared_bot_goes_on_without_a_co_author_who_leaves(server: Server) -> None:
    ann, bob, bot = share_bot(server)
    hand_in(bob, {"player_x.py": GOOD}, name="walker")
    await_checks(server, "walker", 2)
    assert "goes on" not in bob.text("/me/delete")
    leave(bob, "Bob")
    assert "by Ann" in ann.text(f"/bots/{bot.id}")
    found = server.site.bots.bots.active_version(bot.id)
    assert found is not None
    assert found.number == 2


def test_a_shared_bot_goes_to_its_oldest_co_author_when_its_owner_leaves(server: Server) -> None:
    ann, bob, bot = share_bot(server)
    cleo = server.member("Cleo")
    invite(ann, bot, "Cleo")
    cleo.post(f"/bots/{bot.id}/authors/accept")
    page = ann.text("/me/delete")
    assert "walker, which you share, goes on: Bob owns it from then on." in page
    leave(ann, "Ann")
    after = server.site.bots.bots.bot(bot.id)
    assert after is not None
    assert after.person_id == server.person_id("Bob")
    assert after.authors == {server.person_id("Bob"), server.person_id("Cleo")}
    assert server.site.bots.bots.active_version(bot.id) is not None
    assert read_notices(server, "Bob")[0] == "walker is yours from now on: its owner has left"
    assert "Invite" in bob.text(f"/bots/{bot.id}")


def test_a_bot_that_nobody_has_agreed_to_share_plays_no_more_when_its_owner_leaves(
    server: Server,
) -> None:
    ann, _, bot = share_bot(server)
    cleo = server.member("Cleo")
    invite(ann, bot, "Cleo")
    server.site.people.set_banned(server.person_id("Bob"), True)
    assert "goes on" not in ann.text("/me/delete")
    leave(ann, "Ann")
    (version,) = server.site.bots.bots.find_versions(bot.id)
    assert version.state is VersionState.FORMER
    assert cleo.post(f"/bots/{bot.id}/authors/accept").status_code == 404
    assert Sharing(server.storage.database).heirs(server.person_id("Cleo")) == []


def test_an_export_says_which_bots_are_shared_and_which_versions_are_ones_own(
    server: Server,
) -> None:
    ann, bob, _ = share_bot(server)
    hand_in(bob, {"player_x.py": GOOD}, name="walker")
    await_checks(server, "walker", 2)
    for browser, is_owner, numbers in ((ann, True, {1}), (bob, False, {2})):
        (bot,) = msgspec.json.decode(browser.get("/me/export").content)["bots"]
        assert (bot["is_owner"], bot["authors"]) == (is_owner, 2)
        assert {one["number"] for one in bot["versions"]} == numbers
