"""What people report of each other, and what organizers do about it."""

import json
from datetime import timedelta
from typing import Any

import pytest

from runners.storage.database import now
from runners.storage.game_tables import reports
from server.games import game_service
from server.http.errors import TooMany
from server.http.limits import RateLimits
from server.messages import reports as module
from server.messages.reports import (
    MAX_TEXT_LENGTH,
    REPORT_RETENTION,
    Reason,
    Report,
    Reporter,
    Reports,
    Subject,
    open_reports,
)
from server.operations.cleaning import forget_old
from tests.server.members import Browser, Server, page_text
from tests.server.strangers.talking import position, say, send


def report(browser: Browser, game: str, team: int = 2, **body: Any) -> tuple[int, str]:
    answer = send(
        browser, "POST", f"/games/{game}/reports", {"team": team, "reason": "insult", **body}
    )
    return answer.status_code, answer.json().get("error", "")


def waiting(server: Server) -> list[Report]:
    return server.storage.database.find(open_reports())


def test_an_organizer_reads_what_was_reported_with_the_messages_around_it(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    olga = server.organizer()
    assert "Nothing waits." in olga.text("/admin/reports")
    for browser, text in ((ann, "hello"), (bob, "you oaf"), (ann, "well")):
        say(browser, game, text)
    message = position(ann, game)["messages"][1]["id"]
    assert report(ann, game, message=message, words="not nice\nat all") == (200, "")
    page = olga.text("/admin/reports")
    for words in (
        "Bob insults or threatens, says Ann",
        "not nice at all",
        "Ann: hello Bob: you oaf reported Ann: well",
        "Reports 1 waiting",
    ):
        assert words in page
    assert f'href="/games/{game}"' in olga.get("/admin/reports").text
    assert "Reports 1 waiting" in olga.text("/admin")
    (one,) = waiting(server)
    closing = {"do": "close", "reason": "talked to both"}
    closed = page_text(olga.post(f"/admin/reports/{one.id}", closing))
    assert "Nothing waits." in closed
    assert "about Bob, closed by Olga" in closed
    assert "talked to both" in closed
    assert "Reports 1" not in olga.text("/admin")
    assert olga.post(f"/admin/reports/{one.id}", closing).status_code == 409
    assert server.audit()[:2] == ["report closed", "report made"]


def test_the_reported_is_told_neither_that_nor_by_whom(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    olga = server.organizer()
    report(ann, game, words="a secret of Ann's")
    send(ann, "POST", "/reports", {"person": server.person_id("Bob"), "reason": "name"})
    for one in waiting(server):
        olga.post(f"/admin/reports/{one.id}", {"reason": "done"})
    export = json.loads(bob.get("/me/export").content)
    assert [row for row in export["audit"] if "report" in row["what"]] == []
    assert export["reports_made"] == []
    assert "a secret of" not in json.dumps(export)
    own = json.loads(ann.get("/me/export").content)["reports_made"]
    assert [(one["about"], one["words"], one["is_closed"]) for one in own] == [
        ("Bob", "a secret of Ann's", True),
        ("Bob", "", True),
    ]


def test_whom_a_report_is_about_can_be_banned_from_there(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    olga = server.organizer()
    report(ann, game)
    (one,) = waiting(server)
    assert "Ban Bob and close" in olga.text("/admin/reports")
    olga.post(f"/admin/reports/{one.id}", {"do": "ban", "reason": "enough"})
    bobs = server.site.people.find_person_by_name("Bob")
    assert bobs is not None
    assert bobs.is_banned
    assert waiting(server) == []
    assert server.audit()[:2] == ["report closed", "banned"]


def test_an_organizer_is_not_told_who_has_reported_them_nor_bans_themselves(
    server: Server, ann: Browser
) -> None:
    olga = server.organizer()
    body = {"person": server.person_id("Olga"), "reason": "spam"}
    assert send(ann, "POST", "/reports", body).status_code == 200
    (one,) = waiting(server)
    # Who has reported them they are not told, either.
    assert "Ann" not in olga.text("/admin/reports")
    assert "Ann" not in olga.client.get("/api/v1/reports").text
    (made,) = [row for row in server.site.audit.rows(10) if row.what == "report made"]
    assert (made.person, made.address) == (None, "")
    assert olga.post(f"/admin/reports/{one.id}", {"do": "ban"}).status_code == 409
    assert len(waiting(server)) == 1


def test_a_guest_reports_and_is_reported_and_loses_the_seat(
    server: Server, guests: tuple[Browser, Browser, str]
) -> None:
    zoe, fred, game = guests
    say(fred, game, "you oaf")
    assert report(zoe, game) == (200, "")
    olga = server.organizer()
    page = olga.text("/admin/reports")
    assert "Fred (guest) insults or threatens, says Zoe (guest)" in page
    assert "Fred (guest) has no account." in page
    (one,) = waiting(server)
    assert say(fred, game, "still here") == (200, "")
    olga.post(f"/admin/reports/{one.id}", {"do": "ban", "reason": "out"})
    assert say(fred, game, "and now?")[0] == 403
    assert fred.get(f"/games/{game}/people").status_code == 403
    assert say(zoe, game, "bye") == (200, "")
    assert server.audit()[:2] == ["report closed", "seat of a guest closed"]


def test_a_report_outlasts_the_game_of_guests(
    server: Server, guests: tuple[Browser, Browser, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    zoe, fred, game = guests
    say(fred, game, "you oaf")
    report(zoe, game)
    monkeypatch.setattr(game_service, "UNPLAYED_S", -1)
    server.game_service.begin_asking()
    server.game_service.tidy()
    assert server.storage.find_game(game) is None
    olga = server.organizer()
    assert "Fred (guest): you oaf" in olga.text("/admin/reports")
    (one,) = waiting(server)
    refused = olga.post(f"/admin/reports/{one.id}", {"do": "ban"})
    assert (refused.status_code, "was removed" in page_text(refused)) == (409, True)
    assert olga.post(f"/admin/reports/{one.id}", {"do": "close"}).status_code == 200


def test_the_same_report_waits_once(server: Server, ann: Browser, bob: Browser, game: str) -> None:
    assert [report(ann, game)[0] for _ in range(2)] == [200, 200]
    assert report(bob, game, 1)[0] == 200
    assert len(waiting(server)) == 2
    assert server.audit().count("report made") == 2


def test_nobody_floods_organizers_with_reports(
    server: Server, ann: Browser, bob: Browser, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = [report(ann, game)[0] for _ in range(11)]
    assert codes == [200] * 10 + [429]
    monkeypatch.setattr(module, "MAX_OPEN_REPORTS", 1)
    assert report(bob, game, 1)[0] == 429


def test_reports_of_guests_leave_half_of_the_room_to_members(
    server: Server, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_OPEN_REPORTS", 4)
    found = Reports(server.game_service, RateLimits({"report.all_guests": 3}))

    def is_taken(number: int, person: str | None = None) -> bool:
        by = Reporter(name="x", address=f"192.0.2.{number}", person=person, team=number)
        about = Subject(name=f"{number}", person=None)
        try:
            return found.make(by, about, Reason.NAME, "") is not None
        except TooMany:
            return False

    assert [is_taken(number) for number in range(5)] == [True, True, False, False, False]
    assert is_taken(6, server.person_id("Ann"))


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"team": 1}, "played by nobody else"),
        ({"team": 3}, "played by nobody else"),
        ({"reason": "other"}, "say in a few words"),
        ({"words": "x" * (MAX_TEXT_LENGTH + 1)}, "at most 500 letters"),
        ({"message": 77}, "no such message of theirs"),
    ],
)
def test_what_is_no_report_is_refused(
    server: Server, ann: Browser, game: str, body: dict[str, Any], message: str
) -> None:
    code, why = report(ann, game, **body)
    assert (code, message in why) == (422, True)
    assert waiting(server) == []


def test_ones_own_message_is_not_reported_as_somebody_elses(ann: Browser, game: str) -> None:
    say(ann, game)
    (own,) = position(ann, game)["messages"]
    assert report(ann, game, message=own["id"])[0] == 422


def test_spectators_report_nobody(server: Server, game: str) -> None:
    assert report(server.browser(), game)[0] == 403


def test_forms_report_players_and_people(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, "you oaf")
    (message,) = position(ann, game)["messages"]
    fields = {"do": "report", "team": "2", "reason": "insult", "message": str(message["id"])}
    assert "Thank you" in page_text(ann.post(f"/games/{game}/people", fields))
    path = f"/people/{server.person_id('Bob')}"
    refused = ann.post(path, {"do": "report", "reason": "other", "words": ""})
    assert (refused.status_code, "say in a few words" in page_text(refused)) == (422, True)
    assert "Thank you" in page_text(ann.post(path, {"do": "report", "reason": "name"}))
    assert ann.post(path, {"do": "report", "reason": "x"}).status_code == 422
    found = [(one.reason, one.message, one.game) for one in waiting(server)]
    assert found == [("insult", message["id"], game), ("name", None, None)]


def test_programs_of_organizers_read_and_close_reports(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    olga = server.organizer()
    report(ann, game)
    (one,) = olga.client.get("/api/v1/reports").json()["reports"]
    assert (one["about"], one["by"], one["reason"]) == ("Bob", "Ann", "insult")
    close = f"/reports/{one['id']}/close"
    assert send(olga, "POST", "/reports/77/close", {}).status_code == 404
    assert send(bob, "POST", close, {}).status_code == 404
    assert send(olga, "POST", close, {"note": "x" * 301}).status_code == 400
    assert send(olga, "POST", close, {"note": "fine"}).status_code == 200
    assert olga.client.get("/api/v1/reports").json() == {"reports": []}


def test_reports_of_and_about_somebody_who_leaves_name_nobody(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    report(ann, game, words="look at this")
    report(bob, game, 1)
    ann.post("/me/delete", {"name": "Ann"})
    first, second = waiting(server)
    assert (first.by, first.about, first.words) == ("deleted", "Bob", "look at this")
    assert (second.by, second.about, second.person) == ("Bob", "deleted", None)
    olga = server.organizer()
    assert olga.post(f"/admin/reports/{second.id}", {"do": "ban"}).status_code != 500
    assert "Ann" not in olga.text("/admin/reports")


def test_closed_reports_go_after_a_year(server: Server, ann: Browser, game: str) -> None:
    olga = server.organizer()
    report(ann, game)
    database = server.storage.database
    assert forget_old(database, reports, now() + REPORT_RETENTION + timedelta(days=1)) == 0
    olga.post(f"/admin/reports/{waiting(server)[0].id}", {})
    assert forget_old(database, reports, now() + REPORT_RETENTION - timedelta(days=1)) == 0
    assert forget_old(database, reports, now() + REPORT_RETENTION + timedelta(days=1)) == 1
