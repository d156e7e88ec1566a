"""Playing at once, without an account; and an account that takes the games along."""

import re
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest

from engine.catalog import find_game
from runners.starter_bots import starter_bots
from runners.storage.database import now
from server.games.game_service import UNPLAYED_S
from server.games.open_games import OpenGame
from server.identity.people import Kind
from server.site import home_pages
from tests.server.games.test_advice import play_on
from tests.server.games.test_lobby_pages import is_yours
from tests.server.members import Browser, Page, Server, page_text, read_link, serving

BOT = {"name": "Zoe", "opponent": "bot:player_one"}
FRIEND = {"name": "Zoe", "opponent": "friend"}


def play(browser: Browser, game: str = "smack", **fields: str) -> Page:
    return browser.post(f"/play/{game}", {**BOT, **fields})


def game_id_of_page(answer: Page) -> str:
    """Return the id of the game that a page is about."""
    return str(answer.url.path).rpartition("/")[2]


def waiting(server: Server) -> list[OpenGame]:
    return server.site.open_games.find_waiting()


@pytest.mark.parametrize("game", ["smack", "smac", "slime_mind"])
def test_a_visitor_plays_a_bot_at_once(server: Server, game: str) -> None:
    browser = server.browser()
    assert f"/play/{game}" in browser.get("/play").text
    assert "the weakest" in browser.text(f"/play/{game}")
    assert f'action="/play/{game}"' in browser.get(f"/how-to-play/{game}").text
    began = play(browser, game)
    assert str(began.url.path) == f"/games/{game_id_of_page(began)}"
    assert is_yours(browser, game_id_of_page(began))[0]
    assert is_yours(server.browser(), game_id_of_page(began))[0] is False
    text = browser.text("/")
    assert "Zoe (guest) against" in text
    assert "your move" in text


@pytest.mark.parametrize("game", ["smack", "smac", "slime_mind"])
def test_one_click_begins_a_game_against_a_bot_of_middle_strength(
    server: Server, game: str
) -> None:
    name = server.site._opponents.find_middle_bot(game)
    order = starter_bots(game)
    assert order.index(name) == len(order) // 2
    title = server.site._opponents.seat(game, name, shows_title=True).name
    for browser, me in ((server.browser(), "Guest (guest)"), (server.member("Ann"), "Ann")):
        began = browser.post(f"/play/{game}", {})
        assert str(began.url.path) == f"/games/{game_id_of_page(began)}"
        assert f"{me} against {title}" in browser.text("/")


def test_before_it_has_begun_a_game_gives_way_to_one_against_another_bot(server: Server) -> None:
    for browser in (server.browser(), server.member("Ann")):
        game = game_id_of_page(browser.post("/play/smac", {}))
        assert game in browser.get(f"/play/smac?instead={game}").text
        fields = {"instead": game, "opponent": "bot:player_one", "mine": "2"}
        other = game_id_of_page(browser.post("/play/smac", fields))
        assert is_yours(browser, other) == [False, True]
        assert browser.get(f"/games/{game}").status_code == 404
        assert server.site.open_games.find(game) is None


def test_a_game_that_is_played_or_somebody_elses_stays(server: Server) -> None:
    browser = server.browser()
    game = game_id_of_page(browser.post("/play/smack", {}))
    server.browser().post("/play/smack", {"instead": game})
    server.browser().post("/play/smack", {"instead": "nothing"})
    assert browser.get(f"/games/{game}").status_code == 200
    play_on(server.game_service, game)
    browser.post("/play/smack", {"instead": game})
    assert browser.get(f"/games/{game}").status_code == 200


def test_a_visitor_invites_a_friend_with_a_link(server: Server) -> None:
    host, friend = server.browser(), server.browser()
    made = host.post("/play/smack", FRIEND)
    (game,) = waiting(server)
    assert "it works once" in page_text(made)
    link = read_link(made)
    assert "waits for players" in host.text("/")
    assert host.get(f"/api/v1/lobby/{game.id}").content == b'{"has_begun":false,"declined":0}'
    assert host.get(link).url.path == f"/lobby/{game.id}"  # the host's own browser has a seat
    assert "Zoe (guest) invites you to play Smack!" in friend.text(link)
    assert friend.post(link, {"name": "Fred"}).url.path == f"/games/{game.id}"
    assert b'"has_begun":true' in host.get(f"/api/v1/lobby/{game.id}").content
    assert is_yours(host, game.id) == [True, False]
    assert is_yours(friend, game.id) == [False, True]


def test_games_of_guests_are_not_listed_in_the_lobby(server: Server) -> None:
    server.browser().post("/play/smack", FRIEND)
    assert "None at the moment" in server.member("Ann").text("/lobby")


def test_a_friend_who_never_comes_is_waited_for_a_day(server: Server) -> None:
    server.browser().post("/play/smack", FRIEND)
    server.site.open_games.remove_abandoned(now() - timedelta(days=1))
    assert len(waiting(server)) == 1
    server.site.open_games.remove_abandoned(now())
    assert waiting(server) == []


def test_an_account_made_later_takes_the_games_along(server: Server) -> None:
    browser, other = server.browser(), server.browser()
    game = game_id_of_page(play(browser))
    key = server.site.people.new_link(Kind.PERSON, made_by=None)
    browser.post(f"/welcome/{key}", {"name": "Zoe"})
    assert "Zoe (guest) against" in browser.text("/")
    browser.client.cookies.delete(f"seat-{game}")
    assert is_yours(browser, game) == [True, False]
    assert is_yours(other, game) == [False, False]
    # It is not removed any more as a game of somebody without an account.
    assert server.storage.find_guest_games() == []


def test_a_game_of_a_guest_is_removed_after_a_day_without_a_move(server: Server) -> None:
    game = game_id_of_page(play(server.browser()))
    ((found, is_over, at),) = server.storage.find_guest_games()
    assert (found, is_over) == (game, False)
    assert now() - at < timedelta(seconds=UNPLAYED_S)


def test_members_are_led_to_the_lobby(server: Server) -> None:
    answer = server.member("Ann").get("/play/smac")
    assert str(answer.url.path) == "/lobby/new"
    assert "A new game of SMAC" in page_text(answer)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"name": "ANN"}, "somebody with an account has this name"),
        ({"name": "x"}, "2 to 24 letters"),
        ({"opponent": "bot:../../etc"}, "there is no bot"),
        ({"opponent": "everybody"}, "choose a bot, or a friend"),
        ({"clock": "1s"}, "that clock is not available"),
    ],
)
def test_what_is_refused_is_said_and_makes_no_game(
    server: Server, fields: dict[str, str], message: str
) -> None:
    server.member("Ann")
    refused = play(server.browser(), **fields)
    assert refused.status_code == 422
    assert message in page_text(refused)
    assert server.storage.find_guest_games() == []


def test_a_game_of_designs_begins_in_a_room_of_its_own(server: Server) -> None:
    for browser in (server.browser(), server.member("Ann")):
        assert browser.post("/play/game_of_death", {}).url.path.startswith("/rooms/")
        assert browser.get("/play/game_of_death").url.path == "/rooms/new"


def test_other_games_are_not_there(server: Server) -> None:
    answer = server.browser().get("/play/chess")
    assert answer.status_code == 404
    assert "is not a game of people: expected one of smack, " in page_text(answer)


def test_a_flood_from_one_address_and_from_many_is_refused(tmp_path: Path) -> None:
    with serving(
        tmp_path, limits={"guest_game.guest_address": 3, "guest_game.all_guests": 8}
    ) as server:
        found = [play(server.browser("10.0.0.1")).status_code for _ in range(5)]
        assert found == [200, 200, 200, 429, 429]
        many = [play(server.browser(f"10.1.{n}.1")).status_code for n in range(7)]
        assert many.count(200) == 8 - 3
        assert re.search("try again in", page_text(play(server.browser("10.9.9.9"))))


def test_an_organizer_may_keep_a_server_to_accounts(tmp_path: Path) -> None:
    with serving(tmp_path, has_guests=False) as server:
        assert "/play/" not in server.browser().get("/").text
        for answer in (server.browser().get("/play/smack"), play(server.browser())):
            assert answer.status_code == 403
            assert "people with accounts" in page_text(answer)


def test_the_first_page_offers_the_games_there_are_each_with_a_picture(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = SimpleNamespace(name="morris", title="Nine Men", team_counts=(2,))
    monkeypatch.setattr(home_pages, "find_games_of_people", lambda: [find_game("smac"), other])
    page = server.browser().get("/").text
    assert 'action="/play/smac"><button class="primary" type="submit">Play SMAC</button' in page
    assert "/play/smack" not in page
    card = page.partition('aria-label="Pieces on a board."')[2]
    assert "<h3>Nine Men</h3>" in card.partition("</li>")[0]
