"""The mirrored map (docs/rules/slime_mind.md 3)."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given

from engine.game import Event, Stage
from engine.games.slime_mind.events import PlantPlaced, Queued, RockPlaced, SlimePlaced
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.setup import draw_square, generate_map, mirror
from engine.games.slime_mind.state import Board
from engine.streams import Stream, Streams
from tests.cases import for_each
from tests.engine.advancing import advance
from tests.engine.games.slime_mind.boards import a_board, some_settings
from tests.engine.games.slime_mind.strategies import seeds, settings_of_small_maps


def lay_out(settings: Settings, seed: int = 0) -> tuple[Board, list[Event]]:
    board = Board(settings)
    return board, advance(board, generate_map(board, Streams(seed)))


def squares(pieces: Iterable[Piece]) -> set[tuple[int, int]]:
    return {(piece.x, piece.y) for piece in pieces}


@pytest.mark.parametrize(
    ("square", "partner"),
    [((0, 0), (29, 14)), ((14, 7), (15, 7)), ((12, 3), (17, 11))],
    ids=lambda square: f"10.7-{square}",
)
def test_10_7_mirror_images(square: tuple[int, int], partner: tuple[int, int]) -> None:
    assert mirror(*square, Settings()) == partner
    assert mirror(*partner, Settings()) == square


@given(settings_of_small_maps(), seeds)
def test_3_1_the_map_is_its_own_mirror_image(settings: Settings, seed: int) -> None:
    board, _ = lay_out(settings, seed)
    for pieces in (board.plants, board.rocks):
        places = squares(pieces.values())
        assert {mirror(x, y, settings) for x, y in places} == places
    first = squares(slime for slime in board.slimes.values() if slime.team == 1)
    second = squares(slime for slime in board.slimes.values() if slime.team == 2)
    assert {mirror(x, y, settings) for x, y in first} == second


@given(settings_of_small_maps(), seeds)
def test_3_1_there_are_as_many_pairs_as_set_and_no_square_holds_two(
    settings: Settings, seed: int
) -> None:
    board, events = lay_out(settings, seed)
    counts = len(board.slimes), len(board.plants), len(board.rocks)
    assert counts == (2 * settings.slime_pairs, 2 * settings.plant_pairs, 2 * settings.rock_pairs)
    assert len(board.at) == sum(counts) == len(events)


@for_each("seed", range(20))
def test_3_2_the_middle_of_an_odd_map_stays_empty(seed: int) -> None:
    full = Settings(columns=3, rows=3, slime_pairs=1, plant_pairs=2, rock_pairs=1)
    board, _ = lay_out(full, seed)
    assert set(board.at) == {(x, y) for x in range(3) for y in range(3)} - {(1, 1)}


def test_3_3_slimes_come_first_then_rocks_then_plants() -> None:
    _, events = lay_out(Settings(slime_pairs=2, rock_pairs=1, plant_pairs=3))
    assert [type(event) for event in events] == [SlimePlaced] * 4 + [RockPlaced] * 2 + [
        PlantPlaced
    ] * 6


@pytest.mark.parametrize(("columns", "left"), [(6, {0, 1, 2}), (7, {0, 1, 2})])
def test_3_3_slimes_of_team_1_start_left_of_the_middle(columns: int, left: set[int]) -> None:
    settings = some_settings(columns=columns, rows=2, slime_pairs=6)
    board, _ = lay_out(settings)
    assert {slime.x for slime in board.slimes.values() if slime.team == 1} == left


def test_3_3_each_free_square_is_equally_likely() -> None:
    board = a_board(
        """
        . . . .
        # . . #
        . . . .
        """
    )
    stream = Stream(b"1")
    draws = Counter(draw_square(board, stream, columns=4) for _ in range(10_000))
    assert set(draws) == {(x, y) for x in range(4) for y in range(3)} - {(0, 1), (3, 1)}
    assert min(draws.values()) > 850  # 1000 expected, 5 standard deviations
    assert max(draws.values()) < 1150


def test_3_3_rocks_and_plants_may_stand_anywhere() -> None:
    settings = some_settings(columns=6, rows=4, rock_pairs=1, plant_pairs=1)
    rocks, plants = set(), set()
    for seed in range(200):
        board, _ = lay_out(settings, seed)
        rocks |= squares(board.rocks.values())
        plants |= squares(board.plants.values())
    everywhere = {(x, y) for x in range(6) for y in range(4)}
    assert (rocks, plants) == (everywhere, everywhere)


def test_3_4_team_1_is_the_left_one() -> None:
    board, _ = lay_out(Settings())
    assert {slime.team: slime.x < 15 for slime in board.slimes.values() if slime.x < 15} == {
        1: True
    }
    assert Counter(slime.team for slime in board.slimes.values()) == {1: 5, 2: 5}


def test_3_5_pieces_start_small() -> None:
    _, events = lay_out(some_settings(columns=4, rows=4, rock_pairs=1, plant_pairs=1))
    slime, _, rock, _, plant, _ = (getattr(event, event.__struct_fields__[0]) for event in events)
    assert slime == Slime(
        id=1,
        team=1,
        x=slime.x,
        y=slime.y,
        xp=1,
        level=1,
        max_level=12,
        current_hp=11,
        max_hp=11,
        attack=3,
        ready_to_merge=False,
    )
    assert rock == Rock(id=3, x=rock.x, y=rock.y)
    assert plant == Plant(id=5, x=plant.x, y=plant.y, level=1, max_level=12, current_hp=3, max_hp=6)
    assert [event.parent for event in events if isinstance(event, PlantPlaced)] == [0, 0]


def test_3_5_the_settings_give_the_numbers_of_new_plants() -> None:
    settings = some_settings(
        plant_pairs=1, plant_start_hp=2, plant_hp_per_level=9, plant_max_level=5
    )
    board, _ = lay_out(settings)
    assert {
        (plant.current_hp, plant.max_hp, plant.max_level) for plant in board.plants.values()
    } == {(2, 9, 5)}


def test_3_6_ids_count_up_and_partners_are_neighbors() -> None:
    settings = Settings(slime_pairs=2, rock_pairs=2, plant_pairs=2)
    board, _ = lay_out(settings)
    pieces: dict[int, Piece] = {**board.slimes, **board.rocks, **board.plants}
    assert list(pieces) == list(range(1, 13))
    assert board.next_id == 13
    assert [slime.team for slime in board.slimes.values()] == [1, 2, 1, 2]
    for piece_id in range(1, 13, 2):
        piece, partner = pieces[piece_id], pieces[piece_id + 1]
        assert mirror(piece.x, piece.y, settings) == (partner.x, partner.y)


def test_3_7_the_map_depends_on_the_seed_alone_so_that_sides_can_be_exchanged() -> None:
    assert lay_out(Settings(), seed=7) == lay_out(Settings(), seed=7)
    assert lay_out(Settings(), seed=7) != lay_out(Settings(), seed=8)


def test_4_turn_1_follows_the_layout() -> None:
    game, settings = SlimeMind(), some_settings(columns=4, rows=2)
    board = game.new(settings, 2)
    assert advance(board, game.start(board, Streams(0)))[2:] == [
        Stage(1, "plants"),
        Stage(1, "slimes"),
        Queued((1, 2)),
    ]
