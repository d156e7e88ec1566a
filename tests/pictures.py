"""Make the pictures of the repository: `python3 -m tests.pictures`.

`python3 -m tests.pictures sprites` renders the SVG files of the standard sprites.

`python3 -m tests.pictures matches` plays the matches of images/README.md, exports their pictures,
and writes below each match how it ended.

After a change of a sprite, of rules, bots or drawing, run it, review the pictures, and commit them.
"""

import argparse
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from resvg_py import svg_to_bytes

HOME = Path(__file__).resolve().parents[1]
DOCUMENT = HOME / "images" / "README.md"
SPRITES = HOME / "resources" / "sprites"
SPRITE_OF_README = SPRITES / "slime_mind" / "slime_1.svg"
PICTURE_OF_README = HOME / "images" / "slime_blue.png"
SECTION = re.compile(
    r"```\n(?P<commands>python3 main\.py .*?)```\n\n(?P<ending>[^\n]*)\n", re.DOTALL
)


def render(drawing: Path) -> bytes:
    """Return a PNG file of an SVG file, as large as that says."""
    return svg_to_bytes(svg_path=str(drawing), skip_system_fonts=True)


def make_sprites() -> None:
    """Write beside each SVG file of a sprite what it looks like."""
    for drawing in SPRITES.glob("*/*.svg"):
        drawing.with_suffix(".png").write_bytes(render(drawing))
    PICTURE_OF_README.write_bytes(render(SPRITE_OF_README))


class Section(NamedTuple):
    """A match, how it ends as the document says, and what is exported of it."""

    match: str
    exports: tuple[str, ...]
    ending: str


def sections(text: str) -> Iterator[Section]:
    for found in SECTION.finditer(text):
        match, *exports = found["commands"].splitlines()
        yield Section(match, tuple(exports), found["ending"])


def play_match(section: Section, out: Path) -> str:
    """Play a match into a folder of results; how it ended, as it stands in the document."""
    result = json.loads(_run(section.match, "--json", "--quiet", "--out", str(out)))
    points = ", ".join(f"{team['bot']['name']} {team['score']:g}" for team in result["teams"])
    faults = sum(sum(team["faults"].values()) for team in result["teams"])
    assert faults == 0, f"{section.match}: a bot lost {faults} rounds; the machine is too busy"
    return f"It ends in turn {result['turns']}: {points}."


def export_pictures(section: Section, out: Path, folder: Path) -> None:
    """Write its pictures into a folder. A turn that is not there is an error."""
    for command in section.exports:
        _run(command.replace("images/", f"{folder}/"), "--out", str(out))


def make_matches() -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    for section in list(sections(text)):
        with tempfile.TemporaryDirectory() as out:
            ending = play_match(section, Path(out))
            export_pictures(section, Path(out), DOCUMENT.parent)
        old = f"{section.exports[-1]}\n```\n\n{section.ending}\n"
        text = text.replace(old, f"{section.exports[-1]}\n```\n\n{ending}\n")
        sys.stdout.write(f"{section.match}\n  {ending}\n")
    DOCUMENT.write_text(text, encoding="utf-8")


def _run(command: str, *parts: str) -> str:
    _, *own = shlex.split(command)
    done = subprocess.run(
        [sys.executable, *own, *parts], cwd=HOME, stdout=subprocess.PIPE, check=True, text=True
    )
    return done.stdout


MAKERS = {"sprites": make_sprites, "matches": make_matches}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Make the pictures of the repository.")
    parser.add_argument("what", nargs="?", choices=MAKERS, help="only these; all if not given")
    chosen = parser.parse_args().what
    for name, make in MAKERS.items():
        if chosen in (None, name):
            make()
