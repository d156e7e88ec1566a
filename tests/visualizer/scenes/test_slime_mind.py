"""How Slime Mind looks, as values."""

from typing import Any

import pytest
from msgspec.structs import replace

from engine.game import MatchEnded, Stage
from engine.games.slime_mind import events as ev
from engine.games.slime_mind.game import SlimeMind
from engine.games.slime_mind.settings import LEVELS, Settings
from engine.games.slime_mind.state import Board
from tests.cases import for_each
from tests.engine.games.slime_mind.boards import a_board, a_plant, a_slime, some_settings
from visualizer.model.cursor import Step
from visualizer.model.narration import Narrator
from visualizer.scene import Annotation, Extent, Label, Sprite, Tile
from visualizer.scenes.slime_mind import SlimeMindScene


def a_scene(board: Board) -> SlimeMindScene:
    return SlimeMindScene(board.settings, 2)


def make_sprites(drawing: str, **pieces: Any) -> dict[int, Sprite]:
    """The sprites of a board drawn as text."""
    board = a_board(drawing, **pieces)
    scene = a_scene(board)
    sprites = {}
    for thing_id in scene.ids(board):
        sprite = scene.thing(board, thing_id)
        assert sprite is not None
        sprites[thing_id] = sprite
    return sprites


def test_every_piece_is_a_sprite_in_the_middle_of_its_square() -> None:
    assert make_sprites(
        """
        A . #
        p . B
        """
    ) == {
        1: Sprite(
            "slime", 0.5, 0.5, 0.55, "slime_1:1", (11, 11), "", (1, 1, 1, 3, False)
        ),
        2: Sprite(
            "slime", 2.5, 1.5, 0.55, "slime_2:1", (11, 11), "", (2, 1, 1, 3, False)
        ),
        3: Sprite("plant", 0.5, 1.5, 0.35, "plant", (3, 6), "", (1,)),
        4: Sprite("rock", 2.5, 0.5, 0.98, "rock"),
    }  # fmt: skip


def test_pieces_grow_with_their_level() -> None:
    for kind, make in (("slime", a_slime), ("plant", a_plant)):
        pieces = [replace(make(1), level=level) for level in range(1, 13)]
        sizes = [make_sprites("A .", A=piece)[1].size for piece in pieces]
        assert sizes == sorted(set(sizes)), kind
        assert sizes[-1] == 0.98


@pytest.mark.parametrize(
    ("xp", "image"),
    [
        (LEVELS[9].min_xp, "slime_1:9"),
        (LEVELS[10].min_xp, "king_1:10"),
        (LEVELS[12].min_xp, "king_1:12"),
    ],
)
def test_a_slime_of_level_10_is_a_king(xp: int, image: str) -> None:
    assert make_sprites("A .", A=a_slime(xp=xp))[1].image == image


def test_a_king_is_one_from_the_level_the_settings_say() -> None:
    assert make_sprites("A .", A=a_slime(xp=5), king_level=2)[1].image == "king_1:2"


def test_a_plant_of_the_highest_level_looks_different() -> None:
    images = [make_sprites("p .", p=a_plant(1, level=level))[1].image for level in (1, 11, 12)]
    assert images == ["plant", "plant", "plant_max"]


def test_a_slime_that_is_ready_to_merge_has_a_badge() -> None:
    assert [make_sprites("A .", A=a_slime(ready=ready))[1].badge for ready in (False, True)] == [
        "",
        "M",
    ]


def test_with_y_up_row_0_is_drawn_at_the_bottom() -> None:
    sprites = make_sprites(
        """
        A .
        . B
        . .
        """,
        y_up=True,
    )
    assert [(sprite.x, sprite.y) for sprite in sprites.values()] == [(0.5, 2.5), (1.5, 1.5)]


def test_below_everything_lie_two_greens_and_the_coordinates() -> None:
    backdrop = SlimeMindScene(some_settings(columns=3, rows=2), 2).backdrop()
    tiles = [thing for thing in backdrop if isinstance(thing, Tile)]
    labels = [thing for thing in backdrop if isinstance(thing, Label)]
    assert [(tile.x, tile.y) for tile in tiles] == [(x, y) for y in range(2) for x in range(3)]
    assert tiles[0].fill != tiles[1].fill
    assert tiles[1].fill == tiles[3].fill
    assert [label.text for label in labels] == ["0", "1", "2", "0", "1"]
    assert [label.x for label in labels[:3]] == [0.5, 1.5, 2.5]
    assert [label.y for label in labels[3:]] == [0.5, 1.5]


def test_with_y_up_rows_are_numbered_from_below() -> None:
    backdrop = SlimeMindScene(some_settings(columns=2, rows=3, y_up=True), 2).backdrop()
    rows = {thing.text: thing.y for thing in backdrop if isinstance(thing, Label)}
    assert (rows["0"], rows["2"]) == (2.5, 0.5)


def test_the_extent_is_the_board_and_its_coordinates() -> None:
    assert SlimeMindScene(Settings(), 2).extent == Extent(-0.9, -0.9, 30.1, 15.1)


def test_the_panel_counts_slimes_by_level() -> None:
    board = a_board("A C B .", C=a_slime(5, xp=5))
    scene = a_scene(board)
    assert scene.panel(board, 1) == (("slimes", 2), ("slimes by level", (1, 1, *[0] * 10)))
    assert scene.panel(board, 2) == (("slimes", 1), ("slimes by level", (1, *[0] * 11)))


CHILD = a_slime(9)
SEED = a_plant(9)
BOARD = """
A . p
C . B
"""
EVENTS = {
    "a seed": (ev.PlantPlaced(SEED, 3), {9}, ["spread a seed: plant 9"]),
    "a plant at the start": (ev.PlantPlaced(SEED), {9}, []),
    "growing": (ev.Grown(3, 2, 12, 9), {3}, ["grew to level 2"]),
    "a queue": (ev.Queued((1, 2)), set(), []),
    "calm": (ev.ReadyEnded(1), {1}, []),
    "a level": (ev.Levelled(1, 2, 4, 13, 13), {1}, ["reached level 2"]),
    "a move": (ev.Moved(1, 1, 0), {1}, ["moved to 1, 0"]),
    "a bite": (ev.Bitten(1, 2, 8, 11, 2), {1, 2}, ["bit slime 2 (8 hp remaining)"]),
    "a last bite": (ev.Bitten(1, 2, 0, 11, 2), {1, 2}, []),
    "a split": (ev.Split(1, 4, CHILD), {1, 9}, ["split off slime 9, 4 xp remaining"]),
    "readiness": (ev.Readied(1), {1}, ["is ready to merge"]),
    "a merge": (ev.Merged(1, 5, 7, 11), {1, 5}, ["merged with slime 5: 7 xp"]),
    "a blocked move": (ev.Nothing(1, ev.Reason.EDGE), set(), ["had no effect: edge of the map"]),
    "a lost round": (
        ev.RoundLost(1, 1, 2, "timeout"),
        set(),
        ["forfeited its activation: timeout"],
    ),
    "a death": (ev.Died(2, 1), {2}, ["killed slime 2", "was killed by slime 1"]),
    "a meal": (ev.Died(3, 1), {3}, ["ate plant 3", "was killed by slime 1"]),
    "a stage": (Stage(2, "slimes"), set(), []),
    "the end": (MatchEnded((0.0, 0.0), "last turn"), set(), []),
}


class _Timeline:
    """A timeline, as much of one as a teller needs."""

    def __init__(self, scene: SlimeMindScene) -> None:
        self.scene = scene


@for_each("event, dirty_ids, said", EVENTS.values())
def test_an_event_touches_and_says(event: Any, dirty_ids: set[int], said: list[str]) -> None:
    board = a_board(BOARD, C=a_slime(5), queue=(1, 2, 5))
    scene = a_scene(board)
    before = {thing_id: scene.thing(board, thing_id) for thing_id in scene.ids(board)}
    annotations = scene.annotations(board, event)
    board.apply(event)
    things = {
        thing_id: thing for thing_id in scene.ids(board) if (thing := scene.thing(board, thing_id))
    }
    step = Step(before={thing_id: before.get(thing_id) for thing_id in dirty_ids})
    narrator = Narrator(_Timeline(scene))  # type: ignore[arg-type]
    assert set(scene.dirty_ids(event)) == dirty_ids
    assert [narrator.sentence(annotation, things, step) for annotation in annotations] == said


def test_every_kind_of_event_is_tried() -> None:
    tried = {type(event) for event, _, _ in EVENTS.values()}
    placed = {ev.RockPlaced, ev.SlimePlaced}
    assert tried | placed == set(SlimeMind.event.__args__)


def test_only_kills_splits_merges_and_faults_are_on_the_timeline() -> None:
    kinds = [event_style.timeline for event_style in SlimeMindScene.event_styles.values()]
    assert [kind for kind in kinds if kind] == ["kills", "splits", "merges", "faults"]


def test_the_eaten_are_no_kills() -> None:
    board = a_board(BOARD, C=a_slime(5))
    scene = a_scene(board)
    assert scene.annotations(board, ev.Died(3, 1))[0] == Annotation("ate", 1, 3)
    assert scene.annotations(board, ev.Died(2, 1))[0] == Annotation("killed", 1, 2)


def test_every_picture_has_a_letter_of_one_column() -> None:
    scene = a_scene(a_board("A B"))
    for picture in ("slime_1", "slime_2", "king_1", "king_2", "plant", "plant_max", "rock"):
        assert len(scene.letters[picture]) == 1
    assert len(set(scene.letters.values())) == len(scene.letters)
