"""Visitors who ask for an account, and organizers who approve or refuse."""

import json
import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from runners.storage.database import now
from runners.storage.game_tables import account_requests
from server.identity import account_requests as module
from server.identity.account_requests import REFUSED_RETENTION, AccountRequest, requests_that_wait
from server.identity.people import REQUESTS_WAIT, Kind
from server.operations.cleaning import forget_old
from tests.server.games.test_guest_pages import game_id_of_page
from tests.server.games.test_lobby_pages import is_yours
from tests.server.members import Browser, Page, Server, page_text, serving
from tests.server.strangers.talking import send
from tests.server.test_who_may_what import OURS

IDA = {"name": "Ida", "password": "correct horse", "words": "I am Ida, of the course of Tuesday"}
LIMITS = {"request.address": 5}


@pytest.fixture(params=["sqlite", "postgresql"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Server]:
    url = None
    if request.param == "postgresql":
        url = request.getfixturevalue("postgresql").new_url()
    with serving(tmp_path, url, registration="open", limits=LIMITS) as server:
        yield server


def ask(browser: Browser, name: str = "Ida", **fields: str) -> Page:
    return browser.post("/register", {**IDA, "name": name, **fields})


def sign_in(browser: Browser, name: str = "Ida", password: str = "correct horse") -> Page:
    return browser.post("/sign-in", {"name": name, "password": password})


def waiting(server: Server) -> list[AccountRequest]:
    return server.storage.database.find(requests_that_wait())


def names(server: Server) -> list[str]:
    return [one.name for one in waiting(server)]


def decide(browser: Browser, do: str, *chosen: AccountRequest, **fields: str) -> Page:
    boxes = {f"request-{one.id}": "yes" for one in chosen}
    return browser.post("/admin/requests", {"do": do, **boxes, **fields})


def grow_old(server: Server, by: timedelta) -> None:
    """Let all requests have been made, and decided, earlier."""
    old = {"asked_at": now() - by, "decided_at": now() - by}
    server.storage.database.write(update(account_requests).values(old))


def test_who_asks_waits_and_is_let_in_once_approved(server: Server) -> None:
    ida, olga = server.browser("ida"), server.organizer()
    assert "ask for an account" in ida.text("/")
    assert "Ask for one" in ida.text("/sign-in")
    assert "Thank you, Ida" in page_text(ask(ida))
    waits = sign_in(ida)
    assert waits.url.path == "/register/request"
    assert "Thank you, Ida: your account waits" in page_text(waits)
    assert "I am Ida, of the course of Tuesday" in page_text(waits)
    assert ida.get("/me").url.path == "/sign-in"
    for path in ("/", "/admin", "/lobby"):
        assert "Organizer 1 waiting" in olga.text(path)
    page = olga.text("/admin/requests")
    assert "Ida I am Ida, of the course of Tuesday" in page
    assert "Approved: 1." in page_text(decide(olga, "approve", *waiting(server)))
    assert "waiting" not in olga.text("/admin")
    assert "Welcome, Ida" in page_text(sign_in(ida))
    assert server.audit()[:3] == ["signed in", "account approved", "account asked for"]


def test_who_was_refused_is_told_so_with_the_reason_and_may_ask_again(server: Server) -> None:
    ida, olga = server.browser("ida"), server.organizer()
    ask(ida)
    refused = decide(olga, "refuse", *waiting(server), reason="only for the course")
    assert "Refused: 1." in page_text(refused)
    output = page_text(sign_in(ida))
    assert "Your request was refused" in output
    assert "only for the course" in output
    assert "Thank you, Ida" in page_text(ask(ida, words="I take part in it"))
    assert "your account waits" in page_text(sign_in(ida))


def test_what_answers_a_request_has_an_address_that_reads_the_same_again_and_only_there(
    server: Server,
) -> None:
    ida = server.browser()
    sent = ida.client.post("/register", data=IDA, headers=OURS, follow_redirects=False)
    assert (sent.status_code, sent.headers["location"]) == (303, "/register/request")
    for _ in range(2):
        assert "Thank you, Ida" in ida.text("/register/request")
    other = server.browser("other")
    assert "No request waits" in other.text("/register/request")
    number, _, digest = ida.client.cookies["account-request"].partition(".")
    for forged in ("", "1", f"{number}.", f"{number}.1", f"7{number}.{digest}", f".{digest}"):
        other.client.cookies.set("account-request", forged)
        assert "No request waits" in other.text("/register/request")
    own = {"name": "Ida", "password": "correct horse"}
    gone = ida.client.post("/register/withdraw", data=own, headers=OURS, follow_redirects=False)
    assert (gone.status_code, gone.headers["location"]) == (303, "/register/request")
    assert "No request waits" in ida.text("/register/request")


def test_some_or_all_are_decided_in_one_step(server: Server) -> None:
    olga = server.organizer()
    for name in ("Ida", "Jon", "Kim", "Leo"):
        ask(server.browser(name), name)
    _, jon, kim, _ = waiting(server)
    assert "Approved: 2." in page_text(decide(olga, "approve", jon, kim))
    assert names(server) == ["Ida", "Leo"]
    seen = str(waiting(server)[-1].id)
    ask(server.browser("late"), "Mia")
    assert "Refused: 2." in page_text(decide(olga, "refuse all", up_to=seen))
    assert names(server) == ["Mia"]  # whom the organizer had not seen
    assert "Approved: 1." in page_text(
        decide(olga, "approve all", up_to=str(waiting(server)[-1].id))
    )
    everybody = sorted(person.name for person in server.site.people.find_all())
    assert everybody == ["Jon", "Kim", "Mia", "Olga"]
    assert "choose somebody first" in page_text(decide(olga, "approve"))
    assert "choose whether" in page_text(decide(olga, "dance"))


def test_what_was_decided_stays_so(server: Server) -> None:
    olga = server.organizer()
    ask(server.browser())
    (ida,) = waiting(server)
    decide(olga, "refuse", ida)
    decide(olga, "approve", ida)
    assert server.site.people.find_person_by_name("Ida") is None


def test_a_name_that_waits_is_nobody_elses(server: Server) -> None:
    server.organizer()
    ask(server.browser("ida"))
    for name in ("ida", "IDA", "Olga"):
        refused = ask(server.browser("other"), name)
        assert (refused.status_code, "has this name already" in page_text(refused)) == (409, True)
    key = server.site.people.new_link(Kind.PERSON, made_by=None)
    assert server.browser().post(f"/welcome/{key}", {"name": "Ida"}).status_code == 422


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "x"}, "2 to 24 letters"),
        ({"password": "short"}, "8 letters"),
        ({"password": ""}, "needs a password"),
        ({"words": " "}, "say who you are"),
        ({"words": "x" * 301}, "1 to 300 letters"),
    ],
)
def test_what_is_no_request_is_refused_and_the_form_kept(
    server: Server, fields: dict[str, str], message: str
) -> None:
    refused = ask(server.browser(), **fields)
    assert (refused.status_code, message in page_text(refused)) == (422, True)
    assert 'name="words" value="' in refused.text
    assert "correct horse" not in refused.text
    assert waiting(server) == []


def test_a_wrong_password_tells_nothing_of_who_waits(server: Server) -> None:
    ask(server.browser())
    wrong = sign_in(server.browser(), password="wrong horse")
    assert (wrong.status_code, "do not belong together" in page_text(wrong)) == (403, True)
    nobody = sign_in(server.browser(), "Nobody", "wrong horse")
    assert page_text(wrong) == page_text(nobody)


def test_who_waits_takes_the_request_back(server: Server) -> None:
    ida = server.browser()
    ask(ida)
    wrong = ida.post("/register/withdraw", {"name": "Ida", "password": "wrong horse"})
    assert wrong.status_code == 403
    taken_back = ida.post("/register/withdraw", {"name": "Ida", "password": "correct horse"})
    assert "Of one that was taken back nothing is kept." in page_text(taken_back)
    assert waiting(server) == []
    assert "do not belong together" in page_text(sign_in(ida))


def test_who_asks_after_somebody_has_taken_theirs_back_is_not_approved_in_their_place(
    server: Server,
) -> None:
    olga, ida = server.organizer(), server.browser()
    ask(ida)
    shown = waiting(server)
    ida.post("/register/withdraw", {"name": "Ida", "password": "correct horse"})
    ask(server.browser("jon"), "Jon")
    decide(olga, "approve", *shown)
    assert names(server) == ["Jon"]


def test_requests_expire(server: Server) -> None:
    ida, olga = server.browser(), server.organizer()
    ask(ida)
    expiring = waiting(server)
    grow_old(server, REQUESTS_WAIT + timedelta(minutes=1))
    assert waiting(server) == []
    assert "Organizer 1" not in olga.text("/")
    decide(olga, "approve", *expiring)
    assert server.site.people.find_person_by_name("Ida") is None
    assert "do not belong together" in page_text(sign_in(ida))
    assert forget_old(server.storage.database, account_requests, now()) == 1
    assert "Thank you" in page_text(ask(ida))


def test_who_was_refused_is_told_for_two_weeks(server: Server) -> None:
    ida = server.browser()
    ask(ida)
    decide(server.organizer(), "refuse", *waiting(server))
    grow_old(server, REFUSED_RETENTION - timedelta(minutes=1))
    assert forget_old(server.storage.database, account_requests, now()) == 0
    assert "was refused" in page_text(sign_in(ida))
    grow_old(server, REFUSED_RETENTION + timedelta(minutes=1))
    assert "was refused" not in page_text(sign_in(ida))
    assert forget_old(server.storage.database, account_requests, now()) == 1


def test_one_address_asks_so_often_and_no_more_wait_than_organizers_can_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [ask(server.browser("one"), f"Ida {number}").status_code for number in range(6)]
    assert codes == [200] * 5 + [429]
    assert ask(server.browser("two"), "Jon").status_code == 200
    monkeypatch.setattr(module, "MAX_WAITING_REQUESTS", 6)
    full = ask(server.browser("three"), "Kim")
    assert (full.status_code, "too many people wait" in page_text(full)) == (429, True)


def test_the_first_sign_in_takes_along_the_games_of_this_browser(server: Server) -> None:
    ida, olga = server.browser(), server.organizer()
    game = game_id_of_page(ida.post("/play/smack", {"name": "Zoe", "opponent": "bot:player_one"}))
    ask(ida)
    decide(olga, "approve", *waiting(server))
    sign_in(ida)
    ida.client.cookies.delete(f"seat-{game}")
    assert is_yours(ida, game) == [True, False]
    ida.post("/sign-out")
    other = game_id_of_page(ida.post("/play/smack", {"name": "Yan", "opponent": "bot:player_one"}))
    sign_in(ida)
    ida.client.cookies.delete(f"seat-{other}")
    assert is_yours(ida, other) == [False, False]
    assert server.storage.database.fetch_all(account_requests.select()) == []


def test_programs_ask_and_decide(server: Server) -> None:
    ida, olga = server.browser(), server.organizer()
    asked = send(ida, "POST", "/account-requests", IDA).json()
    assert (asked["name"], asked["state"]) == ("Ida", "waiting")
    own = {"name": "Ida", "password": "correct horse"}
    assert send(ida, "POST", "/account-requests/state", own).json() == asked
    wrong = {**own, "password": "wrong horse"}
    assert send(ida, "POST", "/account-requests/state", wrong).status_code == 403
    again = send(ida, "POST", "/account-requests", IDA)
    assert (again.status_code, "has this name" in again.json()["error"]) == (409, True)
    assert olga.client.get("/api/v1/account-requests").json() == {"requests": [asked]}
    answer = send(olga, "POST", "/account-requests/decide", {"approve": [asked["id"], 77]})
    assert answer.json() == {"approved": ["Ida"], "refused": 0, "taken": []}
    send(ida, "POST", "/account-requests", {**IDA, "name": "Jon"})
    assert send(ida, "POST", "/account-requests/withdraw", {**own, "name": "Jon"}).json() == {}
    assert waiting(server) == []


def test_nothing_is_asked_for_where_accounts_are_made_by_invitation(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        visitor = server.browser()
        for answer in (visitor.get("/register"), ask(visitor)):
            assert answer.status_code == 403
            assert "accounts are made by invitation here" in page_text(answer)
        assert send(visitor, "POST", "/account-requests", IDA).status_code == 403
        assert "/register" not in visitor.get("/").text + visitor.get("/sign-in").text
        assert "serve --registration open" in server.organizer().text("/admin/requests")


def test_who_was_approved_has_a_download_without_the_request(server: Server) -> None:
    ida, olga = server.browser(), server.organizer()
    ask(ida)
    decide(olga, "approve", *waiting(server))
    sign_in(ida)
    export: Any = json.loads(ida.get("/me/export").content)
    assert export["name"] == "Ida"
    assert not re.search("course of Tuesday", json.dumps(export))
