"""Matches on a cluster: real schedulers and workers, some of them killed."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import bootstrap
from engine.errors import EngineFailure, UsageError
from engine.referee import Job
from engine.result import MatchResult
from runners.cluster import Cluster
from runners.crew import Result
from runners.pool import Pool
from tests.runners.playing import a_job, a_series
from tests.shell import BOT, WALKER, eventually

pytestmark = pytest.mark.slow


class Machines:
    """A scheduler and its workers, each a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as finder:
            finder.bind(("127.0.0.1", 0))
            self._port = str(finder.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.running: list[subprocess.Popen[bytes]] = []

    def start_scheduler(self) -> "subprocess.Popen[bytes]":
        return self._start("scheduler", "--host", "127.0.0.1", "--port", self._port, "--no-show")

    def start_worker(self) -> "subprocess.Popen[bytes]":
        """Without a nanny that would start it again."""
        scratch = ("--local-directory", str(self._folder / "scratch"))
        return self._start("worker", self.address, "--nthreads", "1", "--no-nanny", *scratch)

    def stop(self) -> None:
        for process in self.running:
            process.kill()
            process.wait()

    def _start(self, what: str, *words: str) -> "subprocess.Popen[bytes]":
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{what}", *words, "--no-dashboard"],
            cwd=bootstrap.HOME,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.running.append(process)
        return process


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    machines = Machines(tmp_path)
    machines.start_scheduler()
    assert eventually(lambda: is_listening(machines.address))
    yield machines
    machines.stop()


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def jobs(out: Path, matches: int, a: str = WALKER) -> list[Job]:
    series = a_series(out, maps=matches, a=a)
    return [series.job(fixture) for fixture in series.fixtures()[:matches]]


def keys(results: dict[int, Result]) -> list[str]:
    played = [results[number] for number in sorted(results)]
    return [result.key for result in played if isinstance(result, MatchResult)]


def play(
    crew: Cluster, todo: list[Job], after: Callable[[], object], when: int = 1
) -> dict[int, Result]:
    """Play all, and do something after so many results."""
    results = {}
    with Pool(crew) as pool:
        for number, result in pool.play_all(todo):
            results[number] = result
            if len(results) == when:
                after()
    return results


def test_matches_come_back_with_all_their_files(machines: Machines, out: Path) -> None:
    machines.start_worker()
    talker = BOT.format("print('hello from afar'); return 'LEFT'")
    todo = jobs(out, 4, a=talker)
    results = play(Cluster(out, machines.address), todo, lambda: None)
    assert keys(results) == [job.spec.key for job in todo]
    for job in todo:
        folder = out / "matches" / job.spec.key
        names = sorted(path.name for path in folder.iterdir())
        (log,) = [name for name in names if name.endswith("ann.log")]
        assert names == [log, "match.json", "replay.jsonl.gz"]
        assert "hello from afar" in (folder / log).read_text()


def test_what_was_played_afar_is_what_is_played_here(machines: Machines, out: Path) -> None:
    machines.start_worker()
    job = a_job(out)
    (result,) = play(Cluster(out, machines.address), [job], lambda: None).values()
    (again,) = play(Cluster(out, "local:1"), [job], lambda: None).values()
    assert isinstance(result, MatchResult)
    assert isinstance(again, MatchResult)
    assert (again.first_fingerprint, again.fingerprint) == (result.fingerprint, result.fingerprint)
    assert again.folder == str(out / "again" / job.spec.key)


def test_a_machine_needs_no_disk_of_ours_and_keeps_nothing_of_a_match(
    machines: Machines, out: Path, tmp_path: Path
) -> None:
    machines.start_worker()
    play(Cluster(out, machines.address), jobs(out, 3), lambda: None)
    left = [path for path in (tmp_path / "scratch").rglob("*") if path.is_file()]
    assert {path.name for path in left if "slime-mind" in str(path)} == {"bot.py"}


def test_what_a_killed_worker_was_playing_is_played_by_another(
    machines: Machines, out: Path
) -> None:
    first, _ = machines.start_worker(), machines.start_worker()
    todo = jobs(out, 60)
    results = play(Cluster(out, machines.address), todo, first.kill, when=10)
    assert keys(results) == [job.spec.key for job in todo]
    assert not (out / "again").exists()


def test_workers_of_this_machine_are_started_and_replaced(out: Path) -> None:
    todo = jobs(out, 40)
    crew = Cluster(out, "local:2")
    assert crew.workers == 2
    results = play(crew, todo, lambda: os.kill(workers_below_us()[0], signal.SIGKILL), when=5)
    assert keys(results) == [job.spec.key for job in todo]
    assert eventually(lambda: not workers_below_us())


def workers_below_us() -> list[int]:
    children = [
        pid
        for task in Path("/proc/self/task").iterdir()
        for pid in (task / "children").read_text().split()
    ]
    lines = {int(pid): Path(f"/proc/{pid}/cmdline").read_bytes() for pid in children}
    return [pid for pid, line in lines.items() if b"spawn_main" in line]


def test_a_killed_scheduler_is_told_and_what_was_played_is_kept(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    machines.start_worker()
    crew = Cluster(out, machines.address)
    monkeypatch.setattr("runners.cluster.PATIENCE_S", 2)
    with pytest.raises(EngineFailure, match=r"what was played is kept, and the same command"):
        play(crew, jobs(out, 300), machines.running[0].kill, when=20)
    assert len(list((out / "matches").iterdir())) >= 20


def test_a_scheduler_that_is_back_is_used_again(machines: Machines, out: Path) -> None:
    machines.start_worker()

    def restart() -> None:
        for process in machines.running:
            process.kill()
            process.wait()
        machines.start_scheduler()
        machines.start_worker()

    todo = jobs(out, 60)
    results = play(Cluster(out, machines.address), todo, restart, when=10)
    assert keys(results) == [job.spec.key for job in todo]


def test_a_cluster_that_all_workers_have_left_is_told_and_goes_on_with_others(
    machines: Machines,
    out: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("runners.cluster.COUNTED_S", 0.1)
    told = []

    def hear(words: str) -> None:
        told.append(words)
        if "left" in words:
            machines.start_worker()

    monkeypatch.setattr("runners.cluster.say", hear)
    worker, todo = machines.start_worker(), jobs(out, 40)
    results = play(Cluster(out, machines.address), todo, worker.kill, when=5)
    assert keys(results) == [job.spec.key for job in todo]
    assert told == [
        f"--cluster {machines.address}: all workers have left; waiting for others, or for a Ctrl-C",
        f"--cluster {machines.address}: there are workers again",
    ]


def test_a_match_that_cannot_be_played_there_is_told(machines: Machines, out: Path) -> None:
    machines.start_worker()
    todo = jobs(out, 2)
    (out / "bots" / todo[0].spec.bots[0] / "bot.py").unlink()
    results = play(Cluster(out, machines.address), todo, lambda: None)
    assert all("no copy of a bot" in str(result) for result in results.values())


@pytest.mark.parametrize("where", ["local:", "local:0", "local:many"])
def test_a_number_of_processes_is_asked_for(out: Path, where: str) -> None:
    with pytest.raises(UsageError, match=r"expected a number of processes, as in local:4"):
        Cluster(out, where)


def test_an_address_where_nobody_is_is_told(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runners.cluster.PATIENCE_S", 1)
    with pytest.raises(EngineFailure, match=r"--cluster tcp://127.0.0.1:9: "):
        Cluster(out, "tcp://127.0.0.1:9")


def test_a_scheduler_without_workers_is_told(
    machines: Machines, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.cluster.PATIENCE_S", 2)
    with pytest.raises(EngineFailure, match=r"it has no workers"):
        Cluster(out, machines.address)


def is_listening(address: str) -> bool:
    host, _, port = address.removeprefix("tcp://").partition(":")
    with socket.socket() as finder:
        return finder.connect_ex((host, int(port))) == 0
