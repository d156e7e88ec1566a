"""What the page of SMAC is told beside the scene."""

from collections.abc import Sequence

import msgspec
import pytest

from engine.fault import Cause
from engine.game import Event
from engine.games.smac import events as ev
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import Characteristic
from engine.games.smac.state import Dish
from server.games.boards.smac import CHARACTERISTIC_WORDS, SPECIAL_WORDS, BoardShown, view
from tests.engine.games.smac.dishes import a_dish

SKIP = Skip("place 1 1", "beyond reach")


def shown(dish: Dish, team: int | None = 1, observed: Sequence[Sequence[Event]] = ()) -> BoardShown:
    return view(dish, team, () if team is None else (team,), observed)


@pytest.mark.parametrize(("turn", "skips"), [(4, (SKIP,)), (5, ())])
def test_skipped_orders_are_told_in_the_turn_after_and_no_longer(
    turn: int, skips: tuple[Skip, ...]
) -> None:
    dish = a_dish("A1", turn=3)
    dish.apply(ev.Skipped(1, (SKIP,), 0))
    dish.turn = turn
    assert shown(dish).skips == skips


def test_the_public_and_others_are_not_told_of_skipped_orders() -> None:
    dish = a_dish("A1", turn=3)
    dish.apply(ev.Skipped(1, (SKIP,), 0))
    assert [shown(dish, team).skips for team in (1, 2, None)] == [(SKIP,), (), ()]


def test_a_team_without_orders_is_told_why_until_the_next_decision() -> None:
    lost = [ev.OrdersLost(1, Cause.LATE)]
    told = [shown(a_dish(), team, [[], lost]).lost for team in (1, 2, None)]
    assert told == [Cause.LATE, None, None]
    assert shown(a_dish(), 1, [lost, []]).lost is None


@pytest.mark.parametrize(("turn", "percent"), [(14, None), (16, 58)])
def test_the_threshold_is_told_once_production_can_win(turn: int, percent: int | None) -> None:
    assert shown(a_dish(turn=turn)).threshold_pct == percent


def test_every_characteristic_and_special_has_its_words() -> None:
    assert list(CHARACTERISTIC_WORDS) == list(Characteristic)
    assert list(SPECIAL_WORDS) == list(Special)


def test_the_page_is_told_as_json() -> None:
    decoded = msgspec.json.decode(msgspec.json.encode(shown(a_dish(turn=7))))
    assert (decoded["turn"], decoded["last_turn"]) == (7, 45)
    assert decoded["characteristic_words"].keys() == {*Characteristic}
