"""What a board is drawn as: the discs that teams' pieces stand on."""

import pytest

from engine.games.slime_mind.settings import Settings
from tests.visualizer.drawing.listed import ListedDrawing
from tests.visualizer.painting import RED, png
from tests.visualizer.painting import blob as picture
from visualizer.drawing.arrangement import Arrangement
from visualizer.drawing.board import BoardPainter
from visualizer.drawing.custom_sprites import CustomSprites
from visualizer.drawing.fit import Fit
from visualizer.drawing.sprites import Sprites
from visualizer.scene import Sprite
from visualizer.scenes.slime_mind import SlimeMindScene
from visualizer.theme import ink_on

SCENE = SlimeMindScene(Settings(), 2)
BLUE, ORANGE = map(SCENE.team_color, (1, 2))
SLIMES = {
    team: Sprite("slime", team - 0.5, 0.5, 0.55, f"slime_{team}:7", facts=(team, 7, 1, 1, False))
    for team in (1, 2)
}


def draw(things: dict[int, Sprite], scale: float) -> ListedDrawing:
    own = CustomSprites(base=png(picture(RED)))  # both bots bring the same picture
    sprites = Sprites("slime_mind", {1: own, 2: own})
    draws = ListedDrawing(unit=1)
    fit = Fit(scale, 0, 0, Arrangement(SCENE.extent))
    BoardPainter(draws, SCENE, sprites, fit).draw_things(things)
    return draws


@pytest.mark.parametrize("scale", [16, 40])
def test_teams_are_told_apart_whatever_pictures_their_bots_bring(scale: int) -> None:
    draws = draw({**SLIMES}, scale)
    (one,), (other,) = (
        [disc for disc in draws.of("disc", color) if disc.opacity < 1] for color in (BLUE, ORANGE)
    )
    assert (one.place.middle_x, other.place.middle_x) == (scale / 2, 3 * scale / 2)
    for disc in (one, other):
        assert 0.8 * scale < disc.place.width <= scale


def test_the_level_of_a_slime_is_at_its_edge_where_there_is_room() -> None:
    small, large = draw({**SLIMES}, 11), draw({**SLIMES}, 40)
    assert small.texts == []
    assert large.texts == ["7", "7"]
    assert [text.color for text in large.of("text")] == [ink_on(BLUE), ink_on(ORANGE)]


def test_what_is_of_no_team_stands_on_nothing() -> None:
    plant = Sprite("plant", 0.5, 0.5, 0.5, "plant", (3, 6), "", (4,))
    assert draw({1: plant}, 40).of("disc") == []
