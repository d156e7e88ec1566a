"""A turn: rocks, plants, then slimes (docs/rules/slime_mind.md 4)."""

import pytest

from engine.fault import Cause, Fault
from engine.game import MatchEnded, Stage
from engine.games.slime_mind import rules
from engine.games.slime_mind.events import (
    Bitten,
    Died,
    Grown,
    Levelled,
    Merged,
    Moved,
    Nothing,
    PlantPlaced,
    Queued,
    Readied,
    Reason,
    Split,
)
from engine.games.slime_mind.pieces import Plant, Slime
from engine.games.slime_mind.state import Board
from tests.engine.advancing import advance
from tests.engine.games.slime_mind.boards import (
    LoadedStreams,
    a_board,
    a_plant,
    a_slime,
    an_enemy,
    choosing,
    play,
)

HIT = 0.0
MISS = 0.999


def a_plants_phase(board: Board, draws: list[float]) -> list[object]:
    return list(advance(board, rules.grow_plants(board, LoadedStreams(plants=draws))))


def a_queue(board: Board) -> list[object]:
    return list(advance(board, rules.queue_slimes(board, LoadedStreams())))


def test_4_a_turn_lets_plants_grow_and_then_queues_the_slimes() -> None:
    board = a_board("A p B", turn=6, plant_level_chance_pct=100)
    assert advance(board, rules.begin_turn(board, LoadedStreams(plants=[MISS]))) == [
        Stage(7, "plants"),
        Grown(3, level=2, max_hp=12, hp=9),
        Stage(7, "slimes"),
        Queued((1, 2)),
    ]
    assert (board.turn, board.queue) == (7, [1, 2])


def test_4_the_first_turn_is_turn_1() -> None:
    board = a_board("A B", turn=0)
    assert advance(board, rules.begin_turn(board, LoadedStreams()))[0] == Stage(1, "plants")


@pytest.mark.parametrize("order", ["RIGHT", "BITERIGHT"])
def test_4_1_a_rock_can_be_neither_moved_nor_bitten(order: str) -> None:
    board = a_board("A # B")
    rocks = dict(board.rocks)
    assert len(play(board, order)) == 1
    assert board.rocks == rocks


def test_4_2_plants_go_in_ascending_order_of_ids() -> None:
    board = a_board("q p A B", q=a_plant(9), plant_level_chance_pct=50)
    assert a_plants_phase(board, [0.1, MISS]) == [Grown(3, 2, 12, 9)]


@pytest.mark.parametrize(("draw", "grows"), [(0.0, True), (0.1999, True), (0.2, False)])
def test_4_2a_a_plant_rises_with_the_set_chance(draw: float, grows: bool) -> None:
    board = a_board("A p B", plant_level_chance_pct=20)
    assert a_plants_phase(board, [draw]) == ([Grown(3, 2, 12, 9)] if grows else [])


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (a_plant(level=1, hp=3), Grown(3, level=2, max_hp=12, hp=9)),
        (a_plant(level=4, hp=1), Grown(3, level=5, max_hp=30, hp=16)),
        (a_plant(level=11, hp=66), Grown(3, level=12, max_hp=72, hp=72)),
    ],
)
def test_4_2a_a_plant_that_rises_gains_half_of_its_new_most(before: Plant, after: Grown) -> None:
    board = a_board("A p B", p=before, plant_level_chance_pct=100)
    assert a_plants_phase(board, [HIT]) == [after]


def test_4_2a_half_of_an_odd_most_is_rounded_down() -> None:
    board = a_board(
        "A p B", p=a_plant(level=2, hp=1), plant_level_chance_pct=100, plant_hp_per_level=9
    )
    assert a_plants_phase(board, [HIT]) == [Grown(3, level=3, max_hp=27, hp=14)]


def test_10_6_a_plant_that_rises_every_turn() -> None:
    board = a_board("A p B", plant_level_chance_pct=100)
    seen = [(board.plants[3].current_hp, board.plants[3].max_hp)]
    for _ in range(11):
        a_plants_phase(board, [HIT])
        seen.append((board.plants[3].current_hp, board.plants[3].max_hp))
    assert seen == [(3, 6), (9, 12), *((6 * level, 6 * level) for level in range(3, 13))]


@pytest.mark.parametrize(("draw", "seeds"), [(0.0, True), (0.0499, True), (0.05, False)])
def test_4_2b_a_plant_of_the_highest_level_seeds_with_the_set_chance(
    draw: float, seeds: bool
) -> None:
    board = a_board(". p A B", p=a_plant(level=12, hp=72), plant_seed_chance_pct=5)
    seed = PlantPlaced(Plant(4, 0, 0, level=1, max_level=12, current_hp=3, max_hp=6), parent=3)
    assert a_plants_phase(board, [draw, HIT] if seeds else [draw]) == ([seed] if seeds else [])


@pytest.mark.parametrize(("place", "square"), [(0, (0, 0)), (1, (1, 0)), (2, (2, 2))])
def test_4_2b_a_seed_falls_on_any_empty_square_of_the_eight(
    place: int, square: tuple[int, int]
) -> None:
    board = a_board(
        """
        . . #
        # p A
        # B .
        """,
        p=a_plant(level=12, hp=72),
        plant_seed_chance_pct=100,
    )
    (seeded,) = a_plants_phase(board, [HIT, choosing(place)])
    assert isinstance(seeded, PlantPlaced)
    assert (seeded.plant.x, seeded.plant.y) == square


def test_4_2b_a_seed_without_an_empty_square_is_lost() -> None:
    board = a_board("A p B .", p=a_plant(level=12, hp=72), plant_seed_chance_pct=100)
    assert a_plants_phase(board, [HIT]) == []


def test_4_2b_a_plant_cannot_reach_the_highest_level_and_seed_in_one_turn() -> None:
    board = a_board(
        ". p A B", p=a_plant(level=11, hp=5), plant_level_chance_pct=100, plant_seed_chance_pct=100
    )
    assert a_plants_phase(board, [HIT]) == [Grown(3, level=12, max_hp=72, hp=41)]
    (seeded,) = a_plants_phase(board, [HIT, HIT])
    assert isinstance(seeded, PlantPlaced)


def test_4_2b_a_plant_of_the_highest_level_heals_no_more() -> None:
    board = a_board("A p B", p=a_plant(level=12, hp=5), plant_level_chance_pct=100)
    assert a_plants_phase(board, [MISS]) == []


def test_4_2_a_new_plant_waits_for_the_next_turn() -> None:
    board = a_board(
        ". p A B", p=a_plant(level=12, hp=72), plant_seed_chance_pct=100, plant_level_chance_pct=100
    )
    assert len(a_plants_phase(board, [HIT, HIT])) == 1  # a third draw would fail
    assert board.plants[4].level == 1


def test_4_2_a_later_plant_sees_the_seed_of_an_earlier_one() -> None:
    board = a_board(
        "p . q A B",
        p=a_plant(3, level=12, hp=72),
        q=a_plant(4, level=12, hp=72),
        plant_seed_chance_pct=100,
    )
    assert a_plants_phase(board, [HIT, HIT, HIT]) == [
        PlantPlaced(Plant(5, 1, 0, 1, 12, 3, 6), parent=3)
    ]


@pytest.mark.parametrize(
    ("turn", "order"), [(1, (1, 2, 3, 4, 5)), (2, (2, 1, 4, 3, 5))], ids=["10.9-odd", "10.9-even"]
)
def test_10_9_teams_alternate(turn: int, order: tuple[int, ...]) -> None:
    board = a_board("E D C B A", turn=turn, C=a_slime(3), D=an_enemy(4), E=a_slime(5))
    assert a_queue(board) == [Queued(order)]


def test_4_3_the_longer_team_goes_on_alone() -> None:
    board = a_board("A B D E", turn=1, D=an_enemy(4), E=an_enemy(5))
    assert a_queue(board) == [Queued((1, 2, 4, 5))]


def test_4_3_ids_ascend_within_a_team_wherever_the_slimes_stand() -> None:
    board = a_board("C A E B", turn=1, C=a_slime(7), E=a_slime(5))
    assert a_queue(board) == [Queued((1, 2, 5, 7))]


def test_4_3_after_the_last_slime_the_next_turn_begins_with_the_other_team() -> None:
    board = a_board("A . B", turn=1)
    assert play(board, "LEFT", "RIGHT") == [
        Nothing(1, Reason.EDGE),
        Nothing(2, Reason.EDGE),
        Stage(2, "plants"),
        Stage(2, "slimes"),
        Queued((2, 1)),
    ]


def test_4_4_a_slime_killed_before_its_round_loses_it() -> None:
    board = a_board("A B D", B=an_enemy(2, hp=3), D=an_enemy(4), queue=[1, 2, 4])
    assert play(board, "BITERIGHT") == [Bitten(1, 2, target_hp=0, hp=11, xp=2), Died(2, by=1)]
    assert board.queue == [4]


def test_4_4_a_slime_merged_away_before_its_round_loses_it() -> None:
    board = a_board("A C B", C=a_slime(3, ready=True), queue=[1, 3, 2])
    assert play(board, "MERGE") == [Readied(1), Merged(1, 3, xp=2, hp=11)]
    assert board.queue == [2]


def test_4_4_a_new_slime_acts_from_the_next_turn_on() -> None:
    board = a_board("A . B", A=a_slime(xp=15))
    child = Slime(3, 1, 1, 0, 1, 1, 12, 11, 11, 3, False)
    assert play(board, "SPLIT", "RIGHT") == [
        Split(1, xp=4, child=child),
        Nothing(2, Reason.EDGE),
        Stage(3, "plants"),
        Stage(3, "slimes"),
        Queued((1, 2, 3)),
        Levelled(1, level=2, attack=4, max_hp=13, hp=13),
    ]


def test_4_5_a_match_ends_as_soon_as_a_team_has_no_slime() -> None:
    board = a_board("C A B", B=an_enemy(hp=3), C=a_slime(3), queue=[1, 2, 3])
    assert play(board, "BITERIGHT") == [
        Bitten(1, 2, target_hp=0, hp=11, xp=2),
        Died(2, by=1),
        Stage(2, "scoring"),
        Levelled(1, level=2, attack=4, max_hp=13, hp=13),
        MatchEnded((0.6, 0.0), "elimination"),
    ]
    assert board.queue == []


def test_4_5_a_match_goes_on_when_a_team_loses_one_of_two_slimes() -> None:
    board = a_board("A C B", C=a_slime(3, hp=1), queue=[1, 3, 2])
    play(board, "BITERIGHT")
    assert (sorted(board.slimes), board.ending) == ([1, 2], None)


def test_4_5_a_match_goes_on_while_both_teams_have_a_slime() -> None:
    board = a_board("A . B")
    assert play(board, "RIGHT", Fault(Cause.TIMEOUT))[0] == Moved(1, 1, 0)
    assert board.ending is None
