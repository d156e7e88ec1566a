"""Tokens: made and revoked on one's own page, shown once, kept as hashes."""

import re

from sqlalchemy import select

from runners.storage.ladder_tables import tokens
from server.identity.tokens import MAX_TOKENS
from tests.server.bots.submitting import await_checks, bearer, hand_in, make_token
from tests.server.members import Browser, Page, Server, page_text


def read_token(page: Page) -> str:
    found = re.search(r'readonly value="(slime_[^"]+)"', page.text)
    assert found is not None, page.text
    return found[1]


def is_good(browser: Browser, token: str) -> bool:
    """Return whether a token opens the API: what it then says of an empty body is another thing."""
    answer = browser.client.post("/api/v1/bots", json={}, headers=bearer(token))
    assert answer.status_code in (400, 401)
    return bool(answer.status_code == 400)


def test_a_token_is_shown_once_and_kept_as_a_hash(server: Server) -> None:
    ann = server.member("Ann")
    page = ann.post("/me/tokens", {"name": "my laptop"})
    token = read_token(page)
    assert "my laptop" in page_text(page)
    again = ann.get("/me")
    assert token not in again.text
    assert "my laptop" in page_text(again)
    (row,) = server.storage.database.fetch_all(select(tokens))
    assert token not in map(str, row)
    assert is_good(server.browser(), token)
    assert "never" not in page_text(ann.get("/me")).partition("Last used")[2].partition("Revoke")[0]


def test_a_revoked_token_is_good_for_nothing(server: Server) -> None:
    ann = server.member("Ann")
    token = read_token(ann.post("/me/tokens", {"name": "old"}))
    (saved,) = server.site.tokens.find_tokens(server.person_id("Ann"))
    assert server.member("Bob").post(f"/me/tokens/{saved.id}/revoke").status_code == 409
    assert is_good(server.browser(), token)
    assert "old" not in page_text(ann.post(f"/me/tokens/{saved.id}/revoke"))
    assert not is_good(server.browser(), token)
    assert {"token made", "token revoked"} <= set(server.audit())


def test_who_is_banned_or_has_left_has_no_good_token(server: Server) -> None:
    organizer, bob = server.organizer(), server.member("Bob")
    server.member("Ann")
    anns, bobs = make_token(server, "Ann"), make_token(server, "Bob")
    organizer.post(f"/admin/people/{server.person_id('Ann')}/ban")
    bob.post("/me/delete", {"name": "Bob"})
    assert not is_good(server.browser(), anns)
    assert not is_good(server.browser(), bobs)
    organizer.post(f"/admin/people/{server.person_id('Ann')}/unban")
    assert is_good(server.browser(), anns)


def test_nobody_has_endless_tokens(server: Server) -> None:
    ann = server.member("Ann")
    for _ in range(MAX_TOKENS):
        make_token(server, "Ann")
    answer = ann.post("/me/tokens", {"name": "one more"})
    assert answer.status_code == 409
    assert f"you have {MAX_TOKENS} tokens" in page_text(answer)


def test_a_name_of_a_token_is_shown_as_text(server: Server) -> None:
    page = server.member("Ann").post("/me/tokens", {"name": "<script>\u202e</script>"})
    assert "<script>\u202e" not in page.text
    assert "&lt;script&gt;" in page.text


def test_bots_and_tokens_are_part_of_what_is_kept_about_somebody(server: Server) -> None:
    ann = server.member("Ann")
    token = make_token(server, "Ann")
    hand_in(ann, {"player_mine.py": b"x = 1"}, ladder="Slime Mind")
    await_checks(server, "mine")
    saved = ann.client.get("/me/export")
    assert [bot["name"] for bot in saved.json()["bots"]] == ["mine"]
    assert [one["name"] for one in saved.json()["tokens"]] == ["a test"]
    assert token not in saved.text
