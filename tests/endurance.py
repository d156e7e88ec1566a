"""Plays many short matches, one in four with a bad bot, and looks around in between.

`python3 -m tests.endurance RUNNER FOLDER` does so below FOLDER, in a process of its own whose
memory nothing else has a part in; for every look it prints a line of JSON.
"""

import gc
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from itertools import cycle, islice
from pathlib import Path

import msgspec

from engine.limits import Limits
from engine.referee import Job, Referee
from engine.result import MatchResult
from runners.execution.local_executor import Processes
from runners.execution.pool import Pool
from tests.engine.bots.bad_bots import bad_bot_path
from tests.engine.bots.matches import a_bot, a_job, find_children, open_descriptors
from tests.examples import at_length

with suppress(ImportError):  # Windows has none
    import resource

MATCHES = at_length(1_000, else_=500)
BETWEEN = 50
"""Matches from one look to the next."""
LIMITS = Limits(cpu_ms=10, max_restarts=1)
BAD = ("exits_hard", "raises", "loops_past_the_interrupt", "import_exits_hard", "answers_10_mb")
GOOD_FOR_EACH_BAD = 3
SHARED = (Path("/dev/shm"), Path("/dev/mqueue"))

Play = Callable[[Sequence[Job]], object]


class Look(msgspec.Struct, frozen=True, kw_only=True):
    """What is held between two matches, by this process and all below it."""

    processes: int
    descriptors: list[str]
    """What each of them leads to, without the numbers."""
    files: list[str]
    """The files in the temp folder and where results go, without the folders of matches."""
    shared: set[str]
    """Shared memory, semaphores and queues of all users."""
    memory: int
    """Resident, bytes."""


@contextmanager
def one_referee(out: Path) -> Iterator[Play]:
    with closing(Referee(out)) as referee:
        yield lambda jobs: [referee.play(job) for job in jobs]


@contextmanager
def pool_of_two(out: Path) -> Iterator[Play]:
    """Return what multi_match plays on."""
    with Pool(Processes(out, 2)) as pool:
        yield lambda jobs: [_checked_result(result) for _, result in pool.play_all(jobs)]


RUNNERS: dict[str, Callable[[Path], AbstractContextManager[Play]]] = {
    "referee": one_referee,
    "pool": pool_of_two,
}


def jobs_in(folder: Path) -> Iterator[Job]:
    """Different ones, made as they are needed: a list would grow with their keys."""
    steady = a_bot(folder, "return 'UP'", name="player_steady")
    bad = [bad_bot_path(name) for name in BAD]
    bots = cycle([*bad, *[steady] * (GOOD_FOR_EACH_BAD * len(bad))])
    for seed in range(MATCHES):
        yield a_job(folder / "out", next(bots), steady, limits=LIMITS, seed=seed)


def looks(runner: str, folder: Path) -> Iterator[Look]:
    """One after every fifty matches."""
    jobs = jobs_in(folder)
    with RUNNERS[runner](folder / "out") as play:
        while todo := list(islice(jobs, BETWEEN)):
            play(todo)
            for job in todo:
                shutil.rmtree(folder / "out" / "matches" / job.spec.key)
            yield look(folder)


def look(folder: Path) -> Look:
    gc.collect()
    pids = list(family(os.getpid()))
    return Look(
        processes=len(pids),
        descriptors=sorted(
            re.sub(r"^\d+: |\d+", "", target) for pid in pids for target in open_descriptors(pid)
        ),
        files=sorted(map(str, folder.rglob("*"))),
        shared=set(_list_shared()),
        memory=sum(map(read_memory, pids)),
    )


def _checked_result(result: MatchResult | BaseException) -> MatchResult:
    if isinstance(result, BaseException):
        raise result
    return result


def family(pid: int) -> Iterator[int]:
    yield pid
    for child in find_children(pid):
        yield from family(child)


def _list_shared() -> Iterator[str]:
    for place in SHARED:
        with suppress(OSError):
            yield from map(str, place.iterdir())
    for kind in ("shm", "msg", "sem"):
        with suppress(OSError):
            for row in Path(f"/proc/sysvipc/{kind}").read_text().splitlines()[1:]:
                yield f"{kind} {row.split()[1]}"


def read_memory(pid: int) -> int:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()


def main(runner: str, folder: Path) -> None:
    for seen in looks(runner, folder):
        sys.stdout.write(msgspec.json.encode(seen).decode() + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
