"""All that a shape sees at once is what it sees cell by cell (rules 5.8)."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.game import Ask
from engine.games.game_of_death.game import GameOfDeath
from engine.games.game_of_death.perception import TeamPerception
from engine.games.game_of_death.player import BasePlayer, Home, Shape, View
from engine.games.game_of_death.settings import Settings
from engine.games.game_of_death.shape_context import ShapeContext
from engine.games.game_of_death.sight import compute_sight
from engine.games.game_of_death.state import Battle
from engine.limits import Limits
from engine.match import play_match
from engine.spec import MatchSpec
from tests.contract.samples import an_army_or_an_act, small_grids
from tests.engine.games.game_of_death.battles import DOMINO, Field
from tests.engine.seats import ScriptedSeat

GAME = GameOfDeath()
VIEW = View(3, 2, (" .f", "hx."))


class Anything(Shape):
    """A shape that does nothing of its own."""


@pytest.mark.parametrize("number", [np.int64, np.uint8, np.float64, np.array, float])
def test_numbers_of_every_library_are_numbers_to_a_shape(number: Any) -> None:
    field = Field()
    shape_id = field.put(1, DOMINO, 5, 5)
    shape = a_shape(field.ready(), 1, shape_id)
    u, v = shape.anchor
    assert shape.see(number(u), number(v)) == shape.see(u, v) == "f"
    assert shape.look().at(number(u), number(v)) == "f"
    with pytest.raises(TypeError, match=r"^v is a whole number, not 2\.5$"):
        shape.see(u, 2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [np.int64, np.float64, np.array, float])
def test_numbers_of_every_library_are_numbers_in_a_design(number: Any) -> None:
    player = Idle(Settings(), Home(0, 0, 1, 1), Home(9, 9, 1, 1))
    player.place(Anything, number(6), number(3))
    assert player.placed == [(Anything, 6, 3)]
    assert [type(part) for part in player.placed[0][1:]] == [int, int]


def test_a_text_of_numpy_is_a_message_and_a_direction() -> None:
    field = Field()
    shape_id = field.put(1, DOMINO, 5, 5)
    shape = a_shape(field.ready(), 1, shape_id)
    shape.broadcast(np.str_("here"))
    shape.turn(np.str_("cw"))
    assert shape._context.answer == ["turn cw", ["here"]]
    assert [type(text) for text in shape._context.messages] == [str]


class Idle(BasePlayer):
    """A player that places nothing of its own."""

    def design(self) -> None:
        pass


def a_shape(battle: Battle, team: int, shape_id: int) -> Shape:
    """Return a shape as in its process, with what its team's copy of the battle knows."""
    perception = TeamPerception(battle, team, Limits())
    perception.update()
    shape = Anything()
    shape._context = ShapeContext(perception, shape_id)
    return shape


def compare(shape: Shape) -> int:
    """Compare both ways of looking for every cell, and return how many are in sight."""
    view, board = shape.look(), shape.settings
    found = {
        (u, v): shape.see(u, v)
        for u in range(-2, board.width + 2)
        for v in range(-2, board.height + 2)
    }
    assert {cell: view.at(*cell) for cell in found} == found
    for what in "fhx.FH":
        assert view.cells(what) == sorted(
            (cell for cell, there in found.items() if there == what), key=lambda cell: cell[::-1]
        )
    return sum(there is not None for there in found.values())


class Comparing:
    """A seat that answers at random, and compares both ways of looking before it does."""

    def __init__(self, seed: str) -> None:
        self.seen = 0
        self._dice = Random(seed)

    def __call__(self, ask: Ask, known: Any) -> Any:
        if ask.piece_id:
            self.seen += compare(a_shape(known, ask.team, ask.piece_id))
        return an_army_or_an_act(known, ask, self._dice)


@settings(max_examples=15, deadline=None)
@given(small_grids(), st.integers(0, 2**32))
def test_5_8_to_look_is_to_see_every_cell_in_whole_matches(board: Settings, seed: int) -> None:
    """Each shape has what its team was told, as in its process: nothing else can be in there."""
    players = [Comparing(f"{seed}/{team}") for team in (1, 2)]
    spec = MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=board,
        limits=GAME.limits,
        bots=("1", "2"),
        seed=seed,
    )
    play_match(GAME, spec, [ScriptedSeat(player) for player in players])
    assert all(player.seen for player in players)


@pytest.mark.parametrize("team", [1, 2])
def test_5_8_what_only_a_friend_sees_is_out_of_sight(team: int) -> None:
    """The team knows of the foe beside the friend; the one who looks does not."""
    field = Field(sight=6)
    eye = field.put_in_frame(team, DOMINO, 50, 50)
    field.put_in_frame(team, DOMINO, 60, 50)
    foe_u, foe_v = field.settings.width - 2 - 62, field.settings.height - 1 - 50
    field.put_in_frame(3 - team, DOMINO, foe_u, foe_v)
    battle = field.ready()
    battle.sight = compute_sight(battle, team)
    assert len(battle.sight.hostile) == 2
    view = a_shape(battle, team, eye).look()
    assert (view.u, view.v, len(view.rows)) == (44, 44, 13)
    assert set("".join(view.rows)) == {" ", ".", "f"}
    assert "h" not in "".join(view.rows)


def test_a_view_tells_of_a_cell_what_see_tells() -> None:
    assert [VIEW.at(u, 2) for u in range(2, 7)] == [None, None, ".", "f", None]
    assert [VIEW.at(3, v) for v in (1, 3, 4)] == [None, "h", None]


def test_a_view_lists_the_cells_of_what_is_asked_for() -> None:
    assert VIEW.cells(".") == [(4, 2), (5, 3)]
    assert VIEW.cells("h") == [(3, 3)]
    assert VIEW.cells("F") == []


def test_a_view_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        VIEW.u = 4  # type: ignore[misc]
    with pytest.raises(TypeError):
        VIEW.rows[0] = "..."  # type: ignore[index]


def test_a_shape_that_looks_twice_in_a_turn_is_given_the_same() -> None:
    field = Field()
    eye = field.put(1, DOMINO, 50, 50)
    shape = a_shape(field.ready(), 1, eye)
    assert shape.look() is shape.look()
