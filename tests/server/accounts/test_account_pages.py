"""Accounts: joining by a link, signing in, one's own page."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from runners.storage.database import now
from runners.storage.game_tables import invitations, sessions
from server.accounts import account_pages
from server.identity import passwords, people
from server.identity.names import BadName, validate_name
from server.identity.people import Kind
from server.identity.visitors import is_known, remember_person
from tests.server.members import HOST, Browser, Server, page_text, read_link, serving

PASSWORD = "correct horse"


# -- joining ----------------------------------------------------------------------------------


def test_the_organizers_link_makes_the_first_account_once(server: Server) -> None:
    browser = server.browser()
    browser.post(f"/welcome/{server.key}", {"name": "Olga"})
    assert "Welcome, Olga" in browser.text("/")
    again = server.browser().post(f"/welcome/{server.key}", {"name": "Mallory"})
    assert again.status_code == 404
    assert "used already" in page_text(again)
    assert "link refused" in server.audit()


def test_each_start_prints_the_organizers_link_until_it_is_used(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        first = server.key
    with serving(tmp_path) as server:
        assert server.key not in (None, first)
        assert server.browser().get(f"/welcome/{first}").status_code == 404
        server.organizer()
    with serving(tmp_path) as server:
        assert server.key is None


def test_a_page_that_shows_a_link_does_not_use_it(server: Server) -> None:
    """Programs that show previews open links, too."""
    for _ in range(3):
        assert server.browser().get(f"/welcome/{server.key}").status_code == 200
    server.organizer()


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "2 to 24 letters; this one has 0"),
        ("x", "2 to 24 letters; this one has 1"),
        ("x" * 25, "2 to 24 letters; this one has 25"),
        ("bell\a", "printable letters only"),
        ("right\u202eleft", "printable letters only"),
        ("--", "at least one letter or digit"),
        ("Deleted", "stands for people who have left"),
    ],
)
def test_a_name_that_will_not_do_is_refused_and_kept_in_the_form(
    server: Server, typed: str, reason: str
) -> None:
    with pytest.raises(BadName, match=reason):
        validate_name(typed)
    answer = server.browser().post(f"/welcome/{server.key}", {"name": typed})
    assert answer.status_code == 422
    assert reason in page_text(answer)
    if typed.isprintable():
        assert f'name="name" value="{typed}"' in answer.text
    assert "account refused" in server.audit()
    server.organizer()  # the link is still good


@pytest.mark.parametrize(
    ("typed", "scripts"),
    [
        ("B\u043ess", "Cyrillic and Latin"),
        ("\u03b1nn", "Greek and Latin"),
        ("Ann-\u0410nn\u0430x", "Cyrillic and Latin"),
    ],
)
def test_a_word_of_a_name_has_one_script(typed: str, scripts: str) -> None:
    with pytest.raises(BadName, match=f"this one mixes {scripts}"):
        validate_name(typed)


@pytest.mark.parametrize(
    "typed", ["\u6771\u4eac\u30bf\u30ef\u30fcX", "\u0418\u0432\u0430\u043d Lee", "Nguy\u1ec5n 7"]
)
def test_scripts_that_are_written_together_are_names(typed: str) -> None:
    assert validate_name(typed) == typed


def test_letters_that_stand_for_whole_words_are_no_name() -> None:
    with pytest.raises(BadName, match="stand for whole words"):
        validate_name("\ufdfa" * 20)


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("Cocoa", "\u0421\u043e\u0441\u043e\u0430"),
        ("Paypal", "Paypa1"),
        ("Paypal", "PaypaI"),
        ("modern", "rnodern"),
    ],
)
def test_a_name_that_looks_like_anothers_is_taken(server: Server, name: str, typed: str) -> None:
    server.organizer(name)
    key = server.site.people.new_link(Kind.PERSON, made_by=None)
    answer = server.browser().post(f"/welcome/{key}", {"name": typed})
    assert answer.status_code == 422
    assert "or one that looks like it" in page_text(answer)


@pytest.mark.parametrize("typed", ["  Ann   Lee ", "Ann\u00a0Lee"])
def test_blanks_of_a_name_are_single(typed: str) -> None:
    assert validate_name(typed) == "Ann Lee"


@pytest.mark.parametrize("typed", ["STRASSE", "straße", "\uff33\uff34RASSE"])
def test_a_name_in_other_letters_is_taken(server: Server, typed: str) -> None:
    server.organizer("Straße")
    key = server.site.people.new_link(Kind.PERSON, made_by=None)
    answer = server.browser().post(f"/welcome/{key}", {"name": typed})
    assert answer.status_code == 422
    assert "somebody has this name already" in page_text(answer)


def test_a_name_is_escaped(server: Server) -> None:
    browser = server.organizer("<b>Eve</b>")
    assert "<b>Eve</b>" not in browser.get("/").text
    assert "Welcome, &lt;b&gt;Eve&lt;/b&gt;" in browser.get("/").text


# -- sessions ---------------------------------------------------------------------------------


def test_the_cookie_is_for_this_host_and_for_no_script(server: Server) -> None:
    browser = server.browser()
    browser.client.follow_redirects = False
    answer = browser.post(f"/welcome/{server.key}", {"name": "Olga"})
    cookie = answer.headers["set-cookie"]
    assert answer.status_code == 303
    assert cookie.startswith("session=")
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert "Domain" not in cookie
    assert "Secure" not in cookie


def test_the_cookie_is_secure_where_the_address_is(server: Server) -> None:
    browser = server.browser()
    browser.client.follow_redirects = False
    browser.client.base_url = f"https://{HOST}"
    origin = {"origin": f"https://{HOST}"}
    answer = browser.client.post(f"/welcome/{server.key}", data={"name": "Olga"}, headers=origin)
    assert "Secure" in answer.headers["set-cookie"]


def test_only_hashes_of_keys_and_tokens_are_kept(server: Server, tmp_path: Path) -> None:
    browser = server.newcomer("Ann", PASSWORD)
    device = read_link(browser.post("/me/device-link")).rpartition("/")[2]
    feed = read_link(browser.post("/me/feed")).rpartition("/")[2].removesuffix(".atom")
    secrets = [browser.client.cookies["session"], device, feed, PASSWORD, str(server.key)]
    saved = b"".join(path.read_bytes() for path in tmp_path.glob("games.sqlite*"))
    assert people.hash_key(device).encode() in saved
    assert not [secret for secret in secrets if secret.encode() in saved]


def test_a_session_outlives_the_server(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        cookies = server.member("Ann").client.cookies
    with serving(tmp_path) as server:
        browser = server.browser()
        browser.client.cookies = cookies
        assert "Welcome, Ann" in browser.text("/")


def test_signing_out_ends_the_session(server: Server) -> None:
    browser = server.member("Ann")
    token = browser.client.cookies["session"]
    browser.post("/sign-out")
    assert "session" not in browser.client.cookies
    found = server.storage.database.find(people.session_by_token(token))
    assert server.site.people.person_of_session(found) is None


def test_a_session_that_was_not_used_for_long_has_ended(server: Server) -> None:
    browser = server.member("Ann")
    long_ago = now() - timedelta(days=people.SESSION_DAYS + 1)
    server.storage.database.write(update(sessions).values(used_at=long_ago))
    assert "Welcome, Ann" not in browser.text("/")


def test_a_session_that_is_used_goes_on(server: Server) -> None:
    browser = server.member("Ann")
    last_week = now() - timedelta(days=7)
    server.storage.database.write(update(sessions).values(used_at=last_week))
    browser.get("/")
    (session,) = server.site.people.find_sessions(server.person_id("Ann"))
    assert session["used_at"] > last_week + timedelta(days=6)


def test_a_page_for_members_leads_there_after_signing_in(server: Server) -> None:
    server.member("Ann", PASSWORD)
    browser = server.browser()
    answer = browser.get("/lobby")
    assert answer.url.path == "/sign-in"
    assert answer.url.params["next"] == "/lobby"
    fields = {"name": "ann", "password": PASSWORD, "next": "/lobby"}
    assert browser.post("/sign-in", fields).url.path == "/lobby"


@pytest.mark.parametrize("target", ["https://evil.test/", "//evil.test/", "/\\evil.test", "x"])
def test_signing_in_leads_to_no_other_site(server: Server, target: str) -> None:
    server.member("Ann", PASSWORD)
    fields = {"name": "Ann", "password": PASSWORD, "next": target}
    assert str(server.browser().post("/sign-in", fields).url) == f"http://{HOST}/"


# -- passwords --------------------------------------------------------------------------------


@pytest.mark.usefixtures("usual_passwords")
def test_passwords_are_hashed_with_19_mib(server: Server) -> None:
    server.newcomer("Ann", PASSWORD)
    person = server.site.people.find_person_by_name("Ann")
    assert person is not None
    assert str(person.password).startswith("$argon2id$v=19$m=19456,t=2,p=1$")


def test_a_wrong_password_is_refused_and_never_sent_back(server: Server) -> None:
    server.member("Ann", PASSWORD)
    answer = server.browser().post("/sign-in", {"name": "Ann", "password": "wrong horse"})
    assert answer.status_code == 403
    assert "do not belong together" in page_text(answer)
    assert 'name="name" value="Ann"' in answer.text
    assert "wrong horse" not in answer.text
    assert server.audit()[0] == "sign-in refused"


@pytest.mark.parametrize("name", ["Nobody", "Bob"])
def test_who_has_no_password_is_refused_in_the_same_words(server: Server, name: str) -> None:
    server.member("Ann", PASSWORD)
    server.member("Bob")
    answer = server.browser().post("/sign-in", {"name": name, "password": ""})
    assert answer.status_code == 403
    assert account_pages.WRONG_PASSWORD in page_text(answer)


def test_a_short_password_is_refused(server: Server) -> None:
    answer = server.browser().post(
        f"/welcome/{server.key}", {"name": "Olga", "password": "1234567"}
    )
    assert answer.status_code == 422
    assert "8 to 200 letters; this one has 7" in page_text(answer)
    assert "1234567" not in answer.text


def test_a_password_is_set_changed_and_removed(server: Server) -> None:
    browser = server.member("Ann")
    browser.post("/me/password", {"password": PASSWORD})
    refused = browser.post("/me/password", {"old": "wrong", "password": "battery staple"})
    assert refused.status_code == 403
    assert "the present password is another one" in page_text(refused)
    browser.post("/me/password", {"old": PASSWORD, "password": "battery staple"})
    fields = {"name": "Ann", "password": "battery staple"}
    assert "Welcome, Ann" in page_text(server.browser().post("/sign-in", fields))
    browser.post("/me/password", {"old": "battery staple", "password": ""})
    assert server.browser().post("/sign-in", fields).status_code == 403


def test_a_new_password_signs_out_all_other_devices(server: Server) -> None:
    browser, other = server.member("Ann", PASSWORD), server.browser()
    other.post("/sign-in", {"name": "Ann", "password": PASSWORD})
    browser.post("/me/password", {"old": PASSWORD, "password": "battery staple"})
    assert "Welcome, Ann" in browser.text("/")
    assert "Welcome, Ann" not in other.text("/")


def test_nothing_is_a_password_where_there_is_none() -> None:
    assert not passwords.is_password(None, "")
    assert not passwords.is_password("not a hash", "x")


# -- limits -----------------------------------------------------------------------------------


def test_wrong_passwords_are_limited_by_name_and_by_address(server: Server) -> None:
    browser = server.browser()
    names = [*["Ann"] * 11, *(f"name {n}" for n in range(51))]
    answers = [browser.post("/sign-in", {"name": name}).status_code for name in names]
    assert answers == [*[403] * 10, 429, *[403] * 50, 429]


def test_tries_with_one_link_are_limited(server: Server) -> None:
    browser = server.browser()
    answers = [browser.post(f"/welcome/{server.key}", {"name": "x"}).status_code for _ in range(61)]
    assert answers == [*[422] * 60, 429]


def test_a_class_behind_one_address_joins_and_signs_in(server: Server) -> None:
    names = [f"student {number}" for number in range(70)]
    for name in names:
        server.newcomer(name, PASSWORD)
    for name in names:
        answer = server.browser().post("/sign-in", {"name": name, "password": PASSWORD})
        assert f"Welcome, {name}" in page_text(answer)


def test_a_refusal_says_how_long_it_lasts(server: Server) -> None:
    browser = server.browser()
    for _ in range(11):
        answer = browser.post("/sign-in", {"name": "Ann", "password": "wrong horse"})
    assert answer.status_code == 429
    assert "Please try again in 10 minutes" in page_text(answer)
    assert 590 < int(answer.headers["retry-after"]) <= 600


# -- guessing, and keeping somebody out -------------------------------------------------------


def wrong_passwords(browser: Browser, count: int) -> list[int]:
    fields = {"name": "Ann", "password": "wrong horse"}
    return [browser.post("/sign-in", fields).status_code for _ in range(count)]


def test_wrong_passwords_from_one_address_keep_nobody_else_out(server: Server) -> None:
    server.member("Ann", PASSWORD)
    assert wrong_passwords(server.browser("203.0.113.7"), 11)[-1] == 429
    answer = server.browser("198.51.100.2").post("/sign-in", {"name": "Ann", "password": PASSWORD})
    assert "Welcome, Ann" in page_text(answer)


def test_addresses_of_one_network_count_together(server: Server) -> None:
    server.member("Ann", PASSWORD)
    answers = [
        wrong_passwords(server.browser(f"2001:db8:1:2::{number}"), 1)[0] for number in range(1, 12)
    ]
    assert answers == [*[403] * 10, 429]
    assert wrong_passwords(server.browser("2001:db8:1:3::1"), 1) == [403]


def test_a_browser_that_was_signed_in_before_is_let_in_whoever_guesses(tmp_path: Path) -> None:
    with serving(tmp_path, limits={"sign_in.name": 20}) as server:
        own = server.newcomer("Ann", PASSWORD)
        own.post("/sign-out")
        for number in range(4):
            wrong_passwords(server.browser(f"203.0.113.{number}"), 10)
        fields = {"name": "Ann", "password": PASSWORD}
        assert server.browser("198.51.100.2").post("/sign-in", fields).status_code == 429
        assert "Welcome, Ann" in page_text(own.post("/sign-in", fields))


def test_a_known_browser_may_not_guess_either(server: Server) -> None:
    own = server.member("Ann", PASSWORD)
    own.post("/sign-out")
    assert wrong_passwords(own, 11) == [*[403] * 10, 429]


def test_a_browser_is_known_for_the_people_who_signed_in_there_alone(server: Server) -> None:
    browser = server.member("Ann", PASSWORD)
    server.member("Bob", PASSWORD)
    cookie = browser.client.cookies["known-browser"]
    ann, bob = (server.site.people.find_person_by_name(name) for name in ("Ann", "Bob"))
    assert ann is not None
    assert bob is not None
    assert is_known(cookie, ann)
    assert not is_known(cookie, bob)
    assert is_known(remember_person(cookie, bob), ann)
    changed = server.site.people.set_password(ann.id, passwords.password_hash("battery staple"))
    assert not is_known(cookie, changed)


# -- one's own page ---------------------------------------------------------------------------


def test_a_link_signs_in_on_another_device_once(server: Server) -> None:
    browser, other = server.member("Ann"), server.browser()
    path = read_link(browser.post("/me/device-link"))
    assert "readonly" not in browser.get("/me").text  # it is shown once
    assert "Sign in on this device" in other.text(path)
    assert "Welcome, Ann" in page_text(other.post(path))
    assert server.browser().post(path).status_code == 404
    assert "You are signed in on 2 devices" in browser.text("/me")


def test_a_sign_in_link_expires(server: Server) -> None:
    browser = server.member("Ann")
    path = read_link(browser.post("/me/device-link"))
    server.storage.database.write(update(invitations).values(expires_at=now()))
    assert server.browser().post(path).status_code == 404


def test_a_newer_sign_in_link_ends_the_older_one(server: Server) -> None:
    browser = server.member("Ann")
    older, newer = (read_link(browser.post("/me/device-link")) for _ in range(2))
    assert server.browser().get(older).status_code == 404
    assert server.browser().get(newer).status_code == 200


def test_a_sign_in_link_makes_no_account(server: Server) -> None:
    path = read_link(server.member("Ann").post("/me/device-link"))
    key = path.rpartition("/")[2]
    assert server.browser().get(f"/welcome/{key}").status_code == 404
    assert server.browser().post(f"/welcome/{key}", {"name": "Bob"}).status_code == 404
    assert server.browser().post(f"/device/{server.key}").status_code == 404


def test_all_other_devices_can_be_signed_out(server: Server) -> None:
    browser, other = server.member("Ann"), server.browser()
    other.post(read_link(browser.post("/me/device-link")))
    browser.post("/me/sign-out-others")
    assert "Welcome, Ann" not in other.text("/")
    assert "Welcome, Ann" in browser.text("/")


def test_an_account_can_be_downloaded(server: Server) -> None:
    browser = server.member("Ann", PASSWORD)
    browser.post("/lobby/new", {"game": "smack", "seats": "2", "mine": "2", "other-1": "friend"})
    answer = browser.get("/me/export")
    content = json.loads(answer.content)
    assert 'filename="account.json"' in answer.headers["content-disposition"]
    assert content["name"] == "Ann"
    assert content["has_password"] is True
    assert len(content["sessions"]) == 1
    assert [row["what"] for row in content["audit"]] == ["joined"]
    assert PASSWORD not in answer.text
    assert "argon2" not in answer.text


def test_an_account_is_deleted_when_its_name_is_typed(server: Server) -> None:
    browser = server.member("Ann", PASSWORD)
    person = server.person_id("Ann")
    refused = browser.post("/me/delete", {"name": "Bob"})
    assert refused.status_code == 422
    assert "that is not your name" in page_text(refused)
    browser.post("/me/delete", {"name": "ann"})
    assert server.site.people.find_person(person) is None
    assert server.site.people.find_sessions(person) == []
    assert "Sign in" in browser.text("/")
    assert (
        server.browser().post("/sign-in", {"name": "Ann", "password": PASSWORD}).status_code == 403
    )
    rows = server.site.audit.rows(100, person)
    assert {row.person for row in rows if row.person} == {"deleted"}
    assert {row.address for row in rows if row.person} == {""}
    server.member("Ann")  # the name is free again


def test_a_form_from_another_site_is_refused(server: Server) -> None:
    browser = server.member("Ann")
    evil = {"origin": "http://evil.test"}
    for path in ("/sign-out", "/me/delete", "/lobby/new", "/admin/invitations"):
        assert browser.client.post(path, data={}, headers=evil).status_code == 403
    assert "Welcome, Ann" in browser.text("/")


def test_a_form_of_another_kind_is_refused(server: Server) -> None:
    answer = server.browser().client.post("/sign-in", json={"name": "Ann"})
    assert answer.status_code == 415


def test_pages_of_members_are_not_cached(server: Server) -> None:
    assert server.member("Ann").get("/me").headers["cache-control"] == "no-store"


def test_errors_are_pages_and_for_programs_json(server: Server) -> None:
    browser = server.browser()
    for path in ("/games/none", "/nowhere"):
        answer = browser.get(path)
        assert answer.status_code == 404
        assert "That did not work there is n" in page_text(answer)
    answer = browser.get("/api/v1/games/none")
    assert json.loads(answer.content) == {"error": "there is no such game"}


def test_a_host_that_is_not_ours_is_refused(server: Server) -> None:
    answer = server.browser().client.get("/", headers={"host": "evil.test"})
    assert answer.status_code == 421


@pytest.mark.parametrize("path", ["/healthz", "/healthz/live", "/healthz/ready"])
def test_health_is_told_whatever_the_host_is_called(server: Server, path: str) -> None:
    """Containers are asked by the address of their pod."""
    browser = server.browser()
    assert browser.client.get(path, headers={"host": "10.1.2.3:8000"}).status_code == 200
    assert browser.client.post(path, headers={"host": "10.1.2.3:8000"}).status_code == 421
    assert "request refused" in server.audit()


def test_figures_by_another_name_need_an_address_and_take_no_cookie(server: Server) -> None:
    organizer = server.organizer()
    assert organizer.get("/metrics").status_code == 200
    assert organizer.client.get("/metrics", headers={"host": "evil.test"}).status_code == 404
    inside = server.browser("127.0.0.1").client
    assert inside.get("/metrics", headers={"host": "10.1.2.3:8000"}).status_code == 200
