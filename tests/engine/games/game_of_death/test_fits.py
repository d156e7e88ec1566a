"""Whether a designer may place a shape (`BasePlayer.fits`, rules 3.3 and 8.2)."""

from typing import Any

import pytest

from engine.game import Ask, Refusal
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.host import ArmyHost
from engine.games.game_of_death.player import BasePlayer, Shape
from engine.limits import Limits
from tests.engine.games.game_of_death.battles import Field

NUMBERS: dict[str, Any] = {
    "width": 90,
    "height": 60,
    "zone_width": 30,
    "home_u": 4,
    "home_v": 28,
    "max_cells": 12,
}


class Ell(Shape):
    """Three cells in a corner, with an empty row above and an indentation."""

    drawing = """

        ##
        #.
    """


class Bar(Shape):
    drawing = "#####"


class Blank(Shape):
    drawing = "..."


def player(teams: int = 2, **numbers: Any) -> BasePlayer:
    """A designer before its first placement."""
    battle = Field(teams, **{**NUMBERS, **numbers}).battle
    made: list[BasePlayer] = []

    class Player(BasePlayer):
        def design(self) -> None:
            made.append(self)

    ArmyHost(Player, battle, 1, Limits()).decide(0, None)
    return made[0]


@pytest.mark.parametrize(
    ("u", "v", "fits"),
    [
        pytest.param(0, 0, True, id="the corner of the grid"),
        pytest.param(-1, 0, False, id="beyond the left edge"),
        pytest.param(0, -1, False, id="beyond the top"),
        pytest.param(28, 58, True, id="the last columns and rows"),
        pytest.param(29, 58, False, id="beyond the zone"),
        pytest.param(28, 59, False, id="beyond the bottom"),
        pytest.param(7, 27, False, id="on the home"),
        pytest.param(3, 27, True, id="around the corner of the home"),
        pytest.param(8, 27, True, id="beside the home"),
        pytest.param(3, 32, True, id="below the home"),
        pytest.param(3, 28, False, id="on the home with its upper row"),
    ],
)
def test_3_3_a_shape_fits_into_the_zone_and_beside_the_home(u: int, v: int, fits: bool) -> None:
    assert player().fits(Ell, u, v) == fits


def test_3_3_a_shape_fits_beside_others_down_to_the_cell() -> None:
    own = player()
    own.place(Ell, 10, 10)
    # Its fourth corner is free, and so are the cells around it.
    assert own.fits(Bar, 11, 11)
    assert not own.fits(Bar, 10, 11)
    assert not own.fits(Bar, 7, 10)
    assert own.fits(Bar, 5, 10)
    own.place(Bar, 11, 11)
    assert not own.fits(Ell, 14, 10 + 1)
    assert not own.fits(Ell, 15, 10)


def test_3_3_a_shape_fits_while_there_are_cells_left() -> None:
    own = player()
    for row in (0, 2):
        assert own.fits(Bar, 10, row)
        own.place(Bar, 10, row)
    assert not own.fits(Ell, 10, 10)  # 3 of 2
    assert not player(max_cells=4).fits(Bar, 10, 10)
    assert player(max_cells=5).fits(Bar, 10, 10)


def test_a_drawing_without_cells_fits_nowhere() -> None:
    assert not player().fits(Blank, 10, 10)


def test_8_2_among_four_the_corners_are_nobodys() -> None:
    own = player(4, height=90, home_v=43)
    assert [own.fits(Bar, 10, v) for v in (29, 30, 59, 60)] == [False, True, True, False]


def test_what_fits_one_after_the_other_is_a_legal_design() -> None:
    battle = Field(**{**NUMBERS, "max_cells": 60}).battle

    class Player(BasePlayer):
        def design(self) -> None:
            for v in range(20, 40):
                for u in range(12):
                    for kind in (Ell, Bar):
                        if self.fits(kind, u, v):
                            self.place(kind, u, v)

    own = Player(battle.settings, player().home, player().enemy_home)
    own.enemies = player().enemies
    own.design()
    kinds = [Ell, Bar]
    answer = {
        "types": [[kind.__name__, kind.drawing.split()] for kind in kinds],
        "placements": [[kinds.index(kind), u, v] for kind, u, v in own.placed],
    }
    assert len(own.placed) > 10
    assert not isinstance(GameOfDeath().check(battle, Ask(1), answer), Refusal)
