"""Results in the order in which they are wanted."""

from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from engine.errors import EngineFailure
from engine.play_options import PlayOptions
from engine.referee import Job
from runners.execution.pool import Pool
from runners.questions.versus import load_known_results, results_in_order
from runners.storage.store import Store, open_store
from tests.runners.contests.executors import MadeUpExecutor, a_draw
from tests.runners.contests.fields import a_field, list_entries


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        yield store


@pytest.fixture
def jobs() -> list[Job]:
    field = a_field(4)
    return [
        field.make_job(entry.fixture, PlayOptions(keep_replay=False))
        for entry in list_entries(field, {})
    ]


def keys(jobs: list[Job]) -> list[str]:
    return [job.spec.key for job in jobs]


def test_they_come_in_order_and_are_kept(store: Store, jobs: list[Job]) -> None:
    executor = MadeUpExecutor(a_draw)
    came = [result.key for result in results_in_order(jobs, store, Pool(executor))]
    assert came == keys(jobs) == keys(executor.jobs)
    assert store.count() == len(jobs)


def test_a_match_that_is_wanted_twice_is_played_once(store: Store, jobs: list[Job]) -> None:
    executor = MadeUpExecutor(a_draw)
    came = [result.key for result in results_in_order(jobs[:2] + jobs[:3], store, Pool(executor))]
    assert came == keys(jobs[:2] + jobs[:3])
    assert keys(executor.jobs) == keys(jobs[:3])


def test_what_is_known_is_not_played(store: Store, jobs: list[Job]) -> None:
    list(results_in_order(jobs[2:4], store, Pool(MadeUpExecutor(a_draw))))
    executor = MadeUpExecutor(a_draw)
    assert len(list(results_in_order(jobs, store, Pool(executor)))) == len(jobs)
    assert keys(executor.jobs) == keys(jobs[:2] + jobs[4:])


def test_who_asks_no_more_has_little_played_in_vain(store: Store, jobs: list[Job]) -> None:
    executor = MadeUpExecutor(a_draw, workers=2)
    list(islice(results_in_order(jobs, store, Pool(executor)), 3))
    assert 3 <= len(executor.jobs) <= 3 + 2 * executor.workers


def test_known_ones_end_before_the_first_that_is_not(store: Store, jobs: list[Job]) -> None:
    pool = Pool(MadeUpExecutor(a_draw))
    list(results_in_order([*jobs[:3], jobs[4]], store, pool))
    assert [result.key for result in load_known_results(jobs, store)] == keys(jobs[:3])


def test_a_match_that_cannot_be_played_ends_it_and_is_recorded(
    store: Store, jobs: list[Job]
) -> None:
    executor = MadeUpExecutor(
        lambda job: EngineFailure("no disk") if job == jobs[1] else a_draw(job)
    )
    results = results_in_order(jobs, store, Pool(executor))
    assert next(results).key == jobs[0].spec.key
    with pytest.raises(EngineFailure, match=f"match {jobs[1].spec.key} could not be .* no disk"):
        next(results)
    assert store.load_failures(keys(jobs)) == {jobs[1].spec.key: ["no disk"]}
