"""Drafts: begun from templates, saved by revisions, kept as versions, and nobody else's."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from sqlalchemy import update

from engine.bots.sandbox import Level
from engine.catalog import GAMES
from engine.errors import UsageError
from runners.storage.database import Database, now
from runners.storage.game_tables import draft_bots
from server.bots.examining import examine_source
from server.identity.people import Kind
from server.operations.cleaning import Cleaning
from server.writing import drafts as kept_drafts
from server.writing.draft_files import upload
from server.writing.drafts import ChangedElsewhere, Drafts, Owner, fill_template, load_templates
from server.writing.writers import COOKIE, require_strict
from tests.server.members import Server, serving
from tests.server.writing.authors import API, call, make_draft, request, save_text

ANN = Owner(person=None, guest="Ann")


@pytest.mark.parametrize("game", GAMES)
def test_every_template_is_a_bot(game: str) -> None:
    found = load_templates(game)
    assert list(found)[:3] == ["simple", "search", "learning"]
    for template in found.values():
        packed = upload(fill_template(template, "My first")).packed
        assert examine_source(packed, ("numpy",)).is_good, template.name
        assert template.summary.endswith(".") or template.summary.endswith(":"), template.name


def test_a_template_that_was_removed_is_not_offered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.authoring.new_bot.find_file", lambda place: tmp_path)
    found = load_templates.__wrapped__("smack")
    assert "simple" in found
    assert "search" not in found


def test_a_draft_begins_as_its_template_with_its_own_name(lasting: Server) -> None:
    ann = lasting.member("Ann")
    draft = make_draft(ann, "Red Ant")
    assert draft["main"] == "player_red_ant.py"
    assert 'NAME = "Red Ant"' in draft["files"][0]["text"]
    assert "main.py" not in draft["files"][0]["text"].partition("\n")[0]
    assert request(ann, "GET", f"{API}/{draft['id']}") == draft
    found = request(ann, "GET", API)
    assert [one["id"] for one in found["drafts"]] == [draft["id"]]
    assert (found["can_write"], found["why_not"], found["is_guest"]) == (True, "", False)
    assert {one["game"] for one in found["templates"]} == set(GAMES)


def test_a_folder_has_its_main_file_first(lasting: Server) -> None:
    draft = make_draft(lasting.member("Flo"), "Folder", template="learning")
    assert [one["name"] for one in draft["files"]] == ["player_folder.py", "parameters.json"]


def test_what_two_tabs_save_is_not_lost(lasting: Server) -> None:
    tom = lasting.member("Tom")
    draft = make_draft(tom)
    assert save_text(tom, draft, "first = 1\n") == 2
    body = {"revision": 1, "name": "Mine", "files": [{"name": "player_mine.py", "text": "x"}]}
    status, answer = call(tom, "PUT", f"{API}/{draft['id']}", body)
    assert status == 409
    assert answer["revision"] == 2
    assert "changed elsewhere" in answer["error"]
    found = request(tom, "GET", f"{API}/{draft['id']}")
    assert found["files"] == [{"name": "player_mine.py", "text": "first = 1\n"}]
    # What is there already is saved again without harm: the answer to it may have been lost.
    assert save_text(tom, draft, "first = 1\n") == 2


@pytest.mark.parametrize(
    ("files", "text"),
    [
        ([], "at least one file"),
        ([{"name": "../player_a.py", "text": ""}], "'..' in its path"),
        ([{"name": "/player_a.py", "text": ""}], "absolute path"),
        ([{"name": ".hidden.py", "text": ""}], "hidden files"),
        ([{"name": "", "text": "x"}], "without a name"),
        ([{"name": "a.py", "text": "x"}] * 2, "comes twice"),
        ([{"name": "A.py", "text": "x"}, {"name": "a.py", "text": ""}], "same name"),
        ([{"name": "a\u202eb.py", "text": "x"}], "invisible or control"),
        ([{"name": "con.py", "text": "x"}], "not a name on every system"),
        ([{"name": "a.py", "text": "x\0y"}], "has a NUL"),
        ([{"name": "a.py", "text": "é" * 120_000}], "240,000 bytes, and a draft has at most"),
        ([{"name": f"a{number}.py", "text": ""} for number in range(21)], "length <= 20"),
    ],
)
def test_names_and_sizes_are_looked_at_before_anything_is_kept(
    lasting: Server, files: Any, text: str
) -> None:
    browser = lasting.member(f"P{crc32(text.encode())}")
    draft = make_draft(browser)
    body = {"revision": 1, "name": "Mine", "files": files}
    status, answer = call(browser, "PUT", f"{API}/{draft['id']}", body)
    assert status in (400, 422)
    assert text in answer["error"]
    assert request(browser, "GET", f"{API}/{draft['id']}") == draft


def test_half_a_letter_in_a_draft_is_named_with_its_file_and_line(lasting: Server) -> None:
    ann = lasting.member("Ann of half a letter")
    draft = make_draft(ann)
    body = {"revision": draft["revision"], "name": draft["name"]}
    body["files"] = [{"name": draft["main"], "text": "# \U0001f600\n\\ud83d\n# \ud83d\n"}]
    answer = ann.client.put(
        f"{API}/{draft['id']}",
        content=json.dumps(body),
        headers={"content-type": "application/json"},
    )
    assert answer.status_code == 400
    assert answer.json()["error"] == (
        f"{draft['main']}: line 3 has half a letter (U+D83D, a surrogate on its own): take it out, "
        "or type the letter anew"
    )


def test_a_draft_need_not_be_a_bot_yet(lasting: Server) -> None:
    sue = lasting.member("Sue")
    draft = make_draft(sue)
    body = {"revision": 1, "name": "Mine", "files": [{"name": "notes.txt", "text": "¡"}]}
    request(sue, "PUT", f"{API}/{draft['id']}", body)
    assert request(sue, "GET", f"{API}/{draft['id']}")["main"] == ""
    request(sue, "POST", f"{API}/{draft['id']}/versions", {"note": "only a note"})
    (version,) = request(sue, "GET", f"{API}/{draft['id']}")["versions"]
    assert (version["note"], version["digest"]) == ("only a note", "")


def test_what_is_asked_for_and_is_not_there_is_named(lasting: Server) -> None:
    uma = lasting.member("Uma")
    for body, words in (
        ({"game": "chess", "template": "simple", "name": "Mine"}, "no game 'chess'"),
        ({"game": "smack", "template": "fast", "name": "Mine"}, "expected one of: simple, search"),
        ({"game": "smack", "template": "simple", "name": "a/b"}, "letters, digits"),
    ):
        status, answer = call(uma, "POST", API, body)
        assert (status, words in answer["error"]) == (422, True), answer


def test_versions_are_kept_and_equal_ones_only_once(lasting: Server) -> None:
    ben = lasting.member("Ben")
    draft = make_draft(ben)
    path = f"{API}/{draft['id']}/versions"
    assert request(ben, "POST", path, {"note": "as it was"}) == {"number": 1}
    assert request(ben, "POST", path) == {"number": 1}
    save_text(ben, draft, "changed = True\n")
    assert request(ben, "POST", path, {"note": "two\nlines"}) == {"number": 2}
    found = request(ben, "GET", f"{API}/{draft['id']}")["versions"]
    assert [(one["number"], one["note"]) for one in found] == [(2, "two lines"), (1, "as it was")]
    assert request(ben, "GET", f"{path}/1")["files"] == draft["files"]
    assert call(ben, "GET", f"{path}/3")[0] == 404
    assert call(ben, "GET", f"{path}/one")[0] == 404


def test_the_oldest_versions_go(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_drafts, "MAX_VERSIONS", 2)
    drafts = Drafts(database)
    for number in range(1, 5):
        draft = drafts.add(ANN, "smack", "Mine", {"player_mine.py": str(number)})
        if number == 1:
            first = draft
        found = drafts.find(first.id, ANN)
        assert found is not None
        drafts.save(found, found.revision, "Mine", {"player_mine.py": str(number)})
        found = drafts.find(first.id, ANN)
        assert found is not None
        drafts.save_version(found, "", "")
    assert [one.number for one in drafts.find_versions(first.id)] == [4, 3]


def test_what_was_saved_of_an_old_revision_says_which_there_is(database: Database) -> None:
    drafts = Drafts(database)
    draft = drafts.add(ANN, "smack", "Mine", {"player_mine.py": ""})
    assert drafts.save(draft, 1, "Other", draft.files) == 2
    with pytest.raises(ChangedElsewhere) as caught:
        drafts.save(draft, 1, "Third", draft.files)
    assert caught.value.revision == 2


def test_a_draft_is_nobody_elses(lasting: Server) -> None:
    draft = make_draft(lasting.member("Kim"))
    other = lasting.member("Lou")
    for method, path, body in (
        ("GET", f"{API}/{draft['id']}", None),
        ("DELETE", f"{API}/{draft['id']}", None),
        ("POST", f"{API}/{draft['id']}/versions", {"note": ""}),
        ("GET", f"{API}/{draft['id']}/versions/1", None),
    ):
        status, answer = call(other, method, path, body)
        assert (status, "no such draft" in answer["error"]) == (404, True)
    assert other.get(f"/write/{draft['id']}").status_code == 404


def test_there_are_only_so_many(lasting: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_drafts, "MAX_DRAFTS", 1)
    pia = lasting.member("Pia")
    draft = make_draft(pia)
    status, answer = call(pia, "POST", API, {"game": "smack", "template": "simple", "name": "Two"})
    assert (status, "delete one of them" in answer["error"]) == (422, True)
    request(pia, "DELETE", f"{API}/{draft['id']}")
    make_draft(pia, "Two")


def test_the_page_names_the_draft_that_is_open(lasting: Server) -> None:
    max_ = lasting.member("Max")
    draft = make_draft(max_)
    assert f'data-draft="{draft["id"]}"' in max_.get(f"/write/{draft['id']}").text
    assert "sign in" in lasting.browser().text("/write")


# -- guests -----------------------------------------------------------------------------------


def test_without_the_switch_guests_write_nothing(lasting: Server) -> None:
    guest = lasting.browser()
    found = request(guest, "GET", API)
    assert (found["can_write"], found["drafts"], found["is_guest"]) == (False, [], True)
    status, answer = call(
        guest, "POST", API, {"game": "smack", "template": "simple", "name": "Mine"}
    )
    assert (status, answer["error"]) == (401, "to write a bot here, sign in")
    page = guest.get("/write").text
    assert "class Player(BasePlayer):" in page  # a bot that plays, which Run would run
    assert 'href="/sign-in?next=/write">▶ Run</a>' in page.replace("%2F", "/")
    assert COOKIE not in guest.client.cookies


def test_a_guest_is_known_by_a_cookie_and_keeps_it_all_on_joining(tmp_path: Path) -> None:
    with serving(tmp_path, guests_write=True) as server:
        server.organizer()
        guest, other = server.browser(), server.browser()
        draft = make_draft(guest)
        assert call(other, "GET", f"{API}/{draft['id']}")[0] == 404
        make_draft(other)
        assert call(other, "GET", f"{API}/{draft['id']}")[0] == 404
        assert len(request(guest, "GET", API)["drafts"]) == 1
        key = server.site.people.new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))
        guest.post(f"/welcome/{key}", {"name": "Gus", "password": ""})
        found = request(guest, "GET", API)
        assert [one["id"] for one in found["drafts"]] == [draft["id"]]
        assert not found["is_guest"]


def test_a_former_guest_is_nobody_without_the_switch(lasting: Server) -> None:
    guest = lasting.browser()
    guest.client.cookies.set(COOKIE, "former")
    assert request(guest, "GET", API)["drafts"] == []
    assert call(guest, "GET", f"{API}/none")[0] == 401


def test_of_guests_there_are_only_so_many_drafts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_drafts, "MAX_GUEST_DRAFTS", 1)
    with serving(tmp_path, guests_write=True) as server:
        make_draft(server.browser())
        body = {"game": "smack", "template": "simple", "name": "Mine"}
        status, answer = call(server.browser(), "POST", API, body)
        assert (status, "at the moment: sign in" in answer["error"]) == (422, True)


def test_drafts_of_guests_expire_and_those_of_people_do_not(
    database: Database, tmp_path: Path
) -> None:
    drafts = Drafts(database)
    guests = [drafts.add(ANN, "smack", name, {"a.py": ""}) for name in ("Old", "New")]
    drafts.save_version(guests[0], "", "")
    long_ago = now() - kept_drafts.GUEST_RETENTION - timedelta(seconds=1)
    is_old = draft_bots.c.id == guests[0].id
    database.write(update(draft_bots).where(is_old).values(changed_at=long_ago))
    Cleaning(database, tmp_path).run_daily(now())
    assert [one.name for one in drafts.find_drafts(ANN)] == ["New"]
    assert drafts.find_versions(guests[0].id) == []


@pytest.mark.parametrize("level", [one for one in Level if one is not Level.STRICT])
def test_guests_write_in_the_strict_sandbox_only(level: Level) -> None:
    with pytest.raises(UsageError, match="--sandbox strict"):
        require_strict(level)
    require_strict(Level.STRICT)


# -- people -----------------------------------------------------------------------------------


def test_drafts_are_among_ones_own_data_and_go_with_the_account(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.organizer()
        ann = server.member("Ann")
        draft = make_draft(ann)
        request(ann, "POST", f"{API}/{draft['id']}/versions", {"note": "first"})
        (found,) = json.loads(ann.get("/me/export").content)["drafts"]
        assert found["files"] == {one["name"]: one["text"] for one in draft["files"]}
        assert [one["note"] for one in found["versions"]] == ["first"]
        owner = Owner(server.person_id("Ann"))
        ann.post("/me/delete", {"name": "Ann"})
        assert server.site.writing.drafts.find_drafts(owner) == []
        assert server.site.writing.drafts.find_versions(draft["id"]) == []
