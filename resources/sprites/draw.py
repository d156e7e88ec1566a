"""Draws the sprites of all games: `python3 -m resources.sprites.draw` writes the files."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from resources.sprites import flags, petri, pupils, slimes, wild
from resources.sprites.canvas import Canvas
from resources.sprites.palette import with_palette
from visualizer.scenes.smac.themes import PLATES, TEAM_COLORS, picture_of_stack, picture_of_terrain

HOME = Path(__file__).parents[2]
FOLDER = HOME / "resources/sprites"
README_PICTURE = HOME / "images/slime_blue.png"

SPRITES: dict[str, Callable[[], Canvas]] = {
    "slime_mind/slime_1": slimes.draw_slime_1,
    "slime_mind/slime_2": slimes.draw_slime_2,
    "slime_mind/king_1": slimes.draw_king_1,
    "slime_mind/king_2": slimes.draw_king_2,
    "slime_mind/crown": slimes.draw_crown,
    "slime_mind/plant": wild.draw_plant,
    "slime_mind/plant_max": wild.draw_plant_max,
    "slime_mind/rock": wild.draw_rock,
    "smack/nerd_1": partial(pupils.draw_nerd, 1),
    "smack/nerd_2": partial(pupils.draw_nerd, 2),
    "smack/bully_1": partial(pupils.draw_bully, 1),
    "smack/bully_2": partial(pupils.draw_bully, 2),
    **{f"game_of_death/flag_{team}": partial(flags.draw_flag, team) for team in range(1, 5)},
    **{
        f"smac/{picture_of_stack(team, is_new=is_new)}": partial(
            petri.draw_stack, team, is_new=is_new
        )
        for team in range(1, len(TEAM_COLORS) + 1)
        for is_new in (False, True)
    },
    **{
        f"smac/{picture_of_terrain(terrain)}": partial(petri.draw_terrain, terrain)
        for terrain in PLATES
    },
}
"""The drawing functions, by the game's folder and the name of the sprite."""


def write(name: str, path: Path) -> None:
    """Draw one sprite into a PNG file."""
    path.parent.mkdir(exist_ok=True)
    with_palette(SPRITES[name]().image()).save(path, optimize=True)


if __name__ == "__main__":
    for name in SPRITES:
        write(name, FOLDER / f"{name}.png")
    write("slime_mind/slime_1", README_PICTURE)
