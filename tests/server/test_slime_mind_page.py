"""What the map of Slime Mind shows and takes, in a real browser."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server.games.game_service import GameService
from server.games.positions import Position, load_position
from tests.server.conftest import Serve
from tests.server.playing import a_game_service, nearest_food, start_game
from tests.server.test_in_browser import BY_TOUCH, IS_CUT_OFF
from tests.shell import eventually

OpenBoard = Callable[..., Any]
SMALL: dict[str, Any] = {"columns": 10, "rows": 8, "max_turns": 4, "slime_pairs": 3}
SMALL |= {"plant_pairs": 8, "rock_pairs": 2}

pytestmark = pytest.mark.slow


class Game:
    """A game against a bot, or of two people, of whom the first has a page."""

    def __init__(self, folder: Path, serve: Serve, open_board: OpenBoard) -> None:
        self.service: GameService = a_game_service(folder / "slimes.sqlite", nearest_food)
        self.address, self._open_board = serve(self.service), open_board
        self.id = ""

    def start(self, who: str = "pb", **settings: Any) -> None:
        self.id = start_game(self.service, "slime_mind", who, **{**SMALL, **settings})

    def open(self, *teams: int, **options: Any) -> Any:
        if options.pop("was_played", True):
            saved = [{"name": "played slime_mind", "value": "seen"}]
            origin = {"origin": self.address, "localStorage": saved}
            options["storage_state"] = {"cookies": [], "origins": [origin]}
        page = self._open_board(self.service, self.address, self.id, *(teams or (1,)), **options)
        page.locator(".waits").first.wait_for(state="attached")
        skip = page.locator("#tour").get_by_role("button", name="Skip")
        skip.click()
        return page

    @property
    def position(self) -> Position:
        return load_position(self.service, self.id, (1,))

    @property
    def slimes(self) -> list[Any]:
        board: Any = self.position.board
        return list(board.slimes)

    @property
    def ordered(self) -> dict[int, Any]:
        return dict(self.position.premoves[0].orders)

    def keeps(self, orders: dict[int, Any]) -> bool:
        return eventually(lambda: self.ordered == orders)

    def has_told(self, slime: int, order: Any) -> bool:
        return eventually(lambda: self.ordered.get(slime) == order)

    def is_after(self, step: int) -> bool:
        return eventually(lambda: self.position.step > step)

    def is_in_turn(self, turn: int) -> bool:
        return eventually(lambda: self.position.turn == turn)


@pytest.fixture
def game(tmp_path: Path, serve: Serve, open_board: OpenBoard) -> Game:
    return Game(tmp_path, serve, open_board)


def square(page: Any, name: str) -> Any:
    return page.locator(f"[data-square='{name}']")


def with_sign(page: Any, sign: str) -> list[str]:
    return [str(one.get_attribute("data-square")) for one in page.locator(f"g.{sign}").all()]


def wait_for_turn(page: Any, turn: int) -> None:
    page.get_by_role("heading", name=f"Turn {turn} of").wait_for()


def button(page: Any, name: str) -> Any:
    return page.locator(".slimes").get_by_role("button", name=name)


def let_all_eat(game: Game, page: Any, press: str = "click") -> None:
    """Let all slimes without an order eat; those that ate before go on by themselves."""
    if len(game.ordered) < len(game.slimes):
        getattr(button(page, "Others eat"), press)()
    assert eventually(lambda: len(game.ordered) == len(game.slimes))


def test_others_eat_comes_with_the_second_game(game: Game) -> None:
    game.start()
    assert button(game.open(was_played=False), "Others eat").is_hidden()


def test_slimes_that_wait_have_rings_and_the_first_is_taken_up(game: Game) -> None:
    game.start()
    page = game.open()
    first, *others = game.slimes
    assert with_sign(page, "waits") == with_sign(page, "movable")
    assert sorted(with_sign(page, "waits")) == sorted(one.square for one in game.slimes)
    assert with_sign(page, "held") == [first.square]
    offered = with_sign(page, "can") + with_sign(page, "captures")
    assert sorted(offered) == sorted(first.sides)
    label = square(page, others[0].square).get_attribute("aria-label")
    assert "level 1, 11 of 11 hp, waits for an order" in label
    assert page.errors == []


def test_a_whole_game_by_mouse(game: Game) -> None:
    game.start()
    page = game.open()
    first, second, third = game.slimes
    target, command = next(iter(first.sides.items()))
    square(page, target).click()
    assert game.keeps({first.id: command})
    assert with_sign(page, "held") == [second.square]  # the next without an order
    square(page, "5, 4").click()
    assert game.keeps({first.id: command, second.id: ["GO", 5, 4]})
    square(page, third.square).drag_to(square(page, next(iter(third.sides))))
    assert eventually(lambda: third.id in game.ordered)
    assert game.position.step == 0
    for turn in range(2, 6):
        button(page, "Send").click()
        if turn == 5:
            break
        assert game.is_in_turn(turn)
        wait_for_turn(page, turn)
        let_all_eat(game, page)
    page.get_by_role("link", name="Watch the replay").wait_for()
    outcome = game.position.outcome
    assert outcome is not None
    first_score, second_score = outcome.scores
    ended = page.locator(".summary h2").inner_text()
    assert ended.endswith(f", {first_score:g}\u00a0:\u00a0{second_score:g}")
    assert page.errors == []


@BY_TOUCH
def test_a_whole_game_by_touch(game: Game, options: dict[str, Any]) -> None:
    game.start()
    page = game.open(**options)
    assert not page.evaluate(IS_CUT_OFF)
    for turn in range(1, 5):
        wait_for_turn(page, turn)
        held = game.slimes[turn % 3]
        square(page, held.square).tap()
        if square(page, held.square).get_attribute("aria-selected") is None:
            square(page, held.square).tap()  # it was taken up by itself
        button(page, "Wait").tap()
        assert game.has_told(held.id, "WAIT")
        let_all_eat(game, page, "tap")
        button(page, "Send").tap()
    page.get_by_role("link", name="Watch the replay").wait_for()
    assert page.errors == []


def test_a_whole_game_by_keyboard(game: Game) -> None:
    game.start(max_turns=2)
    page = game.open()
    first, second, third = game.slimes
    square(page, first.square).focus()
    page.keyboard.press("w")
    page.keyboard.press("e")
    assert game.keeps({first.id: "WAIT", second.id: "EAT"})
    page.keyboard.press("m")
    assert game.keeps({first.id: "WAIT", second.id: "EAT", third.id: "MERGE"})
    page.keyboard.press("n")
    assert page.evaluate("document.activeElement.dataset.square") == first.square
    page.keyboard.press("Escape")
    assert with_sign(page, "held") == []
    page.keyboard.press("Enter")
    assert with_sign(page, "held") == [first.square]
    target = next(iter(first.sides))
    (x, y), (to_x, to_y) = (map(int, name.split(", ")) for name in (first.square, target))
    key = {(1, 0): "Right", (-1, 0): "Left", (0, 1): "Down", (0, -1): "Up"}[to_x - x, to_y - y]
    page.keyboard.press(f"Arrow{key}")
    page.keyboard.press("Enter")
    assert game.keeps({first.id: first.sides[target], second.id: "EAT", third.id: "MERGE"})
    for turn in (1, 2):
        wait_for_turn(page, turn)
        button(page, "Others eat").press("Enter")
        assert eventually(lambda: len(game.ordered) == len(game.slimes))
        button(page, "Send").press("Enter")
    page.get_by_role("link", name="Watch the replay").wait_for()
    assert page.errors == []


def test_each_order_can_be_sent_at_once(game: Game) -> None:
    game.start()
    page = game.open()
    page.get_by_label("Send each order at once").check()
    for _ in range(3):
        step = game.position.step
        button(page, "Wait").click()
        assert game.is_after(step)
    assert game.is_in_turn(2)
    assert page.errors == []


def test_a_second_click_on_send_sends_nothing_that_is_too_late(game: Game) -> None:
    game.start()
    page = game.open()
    for _ in game.slimes:
        button(page, "Eat what is near").click()
    button(page, "Send all").dblclick()
    wait_for_turn(page, 2)
    assert page.errors == []  # the console would say of a refusal


@pytest.mark.slow
def test_a_draft_is_there_after_the_page_was_loaded_again(game: Game) -> None:
    game.start()
    page = game.open()
    button(page, "Others eat").click()
    assert eventually(lambda: len(game.ordered) == 3)
    page.reload()
    page.locator(".told").first.wait_for(state="attached")
    assert len(with_sign(page, "told")) == 3
    button(page, "Clear").click()
    assert game.keeps({})
    assert page.errors == []


def test_what_does_nothing_now_is_said_beside_the_map(game: Game) -> None:
    game.start()
    page = game.open()
    split = button(page, "Split")
    assert "level too low" in split.get_attribute("aria-description")
    split.click()
    page.get_by_role("alert").get_by_text("level too low to split").wait_for()
    assert page.errors == []


def test_one_person_at_both_seats_orders_for_both(game: Game) -> None:
    game.start("pp")
    page = game.open(1, 2)
    assert len(with_sign(page, "waits")) == 6
    button(page, "Others eat").click()
    button(page, "Send").click()
    assert game.is_in_turn(2)
    assert page.errors == []


def test_who_watches_sees_the_map_and_orders_nothing(game: Game) -> None:
    game.start()
    page = game._open_board(game.service, game.address, game.id)
    wait_for_turn(page, 1)
    assert page.locator(".waits").count() == 0
    assert button(page, "Send").count() == 0
    assert page.errors == []
