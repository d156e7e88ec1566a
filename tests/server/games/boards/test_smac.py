"""What the page of SMAC is told beside the scene."""

from collections.abc import Sequence

import msgspec
import pytest

from engine.fault import Cause
from engine.game import Event
from engine.games.smac import events as ev
from engine.games.smac.pieces import Skip, Special
from engine.games.smac.settings import Characteristic, Characteristics
from engine.games.smac.state import Dish
from engine.games.smac.terrain import ACID, BASE, CENTER, DIP, SUGAR
from server.games.boards.smac import (
    CHARACTERISTIC_WORDS,
    SPECIAL_WORDS,
    BoardShown,
    CellShown,
    TerrainShown,
    view,
)
from tests.engine.games.smac.dishes import a_dish, block

SKIP = Skip("place 1 1", "beyond reach")


def show_board(
    dish: Dish, team: int | None = 1, observed: Sequence[Sequence[Event]] = ()
) -> BoardShown:
    return view(dish, team, () if team is None else (team,), observed)


def test_only_cells_with_stacks_are_told() -> None:
    dish = a_dish("A2 . b1\n. A1b2 .", terrain={(0, 0): BASE | SUGAR})
    assert show_board(dish).cells == (
        CellShown(0, 0, 1, (2, 0)),
        CellShown(2, 0, 0, (0, 1)),
        CellShown(1, 1, 1, (1, 2)),
    )


def test_terrain_is_told_by_name() -> None:
    dish = a_dish(terrain={(1, 0): CENTER, (3, 2): ACID | DIP})
    assert show_board(dish).terrain == (
        TerrainShown(1, 0, ("SUGAR", "HILL", "BASE")),
        TerrainShown(3, 2, ("DIP", "ACID")),
    )


def test_a_team_is_told_its_own_bank_and_points_and_the_public_none() -> None:
    dish, points = a_dish(), Characteristics(jump=2, stacking=1)
    for team, bank in ((1, 2_345), (2, 7_000)):
        dish.apply(ev.Endowed(team, bank, points))
    found = [show_board(dish, team).own for team in (1, 2, None)]
    assert [own and own.bank for own in found] == [2.345, 7.0, None]
    assert found[0] is not None
    assert found[0].points == points._asdict()


def test_a_selected_special_is_armed_from_the_next_turn_on() -> None:
    dish = a_dish("A1", turn=6)
    dish.apply(ev.Selected(1, Special.NUKE))
    for turn, is_armed in ((6, False), (7, True)):
        dish.turn = turn
        own = show_board(dish).own
        assert own is not None
        assert (own.selected, own.is_armed) == (Special.NUKE, is_armed)


def test_teams_have_levels_cells_and_their_share_of_production() -> None:
    dish = block(block(a_dish(levels={2: Characteristics(attack=2, stacking=1)}), 1, 2, 2), 2, 8, 8)
    dish.apply(ev.Produced((1_500, 4_500)))
    first, second = show_board(dish, None).teams
    assert (first.share_pct, second.share_pct) == (25.0, 75.0)
    assert (second.production, second.cells, second.highest) == (4.5, 9, 1)
    assert second.levels["attack"] == 2


def test_before_the_first_production_nobody_has_a_share() -> None:
    assert [team.share_pct for team in show_board(a_dish()).teams] == [0.0, 0.0]


def test_a_team_is_told_which_specials_were_used() -> None:
    dish = a_dish("A1", turn=7)
    dish.apply(ev.SpecialUsed(1, Special.NUKE, 0, None, ()))
    assert [team.used for team in show_board(dish, None).teams] == [(Special.NUKE,), ()]


@pytest.mark.parametrize(("turn", "skips"), [(4, (SKIP,)), (5, ())])
def test_skipped_orders_are_told_in_the_turn_after_and_no_longer(
    turn: int, skips: tuple[Skip, ...]
) -> None:
    dish = a_dish("A1", turn=3)
    dish.apply(ev.Skipped(1, (SKIP,), 0))
    dish.turn = turn
    assert show_board(dish).skips == skips


def test_the_public_and_others_are_not_told_of_skipped_orders() -> None:
    dish = a_dish("A1", turn=3)
    dish.apply(ev.Skipped(1, (SKIP,), 0))
    assert [show_board(dish, team).skips for team in (1, 2, None)] == [(SKIP,), (), ()]


def test_a_team_without_orders_is_told_why_until_the_next_decision() -> None:
    lost = [ev.OrdersLost(1, Cause.LATE)]
    found = [show_board(a_dish(), team, [[], lost]).lost for team in (1, 2, None)]
    assert found == [Cause.LATE, None, None]
    assert show_board(a_dish(), 1, [lost, []]).lost is None


@pytest.mark.parametrize(("turn", "percent"), [(14, None), (16, 58)])
def test_the_threshold_is_told_once_production_can_win(turn: int, percent: int | None) -> None:
    assert show_board(a_dish(turn=turn)).threshold_pct == percent


def test_every_characteristic_and_special_has_its_words() -> None:
    assert list(CHARACTERISTIC_WORDS) == list(Characteristic)
    assert list(SPECIAL_WORDS) == list(Special)


def test_the_page_is_told_as_json() -> None:
    decoded = msgspec.json.decode(msgspec.json.encode(show_board(a_dish(turn=7))))
    assert (decoded["turn"], decoded["last_turn"]) == (7, 45)
    assert decoded["characteristic_words"].keys() == {*Characteristic}
