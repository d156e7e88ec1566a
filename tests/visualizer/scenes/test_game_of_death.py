"""What is drawn and said of the Game of Death, as values."""

from itertools import pairwise

from engine.game import Stage
from engine.games.game_of_death import events as ev
from engine.games.game_of_death.orders import Action, Command, Design, Placement, TypeDesign
from engine.games.game_of_death.pieces import Shape, ShapeType
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.state import Battle, new_battle
from visualizer.scene import Annotation, Block, Disclosure, Label, Sprite, Thing, Tile
from visualizer.scenes.game_of_death import BODY, DYING, DYING_BORDER, FLAG_SIZE, GameOfDeathScene
from visualizer.scenes.game_of_death_annotations import flag_id, home_id
from visualizer.theme import GROUND, ground_of_letters, rgb

SETTINGS = Settings(width=40, height=20, zone_width=12, home_u=2, home_row_drawn=False, home_v=8)
SCENE = GameOfDeathScene(SETTINGS, 2)
ELL, DOMINO, BLOCK = ("##", "#."), ("##",), ("###", "###", "###")


def a_battle(*shapes: Shape, home_v: int = 8) -> Battle:
    """Both teams have the same three types: an ell, a domino, and a block of nine."""
    battle = Battle(SETTINGS)
    battle.apply(ev.HomesPlaced(home_v))
    names = zip(("Ell", "Domino", "Wall"), (ELL, DOMINO, BLOCK), strict=True)
    types = tuple(ShapeType(name, mask, f"code of {name}", 1) for name, mask in names)
    for team in (1, 2):
        own = tuple(shape for shape in shapes if shape.id % 2 == team % 2)
        battle.apply(ev.Deployed(team, types, own))
    battle.apply(Stage(1, "decide"))
    return battle


def an_ell(x: int = 20, y: int = 5, *, hp: int = 6, facing: int = 0, number: int = 1) -> Shape:
    return Shape(number, 0, x, y, facing, hp)


def a_domino(x: int, y: int, *, facing: int = 0, number: int = 1) -> Shape:
    return Shape(number, 1, x, y, facing, 4)


def block(battle: Battle, thing_id: int) -> Block:
    thing = SCENE.thing(battle, thing_id)
    assert isinstance(thing, Block)
    return thing


def flag(battle: Battle, team: int) -> Sprite:
    thing = SCENE.thing(battle, flag_id(team, 2))
    assert isinstance(thing, Sprite)
    return thing


def home(battle: Battle, team: int) -> Tile:
    thing = SCENE.thing(battle, home_id(team))
    assert isinstance(thing, Tile)
    return thing


def facts(thing: Thing) -> dict[str, object]:
    return dict(zip(SCENE.kinds[thing.kind].facts, thing.facts, strict=True))


def test_a_shape_is_one_block_that_looks_to_its_front() -> None:
    shape = block(a_battle(an_ell()), 1)
    assert (shape.x, shape.y, shape.width, shape.height) == (20, 5, 2, 2)
    assert (shape.cells, shape.front, shape.bar) == ("##/#.", "E", (6, 6))
    assert shape.fill == SCENE.team_color(1)
    assert facts(shape) == {
        "name": "Ell 1",
        "team": 1,
        "at": "20, 5",
        "heading": "E",
        "cells": 3,
        "turns a move": 1,
        "state": "alive",
    }


def test_it_turns_with_its_heading() -> None:
    seen = [block(a_battle(an_ell(facing=facing)), 1) for facing in range(4)]
    assert [shape.cells for shape in seen] == ["##/#.", "##/.#", ".#/##", "#./##"]
    assert [shape.front for shape in seen] == ["E", "S", "W", "N"]


def test_it_is_the_paler_the_less_hp_it_has() -> None:
    fills = [block(a_battle(an_ell(hp=hp)), 1).fill for hp in (6, 4, 1)]
    assert [len({*fills}), fills[0]] == [3, SCENE.team_color(1)]
    reds = [int(fill[1:3], 16) for fill in fills]
    assert reds == sorted(reds)


def test_the_armies_have_the_colors_of_their_teams() -> None:
    battle = a_battle(an_ell(number=1), an_ell(30, 5, facing=2, number=2))
    assert [block(battle, number).fill for number in (1, 2)] == [
        SCENE.team_color(1),
        SCENE.team_color(2),
    ]


def brightness(color: str) -> float:
    return sum(rgb(color)) / 3


def test_types_of_an_army_have_shades_of_its_color_that_one_tells_apart() -> None:
    wall = Shape(5, 2, 24, 12, 0, 18)
    battle = a_battle(an_ell(), a_domino(24, 5, number=3), wall)
    shades = sorted(brightness(block(battle, number).fill) for number in (1, 3, 5))
    assert min(b - a for a, b in pairwise(shades)) > 12


def test_a_body_is_nearer_to_the_ground_than_to_the_living() -> None:
    body, ground = brightness(BODY), brightness(GROUND[1])
    living = brightness(block(a_battle(an_ell()), 1).fill)
    assert ground - body < body - living


def test_the_dying_look_like_it_and_nowhere_and_the_dead_are_gray() -> None:
    battle = a_battle(an_ell())
    battle.apply(ev.Damaged(1, (1,), (0,)))
    battle.apply(ev.Dying(1, (1,), (1,)))
    dying = block(battle, 1)
    assert (dying.fill, dying.border, dying.front) == (DYING, DYING_BORDER, "")
    assert facts(dying)["state"] == "dying"
    battle.apply(ev.Died(1, (1,), (60,)))
    body = block(battle, 1)
    assert (body.kind, body.fill, body.cells, body.bar) == ("body", BODY, "##/#.", (60, 60))
    battle.apply(ev.BodiesHit((1,), (12,)))
    assert block(battle, 1).bar == (12, 60)
    battle.apply(ev.BodiesHit((1,), (0,)))
    assert SCENE.thing(battle, 1) is None


def test_a_flag_stands_on_its_home_until_somebody_holds_it() -> None:
    battle = a_battle(an_ell())
    stood = flag(battle, 2)
    assert not SCENE.trails(battle)
    middle = home(battle, 2).x + SETTINGS.home_width / 2
    assert abs(stood.x - middle) < stood.size / 2
    assert stood.size == FLAG_SIZE * SETTINGS.home_height
    assert facts(home(battle, 2))["flag"] == "is there"
    battle.apply(ev.FlagTaken(1, 1))
    held = flag(battle, 2)
    assert abs(held.x - 21) < held.size / 2
    assert facts(home(battle, 2))["flag"] == "held by Ell 1"
    assert facts(block(battle, 1))["state"] == "holds the flag"
    battle.apply(ev.Moved(1, -3, 1, (1,)))
    assert (flag(battle, 2).x, flag(battle, 2).y) == (held.x - 3, held.y + 1)
    assert SCENE.trails(battle) == {2: (18, 7)}
    battle.apply(ev.FlagReturned(2))
    assert flag(battle, 2) == stood


def test_a_flag_stays_on_the_board_wherever_it_is_carried() -> None:
    battle = a_battle(an_ell(38, 0))
    battle.apply(ev.FlagTaken(1, 1))
    held = flag(battle, 2)
    assert held.y - held.size / 2 >= 0
    assert held.x + held.size / 2 <= SETTINGS.width


def test_who_captures_can_be_seen() -> None:
    battle = a_battle(an_ell())
    battle.apply(ev.CaptureBegan(1, (1,)))
    assert facts(block(battle, 1))["state"] == "captures"


def test_9_4_the_lane_of_an_attack_is_as_wide_as_the_shape_and_reaches_as_far() -> None:
    wall = Shape(1, 2, 10, 2, 0, 18)
    [annotation] = SCENE.annotations(a_battle(wall), ev.Attacked(1, 0, (1,)))
    assert annotation == Annotation("attacked", 1, 0, "forward", ((3, 0, 18, 3),))


def test_9_4_a_body_stops_the_line_that_it_is_in() -> None:
    battle = a_battle(Shape(1, 2, 10, 2, 0, 18), a_domino(15, 2, number=2, facing=2))
    battle.apply(ev.Died(2, (2,), (40,)))
    [annotation] = SCENE.annotations(battle, ev.Attacked(1, 0, (1,)))
    assert annotation.attack_lanes == ((3, 0, 3, 1), (3, 1, 18, 2))


def test_a_home_stops_an_attack_before_it() -> None:
    battle = a_battle(a_domino(8, 9))
    [annotation] = SCENE.annotations(battle, ev.Attacked(1, 2, (1,)))
    assert annotation.attack_lanes == ((-2, 0, 2, 1),)


def test_lanes_go_to_all_four_sides() -> None:
    battle = a_battle(a_domino(20, 10))
    lanes = [
        SCENE.annotations(battle, ev.Attacked(1, side, (1,)))[0].attack_lanes for side in range(4)
    ]
    assert lanes == [((2, 0, 4, 1),), ((0, 1, 2, 4),), ((-4, 0, 4, 1),), ((0, -4, 2, 4),)]


def test_a_shape_at_the_edge_reaches_nothing_beyond_it() -> None:
    [annotation] = SCENE.annotations(a_battle(a_domino(0, 0)), ev.Attacked(1, 2, (1,)))
    assert annotation.attack_lanes == ()


def test_hits_are_told_by_what_they_cost() -> None:
    battle = a_battle(an_ell(), an_ell(30, 5, number=3))
    annotations = SCENE.annotations(battle, ev.Damaged(1, (1, 3), (2, 6)))
    assert list(annotations) == [Annotation("hit", 1, 0, "4"), Annotation("unharmed", 3)]
    annotations = SCENE.annotations(battle, ev.BodiesHit((1, 3), (2, 0)))
    assert list(annotations) == [Annotation("battered", 1, 0, "2"), Annotation("shattered", 3)]


def test_what_is_said_is_told_of_each_speaker() -> None:
    annotations = SCENE.annotations(a_battle(an_ell()), ev.Spoke((1,), ("got it",)))
    assert list(annotations) == [Annotation("said", 1, 0, "got it")]


def test_armies_are_told_of_at_their_homes() -> None:
    battle = a_battle()
    drawn = ShapeType("Ell", ELL, "", 2)
    deployed = ev.Deployed(2, (drawn,), (an_ell(number=2), an_ell(30, number=4)))
    assert SCENE.annotations(battle, deployed) == (
        Annotation("deployed", -2, 0, "2 shapes, 6 cells"),
    )
    refused = ev.ArmyRefused(1, "no legal army")
    assert SCENE.annotations(battle, refused) == (Annotation("refused", -1, 0, "no legal army"),)


def test_7_4_what_is_disclosed_is_told_and_stands_beside_the_board() -> None:
    battle = a_battle(an_ell())
    event = ev.Disclosed(1, (0, 2))
    assert SCENE.annotations(battle, event) == (Annotation("disclosed", -2, 0, "Ell, Wall"),)
    assert dict(SCENE.panel(battle, 1))["types disclosed"] == 0
    battle.apply(event)
    assert dict(SCENE.panel(battle, 1))["types disclosed"] == 2
    assert SCENE.disclosures(battle) == [
        Disclosure("team 1 may read Ell of team 2", "code of Ell"),
        Disclosure("team 1 may read Wall of team 2", "code of Wall"),
    ]


def test_a_team_is_told_by_its_shapes_hp_kills_and_flags() -> None:
    battle = a_battle(an_ell(), an_ell(30, 5, hp=2, number=2))
    battle.apply(ev.Dying(2, (2,), (2,)))
    battle.apply(ev.FlagTaken(1, 1))
    battle.hp_taken[0] = 4
    assert SCENE.panel(battle, 1)[:6] == (
        # First what is compared after the last turn, in its order.
        *(("flags held", 1), ("cells killed", 3), ("hp taken", 4)),
        *(("cells", 3), ("shapes", 1), ("hp", 6)),
    )
    assert SCENE.panel(battle, 2)[3:5] == (("cells", 0), ("shapes", 0))


def test_8_9_a_team_of_a_pair_is_told_with_its_partner() -> None:
    settings = Settings(width=90, height=90, zone_width=30, home_v=43, groups=((1, 3), (2, 4)))
    battle = new_battle(settings, 4)
    scene = GameOfDeathScene(settings, 4)
    battle.delivered = [0, 2, 0, 0]
    # What is compared first after the last turn follows.
    assert [scene.panel(battle, team)[:2] for team in battle.all_teams] == [
        (("plays with", f"team {partner}"), ("flags brought home", flags))
        for partner, flags in ((3, 0), (4, 2), (1, 0), (2, 0))
    ]


def test_an_order_is_told_in_a_word_or_two() -> None:
    assert SCENE.order_text(Command.MOVE_LEFT) == "move left"
    assert SCENE.order_text(Action(Command.REST, ("hello",))) == "rest, speaks"
    design = Design((TypeDesign("Ell", ELL),), (Placement(0, 1, 1),))
    assert SCENE.order_text(design) == "1 shape"


def test_the_ground_is_tinted_where_the_armies_are_placed() -> None:
    tiles = [part for part in SCENE.backdrop() if isinstance(part, Tile)]
    assert sum(tile.width * tile.height for tile in tiles) == SETTINGS.width * SETTINGS.height
    of_zones = (
        {tile.fill for tile in tiles if tile.x < 12},
        {tile.fill for tile in tiles if tile.x >= 28},
    )
    others = {tile.fill for tile in tiles if 12 <= tile.x < 28}
    assert not of_zones[0] & of_zones[1]
    assert not others & (of_zones[0] | of_zones[1])


def test_nothing_is_to_be_seen_before_the_homes_are_placed() -> None:
    assert list(SCENE.ids(Battle(SETTINGS))) == []
    assert [SCENE.thing(Battle(SETTINGS), thing_id) for thing_id in (-1, -2, -3, -4, 1)] == [
        None
    ] * 5


def balance(battle: Battle) -> tuple[list[Tile], list[Label]]:
    """Return the bars below the board: their parts, and the words on them."""
    things = [SCENE.thing(battle, thing_id) for thing_id in SCENE.ids(battle)]
    parts = [thing for thing in things if isinstance(thing, Tile) and thing.kind == "balance"]
    return parts, [thing for thing in things if isinstance(thing, Label)]


def test_a_bar_shares_its_width_by_living_cells_and_another_by_the_score() -> None:
    wall = Shape(3, 2, 10, 12, 0, 18)
    battle = a_battle(an_ell(), wall, an_ell(30, 5, facing=2, number=2))
    parts, words = balance(battle)
    assert [part.facts[2] for part in parts] == ["12 living cells", "3 living cells"]
    assert [part.width for part in parts] == [32, 8]
    assert [part.fill for part in parts] == [
        ground_of_letters(SCENE.team_color(team)) for team in (1, 2)
    ]
    assert {part.y for part in parts} < {*range(20, 22), *(part.y for part in parts)}
    assert [label.text for label in words] == ["12 living cells"]
    battle.apply(ev.Damaged(2, (2,), (3,), ((1,),)))
    battle.apply(ev.Dying(2, (2,), (2,)))
    parts, words = balance(battle)
    assert [part.width for part in parts] == [40, 0, 40, 0]
    assert [label.text for label in words] == ["12 living cells", "3 cells killed"]


def test_there_is_no_bar_where_nothing_lives() -> None:
    assert balance(a_battle()) == ([], [])


def test_columns_and_rows_have_numbers_that_do_not_touch() -> None:
    numbers = [part for part in SCENE.backdrop() if isinstance(part, Label)]
    across = {part.text: part.x for part in numbers if part.y < 0}
    down = {part.text: part.y for part in numbers if part.x < 0}
    assert across == {"0": 0.5, "10": 10.5, "20": 20.5, "30": 30.5}
    assert down == {"0": 0.5, "10": 10.5}
    large = GameOfDeathScene(Settings(), 2)
    numbers = [part for part in large.backdrop() if isinstance(part, Label) and part.y < 0]
    assert [part.text for part in numbers] == [str(x) for x in range(0, 300, 20)]


def test_a_panel_tells_how_many_of_each_type_live() -> None:
    battle = a_battle(an_ell(), a_domino(24, 5, number=3))
    facts_of = dict(SCENE.panel(battle, 1))
    assert [facts_of[name] for name in ("Ell", "Domino", "Wall")] == ["1 of 1", "1 of 1", "0 of 1"]
