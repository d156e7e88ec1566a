"""Makes a folder of results with the command line of a checkout of any version."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import msgspec

from tests.golden.databases.contents import write_bots

SHORT = ("--preset", "small", "--set", "max_turns=24")
HOW = ("-j", "1", "--no-replay", "--quiet")
PATIENCE_S = 60


class Played(msgspec.Struct, frozen=True):
    """A tournament that was played, or its beginning."""

    name: str
    bots: tuple[str, ...]
    words: tuple[str, ...] = ()
    """Its own options."""
    matches: int | None = None
    """After how many it was interrupted; None: it was not."""
    loses_bots: bool = False
    """Whether the copies of its bots are removed then: what follows cannot be played."""
    game: str = "slime_mind"
    settings: tuple[str, ...] = SHORT

    @property
    def command(self) -> list[str]:
        """Return what was typed behind main.py."""
        bots = [f"{bot}.py" for bot in self.bots]
        chosen = ["-g", self.game, *self.settings, *self.words, "--name", self.name]
        return ["-r", "tournament", *bots, *chosen, *HOW, *_seed(self.name), "--no-report"]


class Series(msgspec.Struct, frozen=True):
    """Matches between the same bots, or their beginning."""

    name: str
    words: tuple[str, ...]
    matches: int | None = None
    """After how many it was interrupted; None: it was not."""

    @property
    def command(self) -> list[str]:
        return [*self.words, *SHORT, *HOW, *_seed(self.name)]


def _seed(name: str) -> list[str]:
    """Return a seed of its own: before secrets, equal seeds gave equal maps, which are kept."""
    return ["--seed", str(crc32(name.encode()))]


THREE = ("walker", "biter", "eater")
FOUR = (*THREE, "stumbler")
PAIRS = ("--preset", "four_small", "--set", "groups=[[1,3],[2,4]]", "--set", "max_turns=4")
TOURNAMENTS = (
    Played("robin", THREE, ("--pairs", "2")),
    Played("swiss", FOUR, ("--format", "swiss", "--rounds", "2")),
    Played("single", FOUR, ("--format", "single_elimination")),
    Played("double", FOUR, ("--format", "double_elimination")),
    Played("gauntlet", FOUR, ("--format", "gauntlet")),
    Played("ladder", FOUR, ("--format", "ladder", "--rounds", "2")),
    Played("broken", ("walker", "biter", "flyer", "leaver"), ("--quarantine", "1")),
    Played("failing", THREE, ("--pairs", "2"), 4, loses_bots=True),
    Played("half-robin", FOUR, (), 5),
    Played("half-swiss", FOUR, ("--format", "swiss", "--rounds", "3"), 5),
    Played("half-single", FOUR, ("--format", "single_elimination"), 3),
    Played("half-double", FOUR, ("--format", "double_elimination"), 5),
    Played("half-gauntlet", FOUR, ("--format", "gauntlet"), 3),
    Played("half-ladder", FOUR, ("--format", "ladder", "--rounds", "3"), 5),
)
OTHER_GAMES = (
    Played(
        "boards",
        ("first_move", "last_move"),
        game="smack",
        settings=("--set", "ply_limit=12", "--set", "opening_plies=4"),
    ),
    Played(
        "molds",
        ("mold_1", "mold_2", "mold_3"),
        ("--table", "3"),
        game="smac",
        settings=("--preset", "short", "--set", "last_turn=3"),
    ),
)
OF_PAIRS = (
    Played(
        "pairs",
        ("army_1", "army_2", "army_3", "army_4"),
        ("--table", "4"),
        game="game_of_death",
        settings=PAIRS,
    ),
    Played(
        "half-pairs",
        ("army_1", "army_2", "army_3", "army_4"),
        ("--table", "4", "--pairs", "2"),
        3,
        game="game_of_death",
        settings=PAIRS,
    ),
)
"""What came after release 1.1.0."""
SERIES = (
    Series("series", ("-r", "multi_match", "-m", "4", "-1", "walker.py", "-2", "biter.py")),
    Series("half-series", ("-r", "multi_match", "-m", "8", "-1", "eater.py", "-2", "biter.py"), 3),
    Series("versus", ("versus", "walker.py", "eater.py", "--max-pairs", "3")),
    Series("half-versus", ("versus", "biter.py", "eater.py", "--max-pairs", "4"), 3),
)


def make(checkout: Path, home: Path, played: Sequence[Played | Series]) -> None:
    """Play all that into a folder `results` in `home`, by the main.py of a checkout."""
    write_bots(home)
    folder = home / "results"
    for one in played:
        before = _count(folder)
        command = [sys.executable, str(checkout / "main.py"), *one.command, "--out", folder.name]
        process = subprocess.Popen(
            command,
            cwd=home,
            env={**os.environ, "SLIME_MIND_NO_BOOTSTRAP": "1"},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        if one.matches is not None:
            _wait_for(process, folder, before + one.matches)
            if isinstance(one, Played) and one.loses_bots:
                shutil.rmtree(folder / "bots")
            else:
                process.send_signal(signal.SIGINT)
        code = process.wait(PATIENCE_S)
        _say(f"{one.name}: {_count(folder) - before} matches, exit code {code}")


def _wait_for(process: "subprocess.Popen[bytes]", folder: Path, matches: int) -> None:
    """Wait until there are so many matches."""
    while _count(folder) < matches and process.poll() is None:
        time.sleep(0.002)


def _count(folder: Path) -> int:
    return len(list(folder.glob("matches/[!.]*/match.json")))


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
