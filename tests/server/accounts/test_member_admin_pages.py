"""The organizer: invitations, bans, the audit log."""

import csv
import io
from urllib.parse import urlsplit

import pytest
from sqlalchemy import update

from runners.storage.database import now
from runners.storage.game_tables import invitations
from tests.server.members import Browser, Server, page_text, read_link

PASSWORD = "correct horse"


def invitation(organizer: Browser, note: str = "for Ann") -> str:
    return read_link(organizer.post("/admin/invitations", {"note": note, "days": "7"}))


def test_an_invitation_makes_one_account(server: Server) -> None:
    organizer = server.organizer()
    path = invitation(organizer)
    assert "Welcome, Ann" in page_text(server.browser().post(path, {"name": "Ann"}))
    assert server.browser().post(path, {"name": "Bob"}).status_code == 404
    page = organizer.text("/admin")
    assert "for Ann" in page
    assert "used by Ann" in page


def test_one_link_makes_the_accounts_of_a_class(server: Server) -> None:
    organizer = server.organizer()
    fields = {"note": "class 9b", "days": "7", "accounts": "30"}
    path = read_link(organizer.post("/admin/invitations", fields))
    for number in range(29):
        joined = server.browser().post(path, {"name": f"Pupil {number}x"})
        assert joined.status_code == 200, number
    assert "open until" in organizer.text("/admin")
    assert "accounts left" not in organizer.text("/admin")  # one is
    assert server.browser().post(path, {"name": "The last one"}).status_code == 200
    assert server.browser().get(path).status_code == 404
    (made,) = server.site.people.find_invitations()
    assert (made.is_open, made.used_by, made.uses_left) == (False, "The last one", 0)


@pytest.mark.parametrize("accounts", ["0", "501", "-1", "many", "9" * 30])
def test_an_invitation_for_no_number_of_accounts_is_refused(server: Server, accounts: str) -> None:
    organizer = server.organizer()
    fields = {"note": "", "days": "7", "accounts": accounts}
    refused = organizer.post("/admin/invitations", fields)
    assert refused.status_code == 422
    assert "an invitation makes 1 to 500 accounts" in page_text(refused)
    assert server.site.people.find_invitations() == []


def test_an_invitation_expires(server: Server) -> None:
    organizer = server.organizer()
    path = invitation(organizer)
    server.storage.database.write(update(invitations).values(expires_at=now()))
    assert server.browser().get(path).status_code == 404
    assert "expired" in organizer.text("/admin")


def test_an_invitation_is_withdrawn(server: Server) -> None:
    organizer = server.organizer()
    path = invitation(organizer)
    (made,) = server.site.people.find_invitations()
    organizer.post(f"/admin/invitations/{made.id}/withdraw")
    assert server.browser().get(path).status_code == 404
    again = organizer.post(f"/admin/invitations/{made.id}/withdraw")
    assert again.status_code == 409
    assert "withdrawn before" in page_text(again)


def test_days_that_will_not_do_are_refused_and_the_note_is_kept(server: Server) -> None:
    organizer = server.organizer()
    for days in ("0", "91", "seven", "", "-1", "9" * 30):
        answer = organizer.post("/admin/invitations", {"note": "for Bob", "days": days})
        assert answer.status_code == 422
        assert "1 to 90 days" in page_text(answer)
        assert 'value="for Bob"' in answer.text


def test_who_is_banned_is_signed_out_and_stays_out(server: Server) -> None:
    organizer, browser = server.organizer(), server.member("Ann", PASSWORD)
    link = read_link(browser.post("/me/device-link"))
    ann = server.person_id("Ann")
    organizer.post(f"/admin/people/{ann}/ban")
    assert "Welcome, Ann" not in browser.text("/")
    refused = browser.post("/sign-in", {"name": "Ann", "password": PASSWORD})
    assert refused.status_code == 403
    assert "banned; ask the organizer" in page_text(refused)
    assert server.browser().post(link).status_code == 404
    organizer.post(f"/admin/people/{ann}/unban")
    fields = {"name": "Ann", "password": PASSWORD}
    assert "Welcome, Ann" in page_text(browser.post("/sign-in", fields))


def test_who_is_banned_leaves_the_lobby(server: Server) -> None:
    organizer, ann, bob = server.organizer(), server.member("Ann"), server.member("Bob")
    made = {"game": "smac", "seats": "3", "mine": "1", "other-1": "open", "other-2": "open"}
    path = bob.post("/lobby/new", made).url.path
    ann.post(f"{path}/take", {"team": "2"})
    ann.post("/lobby/new", {"game": "smack", "seats": "2", "other-1": "open"})
    organizer.post(f"/admin/people/{server.person_id('Ann')}/ban")
    page = organizer.text("/lobby")
    assert "Ann" not in page
    assert "Take seat 2" in page


def test_organizers_cannot_ban_themselves(server: Server) -> None:
    organizer = server.organizer()
    answer = organizer.post(f"/admin/people/{server.person_id('Olga')}/ban")
    assert answer.status_code == 409
    assert "Olga" in organizer.text("/admin")


def test_every_act_and_refusal_is_in_the_audit_log(server: Server) -> None:
    organizer = server.organizer()
    server.browser().post(invitation(organizer), {"name": "Ann"})
    ann = server.person_id("Ann")
    organizer.post(f"/admin/people/{ann}/ban")
    organizer.post(f"/admin/people/{ann}/unban")
    organizer.post("/admin/people/nobody/ban")
    server.browser().post("/sign-in", {"name": "Ann", "password": "wrong"})
    assert server.audit() == [
        *("sign-in refused", "unbanned", "banned", "joined", "invitation made", "joined"),
    ]
    page = organizer.text("/admin")
    assert "banned Olga Ann testclient" in page
    assert "invitation made: for Ann Olga" in page


def test_what_the_guard_refuses_is_in_the_audit_log_so_often_and_no_more(server: Server) -> None:
    client = server.browser().client
    client.get("/", headers={"host": "evil.test"})
    for _ in range(100):
        client.post("/sign-in", data={}, headers={"origin": "http://evil.test"})
    refused = [row for row in server.site.audit.rows(1_000) if row.what == "request refused"]
    assert len(refused) == 60
    assert {row.address for row in refused} == {"testclient"}
    assert refused[-1].words.startswith("GET /: 421, this server is addressed as ")
    assert refused[0].words == "POST /sign-in: 403, this came from a page of somebody else's"


def test_for_everybody_else_there_is_nothing(server: Server) -> None:
    organizer, browser = server.organizer(), server.member("Ann")
    olga = server.person_id("Olga")
    for path in ("/admin/invitations", f"/admin/people/{olga}/ban"):
        assert browser.post(path, {"days": "7"}).status_code == 404
    assert browser.get("/admin").status_code == 404
    assert server.browser().get("/admin").url.path == "/sign-in"
    assert "Organizer" not in browser.text("/")
    assert "not an organizer" in server.audit()
    assert "Organizer" in organizer.text("/admin")


def test_everybody_of_a_list_gets_a_link_of_their_own(server: Server) -> None:
    organizer = server.organizer()
    names = "Lovelace, Ada\n\n  Алан \nName;with a class;9b\n=1+1\n"
    answer = organizer.post("/admin/invitations/list", {"names": names, "days": "7"})
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="invitations.csv"'
    assert answer.content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["name"] for row in rows] == ["Lovelace, Ada", "Алан", "Name", "'=1+1"]
    for number, row in enumerate(rows):
        path = urlsplit(row["link"]).path
        assert server.browser().post(path, {"name": f"Pupil {number}x"}).status_code == 200
    page = organizer.text("/admin")
    assert "used by Pupil 0x" in page
    assert "invitations made" in server.audit()
    joined = {one.name: one.joined_by for one in server.site.people.find_all()}
    assert joined["Pupil 0x"] == "Lovelace, Ada"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("", "expected a list of 1 to 200 names, and this one has 0"),
        ("Ann\nBob\n\nANN\n", "ANN stands in the list twice, in lines 1 and 4"),
        ("Ann\n" + "x" * 61, "line 2: a name has at most 60 letters"),
        ("\n".join(f"P{n}" for n in range(201)), "this one has 201"),
    ],
)
def test_a_list_that_will_not_do_makes_no_invitation_and_is_kept(
    server: Server, names: str, text: str
) -> None:
    organizer = server.organizer()
    answer = organizer.post("/admin/invitations/list", {"names": names, "days": "7"})
    assert answer.status_code == 422
    assert text in page_text(answer)
    assert (names.split("\n")[0] or "Ada") in answer.text
    assert server.site.people.find_invitations() == []
