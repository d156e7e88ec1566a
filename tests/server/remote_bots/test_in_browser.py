"""What people see who play against a remote bot, in a real browser."""

from typing import Any

import pytest

from tests.server.conftest import Visit
from tests.server.members import Server
from tests.server.playing import choose_orders
from tests.server.remote_bots.programs import make_program

pytestmark = pytest.mark.slow


@pytest.fixture
def bob(server: Server, visit: Visit) -> Any:
    """Return a page on which Bob is signed in."""
    return visit("/", server.member("Bob"))


def test_a_person_is_told_that_a_program_plays(server: Server, bob: Any) -> None:
    server.member("Ann")
    ann = make_program(server, "Ann")
    ann.request("GET", "/challenges")
    bob.goto("/lobby/new?game=smack")
    bob.get_by_label("Opponent").select_option(label="Ann (remote bot)")
    bob.get_by_label("Your seat").select_option("2")
    bob.get_by_role("button", name="Make the game").click()
    bob.get_by_text("Ann is challenged").wait_for()
    (game,) = [one["id"] for one in ann.request("GET", "/challenges")["challenges"]]
    ann.request("POST", f"/challenges/{game}/accept")
    bob.get_by_text("Ann (remote bot) is thinking").first.wait_for()  # the page leads there
    assert not bob.get_by_role("heading", name="Messages").is_visible()
    _, body = next(choose_orders(ann.position(game)))
    ann.request("POST", f"/games/{game}/orders", body)
    half = f".half[data-number='{body['piece']}'][data-ply='1']"
    bob.locator(half).wait_for()


def test_a_challenge_that_was_declined_is_seen_at_once(server: Server, bob: Any) -> None:
    server.member("Ann")
    ann = make_program(server, "Ann")
    ann.request("GET", "/challenges")
    bob.goto("/lobby/new?game=smack")
    bob.get_by_label("Opponent").select_option(label="Ann (remote bot)")
    bob.get_by_role("button", name="Make the game").click()
    bob.get_by_text("Ann is challenged").wait_for()
    (game,) = [one["id"] for one in ann.request("GET", "/challenges")["challenges"]]
    ann.request("POST", f"/challenges/{game}/decline")
    bob.get_by_text("Ann has declined").wait_for()
    bob.get_by_text("cancel this game").wait_for()
