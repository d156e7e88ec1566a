"""Where things are."""

from tests.visualizer import toy
from visualizer.places import Area, areas, middle, sides, sign_colour, squares
from visualizer.scene import Block, Label, Mark, Note, Sprite, Tile
from visualizer.theme import MARK_COLOURS

RING = Block("ring", 4, 1, 3, 3, "###/#.#/###", "#2f7de1", "#10161d", "E")


def test_the_middle_of_a_rectangle_is_not_its_corner() -> None:
    assert middle(Tile("", 1, 2, 4, 2, "")) == (3, 3)
    assert middle(RING) == (5.5, 2.5)
    assert middle(Sprite("", 1, 2, 4, "")) == (1, 2)
    assert middle(Label("", 1, 2, 4, "", "")) == (1, 2)


def test_everything_has_a_width_and_a_height() -> None:
    assert sides(Tile("", 1, 2, 4, 2, "")) == (4, 2)
    assert sides(RING) == (3, 3)
    assert sides(Sprite("", 1, 2, 4, "")) == (4, 4)


def test_a_ring_has_a_hole() -> None:
    assert (5, 2) not in set(squares(RING))
    assert len(set(squares(RING))) == 8


def test_what_was_reached_is_told_from_where_the_one_is() -> None:
    note = Note("shot", 1, reach=((3, 0, 10, 3), (0, -2, 1, 2)))
    assert areas(RING, note) == (Area(7, 1, 17, 4), Area(4, -1, 5, 1))


def test_what_was_reached_has_the_colour_of_the_team() -> None:
    scene = toy.RaceScene(toy.RaceSettings(), 3)
    runner = Sprite("runner", 0.5, 1.5, 0.9, "runner_2", facts=(2, 1))
    assert sign_colour(scene, runner, Mark.REACH) == scene.team_colour(2)
    assert sign_colour(scene, runner, Mark.HIT) == MARK_COLOURS["hit"]
    lane = Tile("lane", 0, 0, 8, 1, "#ffffff")
    assert sign_colour(scene, lane, Mark.REACH) == MARK_COLOURS["reach"]
