"""The pictures in images/: the commands beside them make them."""

from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from tests.pictures import DOCUMENT, Section, export_pictures, play_match, sections

SECTIONS = list(sections(DOCUMENT.read_text(encoding="utf-8")))
FOLDER = DOCUMENT.parent
DRAWN_BY_PROGRAM = {
    *("dashboard.png", "people.gif", "slime_blue.png"),
    *(f"write_{step}.png" for step in ("fail", "compare", "climb")),
}
"""The others are of matches."""
MAX_DIFFERENCE = 1.0
"""The tolerance, of 255 on average: other versions of libraries draw edges a little differently."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),  # whole matches; less than a minute where nothing else runs
]


def test_every_picture_has_its_commands() -> None:
    commands = "\n".join(command for section in SECTIONS for command in section.exports)
    pictures = {path.name for path in FOLDER.iterdir() if path.suffix in (".png", ".gif")}
    named = {name for name in pictures if f"images/{name} " in commands}
    assert named == pictures - DRAWN_BY_PROGRAM
    assert len(SECTIONS) == 5


@pytest.mark.variants(1, all=2)
@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.match)
def test_the_commands_give_the_match_and_the_pictures(section: Section, tmp_path: Path) -> None:
    """Run python3 -m tests.pictures after a change of rules or bots, look, and commit."""
    out, folder = tmp_path / "results", tmp_path / "images"
    folder.mkdir()
    assert play_match(section, out) == section.ending
    export_pictures(section, out, folder)
    for made in folder.iterdir():
        assert difference(made, FOLDER / made.name) <= MAX_DIFFERENCE, made.name


def difference(one: Path, other: Path) -> float:
    """Return how far first frames differ, on average per color of a pixel, 0 to 255."""
    with Image.open(one) as made, Image.open(other) as saved:
        assert (made.size, getattr(made, "n_frames", 1)) == (
            saved.size,
            getattr(saved, "n_frames", 1),
        )
        apart = ImageChops.difference(made.convert("RGB"), saved.convert("RGB"))
    means: list[float] = ImageStat.Stat(apart).mean
    return max(means)
