"""A bot is handed in by the page and by the API: refused with reasons, or checked and played."""

import base64
import io
import re
import zipfile
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy import update
from starlette.requests import Request

from engine.bots.finding import Copies, Packed
from engine.bots.syntax_hints import THIS_PYTHON
from engine.errors import EngineFailure
from engine.support.text_decoding import REMEDY
from runners.contests.contests import Ladder
from runners.contests.ladders import Ladders
from runners.storage.database import now
from runners.storage.ladder_tables import EntryState, SourceRule, VersionState
from runners.storage.tables import contests
from server.bots.bots import Bots, Version
from server.bots.checking import DECISION, FILES, LADDER, LOADING, MATCH, SOURCE
from tests.server.bots.examined import ExaminedAtOnce
from tests.server.bots.submitting import (
    GOOD,
    HOME,
    ORIGIN,
    await_checks,
    bearer,
    hand_in,
    ladder_id,
    make_token,
    read_json,
    steps,
)
from tests.server.contests.field import ladder_in
from tests.server.members import Browser, Page, Server, page_text, serving
from tests.shell import eventually

OF_SMACK = (HOME / "playerCode" / "smack" / "player_two.py").read_bytes()
ACTIVE, FORMER, REFUSED = VersionState.ACTIVE, VersionState.FORMER, VersionState.REFUSED


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return one server for all, which examines bots at once."""
    folder = tmp_path_factory.mktemp("arena")
    with serving(folder, new_examiner=ExaminedAtOnce) as server:
        yield server


@pytest.fixture(scope="module")
def ann(server: Server) -> Browser:
    return server.member("Ann")


@pytest.fixture(scope="module")
def thorough(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Return a server that examines bots as users' do, in a process that takes a while to begin."""
    with serving(tmp_path_factory.mktemp("thorough")) as server:
        yield server


@pytest.fixture(scope="module")
def author(thorough: Server) -> Browser:
    return thorough.member("Ann")


@pytest.fixture(scope="module")
def good(thorough: Server, author: Browser) -> Version:
    """Return a version that was found to be good."""
    page = hand_in(author, {"player_mine.py": GOOD}, ladder=ladder_id(thorough), name="Good one")
    assert "Good one, version 1" in page_text(page)
    return await_checks(thorough, "Good one")


def api(browser: Browser, token: str, **body: object) -> Page:
    return browser.client.post("/api/v1/bots", json=body, headers=bearer(token))


def test_who_hands_in_too_often_is_refused_before_anything_is_read(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.site.limits._counting["hand_in.person"], "tries", 0)
    eve = server.member("Eve")
    token, read = make_token(server, "Eve"), []
    body = Request.body

    async def noted(request: Request) -> bytes:
        read.append(request.url.path)
        return await body(request)

    monkeypatch.setattr(Request, "body", noted)
    assert hand_in(eve, {"player_mine.py": GOOD}).status_code == 429
    assert api(eve, token, files={}).status_code == 429
    assert read == []


@pytest.mark.slow
def test_a_slow_bot_keeps_nobody_else_waiting(thorough: Server) -> None:
    slow = (
        GOOD
        + b"""
import time
fast = Player.decide
def decide(self, slime):
    time.sleep(0.5)
    return fast(self, slime)
Player.decide = decide
"""
    )
    sue, tim = thorough.member("Suzan"), thorough.member("Tim")
    hand_in(sue, {"player_x.py": slow}, ladder=ladder_id(thorough), name="Slow one")
    bots = thorough.site.bots.bots
    bot = bots.find_bot_by_name("slime_mind", "Slow one")
    assert bot is not None

    def first() -> Version:
        (version,) = bots.find_versions(bot.id)
        return version

    assert eventually(lambda: any(one.name == MATCH for one in bots.find_checks(first().id)))

    hand_in(tim, {"player_y.py": GOOD}, ladder=ladder_id(thorough), name="Quick one")
    assert await_checks(thorough, "Quick one").state is ACTIVE
    assert first().state is VersionState.CHECKING


def test_what_the_server_cannot_do_is_told_its_operator_and_nobody_else(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(bots: Bots, person_id: str) -> None:
        raise EngineFailure("/srv/results/games.sqlite: cannot be written: database is full")

    dan = server.member("Dan")
    with monkeypatch.context() as patched:
        patched.setattr(Bots, "find_bots_and_versions", full)
        answer = dan.get("/bots")
    assert answer.status_code == 503
    assert "/srv" not in answer.text
    assert "try again later" in answer.text
    assert server.said == ["/srv/results/games.sqlite: cannot be written: database is full"]


def test_a_good_bot_passes_all_steps_and_plays(
    thorough: Server, author: Browser, good: Version
) -> None:
    assert good.state is ACTIVE
    found = steps(thorough, good)
    assert list(found) == [FILES, SOURCE, LOADING, DECISION, MATCH, LADDER]
    assert {state for state, _ in found.values()} == {"passed"}
    assert "against player_one" in found[MATCH][1]
    entry = thorough.site.contests.ladders.entry(ladder_id(thorough), good.bot_id)
    assert entry is not None
    path = f"/bots/{good.bot_id}/versions/1"
    page = author.get(path)
    assert "active" in page_text(page)
    assert f'href="{path}/watch"' in page.text
    assert "Good one : player_one" in author.get(f"{path}/watch").text
    scene = author.get(f"/api/v1{path}/scene")
    assert scene.text.startswith("event: scene\ndata: {")
    plays_on(thorough, author, path)


def test_a_next_version_takes_the_place_of_the_first_and_gives_it_back(
    server: Server, ann: Browser
) -> None:
    for number, comment in ((1, b"# one\n"), (2, b"# two\n")):
        hand_in(ann, {"player_x.py": comment + GOOD}, ladder="Slime Mind", name="Twice")
        version = await_checks(server, "Twice", number)
    bots = server.site.bots.bots
    path = f"/bots/{version.bot_id}/versions/1"
    assert [one.state for one in bots.find_versions(version.bot_id)] == [ACTIVE, FORMER]
    answer = ann.post(f"{path}/activate")
    assert "This is the version that plays" in page_text(answer)
    assert [one.state for one in bots.find_versions(version.bot_id)] == [FORMER, ACTIVE]
    assert ann.post(f"{path}/activate").status_code == 409
    assert server.member("Carl").post(f"{path}/activate").status_code == 404


def test_identical_files_are_said_to_be_so_and_make_no_version(
    server: Server, ann: Browser
) -> None:
    for _ in range(2):
        page = hand_in(ann, {"player_x.py": b"# same\n" + GOOD}, ladder="Slime Mind", name="Same")
        version = await_checks(server, "Same")
    assert "identical to those of this version" in page_text(page)
    assert len(server.site.bots.bots.find_versions(version.bot_id)) == 1


def test_the_page_names_the_python_that_plays(ann: Browser) -> None:
    assert f"Bots in Python play in {THIS_PYTHON} here, with numpy." in page_text(
        ann.get("/submit")
    )


@pytest.mark.variants(4)
@pytest.mark.parametrize(
    ("source", "step", "message"),
    [
        (b"class Player:\n    x = (\n", SOURCE, "syntax error in line 2: '(' was never closed"),
        (
            GOOD.decode().encode("utf-16"),
            SOURCE,
            f"it is UTF-16 (with a byte order mark), not UTF-8; save it as UTF-8; {REMEDY} (bots",
        ),
        (
            b"type X = = int\n" + GOOD,
            SOURCE,
            f"correct that line, or what is left open before it (bots play in {THIS_PYTHON} here)",
        ),
        (b"x = 1\n", SOURCE, "defines no class Player"),
        (b"NEEDS = ['torch']\n" + GOOD, SOURCE, "needs torch, and bots may import numpy"),
        (b"import nothing\n" + GOOD, LOADING, "import error"),
        (b"class Player:\n    pass\n", LOADING, "wrong type"),
        (GOOD + b"\n1 / 0\n", LOADING, "ZeroDivisionError"),
        (GOOD.replace(b"def decide(self, slime", b"def decide(self, slime, x"), LOADING, "decide"),
        (GOOD + b"\nPlayer.decide = lambda self, slime: 1 / 0\n", DECISION, "ZeroDivisionError"),
        (GOOD + b"\nPlayer.decide = lambda self, slime: 'FLY'\n", DECISION, "FLY"),
    ],
)
def test_a_bad_bot_is_refused_with_the_step_and_the_reason(
    thorough: Server, author: Browser, source: bytes, step: str, message: str
) -> None:
    name = f"bad {abs(hash(source)) % 10**9}"
    page = hand_in(author, {"player_bad.py": source}, ladder="Slime Mind", name=name)
    version = await_checks(thorough, name)
    assert version.state is REFUSED
    found = steps(thorough, version)
    assert list(found)[-1] == step
    assert found[step][0] == "failed"
    assert message in version.why
    assert eventually(lambda: "version refused" in thorough.audit())
    assert message in page_text(author.get(page.url.path))


def test_what_cannot_be_unpacked_is_refused_at_once_with_what_was_typed_kept(
    server: Server, ann: Browser
) -> None:
    for files, words in (
        ({"../player_up.py": GOOD}, "../player_up.py: has '..' in its path"),
        ({"mine.zip": b"PK\x03\x04 and no more"}, "the zip is damaged"),
        ({"fake.zip": b"no zip"}, "fake.zip is not a zip: zip the folder of your bot"),
        ({"": b""}, "no file was sent"),
    ):
        answer = hand_in(ann, files, ladder=ladder_id(server), name="Kept name")
        assert answer.status_code == 422
        assert words in page_text(answer)
        assert 'value="Kept name"' in answer.text
    assert "bot refused" in server.audit()
    assert server.site.bots.bots.find_bot_by_name("slime_mind", "Kept name") is None


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"ladder": "nowhere"},
            "there is no ladder 'nowhere'; expected one of: Slime Mind, Smack!",
        ),
        ({"ladder": "Slime Mind", "name": "a/b"}, "a bot's name has letters, digits"),
        ({"ladder": "Slime Mind", "name": "x" * 99}, "a name has 2 to 24 letters"),
    ],
)
def test_a_form_that_will_not_do_is_refused(
    server: Server, ann: Browser, fields: dict[str, str], message: str
) -> None:
    answer = hand_in(ann, {"player_mine.py": GOOD}, ORIGIN, **fields)
    assert answer.status_code == 422
    assert message in page_text(answer)


def test_files_of_the_same_name_are_told_apart_by_their_authors(
    server: Server, ann: Browser
) -> None:
    bea = server.member("Bea")
    for browser, name in ((ann, "starter"), (bea, "starter Bea"), (bea, "starter Bea")):
        page = hand_in(browser, {"player_starter.py": GOOD}, ladder="Slime Mind")
        assert f"{name}, version 1" in page_text(page)
    page = hand_in(bea, {"player_starter.py": GOOD}, ladder="Slime Mind", name="starter")
    assert "somebody else's bot is called starter" in page_text(page)


def test_files_that_cannot_be_kept_are_said_to_be_so(
    server: Server, ann: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(copies: Copies, digest: str, packed: Packed) -> None:
        raise EngineFailure("no space left on device")

    monkeypatch.setattr(Copies, "unpack", fail)
    page = hand_in(ann, {"player_x.py": b"# kept?\n" + GOOD}, ladder="Slime Mind", name="Full")
    assert page.status_code == 422
    assert "the server cannot keep these files now" in page_text(page)
    assert server.site.bots.bots.find_bot_by_name("slime_mind", "Full") is None


def test_a_form_that_is_none_is_refused(server: Server, ann: Browser) -> None:
    for kind in ("text/plain", "multipart/form-data", "multipart/form-data; boundary=x"):
        answer = ann.client.post("/submit", content=b"x", headers={**ORIGIN, "content-type": kind})
        assert answer.status_code == 422


def test_a_page_of_another_site_hands_nothing_in(server: Server, ann: Browser) -> None:
    for headers in ({"origin": "http://evil.test"}, {"sec-fetch-site": "cross-site"}):
        answer = hand_in(ann, {"player_mine.py": GOOD}, headers, ladder="Slime Mind", name="Forged")
        assert answer.status_code == 403
    assert server.site.bots.bots.find_bot_by_name("slime_mind", "Forged") is None


def test_who_is_not_signed_in_is_led_to_the_door_before_the_body_is_read(server: Server) -> None:
    visitor = server.browser()
    for path in ("/submit", "/bots"):
        assert visitor.get(path).url.path == "/sign-in"
    assert hand_in(visitor, {"player_mine.py": GOOD}).url.path == "/sign-in"


@pytest.mark.slow
def test_bodies_are_longer_here_than_elsewhere_and_not_endless(
    thorough: Server, author: Browser
) -> None:
    large = {"__init__.py": GOOD, "table.bin": bytes(1 << 20)}
    page = hand_in(
        author, {f"mine/{name}": text for name, text in large.items()}, ladder="Slime Mind"
    )
    assert page.status_code == 200
    assert await_checks(thorough, "mine").state is ACTIVE
    page = hand_in(author, {"a.bin": bytes(35_000_000)})
    assert page.status_code == 413
    assert "these files are too large: a bot may have 1 MB of source" in page_text(page)
    answer = author.client.post("/me/tokens", content=bytes(1 << 19), headers=ORIGIN)
    assert answer.status_code == 413


# -- the API ----------------------------------------------------------------------------------


def test_a_program_hands_in_and_follows_the_checks(server: Server, ann: Browser) -> None:
    token, program = make_token(server, "Ann"), server.browser()
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("mine/__init__.py", b"# by a program\n" + GOOD)
    files = {"mine.zip": base64.b64encode(content.getvalue()).decode()}
    answer = api(program, token, files=files, game="slime_mind", name="Robot")
    told = read_json(answer)
    assert (told["name"], told["number"], told["state"]) == ("Robot", 1, "checking")
    assert not told["is_identical"]
    await_checks(server, "Robot")
    state = program.client.get(f"/api/v1{told['path']}", headers=bearer(token))
    told = read_json(state)
    assert told["state"] == "active"
    assert [one["state"] for one in told["checks"]] == ["passed"] * 6
    again = read_json(api(program, token, files=files, game="slime_mind", name="Robot"))
    assert (again["is_identical"], again["number"]) == (True, 1)


def test_a_program_is_told_why_it_was_refused(server: Server, ann: Browser) -> None:
    token, program = make_token(server, "Ann"), server.browser()
    sent = {"player_a.py": base64.b64encode(GOOD).decode()}
    for body, status, words in (
        ({"files": {"/etc/a.py": "eA=="}, "game": "smac"}, 422, "is an absolute path"),
        ({"files": sent, "ladder": "nowhere"}, 422, "there is no ladder"),
        ({"files": {"a.py": "no base64"}}, 400, "Invalid base64"),
        ({"files": sent, "secret": 1}, 400, "unknown field"),
    ):
        answer = api(program, token, **body)
        assert (answer.status_code, words in read_json(answer)["error"]) == (status, True), words


@pytest.mark.parametrize("token", ["", "slime_wrong", "x" * 5_000])
def test_without_a_good_token_nothing_is_handed_in(server: Server, token: str) -> None:
    answer = server.browser().client.post("/api/v1/bots", json={"files": {}}, headers=bearer(token))
    assert answer.status_code == 401
    assert "make one on your own page" in read_json(answer)["error"]


def test_the_document_of_the_api_describes_handing_in(server: Server) -> None:
    answer = read_json(server.browser().client.get("/api/v1/openapi.json"))
    operation = answer["paths"]["/api/v1/bots"]["post"]
    assert operation["security"] == [{"token": []}]
    assert "BotBody" in answer["components"]["schemas"]


# -- who sees what ----------------------------------------------------------------------------


def test_a_version_is_seen_by_its_author_and_by_organizers(
    thorough: Server, author: Browser, good: Version
) -> None:
    path = f"/bots/{good.bot_id}/versions/1"
    olga, member, visitor = thorough.organizer(), thorough.member("Dora"), thorough.browser()
    for page in (path, f"{path}/watch", f"/api/v1{path}", f"/api/v1{path}/scene"):
        assert author.get(page).status_code == 200
        assert olga.get(page).status_code == 200, page
        assert member.get(page).status_code == 404
        stranger = visitor.get(page)
        assert stranger.status_code == 401 or stranger.url.path == "/sign-in"
    for wrong in ("0", "2", "x", "9" * 30, "²"):
        assert author.get(f"/bots/{good.bot_id}/versions/{wrong}").status_code == 404


def test_the_source_is_for_whom_the_ladder_says(server: Server, ann: Browser) -> None:
    hand_in(ann, {"player_x.py": b"# refused: no"}, ladder="Smack!", name="Closed")
    refused = await_checks(server, "Closed", game="smack")
    assert refused.state is REFUSED
    hand_in(ann, {"player_x.py": OF_SMACK}, ladder="Smack!", name="Closed")
    version = await_checks(server, "Closed", 2, game="smack")
    path = f"/bots/{version.bot_id}/versions/2/source.zip"
    olga, visitor = server.organizer(), server.browser()

    def readers(path: str) -> list[int]:
        return [one.get(path).status_code for one in (ann, olga, visitor)]

    def rule(rule: SourceRule) -> None:
        own = contests.c.title == "Smack!"
        server.storage.database.write(update(contests).where(own).values(source_rule=rule))

    assert readers(path) == [200, 404, 404]
    rule(SourceRule.ORGANIZERS)
    assert readers(path) == [200, 200, 404]
    rule(SourceRule.EVERYBODY_AFTER_END)
    assert readers(path) == [200, 404, 404]
    rule(SourceRule.EVERYBODY)
    assert readers(path) == [200, 200, 200]
    assert readers(path.replace("/2/", "/1/")) == [200, 404, 404]
    assert f'href="{path}"' in visitor.get(f"/bots/{version.bot_id}").text
    own, frozen = contests.c.title == "Smack!", version.handed_in_at
    server.storage.database.write(update(contests).where(own).values(freezes_at=frozen))
    assert readers(path) == [200, 200, 404]
    server.storage.database.write(update(contests).where(own).values(freezes_at=None))
    with zipfile.ZipFile(io.BytesIO(visitor.get(path).content)) as archive:
        assert {name: archive.read(name) for name in archive.namelist()} == {
            "player_closed.py": OF_SMACK
        }


def test_versions_are_limited_by_the_ladder(server: Server, ann: Browser) -> None:
    own = contests.c.title == "Game of Death"
    server.storage.database.write(update(contests).where(own).values(versions_per_day=1))
    for number, status in ((1, 200), (2, 422)):
        source = b"x = %d\n" % number
        page = hand_in(ann, {"player_x.py": source}, ladder="Game of Death", name="Often")
        assert page.status_code == status
    assert "1 versions within 24 hours" in page_text(page)


def plays_on(server: Server, author: Browser, version: str) -> None:
    """Take over a team in the middle of a version's first match."""
    path = f"/api/v1{version}/continue"
    answer = author.client.post(path, json={"step": 3, "team": 1})
    assert answer.status_code == 200, answer.text
    game = answer.json()["id"]
    with server.game_service.open_session(game) as session:
        assert [one.is_person for one in session.stored.seats] == [True, False]
        assert session.stored.seats[1].name == "player_one"
        assert len(session.decisions) == 3
        assert session.stored.spec.origin is not None
    assert f'href="/games/{game}"' in author.get("/").text
    too_late = author.client.post(path, json={"step": 10_000, "team": 1})
    assert too_late.status_code == 422
    assert "after that the match is over" in too_late.json()["error"]
    assert (
        server.member("Stranger").client.post(path, json={"step": 3, "team": 1}).status_code == 404
    )


def add_season(server: Server, name: str, **limits: Any) -> Ladder:
    """Add a season of Slime Mind."""
    ends_at = now() + timedelta(days=1)
    return ladder_in(server.storage.database, name=name, ends_at=ends_at, **limits)


def test_a_bot_that_is_larger_than_a_ladder_allows_is_refused(server: Server) -> None:
    small = add_season(server, "Small", most_source_bytes=1_000)
    browser = server.member("Sam")
    page = hand_in(browser, {"player_big.py": GOOD + b"#" * 2_000}, ladder=small.id)
    assert page.status_code == 422
    assert "kB of source (.py files), and Small allows 1 kB" in page_text(page)
    few = add_season(server, "Few", most_bytes=5_000)
    files = {"player_big.py": GOOD, "weights.bin": bytes(9_000)}
    assert "Few allows 5 kB" in page_text(hand_in(browser, files, ladder=few.id))


SMACK = b"from engine.games.smack.player import BasePlayer\nclass Player(BasePlayer):\n    pass\n"


def test_the_ladder_is_that_of_the_class_that_a_bot_derives_from(server: Server) -> None:
    ladder_in(server.storage.database, "smack", name="Boards")
    browser = server.member("Gil")
    hand_in(browser, {"player_gil.py": SMACK}, ladder="", name="Guessed")
    assert server.site.bots.bots.find_bot_by_name("smack", "Guessed") is not None
    page = hand_in(browser, {"player_gil.py": SMACK}, ladder=ladder_id(server), name="Wrong")
    assert page.status_code == 422
    assert "so it plays Smack!, and Slime Mind is a ladder of Slime Mind" in page_text(page)
    page = hand_in(browser, {"player_any.py": b"# of any game"}, ladder="", name="Any")
    assert page.status_code == 422
    assert "no ladder was named; expected one of: " in page_text(page)
    token = make_token(server, "Gil")
    files = {"player_api.py": base64.b64encode(SMACK).decode()}
    answer = read_json(api(server.browser(), token, files=files, game="slime_mind", name="By API"))
    assert answer["name"] == "By API"
    assert server.site.bots.bots.find_bot_by_name("smack", "By API") is not None


def test_half_a_second_late_is_told_so_and_a_final_is_played_with_what_was_there(
    server: Server,
) -> None:
    season = add_season(server, "Homework")
    browser, late = server.member("Tim"), server.member("Lou")
    hand_in(browser, {"player_tim.py": GOOD}, ladder=season.id, name="Timely")
    bot = await_checks(server, "Timely").bot_id
    Ladders(server.storage.database).change(replace(season, ends_at=now()))
    for meant in (season.id, "homework"):
        page = hand_in(late, {"player_late.py": GOOD}, ladder=meant)
        assert page.status_code == 422
        assert re.search(r"Homework ended on \d{4}-\d\d-\d\d at \d\d:\d\d UTC", page_text(page))
    assert late.get(f"/submit?ladder={season.id}").status_code == 200
    files = {"player_tim.py": b"# 2\n" + GOOD}
    elsewhere: Any = {"ladder": ladder_id(server), "name": "Timely"}
    again = hand_in(browser, files, **elsewhere)
    assert again.status_code == 422
    assert "its final is being played with the version of Timely" in page_text(again)
    back = browser.post(f"/bots/{bot}/versions/1/activate", {})
    assert back.status_code == 409
    assert "its final is being played" in page_text(back)
    Ladders(server.storage.database).conclude(season.id)
    assert hand_in(browser, files, **elsewhere).status_code < 400


def test_the_strictest_of_a_bots_ladders_says_how_large_it_is_and_how_often_new(
    server: Server,
) -> None:
    strict = add_season(server, "Strict", versions_per_day=2, most_bytes=20_000)
    browser = server.member("Selma")
    hand_in(browser, {"player_sue.py": GOOD}, ladder=strict.id, name="Strict Sue")
    assert await_checks(server, "Strict Sue").state is ACTIVE
    lenient: Any = {"ladder": ladder_id(server), "name": "Strict Sue"}
    large = {"player_sue.py": GOOD, "weights.bin": bytes(30_000)}
    assert "Strict allows 20 kB" in page_text(hand_in(browser, large, **lenient))
    assert hand_in(browser, {"player_sue.py": GOOD + b"#"}, **lenient).status_code == 200
    page = hand_in(browser, {"player_sue.py": GOOD + b"##"}, **lenient)
    assert "2 versions within 24 hours" in page_text(page)


def test_files_that_are_there_already_enter_another_ladder(server: Server) -> None:
    browser = server.member("Ida")
    hand_in(browser, {"player_ida.py": GOOD}, ladder=ladder_id(server), name="Ida bot")
    version = await_checks(server, "Ida bot")
    season = add_season(server, "Second")
    page = hand_in(browser, {"player_ida.py": GOOD}, ladder=season.id, name="Ida bot")
    assert "it has entered Second" in page_text(page)
    entry = server.site.contests.ladders.entry(season.id, version.bot_id)
    assert entry is not None
    assert entry.state is EntryState.PLAYING


def test_an_author_enters_a_ladder_with_a_bot_and_leaves_it(server: Server) -> None:
    browser, other = server.member("Lea"), server.member("Leo")
    hand_in(browser, {"player_lea.py": GOOD}, ladder=ladder_id(server), name="Lea bot")
    bot_id = await_checks(server, "Lea bot").bot_id
    season = add_season(server, "Third")
    form = {"ladder": season.id}
    assert other.post(f"/bots/{bot_id}/enter", form).status_code == 404
    assert "Enter this ladder" in browser.text(f"/bots/{bot_id}")
    assert "Withdraw it from Third" in page_text(browser.post(f"/bots/{bot_id}/enter", form))
    assert other.post(f"/bots/{bot_id}/leave", form).status_code == 404
    page = browser.post(f"/bots/{bot_id}/leave", form)
    assert "It was withdrawn from Third" in page_text(page)
    assert browser.post(f"/bots/{bot_id}/leave", form).status_code == 409
    small = add_season(server, "Fourth", most_source_bytes=100)
    assert browser.post(f"/bots/{bot_id}/enter", {"ladder": small.id}).status_code == 409
    assert {"bot entered", "bot withdrawn"} <= set(server.audit())
