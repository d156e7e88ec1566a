"""What stands beside a board, in a real browser: clocks, messages, moves taken back, a rematch."""

import re
from pathlib import Path
from typing import Any

import pytest

from engine.game import Act, Ask
from engine.games.smack import rules
from server.games.clocks import read_control
from server.games.game_rows import Participant, Terms
from server.games.game_service import GameService
from tests.server.conftest import Board
from tests.server.playing import Now, a_game_service, no_orders
from tests.shell import eventually

SUBSTITUTE = Participant(name="stand-in", digest="5" * 64, is_person=False)


@pytest.fixture
def game_service(tmp_path: Path, now: Now) -> GameService:
    return a_game_service(tmp_path / "games.sqlite", no_orders, now)


@pytest.mark.slow
def test_two_people_write_to_each_other_and_play_again(board: Board) -> None:
    one, two, public = board.open(1), board.open(2), board.open()
    one.get_by_text("Messages", exact=True).click()
    one.get_by_label("Message", exact=True).fill("<b>Good luck!</b>")
    one.get_by_role("button", name="Send").click()
    two.get_by_text("Messages (1 new)").click()
    two.get_by_label("Messages").get_by_text("Ann 1: <b>Good luck!</b>").wait_for()
    assert public.get_by_text("Messages", exact=True).is_hidden()
    for half in (1, 2):
        board.service.perform_act(board.id, Act(1, half, rules.RESIGN))
    for page in (one, two):
        page.get_by_role("button", name="See the board").click()
    one.get_by_role("button", name="Play again").click()
    one.get_by_text("waiting for Ann 2").wait_for()
    two.locator("#players").get_by_text("Ann 1 would like to play again.").wait_for()
    two.get_by_role("button", name="Accept").click()
    for page in (one, two):
        page.wait_for_url(lambda url: board.id not in url)
    assert one.url == two.url
    for page in (one, two, public):
        assert page.errors == []


@pytest.mark.slow
def test_who_offers_an_end_or_a_rematch_is_told_at_once_that_it_is_declined(board: Board) -> None:
    one, two = (board.open(team) for team in (1, 2))
    one.get_by_role("button", name="Offer to end").first.click()
    two.get_by_role("button", name="Decline").click()
    one.get_by_text("Ann 2 did not take your offer to end this board.").wait_for()
    two.locator("#players").get_by_text("offers to end").wait_for(state="detached")
    for half in (1, 2):
        board.service.perform_act(board.id, Act(1, half, rules.RESIGN))
    one.get_by_role("button", name="Rematch").click()
    two.get_by_role("button", name="See the board").click()
    two.get_by_role("button", name="Decline").click()
    one.locator("#players").get_by_text("Ann 2 does not want a rematch.").wait_for()
    two.get_by_role("button", name="Play again").click()  # after all
    for page in (one, two):
        page.wait_for_url(lambda url: board.id not in url)
        assert page.errors == []


def test_messages_are_new_until_a_page_of_the_seat_shows_them(board: Board) -> None:
    page = board.open(2, viewport={"width": 360, "height": 640})
    messages = page.locator("#messages")
    messages.get_by_text("Messages", exact=True).wait_for()
    board.service.conversations.say(board.id, 1, "hello")
    messages.get_by_text("Messages (1 new)").wait_for()
    page.locator("#players").get_by_text("Ann 1: hello").wait_for()  # beside the board of a phone
    page.reload()
    page.get_by_label("Messages").get_by_text("Ann 1: hello").wait_for()  # it opens by itself
    assert not is_in_view(page)
    assert board.service.conversations.load(board.id).read_up_to == {}
    other = page.context.new_page()
    other.goto(f"{board.address}/games/{board.id}")
    messages.get_by_text("Messages (1 new)").wait_for()
    other.goto("about:blank")
    other.goto(f"{board.address}/")
    other.get_by_role("link", name="1 new message").click()
    other.locator("#messages").get_by_text("Messages", exact=True).wait_for()
    assert is_in_view(other)
    messages.get_by_text("Messages", exact=True).wait_for()  # on the other device, too
    page.reload()
    page.get_by_text("Messages", exact=True).wait_for()
    assert page.get_by_label("Messages").is_hidden()
    assert page.errors == []


def is_in_view(page: Any) -> bool:
    """Return whether the list of messages is on the screen."""
    box = page.get_by_label("Messages").bounding_box()
    return bool(0 <= box["y"] < page.viewport_size["height"])


@pytest.mark.slow
def test_the_clocks_are_shown_and_the_one_that_runs_goes_down(board: Board, now: Now) -> None:
    board.start(terms=Terms(clock=read_control("20+5")))
    now.seconds += 60
    page = board.open(1)
    clock = page.get_by_label("Clocks").get_by_role("listitem").filter(has_text="Ann 1, board 1")
    clock.get_by_text(re.compile("1[89]:[0-9][0-9]")).wait_for()
    assert "runs" in clock.get_attribute("class")
    still = page.get_by_label("Clocks").get_by_role("listitem").filter(has_text="Ann 1, board 2")
    assert still.inner_text().endswith("20:00")


@pytest.mark.slow
def test_a_move_is_taken_back_by_agreement(board: Board) -> None:
    board.start()
    board.answer(Ask(1, 1), 0, "A6-B6")
    one = board.open(1)
    two = board.open(2)
    one.get_by_role("button", name="Take back my move").first.click()
    text = "Ann 1 asks to take back A6-B6"
    two.locator("#players").get_by_text(f"{text}.").wait_for()
    assert two.title().startswith(f"● {text} ·")
    other = two.context.new_page()
    other.goto(two.url)  # another tab of the same seat is asked, too, and told of the answer
    other.get_by_role("button", name="Decline").click()
    two.locator("#players").get_by_text(text).wait_for(state="detached")
    one.get_by_role("button", name="Take back my move").first.click()
    two.get_by_role("button", name="Accept").click()
    one.get_by_label("Moves of board 1").get_by_text("A6-B6").wait_for(state="detached")
    with board.session() as session:
        assert session.stepper.state.halves[0].ply == 0


@pytest.mark.slow
def test_who_is_back_says_so(board: Board, now: Now) -> None:
    terms = Terms(clock=read_control("1d"), absent_turns=1, substitute=SUBSTITUTE)
    board.start("smac", terms=terms)
    page = board.open(2)
    with board.session() as session:
        step = session.ask_step(Ask(1))
    board.answer(Ask(1), step, {})
    now.seconds += 86_400
    board.service.call_time()
    page.get_by_text("Ann 2 is away: stand-in plays.").wait_for()
    page.get_by_role("button", name="I am back").click()
    page.get_by_text("Ann 2 is away").wait_for(state="hidden")


NOTICES = """
window.notices = [];
window.Notification = class {
  static permission = "default";
  static async requestPermission() { this.permission = "granted"; }
  constructor(title, options) { window.notices.push([title, options.body]); }
};
Object.defineProperty(document, "hidden", { get: () => true });
"""


@pytest.mark.slow
def test_who_looks_elsewhere_is_told_of_their_move(board: Board, chromium: Any) -> None:
    page = board.open(2)
    page.context.add_init_script(NOTICES)
    page.reload()
    page.get_by_role("button", name="Notify me of my move").click()
    assert eventually(lambda: page.evaluate("Notification.permission") == "granted")
    with board.session() as session:
        first = {ask.piece_id: ask.team for ask in session.stepper.asks}
    half = next(piece for piece, team in first.items() if team == 2)
    assert eventually(lambda: page.title().startswith("● Your move"))
    play_on(board, 2, half)
    assert eventually(lambda: not page.title().startswith("●"))
    assert page.evaluate("window.notices") == []
    play_on(board, 1, 1)
    assert eventually(lambda: page.title().startswith("● Your move"))
    assert page.evaluate("window.notices") == [["Your move", "Smack! against Ann 1"]]
    assert page.get_by_role("button", name="Notify me of my move").is_hidden()
    assert page.errors == []


def play_on(board: Board, team: int, half: int) -> None:
    """Play the first legal move of a team on a board."""
    with board.session() as session:
        move = str(session.stepper.state.halves[half - 1].position.moves()[0])
        step = session.ask_step(Ask(team, half))
    board.answer(Ask(team, half), step, move)
