"""What strangers send: bounded before anything is done with it, and refused in a sentence."""

import json
import re
import unicodedata
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import msgspec
import pytest

from runners.storage.database import now
from runners.storage.game_tables import audit
from runners.storage.tables import name_key
from server.bots.uploads import BadUpload, Sent, parse_upload
from server.http import responses as answers
from server.http.limits import RateLimits
from server.http.page_requests import TEMPLATES
from server.identity import names
from server.identity.audit_log import REFUSAL_KINDS, AuditLog
from server.identity.people import Kind
from server.identity.text_limits import (
    FIELDS,
    MAX_NESTING_DEPTH,
    BadText,
    parse_whole_number,
    require_shallow,
    validate_fields,
)
from server.operations.cleaning import forget_old
from tests.server.members import HOST, Browser, Server, page_text, read_link
from tests.server.playing import start_game

MARKS = "\u0300" * 16_000 + "\u0316" * 16_000
"""Putting these into their order took ten seconds."""

ORIGIN = {"origin": f"http://{HOST}"}


@pytest.fixture
def normalized(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the lengths of all texts of names that are normalized."""
    lengths: list[int] = []

    def normalize(form: Any, text: str) -> str:
        lengths.append(len(text))
        return usual(form, text)

    usual = unicodedata.normalize
    monkeypatch.setattr(names, "normalize", normalize)
    return lengths


# -- texts ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("999999999", 999_999_999), ("1234567890", None), ("", None)]
    + [(text, None) for text in ("-1", "1.5", " 1", "\u0661", "\u00b2", "1_0", "1" * 100_000)],
)
def test_only_a_short_row_of_digits_is_a_number(text: str, number: int | None) -> None:
    assert parse_whole_number(text) == number


def friend_path(server: Server) -> str:
    browser = server.member("Ann")
    answer = browser.post(
        "/lobby/new", {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend"}
    )
    return read_link(browser.post(f"{answer.url.path}/link", {"team": "2"}))


def open_paths(server: Server) -> Iterator[tuple[Browser, str]]:
    """Yield each form with a name, and somebody who may send it."""
    yield server.browser(), "/sign-in"
    yield server.browser(), f"/welcome/{server.site.people.new_link(Kind.PERSON, made_by=None)}"
    yield server.browser(), friend_path(server)
    yield server.member("Bob"), "/me/delete"


def test_a_long_name_is_refused_before_anything_is_done_with_it(
    server: Server, normalized: list[int]
) -> None:
    forms = list(open_paths(server))
    normalized.clear()
    for browser, path in forms:
        answer = browser.post(path, {"name": MARKS[:9_000], "password": "x"})
        assert answer.status_code == 400
        assert "name: at most 200 letters; this has 9000" in page_text(answer)
    assert normalized == []


def test_a_form_that_is_longer_than_ours_is_not_parsed(server: Server) -> None:
    paths = list(open_paths(server))
    assert paths
    for browser, path in paths:
        assert browser.post(path, {"name": MARKS}).status_code == 413


@pytest.mark.parametrize("field", ["name", "ladder", "game"])
def test_a_program_sends_no_longer_texts_either(
    server: Server, normalized: list[int], field: str
) -> None:
    token = server.site.tokens.create_token(server_person(server), "test")
    body = {"files": {"player_x.py": ""}, field: MARKS}
    normalized.clear()
    answer = server.browser().client.post(
        "/api/v1/bots", json=body, headers={"authorization": f"Bearer {token}"}
    )
    assert answer.status_code == 400
    assert f"Expected `str` of length <= {FIELDS[field]}" in answer.json()["error"]
    assert normalized == []


def test_a_form_with_files_has_the_same_limits(server: Server, normalized: list[int]) -> None:
    browser = server.member("Ann")
    normalized.clear()
    answer = browser.client.post(
        "/submit", data={"name": MARKS}, files={"files": ("player_x.py", b"")}, headers=ORIGIN
    )
    assert answer.status_code == 422
    assert "name: at most 200 letters" in page_text(answer)
    assert normalized == []


def server_person(server: Server) -> str:
    server.member("Ann")
    return server.person_id("Ann")


@pytest.mark.parametrize("name", [MARKS + ".py", "a/" * 3_000 + "x.py"])
def test_a_long_path_of_a_file_is_refused(name: str) -> None:
    with pytest.raises(BadUpload, match="a path has at most 1452 letters"):
        parse_upload([Sent(name, b"")])
    with pytest.raises(BadUpload, match="a path has at most 1452 letters"):
        parse_upload([Sent(name, b"PK\x05\x06" + bytes(18))])


def test_no_key_of_a_name_is_longer_than_the_database_holds() -> None:
    assert len(name_key("\ufdfa" * names.MAX_NAME_LENGTH)) > names.MAX_KEY_LENGTH
    with pytest.raises(names.BadName):
        names.validate_name("\ufdfa" * names.MAX_NAME_LENGTH)


def test_every_field_of_our_forms_has_a_length() -> None:
    """A field that is not in the table is not read."""
    forms = "".join(
        form
        for path in TEMPLATES.glob("*.html")
        for form in re.findall(
            r'<form[^>]*method="post".*?</form>|{% macro .*?endmacro %}',
            path.read_text(),
            re.DOTALL,
        )
    )
    found = set(re.findall(r'<(?:input|select|textarea|button)[^>]*\bname="([^"{]+)', forms))
    files = {"files", "folder", "zip"}
    assert len(found) > 20
    assert {name for name in found - files if not validate_fields({name: "x"})} == set()


def test_a_field_that_no_page_has_is_not_read() -> None:
    assert validate_fields({"name": "Ann", "nmae": "Bob", "other-12": "open"}) == {
        "name": "Ann",
        "other-12": "open",
    }


def test_a_nul_is_nothing_that_ours_have(lasting: Server) -> None:
    browser = lasting.browser()
    for path in ("/games/a%00b", "/bots/%00", "/contests/x?q=%00", "/welcome/%00", "/%00"):
        assert browser.get(path).status_code == 404
    answer = browser.post("/sign-in", {"name": "Ann\0", "password": "x"})
    assert answer.status_code == 400
    assert "name: has a NUL character in it" in page_text(answer)


@pytest.mark.parametrize("target", ["//[", "/[", "//a]b", "/\udcff", "http://["])
def test_no_target_of_a_sign_in_is_an_error_of_ours(lasting: Server, target: str) -> None:
    path = "/sign-in?next=" + target.encode(errors="replace").decode()
    assert lasting.browser().get(path).status_code == 200


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "://", "\xff"])
def test_no_origin_is_an_error_of_ours(lasting: Server, origin: str) -> None:
    headers = {b"origin": origin.encode("latin-1")}
    answer = lasting.browser().client.post("/sign-in", data={"name": "Ann"}, headers=headers)
    assert answer.status_code == 403


# -- what programs send -----------------------------------------------------------------------

DEEP = b"[" * 100_000 + b"]" * 100_000
SHALLOW = b"[" * (MAX_NESTING_DEPTH + 1) + b"]" * (MAX_NESTING_DEPTH + 1)
BODIES = {
    "deep": b'{"step": 0, "team": 1, "order": %b}' % DEEP,
    "rather deep": b'{"step": 0, "team": 1, "order": %b}' % SHALLOW,
    "not UTF-8": b'{"step": 0, "team": 1, "order": "\xff"}',
    "a byte": b"\xff",
    "nothing": b"",
    "a surrogate": b'{"step": 0, "team": 1, "order": "\\ud800"}',
    "endless number": b'{"step": 0, "team": 1, "order": %b}' % (b"9" * 5_000),
}


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize(
    ("method", "path"),
    [("POST", "orders"), ("DELETE", "orders"), ("PUT", "draft"), ("POST", "acts")],
)
def test_a_malformed_body_is_a_bad_request(
    lasting: Server, method: str, path: str, body: bytes
) -> None:
    game_id = start_game(lasting.game_service)
    client = lasting.browser().client
    client.get(f"/games/{game_id}?key={lasting.game_service.keys.new_key(game_id, (1,))}")
    content = body.replace(b"order", b"lines") if path == "draft" else body
    if path == "acts":
        content = body.replace(b'"step": 0', b'"piece": 1').replace(b"order", b"name")
    answer = client.request(
        method,
        f"/api/v1/games/{game_id}/{path}",
        content=content,
        headers={**ORIGIN, "content-type": "application/json"},
    )
    assert answer.status_code == 400
    assert set(answer.json()) == {"error"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_json_in_another_encoding_is_named(encoding: str) -> None:
    with pytest.raises(
        msgspec.DecodeError, match=r"^the JSON cannot be read: it is UTF-\d\d \(with"
    ):
        answers.decode_json('{"name": "x"}'.encode(encoding), dict)


def test_the_body_of_somebody_without_a_seat_is_not_read(
    lasting: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    game_id = start_game(lasting.game_service)

    def never(*_: object) -> None:
        raise AssertionError("read")

    monkeypatch.setattr(answers, "decode_json", never)
    client = lasting.browser().client
    for method, path in (
        ("POST", "orders"),
        ("PUT", "draft"),
        ("POST", "acts"),
        ("POST", "messages"),
    ):
        answer = client.request(
            method,
            f"/api/v1/games/{game_id}/{path}",
            content=DEEP,
            headers={**ORIGIN, "content-type": "application/json"},
        )
        assert answer.status_code == 403


def test_values_may_hold_as_many_lists_within_each_other_as_ours() -> None:
    require_shallow(json.loads(SHALLOW[1:-1]))
    with pytest.raises(BadText, match=f"more than {MAX_NESTING_DEPTH} lists"):
        require_shallow(json.loads(SHALLOW))
    with pytest.raises(BadText, match=f"more than {MAX_NESTING_DEPTH} lists"):
        require_shallow({"a": json.loads(SHALLOW[1:-1])})


# -- the audit log ----------------------------------------------------------------------------


def test_refusals_of_one_address_fill_no_log(server: Server) -> None:
    browser = server.browser("203.0.113.7")
    for number in range(100):
        browser.get(f"/welcome/guess{number}")
        browser.client.get("/", headers={"host": "evil.test"})
    assert len(server.audit()) == 60
    server.browser("198.51.100.2").get("/welcome/guess")
    assert len(server.audit()) == 61


def test_refusals_of_all_addresses_have_a_limit_too(server: Server) -> None:
    limits = RateLimits({"audit.all": 5})
    log = AuditLog(server.storage.database, partial(limits.count_try, "audit"))
    for number in range(9):
        log.note("link refused", address=f"10.0.0.{number}")
    assert len(log.rows(100)) == 5


def test_what_was_done_is_always_written(server: Server) -> None:
    log = AuditLog(server.storage.database, lambda by: False)
    for _ in range(5):
        log.note("banned", address="203.0.113.7")
    assert len(log.rows(10)) == 5


def test_old_rows_are_forgotten_refusals_first(server: Server) -> None:
    log = AuditLog(server.storage.database)
    forgotten = partial(forget_old, server.storage.database, audit)
    for what in ("banned", REFUSAL_KINDS[0]):
        log.note(what, address="")
    assert forgotten(now()) == 0
    assert forgotten(now() + timedelta(days=31)) == 1
    assert [row.what for row in log.rows(10)] == ["banned"]
    assert forgotten(now() + timedelta(days=366)) == 1
