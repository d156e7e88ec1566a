"""The web application, as browsers and programs use it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from engine.errors import EngineFailure
from engine.game import Ask
from engine.replays.reading import Replay
from server.games.game_service import GameService
from server.games.recorded_matches import continuation_response
from server.http.guard import MAX_BODY_BYTES
from server.site.application import Application
from tests.server.in_process import make_client
from tests.server.playing import a_game_service, no_orders, start_game

HOST = "127.0.0.1:8000"


class Browser:
    """A browser with a cookie jar of its own."""

    def __init__(self, game_service: GameService) -> None:
        self.web = Application(game_service, [HOST])
        self.client = make_client(self.web.app, f"http://{HOST}")
        self._game_service = game_service

    def sit_down(self, game: str, *teams: int) -> "Browser":
        page = self.client.get(f"/games/{game}?key={self._game_service.keys.new_key(game, teams)}")
        assert page.status_code == 200
        assert "key=" not in str(page.url)
        return self

    def position(self, game: str) -> Any:
        return self.client.get(f"/api/v1/games/{game}").json()

    def order(self, game: str, **body: Any) -> Any:
        return self.client.post(f"/api/v1/games/{game}/orders", json=body)


@pytest.fixture
def browser(game_service: GameService) -> Iterator[Browser]:
    browser = Browser(game_service)
    with browser.client:
        yield browser


def test_a_person_plays_against_a_bot(game_service: GameService, browser: Browser) -> None:
    game = start_game(game_service, who="pb")
    browser.sit_down(game, 1)
    position = browser.position(game)
    assert [seat["is_yours"] for seat in position["seats"]] == [True, False]
    assert "B6" in position["board"]["halves"][0]["moves"]["A6"]
    answer = browser.order(game, step=0, team=1, piece=1, order="A6-B6")
    assert (answer.status_code, answer.json()["step"]) == (200, 2)
    after = browser.position(game)["board"]["halves"][0]
    assert (after["ply"], after["history"][0]) == (2, "A6-B6")


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"step": 0, "team": 1, "piece": 1, "order": "A6-A9"}, 422, "A6-A9"),
        ({"step": 5, "team": 1, "piece": 1, "order": "A6-B6"}, 409, "gone on"),
        ({"step": 0, "team": 2, "piece": 2, "order": "A6-B6"}, 403, "team 2 is not yours"),
        ({"step": 0, "team": 1}, 409, "gone on"),
        ({"team": 1, "piece": 1, "order": "A6-B6"}, 400, "step"),
        ({"step": "0", "team": 1, "piece": 1}, 400, r"\$.step"),
        ({"step": 0, "team": 1, "piece": 1, "extra": 1}, 400, "extra"),
        ([], 400, "object"),
    ],
)
def test_bad_orders_are_refused_with_the_reason(
    game_service: GameService, browser: Browser, body: Any, status: int, message: str
) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    answer = browser.client.post(f"/api/v1/games/{game}/orders", json=body)
    assert answer.status_code == status
    assert re.search(message, answer.json()["error"])
    assert browser.position(game)["step"] == 0


@pytest.mark.parametrize("stream", ["events", "scene"])
def test_a_stream_ends_while_the_database_cannot_be_read(
    stream: str, game_service: GameService, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, session, asked = start_game(game_service), game_service.open_session, list[str]()

    def room_once(game_id: str) -> Any:
        asked.append(game_id)
        if len(asked) > 1:
            raise EngineFailure("the database is away")
        return session(game_id)

    monkeypatch.setattr(game_service, "open_session", room_once)
    answer = browser.client.get(f"/api/v1/games/{game}/{stream}")
    assert (answer.status_code, answer.text, len(asked)) == (200, "", 2)


def test_acts_and_their_refusal(game_service: GameService, browser: Browser) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    acts = browser.position(game)["acts"]
    assert {"team": 1, "piece": 1, "name": "resign", "words": ""} in acts
    url = f"/api/v1/games/{game}/acts"
    assert (
        browser.client.post(url, json={"team": 1, "piece": 1, "name": "claim"}).status_code == 422
    )
    assert browser.client.post(url, json={"team": 1, "piece": 1, "name": "resign"}).json() == {
        "step": 1
    }
    assert browser.position(game)["board"]["halves"][0]["ending"] == "forfeit: resigned"


@pytest.mark.parametrize(("name", "again"), [("resign", 409), ("offer to end", 422)])
def test_an_act_that_is_sent_again_is_done_once(
    game_service: GameService, browser: Browser, name: str, again: int
) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    url, body = f"/api/v1/games/{game}/acts", {"team": 1, "piece": 1, "name": name, "step": 0}
    answers = [browser.client.post(url, json=body) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [200, again]
    assert browser.position(game)["step"] == 1


def test_an_act_for_another_position_of_its_board_is_not_done(
    game_service: GameService, browser: Browser
) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    game_service.answer(game, Ask(1, 1), 0, "A6-B6")
    url, body = f"/api/v1/games/{game}/acts", {"team": 1, "name": "offer to end", "step": 0}
    assert browser.client.post(url, json={**body, "piece": 1}).status_code == 409
    assert browser.client.post(url, json={**body, "piece": 2}).status_code == 200


def test_a_move_is_taken_back_once_though_that_is_sent_again(
    game_service: GameService, browser: Browser
) -> None:
    game = start_game(game_service, who="pb")
    browser.sit_down(game, 1)
    for _ in range(2):  # a bot agrees at once, and would again to the move before
        step = next(ask["step"] for ask in browser.position(game)["asks"] if ask["piece"] == 1)
        moves = browser.position(game)["board"]["halves"][0]["moves"]
        source, targets = next(iter(moves.items()))
        order = f"{source}-{next(iter(targets))}"
        browser.order(game, step=step, team=1, piece=1, order=order)
    step = next(ask["step"] for ask in browser.position(game)["asks"] if ask["piece"] == 1)
    url = f"/api/v1/games/{game}/acts"
    body = {"team": 1, "piece": 1, "name": "take back my move", "step": step}
    answers = [browser.client.post(url, json=body).status_code for _ in range(2)]
    assert answers == [200, 409]
    assert browser.position(game)["board"]["halves"][0]["ply"] == 2


def test_who_has_no_seat_sees_the_game_and_plays_nothing(
    game_service: GameService, browser: Browser
) -> None:
    game = start_game(game_service)
    position = browser.position(game)
    assert not any(seat["is_yours"] for seat in position["seats"])
    assert (position["acts"], position["board"]["halves"][0]["moves"]) == ([], {})
    assert browser.order(game, step=0, team=1, piece=1, order="A6-B6").status_code == 403


@pytest.mark.parametrize(
    "url", ["/games/nothing", "/api/v1/games/nothing", "/api/v1/games/nothing/events", "/nowhere"]
)
def test_what_does_not_exist_is_not_found(browser: Browser, url: str) -> None:
    assert browser.client.get(url).status_code == 404


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("by", ["the board's link", "a friend's link", "playing on"])
def test_the_cookie_of_a_seat_is_secure_where_its_page_is(
    game_service: GameService, scheme: str, by: str
) -> None:
    game = start_game(game_service)
    client = make_client(Application(game_service, [HOST]).app, f"{scheme}://{HOST}")
    key = game_service.keys.new_key(game, (1,))
    answer: Any
    with client:
        if by == "the board's link":
            answer = client.get(f"/games/{game}?key={key}", follow_redirects=False)
        elif by == "a friend's link":
            answer = client.post(f"/join/{key}", follow_redirects=False)
        else:
            scope = {"type": "http", "scheme": scheme, "server": ("127.0.0.1", 80), "path": "/"}
            answer = continuation_response(Request({**scope, "headers": []}), game_service, game, 1)
    cookie = answer.headers["set-cookie"]
    assert ("; Secure" in cookie) == (scheme == "https")
    assert "; HttpOnly" in cookie


def test_a_friend_takes_a_seat_by_a_link_that_is_good_for_once(
    game_service: GameService, browser: Browser
) -> None:
    game = start_game(game_service)
    key = game_service.keys.new_key(game, [2])
    page = browser.client.get(f"/join/{key}")  # as programs do that show what a link leads to
    assert "Sit down and play" in page.text
    page = browser.client.post(f"/join/{key}")
    assert page.url.path == f"/games/{game}"
    assert browser.position(game)["seats"][1]["is_yours"]
    other = Browser(game_service)
    with other.client:
        assert other.client.get(f"/join/{key}").status_code == 404
        assert other.client.post(f"/join/{key}").status_code == 404


def test_the_first_page_lists_the_games_of_this_browser(
    game_service: GameService, browser: Browser
) -> None:
    assert "has no seat in a game" in browser.client.get("/").text
    game = start_game(game_service)
    browser.sit_down(game, 1)
    page = browser.client.get("/").text
    assert f"/games/{game}" in page
    assert "your move" in page


def test_a_draft_is_kept_priced_and_refused_line_by_line(tmp_path: Path) -> None:
    game_service = a_game_service(tmp_path / "games.sqlite", no_orders)
    game, browser = start_game(game_service, "smac", "pb"), Browser(game_service)
    with browser.client:
        browser.sit_down(game, 1)
        url = f"/api/v1/games/{game}/draft"
        lines = [["bid", 2], ["center", 0, 0]]
        draft = browser.client.put(url, json={"step": 0, "team": 1, "lines": lines}).json()
        assert draft["lines"] == lines
        assert draft["answer"] == {"bid": 2, "centers": []}
        assert [place for place, _ in draft["refused"]] == [1]
        assert browser.client.get(url, params={"team": 1}).json() == draft
        assert browser.client.get(url, params={"team": 2}).status_code == 403
        assert browser.client.get(url, params={"team": "x"}).status_code == 400
        stale = browser.client.put(url, json={"step": 3, "team": 1, "lines": []})
        assert stale.status_code == 409


def test_a_sealed_order_is_seen_as_such_and_can_be_taken_back(tmp_path: Path) -> None:
    game_service = a_game_service(tmp_path / "games.sqlite", no_orders)
    game, browser = start_game(game_service, "smac", "pp"), Browser(game_service)
    with browser.client:
        browser.sit_down(game, 1)
        browser.order(game, step=0, team=1, order={"bid": 3})
        asks = browser.position(game)["asks"]
        assert [ask["is_answered"] for ask in asks] == [True, False]
        url, body = f"/api/v1/games/{game}/orders", {"step": 0, "team": 1}
        assert browser.client.request("DELETE", url, json=body).status_code == 200
        assert not any(ask["is_answered"] for ask in browser.position(game)["asks"])


def test_the_replay_is_there_when_the_game_is_over(
    game_service: GameService, browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # replays are kept in the folder of results
    game = start_game(game_service, who="pb", ply_limit=1)
    assert browser.client.get(f"/games/{game}/replay").status_code == 422
    browser.sit_down(game, 1)
    assert browser.position(game)["seed"] is None
    browser.order(game, step=0, team=1, piece=1, order="A6-B6")
    position = browser.position(game)
    assert position["outcome"]["reason"] == "both halves are over"
    assert position["seed"].startswith("0x")
    (tmp_path / "replay").write_bytes(browser.client.get(f"/games/{game}/replay").content)
    assert Replay(tmp_path / "replay").outcome is not None


def test_names_of_somebody_elses_lead_nowhere(browser: Browser) -> None:
    answer = browser.client.get("/", headers={"host": "evil.example"})
    assert answer.status_code == 421
    assert HOST in answer.json()["error"]


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
)
def test_pages_of_somebody_elses_cannot_play(
    game_service: GameService, browser: Browser, headers: dict[str, str]
) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    body = {"step": 0, "team": 1, "piece": 1, "order": "A6-B6"}
    answer = browser.client.post(f"/api/v1/games/{game}/orders", json=body, headers=headers)
    assert answer.status_code == 403
    assert browser.position(game)["step"] == 0


def test_only_json_of_a_bounded_length_is_read(game_service: GameService, browser: Browser) -> None:
    game = start_game(game_service)
    browser.sit_down(game, 1)
    url = f"/api/v1/games/{game}/orders"

    def status(content: str, kind: str = "application/json") -> int:
        headers = {"content-type": kind}
        return int(browser.client.post(url, content=content, headers=headers).status_code)

    assert status("{}", "text/plain") == 415
    assert status("{") == 400
    assert status("[" * 10_000) == 400
    assert status("[" * (MAX_BODY_BYTES + 1)) == 413


def test_every_answer_forbids_scripts_and_frames_of_others(
    game_service: GameService, browser: Browser
) -> None:
    game = start_game(game_service)
    pages = ("/", f"/games/{game}", "/nowhere")
    for url in (*pages, f"/api/v1/games/{game}", "/static/boards/page.js"):
        policy = browser.client.get(url).headers["content-security-policy"]
        assert "default-src 'none'; script-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy


def test_pages_that_show_a_match_may_be_framed_by_named_sites(game_service: GameService) -> None:
    game = start_game(game_service)
    web = Application(game_service, [HOST], framed_by=["https://example.org"])
    for path, framed_by in (
        (f"/games/{game}/watch", "'self' https://example.org"),
        ("/", "'none'"),
    ):
        answer = make_client(web.app, f"http://{HOST}").get(path)
        policy = answer.headers["content-security-policy"]
        assert policy.endswith(f"frame-ancestors {framed_by}"), path


def test_a_position_does_not_show_what_is_hidden(tmp_path: Path) -> None:
    game_service = a_game_service(tmp_path / "games.sqlite", no_orders)
    game, one, two, public = (
        start_game(game_service, "smac", "pp"),
        *(Browser(game_service) for _ in range(3)),
    )
    with one.client, two.client, public.client:
        one.sit_down(game, 1)
        two.sit_down(game, 2)
        url = f"/api/v1/games/{game}/draft"
        one.client.put(url, json={"step": 0, "team": 1, "lines": [["bid", 7]]})
        before = [each.client.get(f"/api/v1/games/{game}").text for each in (two, public)]
        one.order(game, step=0, team=1, order={"bid": 7})
        after = [each.client.get(f"/api/v1/games/{game}").text for each in (two, public)]
        answered = '"team":1,"piece":0,"step":0,"is_answered":'
        assert [text.replace(answered + "true", answered + "false") for text in after] == before
        game_service.answer(game, Ask(2), 0, {})
        drafts = (
            each.client.get(url, params={"team": team}).json()
            for team, each in enumerate((one, two), 1)
        )
        assert [draft["shows"]["bank"] for draft in drafts] == [13, 20]
        assert public.client.get(url, params={"team": 1}).status_code == 403
        boards = [each.position(game)["board"] for each in (one, two, public)]
        assert [board["own"] and board["own"]["bank"] for board in boards] == [13, 20, None]
