"""The matches that are shown: recorded once and kept, so that a better bot changes no picture.

`python3 -m tests.views --record` plays them anew, after a change of rules.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.visualizer.timelines import read_timeline
from visualizer.model.timeline import ReplayTimeline

HOME = Path(__file__).resolve().parents[2]
FOLDER = Path(__file__).parent / "matches"


class Shown(NamedTuple):
    """A match as a command plays it, and the turn that is shown."""

    command: str
    turn: int


MATCHES = {
    "slime_mind": Shown("-g slime_mind --preset small -1 player_three -2 player_five --seed 4", 60),
    "smack": Shown("-g smack -1 player_three -2 player_four --seed 5 --set ply_limit=70", 24),
    "smac": Shown("-g smac -1 player_three -2 player_two -3 player_four --seed 6", 18),
    "game_of_death": Shown(
        "-g game_of_death --preset small -1 player_three -2 player_four --seed 16", 30
    ),
}


def replay_path(name: str) -> Path:
    """Return the committed replay of a match."""
    return FOLDER / f"{name}.jsonl.gz"


def load_timeline(name: str) -> ReplayTimeline:
    """Return a match, read to its end."""
    return read_timeline(replay_path(name))


def record(name: str) -> None:
    """Play a match, and keep its replay."""
    with tempfile.TemporaryDirectory() as out:
        parts = [*MATCHES[name].command.split(), "--quiet", "--json", "--out", out]
        done = subprocess.run(
            [sys.executable, "main.py", *parts], cwd=HOME, stdout=subprocess.PIPE, check=True
        )
        shutil.copyfile(
            Path(json.loads(done.stdout)["folder"]) / "replay.jsonl.gz", replay_path(name)
        )
