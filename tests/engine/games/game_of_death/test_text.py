"""The map as text, and what a team has in a line."""

from engine.fault import Cause
from engine.games.game_of_death.events import ArmyRefused, Disclosed
from engine.games.game_of_death.text import describe, draw, legend
from tests.engine.games.game_of_death.battles import BLOCK, DOMINO, Field

SMALL = {"width": 20, "height": 6, "zone_width": 9, "home_u": 0, "home_v": 2, "home_width": 1}


def test_a_small_grid_is_drawn_cell_by_cell() -> None:
    field = Field(**SMALL, home_height=2)
    field.put(1, BLOCK, 3, 1)
    dying = field.put(2, DOMINO, 10, 0, dying_since=4, hp=0)
    bearer = field.put(2, DOMINO, 12, 4)
    field.put_body(DOMINO, 7, 5)
    battle = field.ready(turn=4)
    battle.bearers[0] = bearer
    assert dying in battle.shapes
    assert draw(battle).splitlines() == [
        "turn 4, a letter is 1 cell",
        "..........bb........",
        "...AAA..............",
        "1..AAA.............2",
        "1..AAA.............2",
        "............**......",
        ".......xx...........",
        legend(2),
    ]


def test_the_legend_names_the_teams() -> None:
    assert legend(2) == (
        "A, B: shapes of team 1, 2   a, b: dying   *: holds a flag   x: body   1, 2: homes   "
        "!: both teams in one square"
    )
    assert legend(4).startswith("A, B, C, D: shapes of team 1, 2, 3, 4   a, b, c, d: dying")


def test_a_large_one_is_scaled_to_what_fits() -> None:
    field = Field()
    field.put(1, DOMINO, 100, 100)
    field.put(2, DOMINO, 100, 101)
    field.put(1, BLOCK, 40, 40)
    first, *rows, last = draw(field.ready()).splitlines()
    assert first == "turn 1, a letter is 4 by 4 cells"
    assert (len(rows), {len(row) for row in rows}) == (50, {75})
    assert rows[25][25] == "!"
    assert rows[10][10] == "A"
    assert "1" in "".join(rows)
    assert last == legend(2)


def test_a_team_is_described_by_its_types() -> None:
    field = Field()
    field.put(1, BLOCK, 40, 40, hp=7)
    bearer = field.put(1, DOMINO, 60, 60)
    battle = field.ready()
    battle.bearers[1] = bearer
    assert describe(battle, 1) == "1 Type0, 1 Type1: 11 cells, 11 hp, holds the flag"
    assert describe(battle, 2) == "no shapes"
    battle.apply(Disclosed(2, (1, 0)))
    assert describe(battle, 2) == "no shapes, may read Type1 and Type0"
    battle.apply(ArmyRefused(2, str(Cause.ILLEGAL)))
    assert describe(battle, 2) == "no army: illegal order"
