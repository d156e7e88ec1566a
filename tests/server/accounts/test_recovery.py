"""Coming back with a recovery code."""

import re

import pytest

from tests.server.members import Browser, Server, page_text

WRONG = "this name has no such code"
CODE = re.compile(r"[2-9a-z]{5}(?:-[2-9a-z]{5}){3}")


def make_codes(browser: Browser) -> list[str]:
    """Make recovery codes, and return them as the page shows them."""
    return CODE.findall(browser.post("/me/recovery-codes").text)


def recover(server: Server, name: str, code: str) -> tuple[int, str, Browser]:
    browser = server.browser()
    answer = browser.post("/sign-in/recover", {"name": name, "code": code})
    return answer.status_code, page_text(answer), browser


def test_each_code_signs_in_once_however_it_is_typed(server: Server) -> None:
    ann = server.member("Ann")
    assert "You have none" in ann.text("/me")
    codes = make_codes(ann)
    assert len(set(codes)) == 8
    page = ann.text("/me")
    assert "8 of yours work" in page
    assert codes[0] not in page  # it was shown once
    status, words, browser = recover(server, "ANN", f" {codes[0].upper().replace('-', ' ')} ")
    assert (status, "Sign out" in words) == (200, True)
    assert "7 of yours work" in browser.text("/me")
    status, words, _ = recover(server, "Ann", codes[0])
    assert (status, WRONG in words) == (403, True)
    assert {"recovery codes made", "recovery refused"} <= set(server.audit())


def test_new_codes_replace_the_former_ones_and_nobody_elses_work(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    old, of_bob = make_codes(ann), make_codes(bob)
    new = make_codes(ann)
    for name, code in (("Ann", old[0]), ("Ann", of_bob[0]), ("Nobody", new[0]), ("Ann", "")):
        assert recover(server, name, code)[0] in (403, 422), (name, code)
    assert recover(server, "Ann", new[0])[0] == 200


def test_codes_are_kept_as_hashes_and_go_with_the_account(server: Server) -> None:
    ann = server.member("Ann")
    codes = make_codes(ann)
    with server.storage.database.reading() as connection:
        saved = connection.exec_driver_sql("SELECT hash FROM recovery_codes").scalars().all()
    assert len(saved) == 8
    assert not {code.replace("-", "") for code in codes} & set(saved)
    assert '"recovery_codes_left": 8' in ann.get("/me/export").text
    ann.post("/me/delete", {"name": "Ann"})
    with server.storage.database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM recovery_codes").scalar() == 0


def test_whoever_is_banned_is_told_so(server: Server) -> None:
    ann = server.member("Ann")
    codes = make_codes(ann)
    server.site.people.set_banned(server.person_id("Ann"), True)
    status, words, _ = recover(server, "Ann", codes[0])
    assert (status, "this account was banned" in words) == (403, True)


@pytest.mark.parametrize("name", ["Ann", "Nobody"])
def test_codes_are_not_guessed(server: Server, name: str) -> None:
    server.member("Ann")
    statuses = [recover(server, name, f"{n:05}-aaaaa-aaaaa-aaaaa")[0] for n in range(15)]
    assert statuses.count(403) <= 10
    assert statuses[-1] == 429
