"""`python3 -m benchmarks.authors [AUTHORS]`: what authors who write in the browser wait for.

From the request to the result of a run, for each game on an idle server; and what so many authors
get who all run at once, each twice: when each of them sees the first result, and whether anybody
who wants more is served before them. Times depend on the machine: compare those of one run.
"""

import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from statistics import median

from engine.bots.finding import Packed
from engine.bots.sandbox import Level
from runners.match_request import MatchRequest
from runners.starter_bots import starter_files
from runners.storage.database import Database
from runners.storage.schema import ensure_schema
from server.runs import runs as running
from server.runs.run_rows import OPEN, Run
from server.identity.rate_limits import Asker
from server.runs.runs import Draft, Opponent, Runs
from server.writing.checks import findings_in_source, quick_presets

AUTHORS = 30
PLAYED = {"slime_mind": 3, "smack": 1, "smac": 1, "game_of_death": 1}
"""Which starter bot of each game stands for a draft, from 0 for the weakest."""
LONG_BOT = "player_five"
LONG_SEED = 7
"""With it, the bot plays against itself on the small map until its last turn, the 300th."""
BUSY = 8
POLL_INTERVAL_S = 0.01
WORST_S = 600.0


def main(authors: int) -> None:
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as name:
        folder = Path(name)
        with closing(Database(folder / "games.sqlite")) as database:
            ensure_schema(database)
            with closing(Runs(database, folder, Level.DEFAULT, print)) as runs:
                began = time.perf_counter()
                runs.warm_up()
                _wait(_start_run(runs, "slime_mind", "first", 0, "max_turns=1"))
                print(f"the first run, with the start of its process: {_since(began):.2f} s")
                for game in PLAYED:
                    _alone(runs, game)
                _alone(runs, "slime_mind", LONG_BOT)
                _together(runs, authors)


def _alone(runs: Runs, game: str, itself: str = "") -> None:
    """Say what one author waits for on an idle server, with the reading of the source.

    `itself`: a starter bot that plays against itself.
    """
    begins, wholes, turns = [], [], 0
    for number in range(5):
        began = time.perf_counter()
        findings_in_source({"player_x.py": f"{_source(game, itself)}# {number}\n"})
        run = _start_run(runs, game, "Ann", number, itself=itself)
        while not runs.live_replay_path(run).exists():
            time.sleep(POLL_INTERVAL_S)
        begins.append(_since(began))
        _wait(run)
        wholes.append(_since(began))
        turns = int(run.words.split("(")[1].split(" turn")[0])
    print(
        f"{itself or game} ({quick_presets(game)[0]}, {turns} turns): begins after "
        f"{median(begins):.2f} s, result after {median(wholes):.2f} s"
    )


def _together(runs: Runs, authors: int) -> None:
    """Let all run at once, each twice, after one who wants as much as one may."""
    running.MAX_CONCURRENT_RUNS = 10 * authors
    began, firsts, seconds = time.perf_counter(), list[float](), list[float]()
    asked = [
        (f"author {number}", turn, _start_run(runs, "slime_mind", f"author {number}", turn))
        for number in range(authors)
        for turn in (1, 2)
    ]
    waiting = list(asked)
    while waiting and _since(began) < WORST_S:
        for one in list(waiting):
            if one[2].state not in OPEN:
                waiting.remove(one)
                (firsts if one[1] == 1 else seconds).append(_since(began))
        time.sleep(POLL_INTERVAL_S)
    print(
        f"{authors} authors at once, two runs each: first results after {min(firsts):.1f} to "
        f"{max(firsts):.1f} s (median {median(firsts):.1f}), second ones from {min(seconds):.1f} "
        f"to {max(seconds):.1f} s; fair: {min(seconds) >= max(firsts) - POLL_INTERVAL_S * 2}"
    )


@contextmanager
def all_running(folder: Path, authors: int = BUSY) -> Iterator[None]:
    """Let so many authors run Slime Mind meanwhile, each again as soon as it is over."""
    is_over = threading.Event()

    def run_on() -> None:
        latest: dict[str, Run] = {}
        for number in count():
            for author in map(str, range(authors)):
                if author not in latest or latest[author].state not in OPEN:
                    latest[author] = _start_run(runs, "slime_mind", author, number)
            if is_over.wait(POLL_INTERVAL_S):
                return

    with closing(Database(folder / "runs.sqlite")) as database:
        ensure_schema(database)
        with closing(Runs(database, folder, Level.DEFAULT, print)) as runs:
            thread = threading.Thread(target=run_on, name="authors")
            thread.start()
            try:
                yield
            finally:
                is_over.set()
                thread.join()


def _start_run(runs: Runs, game: str, by: str, seed: int, *settings: str, itself: str = "") -> Run:
    source = _source(game, itself)
    draft = Packed(files={"player_x.py": f"{source}# {by} {seed}\n".encode()}, is_folder=False)
    opponent_source = source.encode() if itself else starter_files(game)[0].read_bytes()
    other = Packed(files={"player_y.py": opponent_source}, is_folder=False)
    opponent = Opponent("starter", other.digest, is_confidential=False, packed=other)
    preset = quick_presets(game)[0]
    drawn = LONG_SEED if itself else seed + 1
    request = MatchRequest(game=game, preset=preset, seed=drawn, settings=settings)
    made = Draft(name=by, packed=draft, id="draft")
    return runs.start_run(made, [opponent], request, Asker("", by))


def _source(game: str, name: str = "") -> str:
    files = [path for path in starter_files(game) if path.is_file()]
    found = [path for path in files if path.stem == name] or files[PLAYED[game] :]
    return found[0].read_text(encoding="utf-8")


def _wait(run: Run) -> None:
    while run.state in OPEN:
        time.sleep(POLL_INTERVAL_S)


def _since(began: float) -> float:
    return time.perf_counter() - began


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else AUTHORS)
