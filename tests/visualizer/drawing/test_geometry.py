"""Where things are."""

from tests.visualizer import toy
from visualizer.drawing.geometry import areas, sign_color, width_and_height
from visualizer.scene import Annotation, Block, Extent, Label, Mark, Sprite, Tile, middle_of_thing
from visualizer.theme import MARK_COLORS

RING = Block("ring", 4, 1, 3, 3, "###/#.#/###", "#2f7de1", "#10161d", "E")


def test_the_middle_of_a_rectangle_is_not_its_corner() -> None:
    assert middle_of_thing(Tile("", 1, 2, 4, 2, "")) == (3, 3)
    assert middle_of_thing(RING) == (5.5, 2.5)
    assert middle_of_thing(Sprite("", 1, 2, 4, "")) == (1, 2)
    assert middle_of_thing(Label("", 1, 2, 4, "", "")) == (1, 2)


def test_everything_has_a_width_and_a_height() -> None:
    assert width_and_height(Tile("", 1, 2, 4, 2, "")) == (4, 2)
    assert width_and_height(RING) == (3, 3)
    assert width_and_height(Sprite("", 1, 2, 4, "")) == (4, 4)


def test_what_was_reached_is_told_from_where_the_one_is() -> None:
    annotation = Annotation("shot", 1, attack_lanes=((3, 0, 10, 3), (0, -2, 1, 2)))
    assert areas(RING, annotation) == (Extent(7, 1, 17, 4), Extent(4, -1, 5, 1))


def test_what_was_reached_has_the_color_of_the_team() -> None:
    scene = toy.RaceScene(toy.RaceSettings(), 3)
    runner = Sprite("runner", 0.5, 1.5, 0.9, "runner_2", facts=(2, 1))
    assert sign_color(scene, runner, Mark.ATTACK_LANE) == scene.team_color(2)
    assert sign_color(scene, runner, Mark.HIT) == MARK_COLORS["hit"]
    lane = Tile("lane", 0, 0, 8, 1, "#ffffff")
    assert sign_color(scene, lane, Mark.ATTACK_LANE) == MARK_COLORS["attack_lane"]
