"""Where games begin: the lobby, seats for friends, rematches; and whose the seats are."""

import json
import re
import threading
from itertools import permutations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from runners.statistics.live_ratings import LiveRatings
from runners.statistics.scores import Score
from server.games import lobby_pages as gathering
from server.games.clocks import read_control
from server.games.open_games import MAX_WAITING_GAMES, NotPossible, OpenGame, SeatKind
from server.games.player_ratings import find_rated_players
from server.site.home_pages import MAX_FINISHED_GAMES
from tests.server.members import HOST, Browser, Server, page_text, read_link, serving
from tests.server.playing import start_game

ATOM = "{http://www.w3.org/2005/Atom}"


def new_game(browser: Browser, *others: str, game: str = "smack", mine: str = "1") -> str:
    """Make a game, and return the path where it leads."""
    fields = {f"other-{number}": said for number, said in enumerate(others, 1)}
    fields |= {"game": game, "seats": str(len(others) + 1), "mine": mine}
    answer = browser.post("/lobby/new", fields)
    assert answer.status_code == 200, page_text(answer)
    return str(answer.url.path)


def waiting(server: Server) -> list[OpenGame]:
    return server.site.open_games.find_waiting()


def is_yours(browser: Browser, game: str) -> list[bool]:
    position = json.loads(browser.get(f"/api/v1/games/{game}").content)
    return [seat["is_yours"] for seat in position["seats"]]


def give_up(browser: Browser, game: str, team: int) -> None:
    """Resign both halves of a game of Smack!."""
    for half in (1, 2):
        body = {"team": team, "piece": half, "name": "resign"}
        answer = browser.client.post(f"/api/v1/games/{game}/acts", json=body)
        assert answer.status_code == 200, answer.text


# -- a new game -------------------------------------------------------------------------------


def test_a_game_against_a_bot_begins_at_once(server: Server) -> None:
    browser = server.member("Ann")
    path = new_game(browser, "bot:player_three")
    assert path.startswith("/games/")
    assert "Your move in 1 game" in browser.text("/")
    assert "Ann against Searcher" in browser.text("/")
    assert waiting(server) == []


def test_people_play_smack_at_their_own_pace(server: Server) -> None:
    browser = server.member("Ann")
    assert "each board at its own pace" in browser.text("/lobby/new?game=smack")
    new_game(browser, "open")
    (game,) = waiting(server)
    assert game.spec.settings.pace == "free"
    assert "casual, no clock, each board at its own pace" in server.member("Bob").text("/lobby")


def test_a_game_begins_when_all_seats_are_taken(server: Server) -> None:
    ann, bob, eve = (server.member(name) for name in ("Ann", "Bob", "Eve"))
    path = new_game(ann, "open", "bot:player_two", "open", game="smac", mine="2")
    (game,) = waiting(server)
    assert path == f"/lobby/{game.id}"
    kinds = [seat.kind for seat in game.seats]
    assert kinds == [SeatKind.OPEN, SeatKind.PERSON, SeatKind.BOT, SeatKind.OPEN]
    page = bob.text("/lobby")
    for words in ("SMAC by Ann", "Take seat 1", "Seat 2 Ann", "Spreader bot", "Take seat 4"):
        assert words in page
    assert str(bob.post(f"{path}/take", {"team": "4"}).url.path) == path
    assert "Take seat" not in bob.text("/lobby")  # he has one
    began = eve.post(f"{path}/take", {"team": "1"})
    assert began.url.path == f"/games/{game.id}"
    assert ann.get(path).url.path == f"/games/{game.id}"
    assert is_yours(ann, game.id) == [False, True, False, False]
    assert is_yours(bob, game.id) == [False, False, False, True]
    assert is_yours(server.browser(), game.id) == [False] * 4


def test_ones_own_seat_is_drawn_by_lot_or_chosen(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = server.member("Ann")
    monkeypatch.setattr("server.games.lobby_pages.secrets.randbelow", lambda below: below - 1)
    new_game(browser, "open", mine="lot")
    (game,) = waiting(server)
    assert game.find_team(server.person_id("Ann")) == 2


@pytest.mark.variants(3)
@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"game": "chess"}, "is not a game of people: expected one of smack, "),
        ({"game": "smack", "seats": "3"}, "Smack! has 2 seats"),
        ({"game": "smac", "seats": "7"}, "SMAC has 2 to 6 seats"),
        ({"game": "smac", "seats": "x"}, "SMAC has 2 to 6 seats"),
        ({"other-1": "bot:../../etc/passwd"}, "there is no bot '../../etc/passwd'"),
        ({"other-1": "bot:player_base"}, "there is no bot 'player_base'"),
        ({"other-1": "asked"}, "every seat is open, for a friend, or a bot's"),
        ({"other-1": ""}, "every seat is open, for a friend, or a bot's"),
        ({"clock": "0+1", "other-1": "open"}, "that clock is not available"),
        ({"mine": "3", "other-1": "open"}, "your seat is one of 1 to 2"),
    ],
)
def test_a_game_that_cannot_be_is_refused_with_the_reason(
    server: Server, fields: dict[str, str], reason: str
) -> None:
    answer = server.member("Ann").post("/lobby/new", fields)
    assert answer.status_code == 422
    assert reason in page_text(answer)
    assert waiting(server) == []


def test_a_refused_form_keeps_what_was_chosen(server: Server) -> None:
    fields = {"game": "smac", "seats": "3", "mine": "2", "other-1": "bot:player_two"}
    answer = server.member("Ann").post("/lobby/new", fields)
    assert answer.status_code == 422
    assert '<option value="2" selected>' in answer.text
    assert '<option value="bot:player_two" selected>' in answer.text


def test_bots_are_listed_by_measured_strength_where_none_is_rated(server: Server) -> None:
    names = server.site.lobby_pages._opponents.list_names("smack")
    # Without player_base, the template.
    assert names == ["player_three", "player_four", "player_two", "player_one"]


def test_bots_are_listed_the_strongest_first(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    opponents = server.site.lobby_pages._opponents
    digests = {bot.name: bot.digest for bot in opponents._all_bots("smack")}
    ratings = {digests["player_three"]: 1700.0, digests["player_two"]: 1600.0}
    monkeypatch.setattr(opponents, "_find_ratings", lambda game: ratings)
    names = opponents.list_names("smack")
    assert names == ["player_three", "player_two", "player_four", "player_one"]


def test_starter_bots_are_offered_by_their_names_and_strength(server: Server) -> None:
    page = server.member("Ann").get("/lobby/new?game=smack&seats=2").text
    assert "Searcher (player_three): strength 4 of 4" in page
    assert "Random (player_one): strength 1 of 4" in page


def test_a_person_has_so_many_games_waiting_and_no_more(server: Server) -> None:
    browser = server.member("Ann")
    for _ in range(MAX_WAITING_GAMES):
        new_game(browser, "open")
    answer = browser.post("/lobby/new", {"game": "smack", "other-1": "open"})
    assert answer.status_code == 422
    assert "cancel one of them" in page_text(answer)


def test_a_game_is_played_with_the_clock_that_was_chosen(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    fields = {"game": "smac", "seats": "2", "mine": "1", "other-1": "open", "clock": "3d"}
    path = ann.post("/lobby/new", fields).url.path
    assert "casual, 3 days for each move" in bob.text("/lobby")
    bob.post(f"{path}/take", {"team": "2"})
    stored = server.storage.find_game(path.rpartition("/")[2])
    assert stored is not None
    assert stored.terms.clock == read_control("3d")
    assert stored.terms.substitute is not None
    assert stored.terms.substitute.name == "player_one"


def test_every_clock_of_the_list_can_be_read() -> None:
    for clock in gathering.CLOCK_CHOICES:
        assert str(read_control(clock)) == clock


# -- seats ------------------------------------------------------------------------------------


def test_a_seat_is_taken_once(server: Server) -> None:
    path = new_game(server.member("Ann"), "open", "open", game="smac")
    bob, eve = server.member("Bob"), server.member("Eve")
    bob.post(f"{path}/take", {"team": "2"})
    refused = eve.post(f"{path}/take", {"team": "2"})
    assert refused.status_code == 409
    assert "this seat is not free" in page_text(refused)
    assert "seat refused" in server.audit()


@pytest.mark.variants(2)
@pytest.mark.parametrize("team", ["0", "4", "-1", "x", "", "99999"])
def test_a_seat_that_is_not_there_is_refused(server: Server, team: str) -> None:
    path = new_game(server.member("Ann"), "open", "open", game="smac")
    assert server.member("Bob").post(f"{path}/take", {"team": team}).status_code == 409


def test_nobody_takes_two_seats(server: Server) -> None:
    ann = server.member("Ann")
    path = new_game(ann, "open")
    refused = ann.post(f"{path}/take", {"team": "2"})
    assert refused.status_code == 409
    assert "you have a seat in this game already" in page_text(refused)


def test_of_many_who_take_the_last_seat_one_has_it(server: Server) -> None:
    new_game(server.member("Ann"), "open")
    (game,) = waiting(server)
    people = [server.member(f"Bob {number}") for number in range(4)]
    answers: list[int] = []

    def take(browser: Browser) -> None:
        answers.append(browser.post(f"/lobby/{game.id}/take", {"team": "2"}).status_code)

    threads = [threading.Thread(target=take, args=[browser]) for browser in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == [200, 409, 409, 409]
    assert [is_yours(browser, game.id)[1] for browser in people].count(True) == 1


def test_a_seat_can_be_left(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open", "open", game="smac")
    bob.post(f"{path}/take", {"team": "3"})
    assert "Leave the seat" in bob.text(path)
    bob.post(f"{path}/leave")
    assert [seat.name for seat in waiting(server)[0].seats] == ["Ann", "", ""]
    assert ann.post(f"{path}/leave").status_code == 409
    assert bob.post(f"{path}/leave").status_code == 409


def test_ones_own_game_can_be_canceled_before_it_begins(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    refused = bob.post(f"{path}/cancel")
    assert refused.status_code == 409
    assert "only who made a game can cancel it" in page_text(refused)
    assert ann.post(f"{path}/cancel").url.path == "/lobby"
    assert waiting(server) == []
    gone = bob.post(f"{path}/take", {"team": "2"})
    assert gone.status_code == 404
    assert "perhaps it was canceled" in page_text(gone)


def test_a_game_that_has_begun_is_not_canceled(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    bob.post(f"{path}/take", {"team": "2"})
    refused = ann.post(f"{path}/cancel")
    assert refused.status_code == 409
    assert server.storage.find_game(path.rpartition("/")[2]) is not None


def test_the_lobby_is_for_members(server: Server) -> None:
    path = new_game(server.member("Ann"), "open")
    stranger = server.browser()
    for page in ("/lobby", "/lobby/new", path):
        assert stranger.get(page).url.path == "/sign-in"
    assert stranger.post(f"{path}/take", {"team": "2"}).url.path == "/sign-in"
    assert len(waiting(server)) == 1


# -- friends ----------------------------------------------------------------------------------


def test_a_friend_without_an_account_sits_down_with_a_link(server: Server) -> None:
    ann, friend = server.member("Ann"), server.browser()
    path = new_game(ann, "friend")
    link = read_link(ann.post(f"{path}/link", {"team": "2"}))
    assert "readonly" not in ann.get(path).text  # it is shown once
    assert "Ann invites you to play Smack!" in friend.text(link)
    began = friend.post(link, {"name": "Fred"})
    game = path.rpartition("/")[2]
    assert began.url.path == f"/games/{game}"
    assert is_yours(friend, game) == [False, True]
    assert "Ann against Fred (guest)" in ann.text("/")
    assert server.browser().post(link, {"name": "Eve"}).status_code == 404
    # Who opens it again, in the browser that has the seat, is led back to it.
    assert friend.get(link).url.path == f"/games/{game}"


def test_a_game_with_a_friend_shows_its_link_at_once(server: Server) -> None:
    ann = server.member("Ann")
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend"}
    made = ann.post("/lobby/new", fields)
    assert "it works once" in page_text(made)
    assert '<svg viewBox="0 0' in made.text  # as a QR code, too
    assert server.browser().post(read_link(made), {"name": "Fred"}).url.path.startswith("/games/")


def test_a_guest_waits_for_the_others(server: Server) -> None:
    ann, friend = server.member("Ann"), server.browser()
    path = new_game(ann, "friend", "open", game="smac")
    link = read_link(ann.post(f"{path}/link", {"team": "2"}))
    assert friend.post(link, {"name": "Fred"}).url.path == path
    assert "Fred (guest)" in friend.text(path)
    assert "Your games as a guest" in friend.text("/")
    server.member("Bob").post(f"{path}/take", {"team": "3"})
    assert is_yours(friend, path.rpartition("/")[2]) == [False, True, False]


def test_a_friend_with_an_account_sits_down_with_it(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "friend")
    link = read_link(ann.post(f"{path}/link", {"team": "2"}))
    assert "You sit down as Bob" in bob.text(link)
    bob.post(link)
    assert "Ann against Bob" in bob.text("/")


def test_a_guest_does_not_take_the_name_of_a_member(server: Server) -> None:
    ann = server.member("Ann")
    link = read_link(ann.post(f"{new_game(ann, 'friend')}/link", {"team": "2"}))
    for name, reason in (("ANN", "somebody with an account"), ("x", "2 to 24 letters")):
        refused = server.browser().post(link, {"name": name})
        assert refused.status_code == 422
        assert reason in page_text(refused)
        assert f'value="{name}"' in refused.text


def test_a_newer_link_ends_the_older_one(server: Server) -> None:
    ann = server.member("Ann")
    path = new_game(ann, "friend")
    older, newer = (read_link(ann.post(f"{path}/link", {"team": "2"})) for _ in range(2))
    assert server.browser().get(older).status_code == 404
    assert server.browser().get(newer).status_code == 200


def test_only_who_made_the_game_gives_its_friends_seats_away(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "friend", "open", game="smac")
    assert bob.post(f"{path}/link", {"team": "2"}).status_code == 409
    assert bob.post(f"{path}/take", {"team": "2"}).status_code == 409
    assert ann.post(f"{path}/link", {"team": "3"}).status_code == 409


# -- whose a seat is --------------------------------------------------------------------------


def test_a_seat_is_played_from_any_browser_of_its_owner(server: Server) -> None:
    laptop, phone = server.member("Ann"), server.browser()
    phone.post(read_link(laptop.post("/me/device-link")))
    game = new_game(laptop, "bot:player_three").rpartition("/")[2]
    body = {"team": 1, "piece": 1, "name": "resign"}
    acts = f"/api/v1/games/{game}/acts"
    assert server.browser().client.post(acts, json=body).status_code == 403
    assert server.member("Bob").client.post(acts, json=body).status_code == 403
    assert phone.client.post(acts, json=body).status_code == 200
    laptop.post("/sign-out")
    assert laptop.client.post(acts, json={**body, "piece": 2}).status_code == 403


def test_a_cookie_of_one_game_still_counts(server: Server) -> None:
    game = start_game(server.game_service)
    browser = server.member("Ann")
    browser.get(f"/games/{game}?key={server.game_service.keys.new_key(game, [2])}")
    assert is_yours(browser, game) == [False, True]


def test_a_game_that_was_full_when_the_server_ended_begins(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        ann, bob = server.member("Ann"), server.member("Bob")
        path = new_game(ann, "open")
        person = server.site.people.find_person_by_name("Bob")
        assert person is not None
        game = path.rpartition("/")[2]
        server.site.open_games.take(game, 2, person)
        cookies = bob.client.cookies
    with serving(tmp_path) as server:
        bob = server.browser()
        bob.client.cookies = cookies
        assert is_yours(bob, game) == [False, True]


# -- the first page ---------------------------------------------------------------------------


def test_everybody_sees_the_games_running_now(server: Server) -> None:
    game = new_game(server.member("Ann"), "bot:player_three").rpartition("/")[2]
    page = server.browser().get("/")
    assert "Smack!: Ann against Searcher" in page_text(page)
    assert f'href="/games/{game}"' in page.text
    assert server.browser().get(f"/games/{game}").status_code == 200


def test_the_first_page_says_how_to_begin(server: Server) -> None:
    browser = server.member("Ann")
    assert "How to begin" in browser.text("/")
    new_game(browser, "bot:player_three")
    assert "How to begin" not in browser.text("/")


def test_a_game_where_others_are_to_move_says_so(server: Server) -> None:
    ann = server.member("Ann")
    path = new_game(ann, "bot:player_two", game="smac")
    game = path.rpartition("/")[2]
    assert "Your move in 1 game" in ann.text("/")
    position = json.loads(ann.get(f"/api/v1/games/{game}").content)
    step = next(ask["step"] for ask in position["asks"] if ask["team"] == 1)
    body = {"step": step, "team": 1, "piece": 0, "order": {}}
    answer = ann.client.post(f"/api/v1/games/{game}/orders", json=body)
    assert answer.status_code == 200, answer.text
    page = ann.text("/")
    assert "The others think" in page
    assert "Your move in" not in page


# -- new messages -----------------------------------------------------------------------------


def two_play(server: Server, ann: Browser, bob: Browser) -> str:
    """Begin a game of Ann against Bob, who read each other, and return its id."""
    path = new_game(ann, "open")
    bob.post(f"{path}/take", {"team": "2"})
    game = path.rpartition("/")[2]
    for team, other in permutations((1, 2)):
        server.game_service.conversations.decide(game, [team], other, None)
    return game


def read_all(browser: Browser, game: str) -> None:
    messages = json.loads(browser.get(f"/api/v1/games/{game}").content)["messages"]
    body = {"up_to": messages[-1]["id"]}
    answer = browser.client.put(f"/api/v1/games/{game}/messages/read", json=body)
    assert answer.status_code == 200, answer.text


def new_in(browser: Browser) -> dict[str, str]:
    """Return what a first page says of new messages: in all, and by game."""
    page = browser.get("/").text
    by_game = dict(re.findall(r'href="/games/(\w+)#messages">(\d+ new messages?)<', page))
    total = re.findall(r"\d+ new messages? in \d+ games?", page)
    return by_game | ({"": total[0]} if total else {})


def test_the_first_page_counts_new_messages_in_games_that_run_or_are_over(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    first, second = (two_play(server, ann, bob) for _ in range(2))
    say = server.game_service.conversations.say
    for text in ("hello", "Bob?"):
        say(first, 1, text)
    say(second, 1, "hello")
    say(second, 2, "hello")
    assert new_in(ann) == {second: "1 new message", "": "1 new message in 1 game"}
    both = {first: "2 new messages", second: "1 new message", "": "3 new messages in 2 games"}
    assert new_in(bob) == both
    give_up(ann, second, 1)
    assert new_in(bob) == both
    read_all(bob, first)
    assert new_in(bob) == {second: "1 new message", "": "1 new message in 1 game"}
    assert new_in(server.member("Eve")) == {}
    read_all(bob, second)
    assert new_in(bob) == {}
    saved = json.loads(bob.get("/me/export").content)["games"]
    assert sorted(each["messages_read_up_to"] for each in saved) == [[2], [4]]
    say(first, 1, "good game")
    assert new_in(bob) == {first: "1 new message", "": "1 new message in 1 game"}


def test_messages_of_games_long_over_are_not_counted(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    oldest, *others = (two_play(server, ann, bob) for _ in range(MAX_FINISHED_GAMES + 1))
    for game in (oldest, *others):
        server.game_service.conversations.say(game, 1, "hello")
        give_up(ann, game, 1)
    assert new_in(bob).keys() == {*others, ""}


# -- rematches --------------------------------------------------------------------------------


def test_a_rematch_against_a_bot_begins_with_seats_rotated(server: Server) -> None:
    ann = server.member("Ann")
    game = new_game(ann, "bot:player_three").rpartition("/")[2]
    assert ann.post(f"/games/{game}/rematch").status_code == 409
    give_up(ann, game, 1)
    assert "Rematch" in ann.text("/")
    path = ann.post(f"/games/{game}/rematch").url.path
    again = path.rpartition("/")[2]
    assert again != game
    assert is_yours(ann, again) == [False, True]
    first, second = server.storage.find_game(game), server.storage.find_game(again)
    assert first is not None
    assert second is not None
    assert first.spec.seed != second.spec.seed
    assert first.spec.settings == second.spec.settings
    assert ann.post(f"/games/{game}/rematch").url.path == path  # asked twice, made once


def test_the_seats_of_a_rematch_belong_to_the_same_people(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    game = path.rpartition("/")[2]
    bob.post(f"{path}/take", {"team": "2"})
    give_up(ann, game, 1)
    answer = ann.client.post(f"/api/v1/games/{game}/rematch", json={})  # as the board does
    assert answer.status_code == 200, answer.text
    again = bob.post(f"/games/{game}/rematch").url.path
    rematch = again.rpartition("/")[2]
    assert bob.get(f"/games/{game}/rematch").url.path == again
    assert is_yours(ann, rematch) == [False, True]
    assert is_yours(bob, rematch) == [True, False]
    assert "Your move in 1 game" in bob.text("/")


def test_a_rematch_needs_everybody(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    game = path.rpartition("/")[2]
    bob.post(f"{path}/take", {"team": "2"})
    give_up(ann, game, 1)
    bob.post("/me/delete", {"name": "Bob"})
    answer = ann.post(f"/games/{game}/rematch")
    assert answer.status_code == 409
    assert "has left" in page_text(answer)


def test_only_who_has_played_asks_for_a_rematch(server: Server) -> None:
    ann = server.member("Ann")
    game = new_game(ann, "bot:player_three").rpartition("/")[2]
    give_up(ann, game, 1)
    assert server.member("Bob").post(f"/games/{game}/rematch").status_code == 404
    assert server.browser().post(f"/games/{game}/rematch").url.path == "/sign-in"


# -- leaving ----------------------------------------------------------------------------------


def test_whoever_leaves_takes_their_name_off_all_games(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    game = path.rpartition("/")[2]
    bob.post(f"{path}/take", {"team": "2"})
    other = new_game(bob, "open", "open", game="smac")
    ann.post(f"{other}/take", {"team": "2"})
    new_game(ann, "open")
    assert "Ann" in bob.get(f"/api/v1/games/{game}").text
    ann.post("/me/delete", {"name": "Ann"})
    position = json.loads(bob.get(f"/api/v1/games/{game}").content)
    assert [seat["name"] for seat in position["seats"]] == ["deleted", "Bob"]
    (left,) = waiting(server)
    assert [seat.name for seat in left.seats] == ["Bob", "", ""]
    assert "Ann" not in bob.text("/lobby")


def test_a_download_has_ones_games_and_orders(server: Server) -> None:
    ann = server.member("Ann")
    game = new_game(ann, "bot:player_three").rpartition("/")[2]
    move = {"step": 0, "team": 1, "piece": 1, "order": "A6-B6"}
    ordered = ann.client.post(f"/api/v1/games/{game}/orders", json=move)
    assert ordered.status_code == 200, ordered.text
    give_up(ann, game, 1)
    (saved,) = json.loads(ann.get("/me/export").content)["games"]
    assert (saved["id"], saved["your_teams"], saved["is_over"]) == (game, [1], True)
    assert [one.get("act") for one in saved["orders"]] == [None, "resign", "resign"]
    assert saved["orders"][0]["piece"] == 1
    assert saved["not_played_yet"] == [{"orders": [], "drafts": [], "ordered_ahead": []}]


# -- the feed ---------------------------------------------------------------------------------


def test_the_feed_has_the_moves_to_make(server: Server) -> None:
    ann = server.member("Ann")
    link = read_link(ann.post("/me/feed"))
    game = new_game(ann, "bot:player_three").rpartition("/")[2]
    answer = server.browser().get(link)
    assert answer.headers["content-type"].startswith("application/atom+xml")
    feed = ElementTree.fromstring(answer.text)
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "Your move: Smack!, Ann against Searcher"
    found = entry.find(f"{ATOM}link")
    assert found is not None
    assert found.get("href") == f"http://{HOST}/games/{game}"
    assert entry.findtext(f"{ATOM}updated", "").endswith("+00:00")
    give_up(ann, game, 1)
    assert not ElementTree.fromstring(server.browser().get(link).text).findall(f"{ATOM}entry")


def test_a_feed_that_was_replaced_leads_nowhere(server: Server) -> None:
    ann = server.member("Ann")
    older, newer = (read_link(ann.post("/me/feed")) for _ in range(2))
    assert server.browser().get(older).status_code == 404
    assert server.browser().get(newer).status_code == 200


def test_a_feed_escapes_names(server: Server) -> None:
    ann = server.member("A&<b>")
    link = read_link(ann.post("/me/feed"))
    feed = ElementTree.fromstring(server.browser().get(link).text)
    assert feed.findtext(f"{ATOM}title") == "Slime Mind: your move, A&<b>"


def test_a_seat_of_a_game_that_has_begun_cannot_be_taken(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    path = new_game(ann, "open")
    bob.post(f"{path}/take", {"team": "2"})
    person = server.site.people.find_person_by_name("Bob")
    assert person is not None
    with pytest.raises(NotPossible, match="has begun"):
        server.site.open_games.take(path.rpartition("/")[2], 2, person)


# -- rated games ------------------------------------------------------------------------------


def test_a_rated_game_says_so_and_takes_no_move_back(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open", "rated": "yes"}
    path = ann.post("/lobby/new", fields).url.path
    assert "rated" in bob.text("/lobby")
    bob.post(f"{path}/take", {"team": "2"})
    game = path.rpartition("/")[2]
    position = json.loads(ann.get(f"/api/v1/games/{game}").content)
    assert position["is_rated"]
    assert position["board"]["pace"] == "lockstep"  # rules 7.7: who copies would always draw
    ask = next(ask for ask in position["asks"] if ask["team"] == 1)
    with server.game_service.open_session(game) as session:
        move = str(session.stepper.state.halves[ask["piece"] - 1].position.moves()[0])
    order = {"step": ask["step"], "team": 1, "piece": ask["piece"], "order": move}
    assert ann.client.post(f"/api/v1/games/{game}/orders", json=order).status_code == 200
    after = json.loads(ann.get(f"/api/v1/games/{game}").content)
    assert "take back my move" not in {act["name"] for act in after["acts"]}
    act = {"team": 1, "piece": ask["piece"], "name": "take back my move"}
    assert ann.client.post(f"/api/v1/games/{game}/acts", json=act).status_code == 422


def test_a_rated_game_is_not_for_guests(server: Server) -> None:
    ann = server.member("Ann")
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend", "rated": "yes"}
    answer = ann.post("/lobby/new", fields)
    assert answer.status_code == 422
    assert "for people with accounts" in page_text(answer)
    assert waiting(server) == []


def start_rated_game(server: Server, one: Browser, other: Browser) -> str:
    fields = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open", "rated": "yes"}
    path = one.post("/lobby/new", fields).url.path
    other.post(f"{path}/take", {"team": "2"})
    return str(path.rpartition("/")[2])


def test_rated_games_make_the_ratings_of_players(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    assert "No rated game is over yet" in ann.text("/players")
    casual = new_game(ann, "bot:player_three").rpartition("/")[2]
    give_up(ann, casual, 1)
    assert "No rated game is over yet" in ann.text("/players")
    give_up(ann, start_rated_game(server, ann, bob), 1)
    players = find_rated_players(server.storage.database, "smack")
    assert [(one.name, one.is_person, one.games) for one in players] == [
        ("Bob", True, 1),
        ("Ann", True, 1),
    ]
    assert players[0].elo > 1500 > players[1].elo
    page = ann.text("/players")
    assert "2 Ann you" in page
    assert "1 Bob" in page
    assert "you" not in server.browser().text("/players").partition("Smack!")[2]


def test_ratings_follow_from_the_results_in_their_order(server: Server) -> None:
    ann, bob = server.member("Ann"), server.member("Bob")
    give_up(ann, start_rated_game(server, ann, bob), 1)
    give_up(bob, start_rated_game(server, ann, bob), 2)
    give_up(ann, start_rated_game(server, ann, bob), 1)
    expected = LiveRatings((0, 1))
    for points in ((0.0, 1.0), (1.0, 0.0), (0.0, 1.0)):
        expected.add(Score((0, 1), points))
    players = {one.name: one.elo for one in find_rated_players(server.storage.database, "smack")}
    assert players == {"Ann": expected.get_rating(0).elo, "Bob": expected.get_rating(1).elo}


def test_a_bot_is_rated_by_its_rated_games_and_who_left_is_not_shown(server: Server) -> None:
    ann = server.member("Ann")
    fields = {"game": "smack", "seats": "2", "mine": "1", "rated": "yes"}
    path = ann.post("/lobby/new", fields | {"other-1": "bot:player_three"}).url.path
    give_up(ann, path.rpartition("/")[2], 1)
    players = find_rated_players(server.storage.database, "smack")
    assert [(one.name, one.is_person) for one in players] == [("Searcher", False), ("Ann", True)]
    ann.post("/me/delete", {"name": "Ann"})
    assert [one.name for one in find_rated_players(server.storage.database, "smack")] == [
        "Searcher"
    ]
