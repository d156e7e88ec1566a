"""What a sequential test counts of the matches that are played for it."""

from contextlib import closing
from pathlib import Path

from engine.replays.writing import Contestant
from runners.execution.pool import Pool
from runners.match_request import RunOptions
from runners.questions.versus import Answer, ask, results_in_order
from runners.series import Series
from runners.statistics.sequential import MIN_REPEATS, SequentialTest, Verdict
from runners.storage.store import open_store
from tests.runners.contests.executors import MadeUpExecutor, make_result
from tests.runners.results import a_match_result, a_spec


def answer(folder: Path, *, is_same: bool) -> Answer:
    """Return the answer on two bots of which ann wins always, always in the same game or never."""
    series = Series(
        spec=a_spec(),
        contestants=tuple(Contestant(name=name, digest=name) for name in ("ann", "ben")),
        maps=100,
        secret=1,
        run=RunOptions(out=folder),
    )
    played = MadeUpExecutor(
        lambda job: a_match_result(
            key=job.spec.key,
            spec=job.spec,
            teams=make_result(job, "ann").teams,
            fingerprint="the same" if is_same else job.spec.key,
        )
    )
    jobs = [series.make_job(fixture) for fixture in series.fixtures()]
    with closing(open_store(f"sqlite:///{folder / 'some.sqlite'}")) as store:
        results = results_in_order(jobs, store, Pool(played))
        return ask(series, SequentialTest(), results, lambda running: None)


def test_who_wins_ever_new_games_is_better(tmp_path: Path) -> None:
    found = answer(tmp_path, is_same=False)
    assert found.assessment.verdict is Verdict.BETTER
    assert (found.matches, found.distinct, found.assessment.repeated) == (18, 18, 0)


def test_who_wins_the_same_game_again_and_again_is_not_found_better(tmp_path: Path) -> None:
    found = answer(tmp_path, is_same=True)
    assert found.assessment.is_exhausted
    assert found.assessment.verdict is Verdict.UNDECIDED
    assert (found.matches, found.distinct) == (2 + 2 * MIN_REPEATS, 1)
