"""Who reads whose messages from the start, and what is announced to whoever does not."""

import pytest

from server.games.game_rows import terms_from
from server.messages.conversations import Message, MessageFilter
from tests.server.games.test_lobby_pages import give_up, waiting
from tests.server.groups.grouped import join, make_group
from tests.server.members import Browser, Server, page_text, read_link
from tests.server.strangers.talking import avoid, between, position, say, send, texts
from tests.server.strangers.test_avoiding import fetch_everything

FIRST = "do we know each other?"


@pytest.fixture
def game(ann: Browser, bob: Browser) -> str:
    """Return the id of a game of two who met in the lobby."""
    return between(ann, bob, are_strangers=True)


def announced(browser: Browser, game: str) -> list[int]:
    found: list[int] = position(browser, game)["talk"]["announced"]
    return found


# -- from the start -----------------------------------------------------------------------------


def test_guests_who_play_by_a_private_link_read_each_other_from_the_start(
    guests: tuple[Browser, Browser, str],
) -> None:
    zoe, fred, game = guests
    assert say(fred, game, FIRST) == (200, "")
    assert texts(zoe, game) == [FIRST]
    assert [announced(one, game) for one in (zoe, fred)] == [[], []]


def test_a_link_acquaints_its_giver_with_who_follows_it_and_with_nobody_else(
    server: Server, ann: Browser, bob: Browser
) -> None:
    seats = {"mine": "1", "other-1": "open", "other-2": "friend"}
    ann.post("/lobby/new", {"game": "smac", "seats": "3", **seats})
    (game,) = waiting(server)
    link = read_link(ann.post(f"/lobby/{game.id}/link", {"team": "3"}))
    bob.post(f"/lobby/{game.id}/take", {"team": "2"})
    cid = server.member("Cid")
    cid.post(link)
    say(cid, game.id, FIRST)
    assert (texts(ann, game.id), announced(ann, game.id)) == ([FIRST], [])
    assert (texts(bob, game.id), announced(bob, game.id)) == ([], [3])


def test_who_shares_a_group_reads_each_other_from_the_start(
    server: Server, ann: Browser, bob: Browser
) -> None:
    _, code = make_group(server.organizer())
    for browser in (ann, bob):
        join(browser, code)
    game = between(ann, bob, are_strangers=True)
    say(bob, game, FIRST)
    assert (texts(ann, game), announced(ann, game)) == ([FIRST], [])


def test_a_game_of_an_older_version_is_read_as_its_players_left_it() -> None:
    hello = Message(id=1, team=2, text="hello", said_at=0.0)

    def is_read(asks_consent: bool, wanted: frozenset[int]) -> bool:
        rule = MessageFilter(asks_consent, {}, {}, frozenset(), wanted, frozenset())
        return rule.admits(hello, (1,))

    # Its members read each other; with guests those did who had switched messages on.
    assert [is_read(False, frozenset()), is_read(True, frozenset({1}))] == [True, True]
    assert not is_read(True, frozenset({2}))
    stored = [terms_from(text).asks_consent for text in ("{}", '{"has_guests":true}')]
    assert stored == [False, True]


# -- the announcement ---------------------------------------------------------------------------


def test_a_strangers_first_message_is_announced_without_a_word_of_it(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    assert position(bob, game)["talk"]["strangers"] == [1]
    assert say(bob, game, FIRST) == (200, "")
    assert announced(ann, game) == [2]
    assert position(ann, game)["talk"]["strangers"] == []  # who has written reads the answer
    sent = fetch_everything(server, ann, game, 1)
    assert FIRST not in sent
    assert "new message" not in sent
    path = f"/games/{game}/people"  # where one decides without scripts
    assert "Bob would like to write to you" in ann.text(path)
    shown = page_text(ann.post(path, {"do": "accept", "team": "2"}))
    assert "You read their messages from now on." in shown
    assert FIRST in shown


def test_one_click_shows_what_was_announced_and_what_follows(
    ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, FIRST)
    assert avoid(ann, game, 2, None) == 200
    assert (texts(ann, game), announced(ann, game)) == ([FIRST], [])
    assert "1 new message<" in ann.get("/").text
    say(bob, game, "hello Ann")
    assert texts(ann, game) == [FIRST, "hello Ann"]


def test_who_writes_reads_the_answer_at_once(ann: Browser, bob: Browser, game: str) -> None:
    say(bob, game, FIRST)
    avoid(ann, game, 2, None)
    say(ann, game, "we do")
    assert (texts(bob, game), announced(bob, game)) == ([FIRST, "we do"], [])
    assert position(bob, game)["talk"]["strangers"] == []
    assert "1 new message<" in bob.get("/").text


def test_who_writes_often_is_announced_once_and_not_at_all_once_muted(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    for _ in range(3):
        say(bob, game, FIRST)
    assert announced(ann, game) == [2]
    avoid(ann, game, 2, "mute")
    assert say(bob, game, "hello?") == (200, "")
    assert (announced(ann, game), texts(ann, game)) == ([], [])
    assert "would like to write" not in fetch_everything(server, ann, game, 1)
    send(ann, "PUT", "/me/avoided", {"person": server.person_id("Bob"), "kind": "mute"})
    other = between(ann, bob, are_strangers=True)
    say(bob, other, FIRST)
    assert announced(ann, other) == []


def test_a_writer_is_not_told_what_the_reader_has_decided(
    ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, FIRST)
    before = position(bob, game)
    for kind in ("mute", None):
        avoid(ann, game, 2, kind)
        assert position(bob, game) == before


def test_one_accepted_opponent_speaks_for_no_other(
    server: Server, ann: Browser, bob: Browser
) -> None:
    cid = server.member("Cid")
    game = between(ann, bob, cid, are_strangers=True)
    say(bob, game, "from Bob")
    say(cid, game, "from Cid")
    assert announced(ann, game) == [2, 3]
    avoid(ann, game, 2, None)
    assert (texts(ann, game), announced(ann, game)) == (["from Bob"], [3])


def test_only_who_has_a_seat_is_told_of_an_announcement_or_decides(
    server: Server, ann: Browser, bob: Browser, game: str
) -> None:
    say(bob, game, FIRST)
    for outsider in (server.browser(), server.member("Cid"), server.organizer()):
        shown = position(outsider, game)
        assert (shown["talk"], shown["messages"]) == (None, [])
        assert avoid(outsider, game, 2, None) == 403
        assert "would like to write" not in outsider.get(f"/games/{game}").text
    assert announced(ann, game) == [2]


def test_a_rematch_keeps_whom_one_reads(ann: Browser, bob: Browser, game: str) -> None:
    say(bob, game, FIRST)
    avoid(ann, game, 2, None)
    give_up(ann, game, 1)
    send(bob, "POST", f"/games/{game}/rematch", {})
    rematch = send(ann, "POST", f"/games/{game}/rematch", {}).json()["rematch"]
    say(bob, rematch, "again")
    assert (texts(ann, rematch), announced(ann, rematch)) == (["again"], [])
