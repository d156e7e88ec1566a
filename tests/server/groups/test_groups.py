"""Groups of people: made by organizers, joined by a code, left, closed and deleted."""

import re
from pathlib import Path

import pytest

from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.storage.ladder_tables import EntryState
from server.groups import groups
from server.identity import groups as membership
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import GOOD, await_checks, hand_in, ladder_id
from tests.server.contests.field import bot_in, ladder_in, real_bot_in
from tests.server.groups.grouped import join, make_group, read_code
from tests.server.members import HOST, Server, page_text, read_link, serving


def test_members_join_by_a_code_however_it_is_typed(lasting: Server) -> None:
    organizer, ann, bob = lasting.organizer(), lasting.member("Ann"), lasting.member("Bob")
    _, code = make_group(organizer, "Class 9a", "Mondays at eight")
    page = join(ann, f" {code.upper().replace('-', ' ')} ")
    assert page.status_code == 200
    assert "Class 9a Mondays at eight 1 member" in page_text(page)
    assert "Ann (you) nothing so far" in page_text(page)
    asked = bob.get(f"/join/{code}")
    assert "Join the group Class 9a?" in page_text(asked)
    assert "nothing so far" in page_text(join(bob, code))
    assert "Class 9a 2 members" in bob.text("/me")
    assert "Class 9a 2 by its code Mondays at eight" in organizer.text("/admin/groups")
    assert {"group made", "group joined"} <= set(lasting.audit())


@pytest.mark.parametrize(
    "typed",
    ["http://example.org:8000/slime/join/{}", "{0} https://a.org/join/{0} ", "/join/{}?x=1"],
)
def test_the_whole_link_of_a_group_is_taken_for_its_code(server: Server, typed: str) -> None:
    _, code = make_group(server.organizer())
    page = join(server.member("Ann"), typed.format(code))
    assert "Ann (you) nothing so far" in page_text(page)


def test_a_link_with_a_code_asks_who_is_not_signed_in_to_sign_in_first(server: Server) -> None:
    _, code = make_group(server.organizer())
    answer = server.browser().client.get(f"/join/{code}", follow_redirects=False)
    assert answer.headers["location"] == f"/sign-in?next=/join/{code}"


def test_a_code_is_shown_once_and_kept_as_a_hash(server: Server) -> None:
    organizer = server.organizer()
    group_id, code = make_group(organizer)
    assert code not in organizer.get(f"/admin/groups/{group_id}").text
    assert code.encode() not in (server.folder / "games.sqlite").read_bytes()


def test_wrong_codes_are_refused_and_soon_no_more_are_looked_at(server: Server) -> None:
    make_group(server.organizer())
    ann = server.member("Ann")
    answers = [join(ann, f"aaaaa-{number:05}") for number in range(21)]
    assert {one.status_code for one in answers[:20]} == {404}
    assert "no group has this code" in page_text(answers[0])
    assert answers[20].status_code == 429
    assert ann.get("/join/aaaaa-bbbbb").status_code == 429
    assert ann.get("/join").status_code == 200


def test_right_codes_do_not_count_as_guesses(server: Server) -> None:
    _, code = make_group(server.organizer())
    ann = server.member("Ann")
    assert {join(ann, code).status_code for _ in range(30)} == {200}


def test_an_old_code_works_no_more_and_neither_does_any_once_joining_is_closed(
    server: Server,
) -> None:
    organizer, ann = server.organizer(), server.member("Ann")
    group_id, old = make_group(organizer)
    new = read_code(organizer.post(f"/admin/groups/{group_id}/code"))
    assert join(ann, old).status_code == 404
    assert "Joining is closed" in page_text(organizer.post(f"/admin/groups/{group_id}/close"))
    assert join(ann, new).status_code == 404
    again = read_code(organizer.post(f"/admin/groups/{group_id}/code"))
    assert join(ann, again).status_code == 200


def test_who_joins_by_an_invitation_of_a_class_is_in_it(server: Server) -> None:
    organizer = server.organizer()
    group_id, _ = make_group(organizer)
    fields = {"note": "for all", "days": "7", "accounts": "2", "group": group_id}
    link = read_link(organizer.post("/admin/invitations", fields))
    assert "You will be in the group Class 10b" in page_text(server.browser().get(link))
    for name in ("Ann", "Bob"):
        assert server.browser().post(link, {"name": name}).status_code == 200
    listed = {"names": "Cleo", "days": "7", "group": group_id}
    table = organizer.post("/admin/invitations/list", listed).text
    (path,) = re.findall(rf"http://{HOST}(/welcome/\S+)", table)
    assert server.browser().post(path, {"name": "Cleopatra"}).status_code == 200
    page = organizer.text(f"/admin/groups/{group_id}")
    assert "3 members" in page
    assert re.search(r"Cleopatra \S+ \S+ UTC Cleo \N{EN DASH} Take out", page)
    assert "for all Class 10b" in organizer.text("/admin")


def test_an_invitation_into_a_group_that_is_gone_is_refused(server: Server) -> None:
    organizer = server.organizer()
    for path, fields in (("", {"note": "x"}), ("/list", {"names": "Ann"})):
        wanted = {**fields, "days": "7", "group": "none"}
        refused = organizer.post(f"/admin/invitations{path}", wanted)
        assert refused.status_code == 422
        assert "this group is not there any more" in page_text(refused)
    assert server.site.people.find_invitations() == []


def test_an_invitation_outlives_its_group(server: Server) -> None:
    organizer = server.organizer()
    group_id, _ = make_group(organizer)
    fields = {"note": "", "days": "7", "group": group_id}
    link = read_link(organizer.post("/admin/invitations", fields))
    organizer.post(f"/admin/groups/{group_id}/delete")
    joined = server.browser()
    assert joined.post(link, {"name": "Ann"}).status_code == 200
    assert "You are in none" in joined.text("/me")


@pytest.mark.parametrize(
    ("name", "note", "why"),
    [
        ("x", "", "a name has 2 to 24 letters"),
        ("Class 10b", "n" * 301, "the note has at most 300 letters; this one has 301"),
        ("CLASS 10B", "", "there is a group called CLASS 10B already"),
    ],
)
def test_a_group_needs_a_name_of_its_own(server: Server, name: str, note: str, why: str) -> None:
    organizer = server.organizer()
    group_id, _ = make_group(organizer)
    refused = organizer.post("/admin/groups", {"name": name, "words": note})
    assert refused.status_code == 422
    assert why in page_text(refused)
    other, _ = make_group(organizer, "Class 11")
    refused = organizer.post(f"/admin/groups/{other}", {"name": name, "words": note})
    assert refused.status_code == 422
    assert why in page_text(refused)
    same = organizer.post(f"/admin/groups/{group_id}", {"name": "class 10b", "words": "hello"})
    assert "class 10b" in page_text(same)


def test_there_are_so_many_groups_and_members_and_no_more(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    _, code = make_group(organizer)
    monkeypatch.setattr(groups, "MAX_GROUPS", 1)
    monkeypatch.setattr(membership, "MAX_MEMBERS", 1)
    refused = organizer.post("/admin/groups", {"name": "Another"})
    assert "there are 1 groups, and no more can be made" in page_text(refused)
    join(ann, code)
    full = join(bob, code)
    assert (full.status_code, "this group has 1 members" in page_text(full)) == (409, True)


def test_only_members_and_organizers_see_a_group(server: Server) -> None:
    organizer, ann, eve = server.organizer(), server.member("Ann"), server.member("Eve")
    group_id, code = make_group(organizer)
    join(ann, code)
    assert eve.get(f"/groups/{group_id}").status_code == 404
    assert eve.post(f"/groups/{group_id}/leave").status_code == 404
    assert organizer.get(f"/groups/{group_id}").status_code == 200
    assert ann.get("/groups/none").status_code == 404
    for path in ("", "/code", "/close", "/delete"):
        assert ann.post(f"/admin/groups/{group_id}{path}").status_code == 404


def test_members_leave_and_are_taken_out_and_their_bots_with_them(server: Server) -> None:
    organizer, database = server.organizer(), server.storage.database
    group_id, code = make_group(organizer)
    ladder, open_ladder = ladder_in(database, only_group=group_id), ladder_in(database)
    left = {}
    for name in ("Ann", "Bob"):
        member = server.member(name)
        join(member, code)
        bot = bot_in(database, server.person_id(name), f"bot of {name}")
        for one in (ladder, open_ladder):
            assert enter(database, one.id, bot.id) is EntryState.PLAYING
        if name == "Ann":
            page = member.post(f"/groups/{group_id}/leave")
            assert "You are in none" in page_text(page)
        else:
            path = f"/admin/groups/{group_id}/members/{server.person_id(name)}/remove"
            assert "0 members" in page_text(organizer.post(path))
            assert organizer.post(path).status_code == 404
        left[name] = [
            (entry.state, entry.why)
            for one in (ladder, open_ladder)
            if (entry := Ladders(database).entry(one.id, bot.id)) is not None
        ]
    gone = (EntryState.WITHDRAWN, "its author has left the group Class 10b")
    assert left == {name: [gone, (EntryState.PLAYING, "")] for name in left}


def test_a_group_is_deleted_unless_a_ladder_is_for_it_alone(server: Server) -> None:
    organizer, ann = server.organizer(), server.member("Ann")
    group_id, code = make_group(organizer)
    join(ann, code)
    ladder = ladder_in(server.storage.database, name="Spring", only_group=group_id)
    refused = organizer.post(f"/admin/groups/{group_id}/delete")
    assert refused.status_code == 422
    assert "Spring can be entered by this group alone" in page_text(refused)
    server.site.contests.ladders.conclude(ladder.id)
    assert "None was made so far" in page_text(organizer.post(f"/admin/groups/{group_id}/delete"))
    assert "You are in none" in ann.text("/me")
    after = server.site.contests.ladders.ladder(ladder.id)
    assert after is not None
    assert after.only_group is None


def test_a_deleted_account_is_in_no_group_and_an_export_names_its_groups(server: Server) -> None:
    organizer, ann = server.organizer(), server.member("Ann")
    group_id, code = make_group(organizer)
    join(ann, code)
    assert '"groups": [\n    "Class 10b"\n  ]' in ann.get("/me/export").text
    ann.post("/me/delete", {"name": "Ann"})
    assert "0 members" in organizer.text(f"/admin/groups/{group_id}")


def test_a_banned_member_is_shown_to_organizers_alone(server: Server) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    group_id, code = make_group(organizer)
    join(ann, code)
    join(bob, code)
    server.site.people.set_banned(server.person_id("Bob"), True)
    assert "Bob" not in ann.text(f"/groups/{group_id}")
    assert "Bob banned" in organizer.text(f"/admin/groups/{group_id}")


def test_a_ladder_for_one_group_takes_in_bots_of_its_members_and_says_so_to_others(
    server: Server,
) -> None:
    organizer, ann, eve = server.organizer(), server.member("Ann"), server.member("Eve")
    group_id, code = make_group(organizer)
    join(ann, code)
    ladder = ladder_in(server.storage.database, name="Homework", only_group=group_id)
    refused = hand_in(eve, {"player_a.py": GOOD}, ladder=ladder.id, name="walker")
    assert refused.status_code == 422
    assert (
        "Homework is for the members of the group Class 10b alone: join it with its code, "
        "which its organizer has"
    ) in page_text(refused)
    assert "Homework" not in eve.text("/submit")
    assert "Homework" in ann.text("/submit")
    taken = hand_in(ann, {"player_a.py": GOOD}, ladder=ladder.id, name="walker")
    assert taken.status_code == 200
    assert "Who enters: members of the group Class 10b." in eve.text(f"/contests/{ladder.id}")


def test_a_ladder_for_one_group_is_entered_from_a_bots_page_by_members_alone(
    server: Server,
) -> None:
    organizer, ann = server.organizer(), server.member("Ann")
    group_id, code = make_group(organizer)
    database = server.storage.database
    ladder = ladder_in(database, name="Homework", only_group=group_id)
    bot = real_bot_in(database, server.folder, "walker", person=server.person_id("Ann"))
    assert "Homework" not in ann.text(f"/bots/{bot.id}")
    refused = ann.post(f"/bots/{bot.id}/enter", {"ladder": ladder.id})
    assert "is for the members of the group Class 10b alone" in page_text(refused)
    join(ann, code)
    assert "Homework" in ann.text(f"/bots/{bot.id}")


def test_a_ladder_for_one_group_is_not_the_one_that_is_meant_where_none_is_named(
    tmp_path: Path,
) -> None:
    with serving(tmp_path, new_examiner=ExaminedAtOnce) as server:
        organizer, ann = server.organizer(), server.member("Ann")
        group_id, _ = make_group(organizer)
        ladders = server.site.contests.ladders
        usual = ladders.ladder(ladder_id(server))
        assert usual is not None
        ladder_in(server.storage.database, name="Other", only_group=group_id)
        hand_in(ann, {"player_two.py": GOOD}, name="walker")
        assert await_checks(server, "walker").ladder_id == usual.id


def test_a_ladder_for_one_group_is_made_by_a_field_of_its_form(server: Server) -> None:
    organizer = server.organizer()
    group_id, _ = make_group(organizer)
    ladder = ladder_in(server.storage.database, name="Homework")
    page = organizer.get(f"/admin/contests/{ladder.id}").text
    assert "Class 10b" in page
    refused = organizer.post(f"/admin/contests/{ladder.id}", {"group": "none"})
    assert "this group is not there any more" in page_text(refused)
    saved = organizer.post(f"/admin/contests/{ladder.id}", {"group": group_id})
    assert saved.status_code == 200
    after = server.site.contests.ladders.ladder(ladder.id)
    assert after is not None
    assert after.only_group == group_id
