"""Draws the sprites of Slime Mind: `python3 -m resources.sprites.draw` writes the files."""

from collections.abc import Callable
from pathlib import Path

from resources.sprites import slimes, wild
from resources.sprites.canvas import Canvas
from resources.sprites.palette import with_palette

HOME = Path(__file__).parents[2]
FOLDER = HOME / "resources/sprites/slime_mind"
README_PICTURE = HOME / "images/slime_blue.png"

SPRITES: dict[str, Callable[[], Canvas]] = {
    "slime_1": slimes.draw_slime_1,
    "slime_2": slimes.draw_slime_2,
    "king_1": slimes.draw_king_1,
    "king_2": slimes.draw_king_2,
    "crown": slimes.draw_crown,
    "plant": wild.draw_plant,
    "plant_max": wild.draw_plant_max,
    "rock": wild.draw_rock,
}


def write(name: str, path: Path) -> None:
    """Draw one sprite into a PNG file."""
    with_palette(SPRITES[name]().image()).save(path, optimize=True)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in SPRITES:
        write(name, FOLDER / f"{name}.png")
    write("slime_1", README_PICTURE)
