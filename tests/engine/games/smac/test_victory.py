"""Victory, elimination and scores (docs/rules/smac.md 6)."""

from collections.abc import Sequence

import pytest

from engine.game import MatchEnded, Outcome, Stage
from engine.games.smac import events as ev
from engine.games.smac import rules
from engine.games.smac.game import Smac
from engine.games.smac.orders import Orders
from engine.games.smac.settings import Settings
from engine.games.smac.state import Dish
from engine.streams import Streams
from tests.engine.advancing import advance
from tests.engine.games.smac.dishes import a_dish, block, of_type

GAME = Smac()


def producing(*points: float, turn: int = 15, **settings: object) -> Dish:
    """Return a dish of teams with a stack each and this production."""
    dish = a_dish(teams=len(points), turn=turn, **settings)  # type: ignore[arg-type]
    for team in range(1, len(points) + 1):
        dish.layer(team)[team] = 1
    dish.apply(ev.Produced(tuple(round(1_000 * own) for own in points)))
    return dish


@pytest.mark.parametrize(
    ("turn", "points", "reason"),
    [
        pytest.param(15, (9.0, 6.0), rules.PRODUCTION, id="10.10 60 % in turn 15"),
        pytest.param(15, (8.9, 6.1), None, id="10.10 59.3 % in turn 15"),
        pytest.param(16, (8.9, 6.1), rules.PRODUCTION, id="10.10 58 % in turn 16"),
        pytest.param(16, (5.79, 4.21), None, id="10.10 57.9 % in turn 16"),
        pytest.param(14, (9.0, 0.0), None, id="6.1 not before turn 15"),
        pytest.param(20, (5.001, 5.0), rules.PRODUCTION, id="6.4 unequal ones in turn 20"),
        pytest.param(20, (5.0, 5.0), None, id="6.2 a tie goes on"),
        pytest.param(40, (0.0, 0.0), None, id="6.1 without production nobody wins"),
        pytest.param(45, (0.0, 0.0), rules.LAST_TURN, id="6.2 but the last turn is the last"),
        pytest.param(45, (5.0, 5.0), rules.LAST_TURN, id="6.2 a tie in the last turn"),
        pytest.param(25, (4.0, 3.0, 3.0), rules.PRODUCTION, id="6.1 40 % of three in turn 25"),
        pytest.param(24, (4.0, 3.0, 3.0), None, id="6.1 not 42 % in turn 24"),
        pytest.param(44, (2.0, 2.0, 1.9), None, id="6.1 not the highest alone"),
    ],
)
def test_6_1_and_10_10_who_produces_enough_wins(
    turn: int, points: Sequence[float], reason: str | None
) -> None:
    assert rules.reason_to_end(producing(*points, turn=turn)) == reason


def test_6_1_the_threshold_falls_each_turn_and_not_below_0() -> None:
    settings = Settings()
    assert [settings.threshold_pct(turn) for turn in (14, 15, 16, 45)] == [None, 60, 58, 0]
    assert Settings(victory_step_pct=10).threshold_pct(45) == 0


def test_6_2_after_the_last_turn_more_cells_then_more_height_win() -> None:
    for picture, scores in (
        ("A1 A1\nB1 .", (5.0001, 5.0)),
        ("A1 A1\nB3 .", (5.0001, 5.0)),
        ("A1 A1\nB1 B2", (5.0, 5.0001)),
        ("A1 A1\nB1 B1", (5.0, 5.0)),
    ):
        dish = a_dish(picture, turn=45)
        dish.apply(ev.Produced((5_000, 5_000)))
        assert rules.final_scores(dish) == scores
    assert Outcome((5.0, 5.0), rules.LAST_TURN).winner is None


def test_6_3_a_team_without_stacks_is_out_and_is_asked_no_more() -> None:
    dish = block(block(a_dish(teams=3), 1, 2, 2), 3, 8, 8)
    advance(dish, GAME.play(dish, [Orders()] * 3, Streams(1)))
    assert [team.out_in for team in dish.teams] == [None, 1, None]
    assert [ask.team for ask in GAME.asks(dish)] == [1, 3]
    assert (dish.turn, dish.stage) == (2, "orders")


def test_6_3_the_last_team_with_stacks_wins_at_once() -> None:
    dish = block(a_dish(), 2, 5, 5)
    events = advance(dish, GAME.play(dish, [Orders()] * 2, Streams(1)))
    assert events[-2:] == [ev.WentOut(1), MatchEnded((0.0, 0.0001), rules.SOLE_SURVIVOR)]
    assert GAME.outcome(dish) == Outcome((0.0, 0.0001), rules.SOLE_SURVIVOR)


def test_6_3_without_early_elimination_it_has_to_wait_for_its_production() -> None:
    dish = block(a_dish(early_elimination=False), 2, 5, 5, height=1)
    advance(dish, GAME.play(dish, [Orders()] * 2, Streams(1)))
    assert dish.ending is None
    assert [ask.team for ask in GAME.asks(dish)] == [2]


def test_6_3_if_nobody_is_left_it_is_a_draw() -> None:
    dish = a_dish("A1 . . B1")  # both die for want of support
    events = advance(dish, GAME.play(dish, [Orders()] * 2, Streams(1)))
    assert events[-1] == MatchEnded((0.0, 0.0), rules.NOBODY_LEFT)


def test_6_4_two_teams_that_do_not_produce_the_same_are_decided_in_turn_20() -> None:
    assert Settings().threshold_pct(20) == 50
    assert rules.reason_to_end(producing(5.001, 5.0, turn=20)) == rules.PRODUCTION
    assert rules.reason_to_end(producing(5.001, 5.0, turn=19)) is None


def test_6_5_scores_are_production_in_points() -> None:
    dish = producing(6.37, 4.68)
    assert rules.scores(dish) == (6.37, 4.68)
    assert rules.final_scores(dish) == (6.37, 4.68)


def test_6_5_of_equal_ones_each_has_a_little_more_than_the_next() -> None:
    picture = "A1 A1 B1\nC1 C1 C1\nD1 D1 ."
    dish = a_dish(picture, teams=4, turn=45)
    dish.apply(ev.Produced((2_000, 2_000, 2_000, 2_000)))
    assert rules.final_scores(dish) == (2.0001, 2.0, 2.0002, 2.0001)


def test_5_the_turn_has_its_stages_in_order() -> None:
    dish = block(block(a_dish(), 1, 2, 2), 2, 8, 8)
    events = advance(dish, GAME.play(dish, [Orders()] * 2, Streams(1)))
    assert [event.name for event in of_type(events, Stage)] == [
        *("allocation", "growth", "specials", "combat", "death", "reduction", "production"),
        *("victory", "orders"),
    ]


@pytest.mark.parametrize("turns", [1, 3])
def test_6_2_the_match_ends_after_its_last_turn(turns: int) -> None:
    dish = GAME.new(Settings(last_turn=turns), 2)
    streams = Streams(1)
    advance(dish, GAME.start(dish, streams))
    asked = 0
    while GAME.outcome(dish) is None:
        asked += 1
        orders = [GAME.check(dish, ask, {}) for ask in GAME.asks(dish)]
        advance(dish, GAME.play(dish, orders, streams))  # type: ignore[arg-type]
    assert asked == 2 + turns
    assert dish.turn == turns
