"""The ten commands (docs/rules/slime_mind.md 2 and 6)."""

import pytest

from engine.games.slime_mind.events import (
    Bitten,
    Died,
    Levelled,
    Merged,
    Moved,
    Nothing,
    Readied,
    Reason,
    Split,
)
from engine.games.slime_mind.pieces import Slime
from engine.games.slime_mind.rules import split_xp
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import (
    LoadedStreams,
    a_board,
    a_plant,
    a_slime,
    an_enemy,
    choosing,
    play,
)

EDGE = Nothing(1, Reason.EDGE)
OCCUPIED = Nothing(1, Reason.OCCUPIED)
NO_TARGET = Nothing(1, Reason.NO_TARGET)
DIRECTIONS = [("LEFT", (0, 1)), ("RIGHT", (2, 1)), ("UP", (1, 0)), ("DOWN", (1, 2))]
OPEN = """
    . . . .
    . A . .
    . . . B
"""


@pytest.mark.parametrize(("order", "square"), DIRECTIONS)
def test_2_2_the_four_directions(order: str, square: tuple[int, int]) -> None:
    board = a_board(OPEN)
    assert play(board, order) == [Moved(1, *square)]
    assert board.slimes[1] == Slime(1, 1, *square, 1, 1, 12, 11, 11, 3, False)


@pytest.mark.parametrize(("order", "square"), [("UP", (1, 2)), ("DOWN", (1, 0))])
def test_2_2_with_y_up_rows_count_upwards(order: str, square: tuple[int, int]) -> None:
    assert play(a_board(OPEN, y_up=True), order) == [Moved(1, *square)]


WAITS = """
    . p .
    # A .
    . B .
"""


@pytest.mark.parametrize("y_up", [False, True])
@pytest.mark.parametrize("side", ["LEFT", "RIGHT", "UP", "DOWN"])
def test_6_to_every_side_either_a_step_or_a_bite_does_nothing(side: str, *, y_up: bool) -> None:
    """docs/writing_a_bot.md gives this as the way to do nothing."""
    board = a_board(WAITS, y_up=y_up)
    order = f"BITE{side}" if side == "RIGHT" else side
    (event, *_) = play(board, order)
    assert type(event) is Nothing


@pytest.mark.parametrize("y_up", [False, True])
@pytest.mark.parametrize(
    ("direction", "target"), [("LEFT", 4), ("RIGHT", 5), ("UP", 6), ("DOWN", 7)]
)
def test_2_3_bites_reach_the_four_sides(direction: str, target: int, *, y_up: bool) -> None:
    above, below = (7, 6) if y_up else (6, 7)
    board = a_board(
        """
        . u . .
        l A r .
        . d . B
        """,
        l=a_plant(4, hp=6),
        r=a_plant(5, hp=6),
        u=a_plant(above, hp=6),
        d=a_plant(below, hp=6),
        y_up=y_up,
    )
    assert play(board, f"BITE{direction}") == [Bitten(1, target, target_hp=3, hp=11, xp=2)]


@pytest.mark.parametrize("direction", ["LEFT", "RIGHT", "UP", "DOWN"])
def test_2_3_bites_do_not_reach_the_corners(direction: str) -> None:
    board = a_board(
        """
        p . q .
        . A . .
        r . s B
        """,
        q=a_plant(4),
        r=a_plant(5),
        s=a_plant(6),
    )
    assert play(board, f"BITE{direction}") == [NO_TARGET]


@for_each("order", ["LEFT", "RIGHT", "UP", "DOWN"])
@for_each("obstacle", ["#", "p", "C", "D"])
def test_2_1_a_square_holds_one_piece(order: str, obstacle: str) -> None:
    board = a_board(
        f"""
        . {obstacle if order == "UP" else "."} .
        {obstacle if order == "LEFT" else "."} A {obstacle if order == "RIGHT" else "."}
        B {obstacle if order == "DOWN" else "."} .
        """,
        C=a_slime(4),
        D=an_enemy(5),
    )
    assert play(board, order) == [OCCUPIED]
    assert (board.slimes[1].x, board.slimes[1].y) == (1, 1)


@pytest.mark.parametrize("y_up", [False, True])
@pytest.mark.parametrize(
    ("direction", "drawing"),
    [("LEFT", "A . B"), ("RIGHT", "B . A"), ("UP", "A . B"), ("DOWN", "A . B")],
)
def test_2_1_nothing_wraps_around_the_edges(direction: str, drawing: str, *, y_up: bool) -> None:
    assert play(a_board(drawing, y_up=y_up), direction) == [EDGE]
    assert play(a_board(drawing, y_up=y_up), f"BITE{direction}") == [NO_TARGET]


def test_6_1_a_slime_leaves_its_square_behind() -> None:
    board = a_board("A . B")
    play(board, "RIGHT")
    assert board.at == {(1, 0): board.slimes[1], (2, 0): board.slimes[2]}


@pytest.mark.parametrize(
    ("target", "bitten"),
    [
        (a_plant(3, level=2, hp=12), Bitten(1, 3, target_hp=9, hp=6, xp=2)),
        (an_enemy(3), Bitten(1, 3, target_hp=8, hp=6, xp=2)),
        (a_slime(3), Bitten(1, 3, target_hp=8, hp=6, xp=2)),
    ],
    ids=["plant", "enemy", "friend"],
)
def test_6_2_a_bite_takes_the_biters_attack_and_gives_it_hp_and_xp(
    target: Slime, bitten: Bitten
) -> None:
    board = a_board("A t B", A=a_slime(hp=5), t=target)
    assert play(board, "BITERIGHT") == [bitten]
    biter, bitten_piece = board.slimes[1], board.at[1, 0]
    assert (biter.current_hp, biter.xp) == (6, 2)
    assert bitten_piece == (board.plants.get(3) or board.slimes.get(3))


def test_6_2_the_biter_cannot_have_more_than_its_most() -> None:
    board = a_board("A p B", A=a_slime(hp=11), p=a_plant(hp=6))
    assert play(board, "BITERIGHT") == [Bitten(1, 3, target_hp=3, hp=11, xp=2)]


def test_6_2_the_attack_is_that_of_the_level_the_slime_has() -> None:
    board = a_board("A p B", A=a_slime(xp=33, level=4), p=a_plant(level=4, hp=24))
    assert play(board, "BITERIGHT") == [Bitten(1, 3, target_hp=14, hp=22, xp=34)]


@pytest.mark.parametrize("square", ["#", "."])
def test_6_2_without_a_target_nothing_happens_and_nothing_is_gained(square: str) -> None:
    board = a_board(f"A {square} B", A=a_slime(hp=5))
    before = board.slimes[1]
    assert play(board, "BITERIGHT") == [NO_TARGET]
    assert board.slimes[1] == before


def test_6_2_a_bite_that_kills_gains_as_well() -> None:
    board = a_board("A p B", A=a_slime(hp=5), p=a_plant(hp=1))
    assert play(board, "BITERIGHT") == [Bitten(1, 3, target_hp=0, hp=6, xp=2), Died(3, by=1)]


def test_6_2_the_gains_are_settings() -> None:
    board = a_board("A p B", A=a_slime(hp=5), p=a_plant(hp=6), bite_hp=4, bite_xp=0)
    assert play(board, "BITERIGHT") == [Bitten(1, 3, target_hp=3, hp=9, xp=1)]


def test_1_2_bites_go_on_adding_xp_at_the_highest_level() -> None:
    board = a_board("A p B", A=a_slime(xp=5000), p=a_plant(level=12, hp=72), queue=[1])
    events = play(board, "BITERIGHT", "BITERIGHT")
    assert [event for event in events if isinstance(event, Bitten | Levelled | Died)] == [
        Bitten(1, 3, target_hp=29, hp=97, xp=5001),
        Bitten(1, 3, target_hp=0, hp=97, xp=5002),
        Died(3, by=1),
    ]


def test_10_5_biting_a_friend_to_death() -> None:
    board = a_board("A C B", A=a_slime(hp=5), C=a_slime(3, hp=3))
    assert play(board, "BITERIGHT") == [Bitten(1, 3, target_hp=0, hp=6, xp=2), Died(3, by=1)]
    assert sorted(board.slimes) == [1, 2]


@for_each(
    "xp, kept",
    [
        (15, 4),
        (16, 4),
        (17, 4),
        (18, 5),
        (19, 5),
        (20, 5),
        (21, 5),
        (22, 6),
        (33, 8),
        (62, 16),
        (695, 174),
    ],
)
def test_10_3_xp_is_divided_by_4_halves_up(xp: int, kept: int) -> None:
    assert split_xp(xp, 4) == kept


@pytest.mark.parametrize(
    ("xp", "divisor", "saved"), [(7, 1, 7), (5, 2, 3), (4, 3, 1), (5, 3, 2), (7, 5, 1), (8, 5, 2)]
)
def test_6_3_any_divisor_rounds_to_the_nearest_halves_up(xp: int, divisor: int, saved: int) -> None:
    assert split_xp(xp, divisor) == saved


def test_10_3_a_parent_keeps_hp_and_level_until_its_next_round() -> None:
    board = a_board("A . B", A=a_slime(xp=18, hp=20), queue=[1, 2])
    child = Slime(
        id=3,
        team=1,
        x=1,
        y=0,
        xp=1,
        level=1,
        max_level=12,
        current_hp=11,
        max_hp=11,
        attack=3,
        ready_to_merge=False,
    )
    assert play(board, "SPLIT") == [Split(1, xp=5, child=child)]
    assert board.slimes[1] == Slime(1, 1, 0, 0, 5, 4, 12, 20, 22, 10, False)
    assert board.at[1, 0] == board.slimes[3] == child
    assert play(board, "RIGHT")[-1] == Levelled(1, level=2, attack=4, max_hp=13, hp=13)


@pytest.mark.parametrize(
    ("slime", "splits"),
    [
        (a_slime(xp=14), False),
        (a_slime(xp=15, level=3), False),
        (a_slime(xp=15), True),
        (a_slime(xp=5, level=4), True),
    ],
    ids=["level 3", "xp of level 4, but still level 3", "level 4", "xp of level 2, still level 4"],
)
def test_6_3_the_level_the_slime_has_decides_whether_it_may_split(
    slime: Slime, *, splits: bool
) -> None:
    board = a_board("A . B", A=slime)
    (event,) = play(board, "SPLIT")
    assert isinstance(event, Split) if splits else event == Nothing(1, Reason.LOW_LEVEL)


def test_6_3_the_level_needed_is_a_setting() -> None:
    board = a_board("A . B", min_split_level=1)
    (event,) = play(board, "SPLIT")
    assert isinstance(event, Split)
    assert (event.xp, event.child.team) == (0, 1)


def test_6_3_without_an_empty_square_around_nothing_happens() -> None:
    board = a_board(
        """
        A p .
        # B .
        """,
        A=a_slime(xp=15),
    )
    before = board.slimes[1]
    assert play(board, "SPLIT") == [Nothing(1, Reason.NO_ROOM)]
    assert board.slimes[1] == before


EIGHT = [(x, y) for y in range(3) for x in range(3) if (x, y) != (1, 1)]


@pytest.mark.parametrize(("place", "square"), list(enumerate(EIGHT)))
def test_2_3_a_child_may_appear_on_any_of_the_eight_squares_around(
    place: int, square: tuple[int, int]
) -> None:
    board = a_board(
        """
        . . . .
        . A . .
        . . . B
        """,
        A=a_slime(xp=15),
    )
    (event,) = play(board, "SPLIT", streams=LoadedStreams(split=[choosing(place)]))
    assert isinstance(event, Split)
    assert (event.child.x, event.child.y) == square


@pytest.mark.parametrize(("place", "square"), [(0, (2, 0)), (1, (0, 2))])
def test_6_3_a_child_appears_on_an_empty_square(place: int, square: tuple[int, int]) -> None:
    board = a_board(
        """
        # # .
        p A B
        . # #
        """,
        A=a_slime(xp=15),
    )
    (event,) = play(board, "SPLIT", streams=LoadedStreams(split=[choosing(place)]))
    assert isinstance(event, Split)
    assert (event.child.x, event.child.y) == square


def test_10_4_a_takes_in_nobody_b_takes_in_a() -> None:
    board = a_board(
        "A C B", A=a_slime(1, xp=40), C=a_slime(3, xp=30, level=4, hp=5), queue=[1, 3, 2], turn=2
    )
    assert play(board, "MERGE")[0] == Readied(1)
    assert board.slimes[1].ready_to_merge
    # C's level is settled as its round begins: put the stale level of the example back.
    board.slimes[3] = board.at[1, 0] = Slime(3, 1, 1, 0, 30, 4, 12, 5, 22, 10, False)
    assert play(board, "MERGE") == [Readied(3), Merged(3, 1, xp=70, hp=22)]
    assert board.slimes[3] == Slime(3, 1, 1, 0, 70, 4, 12, 22, 22, 10, True)
    assert play(board, "RIGHT")[-1] == Levelled(3, level=6, attack=16, max_hp=35, hp=35)


def test_10_4_c_takes_in_b_who_took_in_a() -> None:
    board = a_board(
        "A C D B",
        A=a_slime(1, xp=40, ready=True),
        C=a_slime(3, xp=30, hp=5),
        D=a_slime(4, xp=1),
        queue=[3, 4, 2],
    )
    assert play(board, "MERGE", "MERGE") == [
        Readied(3),
        Merged(3, 1, xp=70, hp=22),
        Readied(4),
        Merged(4, 3, xp=71, hp=11),
    ]
    assert sorted(board.slimes) == [2, 4]


@pytest.mark.parametrize(("heals", "hp"), [(True, 22), (False, 5)])
def test_6_4_a_merge_heals_unless_the_setting_says_otherwise(heals: bool, hp: int) -> None:
    board = a_board(
        "A C B",
        merge_heals=heals,
        A=a_slime(1, ready=True),
        C=a_slime(3, xp=15, level=4, hp=5),
        queue=[3, 2],
    )
    assert play(board, "MERGE") == [Readied(3), Merged(3, 1, xp=16, hp=hp)]


def test_6_4_without_a_ready_friend_a_slime_only_becomes_ready() -> None:
    board = a_board("A C B", C=a_slime(3), A=a_slime(hp=4))
    assert play(board, "MERGE") == [Readied(1)]
    assert board.slimes[1] == Slime(1, 1, 0, 0, 1, 1, 12, 4, 11, 3, True)


def test_6_4_an_enemy_that_is_ready_is_left_alone() -> None:
    board = a_board("A D B", D=an_enemy(3, ready=True))
    assert play(board, "MERGE") == [Readied(1)]


@pytest.mark.parametrize("square", EIGHT)
def test_2_3_a_merge_reaches_the_eight_squares_around(square: tuple[int, int]) -> None:
    arguments = [["." for _ in range(5)] for _ in range(5)]
    arguments[1][1], arguments[4][4], arguments[square[1]][square[0]] = "A", "B", "C"
    board = a_board("\n".join(map(" ".join, arguments)), C=a_slime(3, ready=True))
    assert play(board, "MERGE") == [Readied(1), Merged(1, 3, xp=2, hp=11)]


@pytest.mark.parametrize("drawing", ["A . C B", "C . A B", "A . B\n. . .\nC . ."])
def test_2_3_a_merge_reaches_no_further(drawing: str) -> None:
    assert play(a_board(drawing, C=a_slime(3, ready=True)), "MERGE") == [Readied(1)]


def test_6_4_of_several_the_one_with_the_most_xp_is_taken_in_alone() -> None:
    board = a_board(
        """
        C D E
        . A B
        """,
        C=a_slime(3, xp=4, ready=True),
        D=a_slime(4, xp=9, ready=True),
        E=a_slime(5, xp=5, ready=True),
    )
    assert play(board, "MERGE") == [Readied(1), Merged(1, 4, xp=10, hp=11)]
    assert sorted(board.slimes) == [1, 2, 3, 5]


@pytest.mark.parametrize(("first", "second"), [(3, 4), (4, 3)])
def test_6_4_of_equal_ones_the_lowest_id_is_taken_in(first: int, second: int) -> None:
    board = a_board(
        "C A D B", C=a_slime(first, xp=4, ready=True), D=a_slime(second, xp=4, ready=True)
    )
    assert play(board, "MERGE") == [Readied(1), Merged(1, 3, xp=5, hp=11)]


def test_6_5_a_merge_late_in_a_turn_counts_early_in_the_next() -> None:
    board = a_board("A C B", C=a_slime(3), queue=[3])
    play(board, "MERGE")
    assert (board.turn, board.queue, board.slimes[3].ready_to_merge) == (3, [1, 2, 3], True)
    assert play(board, "MERGE") == [Readied(1), Merged(1, 3, xp=2, hp=11)]


def test_6_5_after_its_own_next_round_began_a_merge_counts_no_more() -> None:
    board = a_board("A C B", C=a_slime(3), queue=[1])
    play(board, "MERGE")
    assert (board.turn, board.queue, board.slimes[1].ready_to_merge) == (3, [1, 2, 3], False)
