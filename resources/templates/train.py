"""Training of $name: hill climbing over its parameters, by matches.

Type `python3 $script`. Each round the weights are changed a little at random, and the
changed bot plays the unchanged one. If it wins most of the points, the changed weights are kept.
Ctrl-C ends it at any time: what stands in $parameters by then is the best so far.

It is the simplest of all ways to learn, and a place to begin: replace `changed` by CMA-ES, or the
matches by self-play and gradients.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BOT = Path(__file__).parent / "$bot"
GAME = "$game"
ROUNDS = 50
MATCHES = 10
"""Matches in each round: more of them tell better which weights are better."""
STEP = 0.3
"""How much a weight is changed, as a share of its size."""
PROGRAM = ["$program"]
"""What plays the matches, as Python is told it."""
OPTIONS: list[str] = ["$options"]
"""What else is said on the command line of each match."""


def main() -> None:
    """Try changed weights, round after round, and keep those that win."""
    for number in range(1, ROUNDS + 1):
        with tempfile.TemporaryDirectory() as folder:
            rival = Path(folder) / "rival"
            shutil.copytree(BOT, rival, ignore=shutil.ignore_patterns("__pycache__"))
            weights = json.loads((BOT / "parameters.json").read_text())
            write(rival, changed(weights))
            share = share_of_points(rival, Path(folder) / "results")
            is_better = share > 0.5
            if is_better:
                shutil.copy(rival / "parameters.json", BOT / "parameters.json")
        print(f"round {number}: {share:.0%} of the points{', kept' if is_better else ''}")


def changed(weights: dict[str, float]) -> dict[str, float]:
    """Return the weights, each changed a little."""
    return {
        name: round(weight + random.gauss(0.0, STEP * max(abs(weight), 0.5)), 4)
        for name, weight in weights.items()
    }


def write(bot: Path, weights: dict[str, float]) -> None:
    """Write the weights of a bot."""
    (bot / "parameters.json").write_text(json.dumps(weights, indent=2) + "\n")


def share_of_points(rival: Path, results: Path) -> float:
    """Return the share of the match points that the rival wins against the bot, 0 to 1."""
    parts = ["-g", GAME, "-r", "multi_match", "-m", str(MATCHES), "--json", "--no-replay"]
    bots = ["-1", str(rival), "-2", str(BOT), "--out", str(results), *OPTIONS]
    command = [sys.executable, *PROGRAM, *parts, *bots]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return float(json.loads(done.stdout)["tallies"][0]["points"])


if __name__ == "__main__":
    main()
