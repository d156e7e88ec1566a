"""Production (docs/rules/smac.md 5G)."""

import pytest

from engine.games.smac import events as ev
from engine.games.smac.production import stack_yield
from engine.games.smac.rules import produce
from engine.games.smac.settings import Characteristics, ProductionModel
from engine.games.smac.terrain import ACID, BARE, BASE, CENTER, DIP, HILL, SUGAR, effective_height
from tests.cases import for_each
from tests.engine.games.smac.dishes import a_dish, block, run

TABLE, LINEAR = ProductionModel.TABLE, ProductionModel.LINEAR
TERRAINS = (BARE | ACID, BARE, BARE | BASE, ACID, 0, BASE, SUGAR | ACID, SUGAR, SUGAR | BASE)
ROWS = {
    1: (0, 0, 0, 0, 0, 40, 0, 100, 140),
    2: (0, 0, 0, 0, 40, 70, 100, 140, 170),
    3: (0, 0, 0, 40, 70, 100, 140, 170, 200),
    4: (0, 0, 24, 70, 100, 124, 170, 200, 224),
    5: (0, 24, 45, 100, 124, 145, 200, 224, 245),
}


@pytest.mark.parametrize(
    ("raw", "terrain", "hundredths"),
    [
        pytest.param(raw, terrain, hundredths, id=f"5.14 raw {raw}, terrain {terrain}")
        for raw, row in ROWS.items()
        for terrain, hundredths in zip(TERRAINS, row, strict=True)
    ],
)
def test_5_14_the_table_of_yields(raw: int, terrain: int, hundredths: int) -> None:
    assert stack_yield(raw, terrain, TABLE) == hundredths
    assert (
        stack_yield(raw, terrain | HILL, TABLE)
        == stack_yield(raw, terrain | DIP, TABLE)
        == hundredths
    )


@for_each(
    "effective, hundredths",
    [
        (1, 0),
        (2, 40),
        (3, 70),
        (4, 100),
        (5, 124),
        (6, 145),
        (7, 165),
        (8, 183),
        (9, 200),
        (10, 216),
    ],
)
def test_5_13_production_by_effective_height(effective: int, hundredths: int) -> None:
    assert stack_yield(effective, 0, TABLE) == hundredths


def test_5_13_nothing_produces_nothing_even_on_sugar_and_base() -> None:
    assert [stack_yield(0, terrain, TABLE) for terrain in TERRAINS] == [0] * len(TERRAINS)


@pytest.mark.parametrize(
    ("raw", "terrain", "effective"),
    [(1, BASE, 2), (1, ACID, 0), (3, ACID, 2), (4, 0, 4), (0, BASE, 0)],
)
def test_5_8_the_effective_height_is_one_more_on_base_and_one_less_on_acid(
    raw: int, terrain: int, effective: int
) -> None:
    assert effective_height(raw, terrain) == effective


@pytest.mark.parametrize(
    ("productivity", "thousandths"),
    [
        pytest.param(0, 2_800, id="10.2 two clusters"),
        pytest.param(3, 3_640, id="10.2 with productivity 3"),
    ],
)
def test_10_2_and_5_15_two_clusters_after_the_placement(
    productivity: int, thousandths: int
) -> None:
    dish = a_dish(
        terrain={(2, 2): CENTER, (9, 9): CENTER},
        levels={1: Characteristics(stacking=1, productivity=productivity)},
    )
    block(block(dish, 1, 2, 2), 1, 9, 9)
    events = run(dish, produce)
    assert events == [ev.Produced((thousandths, 0)), ev.Banked(1, 20_000 + thousandths)]
    assert dish.team(1).production == thousandths


@pytest.mark.parametrize(
    ("raw", "hundredths"),
    [pytest.param(2, 170, id="10.2 raw 2"), pytest.param(3, 200, id="10.2 raw 3")],
)
def test_10_2_a_higher_center(raw: int, hundredths: int) -> None:
    assert stack_yield(raw, CENTER, TABLE) == hundredths


def test_5_15_production_is_exact_to_the_thousandth() -> None:
    dish = a_dish("A2 A5", levels={1: Characteristics(stacking=5, productivity=7)})
    run(dish, produce)
    assert dish.team(1).production == (40 + 124) * 17


@pytest.mark.parametrize(("raw", "points"), [(1, 0), (2, 1), (3, 2), (7, 6)])
def test_5_16_linear_yields_one_for_each_level_above_one(raw: int, points: int) -> None:
    assert stack_yield(raw, 0, LINEAR) == 100 * points
    dish = a_dish(f"A{raw}", production_model="linear")
    run(dish, produce)
    assert dish.team(1).production == 1_000 * points
