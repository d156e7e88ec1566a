"""What people write to each other, and games that they play again."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.game import Act
from engine.games.smack import rules
from server.games.clocks import read_control
from server.games.game_rows import Terms
from server.games.game_service import GameService
from server.messages.conversations import (
    MAX_MESSAGE_LENGTH,
    MAX_MESSAGES,
    MESSAGES_AT_ONCE,
    MESSAGES_S,
)
from tests.server.playing import Changed, Now, a_game_service, start_game
from tests.server.test_app import Browser


@pytest.fixture
def game_service(path: Path, now: Now) -> GameService:
    return a_game_service(path, now=now)


@pytest.fixture
def browsers(game_service: GameService) -> Iterator[list[Browser]]:
    browsers = [Browser(game_service) for _ in range(3)]
    with browsers[0].client, browsers[1].client, browsers[2].client:
        yield browsers


@pytest.fixture
def game(game_service: GameService) -> str:
    return start_game(game_service)


@pytest.fixture
def seated(browsers: list[Browser], game: str) -> list[Browser]:
    """Return the browsers of two players, and one that looks on."""
    for team, browser in enumerate(browsers[:2], 1):
        browser.sit_down(game, team)
    return browsers


def write(browser: Browser, game: str, text: Any) -> Any:
    return browser.client.post(f"/api/v1/games/{game}/messages", json={"text": text})


def texts(browser: Browser, game: str) -> list[tuple[int, str]]:
    return [(each["team"], each["text"]) for each in browser.position(game)["messages"]]


def write_again(browser: Browser, game: str, text: str, after: int) -> int:
    body = {"text": text, "after": after}
    return int(browser.client.post(f"/api/v1/games/{game}/messages", json=body).status_code)


# -- messages -------------------------------------------------------------------------------------


def test_a_message_that_is_sent_again_is_kept_once(seated: list[Browser], game: str) -> None:
    one, two, _ = seated
    write(one, game, "ok")
    known = one.position(game)["messages"][-1]["id"]
    write(one, game, "ok")  # said twice on purpose
    for _ in range(2):
        assert write_again(one, game, "ok", known) == 200
        assert write_again(two, game, "ok", known) == 200
    assert texts(one, game) == [(1, "ok"), (1, "ok"), (2, "ok")]


def test_those_who_have_a_seat_read_messages_and_the_public_does_not(
    seated: list[Browser], game: str
) -> None:
    one, two, public = seated
    assert write(one, game, " Good luck! ").status_code == 200
    assert write(two, game, "Viel Glück 🙂").status_code == 200
    said = [(1, "Good luck!"), (2, "Viel Glück 🙂")]
    assert [texts(browser, game) for browser in seated] == [said, said, []]
    assert write(public, game, "hello").status_code == 403


def test_messages_are_kept_over_a_restart(game_service: GameService, path: Path, game: str) -> None:
    game_service.conversations.say(game, 1, "Good luck!")
    (saved,) = a_game_service(path).conversations.load(game).messages
    assert saved.text == "Good luck!"


@pytest.mark.parametrize(
    "text", ["", "  ", "x" * (MAX_MESSAGE_LENGTH + 1), "a\nb", "a\x1bb", "a\u202eb"]
)
def test_what_is_no_message_is_refused(browsers: list[Browser], text: str, game: str) -> None:
    answer = write(browsers[0].sit_down(game, 1), game, text)
    refusal = 422, "a message is one line of 1 to 500 letters"
    assert (answer.status_code, answer.json()["error"]) == refusal


def test_a_message_of_something_else_than_text_is_malformed(
    browsers: list[Browser], game: str
) -> None:
    assert write(browsers[0].sit_down(game, 1), game, 5).status_code == 400


def test_bots_get_no_messages(game_service: GameService, browsers: list[Browser]) -> None:
    game = start_game(game_service, who="pb")
    answer = write(browsers[0].sit_down(game, 1), game, "hello")
    assert (answer.status_code, answer.json()["error"]) == (422, "nobody else here reads messages")


def test_who_writes_too_much_at_once_waits(browsers: list[Browser], now: Now, game: str) -> None:
    browser = browsers[0].sit_down(game, 1)
    codes = [write(browser, game, "hello").status_code for _ in range(MESSAGES_AT_ONCE + 1)]
    assert codes == [200] * MESSAGES_AT_ONCE + [429]
    assert write(browsers[1].sit_down(game, 2), game, "hello").status_code == 200
    now.seconds += MESSAGES_S + 1
    assert write(browser, game, "hello").status_code == 200


def test_only_the_last_messages_are_shown(game_service: GameService, now: Now, game: str) -> None:
    for number in range(MAX_MESSAGES + 2):
        now.seconds += MESSAGES_S
        game_service.conversations.say(game, 1, str(number))
    assert [each.text for each in game_service.conversations.load(game).messages] == [
        str(number) for number in range(2, MAX_MESSAGES + 2)
    ]


def test_a_message_wakes_those_who_follow_the_game(game_service: GameService, game: str) -> None:
    changed = Changed(game_service)
    game_service.conversations.say(game, 1, "hello")
    assert changed.games == [game]


# -- what was read ----------------------------------------------------------------------------


def mark_read(browser: Browser, game: str, up_to: Any) -> int:
    body = {"up_to": up_to}
    return int(browser.client.put(f"/api/v1/games/{game}/messages/read", json=body).status_code)


def test_what_was_read_in_a_seat_is_read_on_each_of_its_devices_and_in_no_other_seat(
    game_service: GameService, seated: list[Browser], game: str, path: Path
) -> None:
    one, two, public = seated
    write(one, game, "hello")
    (message,) = two.position(game)["messages"]
    changed = Changed(game_service)
    assert mark_read(two, game, message["id"]) == 200
    assert changed.games == [game]  # the other devices
    assert [each.position(game)["read_up_to"] for each in seated] == [0, message["id"], 0]
    assert a_game_service(path).conversations.load(game).read_up_to == {2: message["id"]}
    assert mark_read(public, game, message["id"]) == 403


def test_what_was_read_stays_read_and_nothing_is_read_that_was_not_written(
    game_service: GameService, browsers: list[Browser], game: str
) -> None:
    one = browsers[0].sit_down(game, 1)
    assert mark_read(one, game, 5) == 200
    assert one.position(game)["read_up_to"] == 0
    for _ in range(2):
        game_service.conversations.say(game, 2, "hello")
    first, second = (message["id"] for message in one.position(game)["messages"])
    assert mark_read(one, game, second + 1000) == 200
    assert one.position(game)["read_up_to"] == second
    changed = Changed(game_service)
    assert mark_read(one, game, first) == 200
    assert one.position(game)["read_up_to"] == second
    assert changed.games == []


@pytest.mark.parametrize("up_to", [-1, 2**31, "1", None])
def test_what_is_no_message_cannot_be_read(browsers: list[Browser], up_to: Any, game: str) -> None:
    assert mark_read(browsers[0].sit_down(game, 1), game, up_to) == 400


def test_the_first_page_of_a_browser_counts_what_others_have_written_since_it_was_read(
    game_service: GameService, seated: list[Browser], game: str
) -> None:
    one, two, _ = seated
    game_service.conversations.say(game, 1, "hello")
    assert "1 new message<" in two.client.get("/").text
    assert "new message" not in one.client.get("/").text  # nobody reads their own
    game_service.conversations.say(game, 1, "are you there?")
    assert "2 new messages<" in two.client.get("/").text
    mark_read(two, game, two.position(game)["messages"][0]["id"])
    assert "1 new message<" in two.client.get("/").text


# -- again ----------------------------------------------------------------------------------------


def end(game_service: GameService, game: str) -> None:
    for board in (1, 2):
        game_service.perform_act(game, Act(1, board, rules.RESIGN))


def ask_rematch(browser: Browser, game: str) -> Any:
    return browser.client.post(f"/api/v1/games/{game}/rematch", json={})


def decline_rematch(browser: Browser, game: str) -> Any:
    return browser.client.request("DELETE", f"/api/v1/games/{game}/rematch", json={})


def test_a_rematch_has_the_seats_rotated_and_everybody_finds_it(
    game_service: GameService, browsers: list[Browser]
) -> None:
    terms = Terms(clock=read_control("10+5"))
    game = start_game(game_service, terms=terms, ply_limit=50)
    one, two, _ = browsers
    one.sit_down(game, 1)
    two.sit_down(game, 2)
    end(game_service, game)
    assert ask_rematch(one, game).json() == {"rematch": None}  # the other one has yet to agree
    assert ask_rematch(one, game).json() == {"rematch": None}
    wishes = [each.position(game)["rematch_wishes"] for each in browsers]
    assert wishes == [[1], [1], []]
    assert one.client.get(f"/games/{game}/rematch").status_code == 422
    rematch = ask_rematch(two, game).json()["rematch"]
    assert ask_rematch(one, game).json()["rematch"] == rematch  # there is one
    assert [each.position(game)["rematch"] for each in browsers] == [rematch, rematch, None]
    for browser in browsers:
        page = browser.client.get(f"/games/{game}/rematch")
        assert page.url.path == f"/games/{rematch}"
    seats = [[seat["is_yours"] for seat in each.position(rematch)["seats"]] for each in browsers]
    assert seats == [[False, True], [True, False], [False, False]]
    position = one.position(rematch)
    assert [seat["name"] for seat in position["seats"]] == ["Ann 2", "Ann 1"]
    assert position["clock"] == "10+5"
    with game_service.open_session(rematch) as session, game_service.open_session(game) as old:
        spec, before = session.stored.spec, old.stored.spec
        assert spec.settings == before.settings
        assert spec.seed != before.seed
        assert not set(spec.bots) & set(before.bots)  # people stand for nobody of another game


def test_who_asks_for_a_rematch_is_told_that_it_is_declined(
    game_service: GameService, browsers: list[Browser], path: Path, game: str
) -> None:
    one, two = browsers[0].sit_down(game, 1), browsers[1].sit_down(game, 2)
    assert decline_rematch(two, game).status_code == 422  # it is not over
    end(game_service, game)
    ask_rematch(one, game)
    assert decline_rematch(two, game).json() == {}
    assert decline_rematch(two, game).json() == {}
    for each in (one, two):
        position = each.position(game)
        assert (position["rematch_wishes"], position["rematch_refusals"]) == ([1], [2])
    assert browsers[2].position(game)["rematch_refusals"] == []
    with a_game_service(path).open_session(game) as session:
        assert session.rematch_answers == {1, -2}
    assert ask_rematch(two, game).json()["rematch"]  # after all
    assert one.position(game)["rematch_refusals"] == []
    assert decline_rematch(two, game).status_code == 422


def test_a_rematch_keeps_its_bots(game_service: GameService, browsers: list[Browser]) -> None:
    game = start_game(game_service, who="pb")
    browser = browsers[0].sit_down(game, 1)
    end(game_service, game)
    rematch = ask_rematch(browser, game).json()["rematch"]
    seats = browser.position(rematch)["seats"]
    assert [(seat["name"], seat["kind"]) for seat in seats] == [
        ("bot 2", "bot"),
        ("Ann 1", "person"),
    ]
    assert browser.position(rematch)["board"]["halves"][0]["ply"] == 1  # the bot has begun


def test_there_is_no_rematch_before_the_end_nor_for_the_public(
    game_service: GameService, browsers: list[Browser], game: str
) -> None:
    answer = ask_rematch(browsers[0].sit_down(game, 1), game)
    assert (answer.status_code, answer.json()["error"]) == (422, "the game is not over")
    end(game_service, game)
    assert ask_rematch(browsers[2], game).status_code == 403
    assert browsers[2].client.get(f"/games/{game}/rematch").status_code == 422


def test_a_rematch_is_found_after_a_restart(
    game_service: GameService, path: Path, game: str
) -> None:
    end(game_service, game)
    assert game_service.create_rematch(game, [1]) is None
    rematch = a_game_service(path).create_rematch(game, [2])
    assert rematch is not None
    again = a_game_service(path)
    assert again.create_rematch(game, []) == rematch
    assert again.rematch_token(game, ())[0] == rematch
