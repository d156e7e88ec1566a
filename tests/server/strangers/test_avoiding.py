"""People who mute and block each other, in a game and everywhere; messages with guests."""

import json

import pytest

from server.games.open_games import OpenGame, SeatKind
from server.games.watching import make_position_event
from server.messages import block_list
from server.messages.block_list import Restriction
from tests.server.games.test_lobby_pages import give_up, new_game, waiting
from tests.server.members import Browser, Page, Server, page_text, read_link
from tests.server.strangers.talking import avoid, between, position, say, send, texts

SECRET = "you cannot unread this"


def fetch_everything(server: Server, browser: Browser, game: str, team: int) -> str:
    """Return all that a player is sent: pages, the API, the stream, the download of their data."""
    paths = ("/", f"/games/{game}", f"/games/{game}/plain", f"/games/{game}/people", "/me/export")
    pages = [browser.get(path).text for path in (*paths, f"/api/v1/games/{game}")]
    streamed = [
        make_position_event(server.game_service, game, (team,), since).data.decode()
        for since in (None, 0)
    ]
    return "\n".join([*pages, *streamed])


# -- muting -------------------------------------------------------------------------------------


def test_who_is_muted_in_a_game_writes_without_being_read_until_that_ends(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, "before")
    assert avoid(ann, game, 2, "mute") == 200
    assert say(bob, game, SECRET) == (200, "")
    assert say(ann, game, "and you?") == (200, "")
    assert texts(ann, game) == ["and you?"]
    assert texts(bob, game) == ["before", SECRET, "and you?"]
    assert SECRET not in fetch_everything(server, ann, game, 1)
    assert "new message" not in ann.text("/")
    assert position(ann, game)["talk"]["muted"] == [2]
    assert set(map(len, position(bob, game)["talk"].values())) == {0}  # Bob is not told
    assert avoid(ann, game, 2, None) == 200
    assert texts(ann, game) == ["before", SECRET, "and you?"]
    assert "2 new messages" in ann.text("/")


def test_a_mute_of_one_game_is_none_in_another(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    avoid(ann, game, 2, "mute")
    other = between(ann, bob)
    say(bob, other)
    assert texts(ann, other) == ["hello"]


def test_who_is_muted_everywhere_is_so_in_games_that_run_and_in_those_that_follow(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game)
    other = between(ann, bob)
    assert avoid(ann, other, 2, "mute", everywhere=True) == 200
    third = between(ann, bob, are_strangers=True)
    for one in (other, third):
        say(bob, one)
    assert [texts(ann, one) for one in (game, other, third)] == [[], [], []]
    assert avoid(ann, third, 2, None) == 200  # here and everywhere
    assert [texts(ann, one) for one in (game, other, third)] == [["hello"]] * 3


def test_nobody_avoids_themselves_a_bot_or_a_team_that_is_not_there(
    server: Server, ann: Browser, game: str
) -> None:
    assert [avoid(ann, game, team, "mute") for team in (1, 3)] == [422, 422]
    against_bot = new_game(ann, "bot:player_three").rpartition("/")[2]
    assert avoid(ann, against_bot, 2, "mute") == 422
    assert position(ann, against_bot)["talk"] is None
    assert avoid(server.browser(), game, 2, "mute") == 403
    assert position(server.browser(), game)["talk"] is None


def test_there_is_a_limit_on_how_often_and_on_how_many(
    server: Server, ann: Browser, bob: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    bob_id = server.person_id("Bob")
    monkeypatch.setattr(block_list, "MAX_BLOCKED_PEOPLE", 1)
    server.member("Cid")
    body = {"person": bob_id, "kind": "mute"}
    assert send(ann, "PUT", "/me/avoided", body).status_code == 200
    third = {"person": server.person_id("Cid"), "kind": "mute"}
    answer = send(ann, "PUT", "/me/avoided", third)
    assert (answer.status_code, "end one first" in answer.text) == (409, True)
    codes = [send(ann, "PUT", "/me/avoided", body).status_code for _ in range(120)]
    assert codes[-1] == 429


# -- blocking -----------------------------------------------------------------------------------


def test_a_message_of_who_is_blocked_never_reaches_whoever_blocks(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, "before")
    assert avoid(ann, game, 2, "block", everywhere=True) == 200
    assert "before" not in texts(ann, game)
    refused = (422, "nobody else here reads messages")
    assert say(bob, game, SECRET) == say(ann, game, SECRET) == refused
    # What is in the database all the same, by whatever way, is not shown, either.
    server.game_service.conversations.add(game, 2, SECRET, 1.0)
    server.game_service.refresh_conversation(game)
    assert SECRET not in fetch_everything(server, ann, game, 1)
    assert "new message" not in ann.text("/")


def test_what_was_written_during_a_block_stays_unread_after_it(
    server: Server, ann: Browser, bob: Browser
) -> None:
    cid = server.member("Cid")
    game = between(ann, bob, cid)
    avoid(ann, game, 2, "block", everywhere=True)
    assert say(bob, game, SECRET) == (200, "")  # Cid reads it
    assert say(ann, game, "to Cid alone") == (200, "")
    assert (texts(ann, game), texts(bob, game)) == (["to Cid alone"], [SECRET])
    assert texts(cid, game) == [SECRET, "to Cid alone"]
    assert SECRET not in fetch_everything(server, ann, game, 1)
    assert avoid(ann, game, 2, None) == 200
    assert SECRET not in fetch_everything(server, ann, game, 1)
    assert "new message" not in ann.text("/")
    say(bob, game, "and now?")
    assert texts(ann, game) == ["to Cid alone", "and now?"]
    assert "to Cid alone" not in texts(bob, game)
    assert "1 new message<" in ann.get("/").text


def test_who_is_blocked_and_who_blocks_see_no_open_games_of_each_other(
    server: Server, ann: Browser, bob: Browser
) -> None:
    of_ann, of_bob = new_game(ann, "open"), new_game(bob, "open")
    block(server, ann, "Bob")
    assert "by Bob" not in ann.text("/lobby")
    assert "by Ann" not in bob.text("/lobby")
    assert "by Ann" in server.member("Cid").text("/lobby")
    assert [ann.get(of_bob).status_code, bob.get(of_ann).status_code] == [404, 404]
    for browser, path in ((bob, of_ann), (ann, of_bob)):
        refused = browser.post(f"{path}/take", {"team": "2"})
        assert refused.status_code == 403
        assert "you cannot sit down in this game" in page_text(refused)
    assert [seat.kind for one in waiting(server) for seat in one.seats].count(SeatKind.OPEN) == 2


def test_who_is_blocked_cannot_use_a_link_of_whoever_blocks(
    server: Server, ann: Browser, bob: Browser
) -> None:
    ann.post("/lobby/new", {"game": "smack", "seats": "2", "mine": "1", "other-1": "friend"})
    (game,) = waiting(server)
    link = read_link(ann.post(f"/lobby/{game.id}/link", {"team": "2"}))
    block(server, ann, "Bob")
    for answer in (bob.get(link), bob.post(link)):
        assert answer.status_code == 403
        assert "you cannot sit down in this game" in page_text(answer)
    assert server.member("Cid").post(link).url.path == f"/games/{game.id}"


def test_who_is_blocked_loses_a_seat_in_a_game_that_waits(
    server: Server, ann: Browser, bob: Browser
) -> None:
    path = new_game(ann, "open", "open", game="smac")
    bob.post(f"{path}/take", {"team": "2"})
    own = new_game(bob, "open", "open", game="smac")
    ann.post(f"{own}/take", {"team": "2"})
    block(server, ann, "Bob")
    assert [game.find_team(server.person_id("Bob")) for game in waiting(server)] == [None, 1]
    assert [game.find_team(server.person_id("Ann")) for game in waiting(server)] == [1, None]


def test_nobody_sits_down_beside_whom_they_have_blocked(
    server: Server, ann: Browser, bob: Browser
) -> None:
    path = new_game(server.member("Cid"), "open", "open", game="smac")
    ann.post(f"{path}/take", {"team": "2"})
    block(server, ann, "Bob")
    assert bob.post(f"{path}/take", {"team": "3"}).status_code == 403


def test_who_is_blocked_gets_no_rematch(ann: Browser, bob: Browser, game: str) -> None:
    give_up(ann, game, 1)
    avoid(ann, game, 2, "block")
    answer = send(bob, "POST", f"/games/{game}/rematch", {})
    assert (answer.status_code, "does not play with another" in answer.text) == (422, True)
    assert bob.post(f"/games/{game}/rematch").status_code == 409
    assert position(ann, game)["rematch_wishes"] == []


def test_a_rematch_takes_along_whom_one_has_muted(ann: Browser, bob: Browser, game: str) -> None:
    give_up(ann, game, 1)
    avoid(ann, game, 2, "mute")
    send(bob, "POST", f"/games/{game}/rematch", {})
    rematch = send(ann, "POST", f"/games/{game}/rematch", {}).json()["rematch"]
    say(bob, rematch)
    assert position(ann, rematch)["talk"]["muted"] == [1]
    assert texts(ann, rematch) == []


def block(server: Server, browser: Browser, name: str) -> Page:
    return browser.post(f"/people/{server.person_id(name)}", {"do": "block"})


# -- one's own lists ----------------------------------------------------------------------------


def test_ones_own_page_lists_whom_one_avoids_and_ends_it(
    server: Server, ann: Browser, bob: Browser
) -> None:
    path = f"/people/{server.person_id('Bob')}"
    assert "Muted and blocked Nobody." in ann.text("/me")
    assert "Blocked." in page_text(ann.post(path, {"do": "block"}))
    assert "Bob blocked since" in ann.text("/me")
    assert "Muted." in page_text(ann.post(path, {"do": "mute"}))
    assert "Bob muted since" in ann.text("/me")
    listed = ann.client.get("/api/v1/me/avoided").json()["people"]
    assert [(one["name"], one["kind"]) for one in listed] == [("Bob", "mute")]
    export = json.loads(ann.get("/me/export").content)["muted_and_blocked"]
    assert [(one["name"], one["kind"]) for one in export] == [("Bob", "mute")]
    assert "Ann" not in bob.get("/me/export").text  # Bob is not told
    assert ann.post(path, {"do": "none", "next": "/me"}).url.path == "/me"
    assert "Muted and blocked Nobody." in ann.text("/me")


@pytest.mark.parametrize("person", ["none", "me"])
def test_nobody_avoids_or_reports_who_is_not_there(
    server: Server, ann: Browser, person: str
) -> None:
    found = server.person_id("Ann") if person == "me" else person
    assert ann.post(f"/people/{found}", {"do": "mute"}).status_code == 404
    assert send(ann, "PUT", "/me/avoided", {"person": found, "kind": "mute"}).status_code == 404
    body = {"person": found, "reason": "spam"}
    assert send(ann, "POST", "/reports", body).status_code == 404


def test_who_leaves_is_on_no_list_and_what_they_wrote_stays_hidden(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, SECRET)
    block(server, ann, "Bob")
    block(server, bob, "Ann")
    ann_id, bob_id = server.person_id("Ann"), server.person_id("Bob")
    bob.post("/me/delete", {"name": "Bob"})
    for one in (ann_id, bob_id):
        assert server.storage.database.find(block_list.block_list(one)) == []
    assert SECRET not in fetch_everything(server, ann, game, 1)
    assert "new message" not in ann.text("/")


def test_a_block_counts_in_a_game_of_which_it_was_not_known_yet_whose_the_seats_are(
    server: Server, ann: Browser, bob: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = server.site.open_games.record_start

    def looked_at_before(game: OpenGame) -> None:
        assert server.game_service.conversations.load(game.id).filter.people == {}
        begun(game)

    monkeypatch.setattr(server.site.open_games, "record_start", looked_at_before)
    game = between(ann, bob)
    block(server, ann, "Bob")
    assert say(bob, game)[0] == 422


def test_the_owner_of_the_built_in_bots_is_nobody(ann: Browser) -> None:
    assert ann.get("/people/house").status_code == 404
    body = {"person": "house", "kind": "block"}
    assert send(ann, "PUT", "/me/avoided", body).status_code == 404


# -- guests -------------------------------------------------------------------------------------


def test_guests_mute_and_block_for_the_game_and_nobody_avoids_them_everywhere(
    guests: tuple[Browser, Browser, str],
) -> None:
    zoe, fred, game = guests
    say(fred, game)
    assert avoid(zoe, game, 2, "block", everywhere=True) == 422
    assert avoid(zoe, game, 2, "block") == 200
    assert texts(zoe, game) == []
    assert say(fred, game, SECRET) == (422, "nobody else here reads messages")
    assert avoid(zoe, game, 2, None) == 200
    assert texts(zoe, game) == ["hello"]


def test_the_page_of_the_players_does_the_same_without_scripts(
    server: Server, guests: tuple[Browser, Browser, str]
) -> None:
    zoe, fred, game = guests
    path = f"/games/{game}/people"
    say(fred, game, "hello Zoe")
    assert "hello Zoe" in zoe.text(path)
    muted = page_text(zoe.post(path, {"do": "mute", "team": "2"}))
    assert "Fred (guest) muted" in muted
    assert "hello Zoe" not in muted
    assert "choose what to do" in page_text(zoe.post(path, {"do": "dance", "team": "2"}))
    assert server.browser().get(path).status_code == 403
    assert f"{path}" in zoe.get(f"/games/{game}/plain").text
    assert f'data-people="{path}"' in zoe.get(f"/games/{game}").text


def test_a_removed_game_takes_along_all_about_its_messages(
    server: Server, guests: tuple[Browser, Browser, str]
) -> None:
    _, _, game = guests
    server.game_service.conversations.decide(game, (1,), 2, Restriction.MUTE)
    server.game_service.conversations.add(game, 2, "hello", 1.0, (1,))
    server.storage.remove_game(game)
    assert server.storage.find_game(game) is None
