"""What 40 recorded matches of all games tell: their key moments, and the end with its reason.

`python3 -m tests.golden.captions --renew` writes the text again, `--record` plays the matches anew:
after a change of rules, in a commit that says why.
"""

import gzip
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bootstrap import HOME
from engine.catalog import GAMES
from tests.visualizer.timelines import read_timeline
from visualizer.model.story import Story

FILE, MATCHES = (Path(__file__).with_name(f"captions.{ending}") for ending in ("txt", "tar.xz"))
EACH = 10  # matches of a game
WORDS = "one", "two", "three", "four", "five", "six", "seven"
SETTINGS = {
    "slime_mind": "--preset small",
    "smack": "--preset quick --set ply_limit={short}",
    "smac": "--preset short",
    "game_of_death": "--preset small --set max_turns={long}",
}
OF_MORE = {
    ("game_of_death", 5): "--preset four_small --set max_turns=150 -p player_four -p player_one",
    ("smac", 4): "--preset short -p player_three",
}
"""Matches of more than two teams: their settings, and who else plays."""


def tell(path: Path) -> str:
    """Return what a match tells whoever knows no rule."""
    timeline = read_timeline(path)
    story, ending = Story(timeline), Story(timeline).ending
    assert ending is not None
    moments = [f"  {story.caption(timeline.turn_end(turn))}" for turn in ending.moments]
    names = " against ".join(timeline.scene.names)
    figures = [f"    {figure}" for figure in ending.figures]
    return "\n".join([f"{path.stem}: {names}", *moments, f"  {ending.line}", *figures, ""])


def tell_all() -> str:
    with tempfile.TemporaryDirectory() as folder, tarfile.open(MATCHES) as archive:
        archive.extractall(folder, filter="data")
        return "\n".join(map(tell, sorted(Path(folder).glob("*.jsonl"))))


def record(folder: Path) -> Iterator[Path]:
    """Play the matches anew; yield their replays."""
    for game in SETTINGS:
        folder_of_bots = HOME / "playerCode" / GAMES[game].bots
        bots = [word for word in WORDS if (folder_of_bots / f"player_{word}.py").is_file()]
        for number in range(1, EACH + 1):
            first, second = number % len(bots), (3 * number + 1) % len(bots)
            second = (first + 1) % len(bots) if first == second else second
            usual = SETTINGS[game].format(short=20 + 2 * number, long=150 + 20 * number)
            parts = f"-g {game} {OF_MORE.get((game, number), usual)} --seed {number}".split()
            players = [f"-1player_{bots[first]}", f"-2player_{bots[second]}"]
            out = folder / f"{game}_{number:02}"
            how = ["--render", "none", "-q", "--no-drawings", "--out", str(out)]
            command = [sys.executable, str(HOME / "main.py"), *parts, *players, *how]
            subprocess.run(command, check=True, capture_output=True)
            [replay] = out.glob("matches/*/replay.jsonl.gz")
            plain = folder / f"{out.name}.jsonl"
            plain.write_bytes(gzip.decompress(replay.read_bytes()))
            yield plain


if __name__ == "__main__":
    if sys.argv[1:] not in (["--renew"], ["--record"]):
        sys.exit("expected: python3 -m tests.golden.captions --renew (or --record)")
    if sys.argv[1] == "--record":
        with tempfile.TemporaryDirectory() as into, tarfile.open(MATCHES, "w:xz") as archive:
            for played in record(Path(into)):
                archive.add(played, played.name)
    FILE.write_text(tell_all(), encoding="utf-8")
