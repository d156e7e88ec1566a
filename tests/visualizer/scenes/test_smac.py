"""What is drawn of SMAC, as values."""

from collections.abc import Iterable
from itertools import combinations
from typing import Any

import pytest
from PIL import Image, ImageChops, ImageStat

from engine.game import Stage
from engine.games.smac import events as ev
from engine.games.smac.orders import ORDERS, Evolve, Orders, Place, Placement, Use
from engine.games.smac.pieces import Fight, Skip, Special
from engine.games.smac.settings import Characteristics, Settings
from engine.games.smac.state import Dish, new_dish
from engine.games.smac.terrain import ACID, BARE, BASE, DIP, FLAG_NAMES, HILL, SUGAR
from tests.cases import for_each
from visualizer.drawing.sprites import standard_sprites
from visualizer.scene import Annotation, Label, Mark, Sprite, Tile
from visualizer.scenes.smac import SmacScene
from visualizer.scenes.smac.cells import ids_in
from visualizer.scenes.smac.themes import (
    CELL,
    GOAL,
    GOAL_WORDS,
    HEIGHT,
    INNER,
    KEY,
    LAYER,
    ONE,
    PLATES,
    RIVAL_HEIGHTS,
    RIVALS,
    SHARE,
    STACK,
    TAN,
    TEAM,
    TERRAIN,
    picture_of_terrain,
    terrain_signs,
)
from visualizer.theme import DISH, OWNED, STRIKE, TEAM_COLORS

SETTINGS = Settings(side=12)
SCENE = SmacScene(SETTINGS, 2)
AT = 5 * 12 + 3
"""The cell in column 3, row 5."""


def a_dish(*events: Any, teams: int = 2, turn: int = 7) -> Dish:
    """Make a dish after these events in the allocation of a turn."""
    dish = new_dish(SETTINGS, teams)
    dish.apply(Stage(turn, "allocation"))
    return after(dish, *events)


def after(dish: Dish, *events: Any) -> Dish:
    for event in events:
        dish.apply(event)
    return dish


def grown(team: int, height: int, cell: int = AT) -> ev.Grown:
    return ev.Grown(team, (cell,), (height,))


def grown_earlier(team: int, height: int = 1, cell: int = AT) -> tuple[Any, ...]:
    """Since an earlier turn."""
    return grown(team, height, cell), ev.Claimed(team, (cell,)), Stage(8, "allocation")


def a_fight(winner: int = 2, left: int = 1) -> ev.Fought:
    return ev.Fought(Fight(8, AT, 1, (2, 3), 4, winner, left))


def cell_facts(dish: Dish, cell: int = AT) -> dict[str, Any]:
    tile = SCENE.thing(dish, CELL + cell)
    assert isinstance(tile, Tile)
    return dict(zip(SCENE.kinds["cell"].facts, tile.facts, strict=True))


def thing_fill(dish: Dish, thing_id: int) -> str:
    tile = SCENE.thing(dish, thing_id)
    assert isinstance(tile, Tile)
    return tile.fill


def label_texts(dish: Dish, ids: Iterable[int]) -> list[str]:
    things = (SCENE.thing(dish, thing_id) for thing_id in ids)
    return [thing.text for thing in things if isinstance(thing, Label)]


def test_an_empty_cell_is_white_and_nothing_lies_on_it() -> None:
    dish = a_dish()
    assert thing_fill(dish, CELL + AT) == DISH
    there = [i for i in ids_in(AT, 2) if SCENE.thing(dish, i) is not None]
    assert there == [CELL + AT]


def test_terrain_is_a_tan_plate_with_its_signs() -> None:
    dish = a_dish(ev.TerrainLaid((AT,), (SUGAR | DIP,)))
    plate = SCENE.thing(dish, TERRAIN + AT)
    assert isinstance(plate, Sprite)
    assert (plate.image, plate.x, plate.y) == ("sugar_dip", 3.5, 5.5)
    assert thing_fill(dish, CELL + AT) == TAN


def test_a_stack_on_terrain_lies_in_the_corner_without_a_sign() -> None:
    dish = a_dish(ev.TerrainLaid((AT,), (SUGAR | DIP | BASE,)), *grown_earlier(1, 3))
    stack, height = SCENE.thing(dish, STACK + AT), SCENE.thing(dish, HEIGHT + AT)
    assert isinstance(stack, Sprite)
    assert isinstance(height, Label)
    assert (height.x, height.y) == (stack.x, stack.y)
    left, right = stack.x - stack.size / 2 - 3, stack.x + stack.size / 2 - 3
    assert left > 0.34
    assert right < 1


def test_every_terrain_has_a_picture_and_a_sign_of_its_own_kind() -> None:
    pictures = {picture_of_terrain(terrain) for terrain in PLATES}
    assert len(pictures) == 26
    assert pictures <= standard_sprites("smac").keys()
    signs = [terrain_signs(terrain) for terrain in (SUGAR | HILL, ACID, BASE | BARE)]
    assert signs == ["▲◆", "○", "■✗"]
    assert SCENE.letters["sugar_hill_base"] == "▲■◆"
    assert len({SCENE.letters[picture] for picture in pictures}) == 26


def sign_in(corner: str, terrain: int) -> Image.Image:
    """Return what is dark in a corner of its plate."""
    plate = standard_sprites("smac")[picture_of_terrain(terrain)].convert("L")
    left, top = 0 if corner[1] == "l" else 128, 0 if corner[0] == "u" else 128
    inner = plate.crop((left + 20, top + 20, left + 108, top + 108))
    return inner.point(lambda value: 255 * (value < 80))


def ink(sign: Image.Image) -> float:
    """Return the share that is drawn."""
    return ImageStat.Stat(sign).mean[0] / 255


@pytest.mark.parametrize(
    ("corner", "minus", "plus"),
    [("ul", DIP, HILL), ("ur", ACID, BASE), ("ll", BARE, SUGAR)],
    ids=["relief", "base", "production"],
)
def test_the_signs_of_a_trait_stand_in_its_corner(corner: str, minus: int, plus: int) -> None:
    for terrain in (minus, plus):
        corners = {place: ink(sign_in(place, terrain)) for place in ("ul", "ur", "ll", "lr")}
        assert {place for place, share in corners.items() if share > 0.05} == {corner}


def test_signs_differ_by_their_shape_alone() -> None:
    places = {DIP: "ul", HILL: "ul", ACID: "ur", BASE: "ur", BARE: "ll", SUGAR: "ll"}
    signs = [sign_in(place, terrain) for terrain, place in places.items()]
    for one, other in combinations(signs, 2):
        assert ink(ImageChops.difference(one, other)) > 0.08


@for_each("teams", [2, 6])
@for_each("side", [0, 12, 17, 18, 100])
def test_a_key_below_the_dish_names_every_sign(side: int, teams: int) -> None:
    scene = SmacScene(Settings(side=side), teams)
    dish = new_dish(Settings(side=side), teams)
    signs = [scene.thing(dish, thing_id) for thing_id in scene.ids(dish) if thing_id >= KEY]
    plates = [sign for sign in signs if isinstance(sign, Sprite)]
    names = [sign for sign in signs if isinstance(sign, Label)]
    assert [plate.facts[0] for plate in plates] == [name.text for name in names]
    assert {name.text for name in names} == set(FLAG_NAMES.values())
    for plate, name in zip(plates, names, strict=True):
        assert plate.y == name.y < scene.extent.bottom
        assert plate.x < name.x < scene.extent.right - 0.5


def test_an_empty_base_cell_has_a_gray_1_until_there_is_a_stack() -> None:
    dish = a_dish(ev.TerrainLaid((AT, AT + 1), (BASE, ACID)))
    assert label_texts(dish, [ONE + AT, ONE + AT + 1]) == ["1"]
    assert SCENE.thing(after(dish, grown(1, 2)), ONE + AT) is None


def test_an_owned_cell_has_the_ground_of_its_team_and_a_stack_with_its_height() -> None:
    dish = a_dish(*grown_earlier(2, 3))
    assert thing_fill(dish, CELL + AT) == OWNED[1]
    stack = SCENE.thing(dish, STACK + AT)
    assert isinstance(stack, Sprite)
    assert (stack.image, stack.x, stack.y) == ("stack_2", 3.5, 5.5)
    assert stack.facts == ("stack of team 2", 2, 3)
    assert label_texts(dish, [HEIGHT + AT]) == ["3"]


def test_higher_stacks_are_larger_up_to_a_limit() -> None:
    stacks = [
        SCENE.thing(a_dish(*grown_earlier(1, height)), STACK + AT) for height in (1, 2, 9, 30)
    ]
    sizes = [stack.size for stack in stacks if isinstance(stack, Sprite)]
    assert sizes[0] < sizes[1] < sizes[2] == sizes[3] < 1


@pytest.mark.parametrize(("height", "least", "most"), [(3, 0.9, 1.0), (12, 0.7, 0.75)])
def test_a_height_is_written_as_large_as_its_stack_has_room(
    height: int, least: float, most: float
) -> None:
    dish = a_dish(*grown_earlier(1, height))
    stack, label = SCENE.thing(dish, STACK + AT), SCENE.thing(dish, HEIGHT + AT)
    assert isinstance(stack, Sprite)
    assert isinstance(label, Label)
    assert least < label.size / stack.size < most


def test_what_was_placed_this_turn_is_on_white_without_a_shadow() -> None:
    dish = a_dish(ev.Placed(1, (AT,), (1,), (AT,)))
    stack = SCENE.thing(dish, STACK + AT)
    assert isinstance(stack, Sprite)
    assert stack.image == "new_stack_1"
    assert thing_fill(dish, CELL + AT) == DISH
    stack = SCENE.thing(after(dish, Stage(8, ORDERS)), STACK + AT)
    assert isinstance(stack, Sprite)
    assert stack.image == "new_stack_1"  # as long as the next orders are awaited
    assert thing_fill(after(dish, Stage(8, "allocation")), CELL + AT) == OWNED[0]


def test_stacks_of_several_teams_lie_side_by_side_in_their_cell() -> None:
    dish = a_dish(*grown_earlier(1, 2), grown(2, 1))
    assert SCENE.thing(dish, STACK + AT) is None
    first, second = (SCENE.thing(dish, RIVALS + team * LAYER + AT) for team in range(2))
    assert isinstance(first, Sprite)
    assert isinstance(second, Sprite)
    assert [first.image, second.image] == ["stack_1", "new_stack_2"]
    assert 3 < first.x < 3.5 < second.x < 4
    assert label_texts(dish, (RIVAL_HEIGHTS + team * LAYER + AT for team in range(2))) == ["2", "1"]
    assert cell_facts(dish)["stack"] == "2, 1 of team 2"


@pytest.mark.parametrize("teams", range(2, 7))
def test_stacks_of_any_number_of_teams_have_room_in_a_cell(teams: int) -> None:
    scene = SmacScene(SETTINGS, teams)
    dish = a_dish(*(grown(team, 9) for team in range(1, teams + 1)), teams=teams)
    stacks = [scene.thing(dish, RIVALS + team * LAYER + AT) for team in range(teams)]
    places = [(stack.x, stack.y) for stack in stacks if isinstance(stack, Sprite)]
    assert len(set(places)) == teams
    assert all(3 < x < 4 and 5 < y < 6 for x, y in places)


def test_where_something_unusual_happened_is_a_red_border_for_that_turn() -> None:
    dish = a_dish(*grown_earlier(1, 2), grown(2, 3), a_fight())
    for shown in (dish, after(dish, Stage(9, ORDERS))):
        assert thing_fill(shown, CELL + AT) == STRIKE
        inner = SCENE.thing(shown, INNER + AT)
        assert isinstance(inner, Tile)
        assert 3 < inner.x < inner.x + inner.width < 4
    after(dish, Stage(9, "allocation"))
    assert SCENE.thing(dish, INNER + AT) is None
    assert thing_fill(dish, CELL + AT) != STRIKE


def test_a_stack_that_came_down_has_a_red_border() -> None:
    dish = a_dish(*grown_earlier(1, 3), ev.Reduced(1, (AT,), (2,)))
    assert thing_fill(dish, CELL + AT) == STRIKE


def test_the_facts_of_a_cell_are_what_the_rules_make_of_it() -> None:
    """Docs/rules/smac.md 5.7, 5.8, 5.13 to 5.15: raw 2 on BASE is 3, and makes 1.70 with SUGAR."""
    dish = a_dish(ev.TerrainLaid((AT,), (SUGAR | HILL | BASE,)), *grown_earlier(1, 2))
    levels = Characteristics(defense=1, productivity=3, stacking=2)
    assert cell_facts(after(dish, ev.Rose(1, levels))) == {
        "name": "cell 3, 5",
        "owner": "team 1",
        "stack": "2",
        "effective": 3,
        "produces": pytest.approx(2.21),
        "defense": 1 + 3 + 2 + 2,
        "soil": "SUGAR",
        "relief": "HILL",
        "base": "BASE",
    }


def test_a_shell_is_in_the_defense_for_its_turn() -> None:
    dish = a_dish(*grown_earlier(1, 1))
    assert cell_facts(dish)["defense"] == 2
    after(dish, ev.SpecialUsed(1, Special.SHELL, None, 1, ()))
    assert cell_facts(dish)["defense"] == 4
    assert cell_facts(after(dish, Stage(9, "allocation")))["defense"] == 2


def test_nobody_s_cell_produces_and_defends_nothing() -> None:
    facts = cell_facts(a_dish())
    assert list(facts.values()) == ["cell 3, 5", "nobody", "-", 0, 0.0, 0, "-", "-", "-"]


def test_the_bar_shows_the_shares_of_production_the_largest_first() -> None:
    dish = a_dish(ev.Produced((2_500, 7_500)))
    first, second = (SCENE.thing(dish, TEAM + team) for team in (1, 2))
    assert isinstance(first, Tile)
    assert isinstance(second, Tile)
    assert (second.x, second.width, second.fill) == (0, 9, TEAM_COLORS[1])
    assert (first.x, first.width, first.fill) == (9, 3, TEAM_COLORS[0])
    assert label_texts(dish, [SHARE + 1, SHARE + 2]) == ["25 %", "75 %"]
    assert first.facts[:4] == ("team 1", "the bar of production", 2.5, "25.0 %")


def test_while_nobody_produces_all_shares_are_equal_and_without_a_number() -> None:
    dish = a_dish()
    parts = [SCENE.thing(dish, TEAM + team) for team in (1, 2)]
    assert [part.width for part in parts if isinstance(part, Tile)] == [6, 6]
    assert label_texts(dish, [SHARE + 1, SHARE + 2]) == []


@pytest.mark.parametrize(("turn", "percent"), [(1, 60), (15, 60), (16, 58), (20, 50), (45, 0)])
def test_6_1_a_mark_stands_where_the_largest_share_wins(turn: int, percent: int) -> None:
    dish = a_dish(ev.Produced((4_000, 6_000)), turn=turn)
    goal = SCENE.thing(dish, GOAL)
    assert isinstance(goal, Tile)
    assert goal.x + goal.width / 2 == pytest.approx(12 * percent / 100, abs=goal.width)
    when = f" from turn 15 (in {15 - turn})" if turn < 15 else ""
    assert label_texts(dish, [GOAL_WORDS]) == [f"{percent} % wins{when}"]
    assert bool(goal.fill) == (not when), "hollow until it counts"
    assert SCENE.threshold(dish) == pytest.approx(percent / 10)


def test_while_orders_are_awaited_the_threshold_is_that_of_the_last_turn() -> None:
    dish = a_dish(ev.Produced((4_000, 6_000)), Stage(16, ORDERS))
    assert SCENE.threshold(dish) == pytest.approx(6)
    assert SCENE.threshold(after(dish, Stage(16, "allocation"))) == pytest.approx(5.8)


def test_a_panel_has_share_cells_bank_and_the_levels_there_are() -> None:
    dish = a_dish(
        ev.Endowed(1, 12_345, Characteristics()), *grown_earlier(1), ev.Produced((3_000, 1_000))
    )
    assert SCENE.panel(dish, 1) == (
        ("share", "75 %"),
        ("cells", 1),
        ("bank", 12.3),
        ("stacking", 1),
    )
    levels = Characteristics(attack=2, stacking=3)
    after(dish, ev.Rose(1, levels), ev.Selected(1, Special.NUKE))
    assert SCENE.panel(dish, 1)[3:] == (("attack", 2), ("stacking", 3), ("special", "NUKE"))


def test_a_combat_report_says_who_won_against_whom() -> None:
    annotations = SCENE.annotations(a_dish(*grown_earlier(1, 2), grown(2, 3)), a_fight())
    text = "team 2 (height 3) beat team 1 (height 2, owner) in 4 rounds, 1 remaining"
    assert annotations == (Annotation("fought", CELL + AT, CELL + AT, text),)
    assert SCENE.event_styles["fought"].mark is Mark.CONTEST


def test_deaths_are_told_of_the_stack_and_of_its_cell() -> None:
    dish = a_dish(*grown_earlier(1, 2))
    assert SCENE.annotations(dish, ev.Died(1, (AT,))) == [Annotation("died", STACK + AT, CELL + AT)]
    assert SCENE.annotations(dish, ev.Cleared((AT, AT + 1))) == [
        Annotation("cleared", STACK + AT, CELL + AT)
    ]
    contested = after(dish, grown(2, 1))
    assert SCENE.annotations(contested, ev.Cleared((AT,))) == [
        Annotation("cleared", RIVALS + AT, CELL + AT),
        Annotation("cleared", RIVALS + LAYER + AT, CELL + AT),
    ]


@for_each(
    "event, annotations",
    [
        (ev.Bid(1, 2, 18_000), [Annotation("bid", TEAM + 1, 0, "2 points")]),
        (ev.Bid(1, 0, 20_000), []),
        (
            ev.Settled(1, AT, (AT, AT + 1)),
            [
                Annotation("settled", TEAM + 1, 0, "3, 5"),
                Annotation("centered", CELL + AT, 0, "team 1"),
                Annotation("founded", CELL + AT, 0, "team 1"),
                Annotation("founded", CELL + AT + 1, 0, "team 1"),
            ],
        ),
        (ev.Claimed(2, (AT,)), [Annotation("claimed", CELL + AT, 0, "team 2")]),
        (ev.Settled(1, None, ()), [Annotation("stranded", TEAM + 1)]),
        (grown(1, 2), [Annotation("grew", CELL + AT, 0, "team 1, height 2")]),
        (ev.Reduced(2, (AT,), (1,)), [Annotation("sank", CELL + AT, 0, "team 2, height 1")]),
        (
            ev.Rose(1, Characteristics(jump=1, stacking=2)),
            [Annotation("evolved", TEAM + 1, 0, "jump 1, stacking 2")],
        ),
        (
            ev.Skipped(2, (Skip("place 0 0", "beyond reach"), Skip("x", "y")), 3),
            [Annotation("skipped", TEAM + 2, 0, "place 0 0: beyond reach; and 4 more")],
        ),
        (ev.OrdersLost(2, "timeout"), [Annotation("lost", TEAM + 2, 0, "timeout")]),
        (
            ev.SpecialUsed(1, Special.ENRICH, AT, None, (AT,)),
            [
                Annotation("used", TEAM + 1, 0, "ENRICH at 3, 5"),
                Annotation("struck", CELL + AT, 0, "ENRICH of team 1"),
            ],
        ),
        (
            ev.SpecialUsed(1, Special.BLIGHT, None, 2, ()),
            [Annotation("used", TEAM + 1, 0, "BLIGHT against team 2")],
        ),
        (ev.SpecialUsed(1, Special.SHELL, None, 1, ()), [Annotation("used", TEAM + 1, 0, "SHELL")]),
        (ev.Produced((1_400, 0)), [Annotation("produced", TEAM + 1, 0, "1.4 points")]),
        (ev.WentOut(2), [Annotation("out", TEAM + 2)]),
        (ev.Banked(1, 5), []),
    ],
)
def test_what_happens_is_told(event: Any, annotations: list[Annotation]) -> None:
    assert [*SCENE.annotations(a_dish(), event)] == annotations


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (Orders(), "0 orders"),
        (Orders((Place(1, 2),)), "1 order"),
        (
            Orders(
                (Place(1, 2), Evolve(next(iter(Special)))),  # type: ignore[arg-type]
                Use(Special.NUKE, (1, 2)),
                Special.BLOOM,
            ),
            "2 orders, use NUKE, select BLOOM",
        ),
        (Placement(3, ((1, 2),)), "bid 3, 1 center"),
    ],
    ids=str,
)
def test_orders_are_told_in_short(order: Any, text: str) -> None:
    assert SCENE.order_text(order) == text


def test_every_team_has_a_ground_and_pictures() -> None:
    pictures = standard_sprites("smac")
    for team in range(1, 7):
        assert {f"stack_{team}", f"new_stack_{team}"} <= pictures.keys()


def test_what_is_new_has_no_shadow() -> None:
    """A shadow is what is half transparent; edges are so, too, a little."""
    pictures = standard_sprites("smac")
    for team in range(1, 7):
        shadow, none = (
            sum(pictures[f"{name}_{team}"].getchannel("A").histogram()[80:160])
            for name in ("stack", "new_stack")
        )
        assert shadow > 1_500 > 600 > none
