"""The memory of a match: the engine's process, and what each worker does not share.

Run as a program it plays one match, looks at itself and its workers, and prints what it saw.
"""

import os
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from benchmarks.match_loop import EATING, SLIMES
from benchmarks.seats import BOTS, make_spec
from benchmarks.command_line import in_a_process
from benchmarks.table import Effort, Figure, Target, figure
from engine.bots.finding import Copies, read_bot
from engine.game import Outcome
from engine.observer import Observer
from engine.replays.writing import Contestant
from engine.referee import Job, Referee

BOT = "player_eater"
KB_PER_MB = 1_024


class Seen(msgspec.Struct, frozen=True):
    """Memory in megabytes."""

    engine: float
    worker: float


def measure(effort: Effort) -> list[Figure]:
    """Measure memory; nothing where there is no /proc."""
    if not Path("/proc/self/smaps_rollup").exists():
        return []
    seen = in_a_process("benchmarks.memory", max(1, effort.orders // SLIMES), Seen)
    return [
        figure("memory", "MB", seen.engine, Target.at_most(60)).says(
            "resident memory of the engine after a match"
        ),
        figure("memory worker", "MB", seen.worker, Target.at_most(25)).says(
            "memory of a worker, without what it shares"
        ),
    ]


def play(turns: int) -> Seen:
    """Play a match, and measure before its workers end."""
    watcher = MemoryWatcher()
    with TemporaryDirectory() as folder, closing(Referee(Path(folder))) as referee:
        bot = read_bot(BOTS / f"{BOT}.py")
        Copies(Path(folder) / "bots").save(bot)
        spec = make_spec(bot.digest, {**EATING, "max_turns": turns})
        contestant = Contestant(name=bot.name, digest=bot.digest)
        referee.play(Job(spec=spec, contestants=(contestant, contestant)), [watcher])
    assert watcher.seen is not None
    return watcher.seen


class MemoryWatcher(Observer):
    """Looks at the end of the match."""

    seen: Seen | None = None

    def on_end(self, outcome: Outcome) -> None:
        own = rollup(os.getpid())
        workers = [rollup(pid) for zygote in _children(os.getpid()) for pid in _children(zygote)]
        self.seen = Seen(own["Rss"], max(_private(worker) for worker in workers))


def _private(rollup: dict[str, float]) -> float:
    return rollup["Private_Clean"] + rollup["Private_Dirty"]


def rollup(pid: int) -> dict[str, float]:
    """Return the kernel's sums over a process's memory, megabytes. Source: proc_pid_smaps(5)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    arguments = [line.split() for line in lines]
    return {name.rstrip(":"): int(kb) / KB_PER_MB for name, kb, _ in arguments}


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


if __name__ == "__main__":
    print(msgspec.json.encode(play(int(sys.argv[1]))).decode())
