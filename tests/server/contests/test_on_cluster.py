"""Ladders are played by the workers of a cluster, which come, leave and die."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from runners.contests.contests import Ladder
from runners.contests.player import ContestPlayer
from runners.match_request import RunOptions
from runners.storage.database import Database
from tests.runners.machines import Machines, cluster_in
from tests.server.contests.field import NotingObserver, results_in, tiny_field
from tests.shell import eventually

pytestmark = pytest.mark.slow


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Machines]:
    with cluster_in(tmp_path / "machines") as machines:
        yield machines


@contextmanager
def playing_on(database: Database, out: Path, cluster: str) -> Iterator[list[str]]:
    """Play on a cluster meanwhile; yields what the operator is told."""
    observer = NotingObserver()
    player = ContestPlayer(database, RunOptions(out=out, cluster=cluster), observer)
    player.start()
    try:
        yield observer.failures
    finally:
        player.close()
        sys.stderr.writelines(f"{words}\n" for words in observer.failures)


def require_each_once(database: Database, ladder: Ladder, out: Path) -> None:
    """Every result is of a match of its own, with its files here."""
    rows = results_in(database, ladder)
    assert len({row.key for row in rows}) == len(rows)
    assert all((out / "matches" / row.key / "match.json").is_file() for row in rows)


def test_a_ladder_is_played_by_workers_that_come_and_are_killed(
    database: Database, machines: Machines, tmp_path: Path
) -> None:
    ladder, _ = tiny_field(database, tmp_path, "ann", "ben")
    first = machines.start_worker()
    with playing_on(database, tmp_path, machines.address) as failures:
        assert eventually(lambda: len(results_in(database, ladder)) >= 3)
        machines.start_worker()
        first.kill()
        before = len(results_in(database, ladder))
        assert eventually(lambda: len(results_in(database, ladder)) >= before + 8)
    assert failures == []
    require_each_once(database, ladder, tmp_path)
    assert {row.failures for row in results_in(database, ladder)} == {0}


def test_a_scheduler_that_is_killed_is_told_and_played_on_with_once_it_is_back(
    database: Database, machines: Machines, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("runners.execution.cluster.PATIENCE_S", 2)
    monkeypatch.setattr("runners.contests.player.TROUBLE_S", 0.2)
    ladder, _ = tiny_field(database, tmp_path, "ann", "ben")
    machines.start_worker()
    with playing_on(database, tmp_path, machines.address) as failures:
        assert eventually(lambda: len(results_in(database, ladder)) >= 3)
        for process in machines.running:
            process.kill()
            process.wait()
        assert eventually(lambda: any(machines.address in words for words in failures))
        machines.start_scheduler()
        machines.start_worker()
        before = len(results_in(database, ladder))
        assert eventually(lambda: len(results_in(database, ladder)) >= before + 4)
    require_each_once(database, ladder, tmp_path)


def test_a_server_that_ends_waits_for_no_worker(
    database: Database, machines: Machines, tmp_path: Path
) -> None:
    tiny_field(database, tmp_path, "ann", "ben", decide="import time\ntime.sleep(30)")
    machines.start_worker()
    with playing_on(database, tmp_path, machines.address) as failures:
        # A worker has begun a match once its folder for results is there.
        assert eventually(lambda: any((tmp_path / "machines").rglob("slime-mind-*/bots/*")))
        began = time.monotonic()
    assert time.monotonic() - began < 20  # the first order alone takes longer
    assert failures == []
