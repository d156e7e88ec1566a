"""Playing what is missing, with an executor that makes results up."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from itertools import cycle, repeat
from pathlib import Path

import msgspec
import pytest

from engine.bots.sandbox import Level
from engine.errors import EngineFailure, UsageError
from engine.play_options import PlayOptions
from engine.referee import Job
from runners.contests import tournament as playing
from runners.contests.persistence import find_tournament, save_tournament
from runners.contests.plan import Field, Secret
from runners.contests.playing import MAX_TRIES
from runners.contests.standings import compute_standings
from runners.contests.tournament import Progress, Tournament
from runners.execution.executor import Result
from runners.match_request import RunOptions
from runners.storage.store import Store, open_store
from tests.runners.contests.executors import MadeUpExecutor, a_draw, make_result
from tests.runners.contests.fields import a_field, list_entries

Begin = Callable[..., MadeUpExecutor]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(open_store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        yield store


@pytest.fixture
def executor(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Puts an executor in the place of the one that would play."""

    def start(comes: Callable[[Job], Result], workers: int = 2) -> MadeUpExecutor:
        executor = MadeUpExecutor(comes, workers)
        monkeypatch.setattr(playing, "executor_for", lambda *_, **__: executor)
        return executor

    return start


def play(field: Field, store: Store) -> tuple[Tournament, list[Progress]]:
    tournament, received = Tournament(field, store), list[Progress]()
    tournament.play(RunOptions(out=Path(), workers=2), received.append)
    return tournament, received


def test_a_tournament_is_judged_whatever_single_matches_are_configured_to_be() -> None:
    field = a_field(2)
    fixture = list_entries(field, {})[0].fixture
    wished = PlayOptions(sandbox=Level.STRICT, in_process=True, keep_notes=True, keep_replay=False)
    play = PlayOptions(sandbox=Level.STRICT, keep_notes=False, keep_replay=False)
    assert field.make_job(fixture, wished).play == play


def test_a_tournament_comes_back_with_its_secrets(store: Store) -> None:
    field = a_field(2, seed=2**128 - 1)
    later = msgspec.structs.replace(field.entrants[1], secret=Secret(1, 2**128 - 1))
    field = Field(field.plan, (field.entrants[0], later))
    save_tournament(store, field)
    assert find_tournament(store, "spring").field == field


def test_a_tournament_of_an_older_version_is_refused_by_its_name(store: Store) -> None:
    plan = msgspec.json.encode(a_field(2).plan).decode()
    store.save_tournament("spring", plan, {0: '{"bot": {"name": "ann", "digest": "d"}}'})
    with pytest.raises(UsageError, match=r"tournament 'spring' .* --name if an older version"):
        find_tournament(store, "spring")


def test_a_tournament_of_a_format_there_is_not_is_refused(store: Store) -> None:
    field = a_field(2)
    save_tournament(store, Field(msgspec.structs.replace(field.plan, format="nix"), field.entrants))
    with pytest.raises(UsageError, match=r"tournament .spring. .* .nix. is not a format"):
        find_tournament(store, "spring")


def test_every_match_is_played_once_and_kept(store: Store, executor: Begin) -> None:
    playing = executor(a_draw)
    tournament, found = play(a_field(5), store)
    assert len(playing.jobs) == len(found) == store.count() == 20
    assert len({job.spec.key for job in playing.jobs}) == 20
    assert compute_standings(tournament.ledger()).is_over


@pytest.mark.parametrize("workers", [1, 4])
def test_of_a_decided_pairing_no_more_is_played_than_was_begun(
    store: Store, executor: Begin, workers: int
) -> None:
    playing = executor(
        lambda job: make_result(job, min(bot.name for bot in job.contestants)), workers
    )
    tournament, _ = play(a_field(3, games=50, decides=True), store)
    standings = compute_standings(tournament.ledger())
    assert (len(standings.decided), standings.is_over) == (3, True)
    assert standings.played == 3 * 8 * 2
    assert standings.played <= len(playing.jobs) <= standings.played + 3 * 2 * workers


def test_what_is_in_the_store_is_not_played(store: Store, executor: Begin) -> None:
    executor(a_draw)
    play(a_field(4), store)
    later = executor(a_draw)
    play(a_field(5), store)
    assert {name for names in later.names() for name in names} == {f"bot_{n}" for n in range(5)}
    assert all("bot_4" in names for names in later.names())


def test_rounds_follow_from_the_results_of_those_before(store: Store, executor: Begin) -> None:
    playing = executor(lambda job: make_result(job, "bot_3"))
    tournament, _ = play(a_field(4, format="single_elimination"), store)
    assert compute_standings(tournament.ledger()).rows[0].entrant.bot.name == "bot_3"
    assert set(playing.names()[-1]) == {"bot_1", "bot_3"}


class FirstIsLast(MadeUpExecutor):
    """Matches of bot_0 are not over before somebody has won twice."""

    def __init__(self) -> None:
        super().__init__(self._make_outcome, workers=8)
        self._waiting: list[tuple[Job, Future[Result]]] = []
        self._met: dict[str, set[str]] = defaultdict(set)

    def submit(self, job: Job) -> "Future[Result]":
        future: Future[Result] = super().submit(job)
        one, other = (bot.name for bot in job.contestants)
        self._met[one].add(other)
        self._met[other].add(one)
        if "bot_0" in (one, other) and not self._is_second_round():
            future = Future()
            self._waiting.append((job, future))
        if self._is_second_round():
            for waiting, its_future in self._waiting:
                its_future.set_result(self._make_outcome(waiting))
            self._waiting.clear()
        return future

    def _is_second_round(self) -> bool:
        return any(len(others) > 1 for others in self._met.values())

    @staticmethod
    def _make_outcome(job: Job) -> Result:
        return make_result(job, min(bot.name for bot in job.contestants))


def test_whoever_is_known_plays_on_while_others_are_in_the_round_before(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    executor = FirstIsLast()
    monkeypatch.setattr(playing, "executor_for", lambda *_, **__: executor)
    tournament, found = play(a_field(8, format="single_elimination"), store)
    standings = compute_standings(tournament.ledger())
    assert standings.is_over
    assert standings.rows[0].entrant.bot.name == "bot_0"
    assert len({job.spec.key for job in executor.jobs}) == len(executor.jobs) == len(found)


@pytest.mark.parametrize("workers", [1, 4])
def test_a_bot_that_breaks_in_a_row_plays_no_more(
    store: Store, executor: Begin, workers: int
) -> None:
    some_executor = executor(lambda job: make_result(job, out="bot_1"), workers)
    tournament, _ = play(a_field(20, quarantine=3), store)
    begun = sum("bot_1" in names for names in some_executor.names())
    assert 3 <= begun <= 3 + 2 * workers
    standings = compute_standings(tournament.ledger())
    assert [row.entrant.bot.name for row in standings.rows if row.is_quarantined] == ["bot_1"]
    assert standings.forfeited == 2 * 19 - 3
    assert standings.is_over


@pytest.mark.parametrize(
    ("quarantine", "breaks"),
    [(0, repeat(True)), (2, cycle([True, False]))],
    ids=["without quarantine", "now and then"],
)
def test_a_bot_whose_breaks_are_no_row_plays_on(
    store: Store, executor: Begin, quarantine: int, breaks: Iterator[bool]
) -> None:
    playing = executor(lambda job: make_result(job, out="bot_1" if next(breaks) else ""))
    play(a_field(6, quarantine=quarantine), store)
    assert len(playing.jobs) == 30


def test_a_match_that_cannot_be_played_is_tried_again_and_then_given_up(
    store: Store, executor: Begin
) -> None:
    def comes(job: Job) -> Result:
        names = [bot.name for bot in job.contestants]
        return EngineFailure("no disk") if names == ["bot_1", "bot_2"] else a_draw(job)

    playing = executor(comes)
    tournament, found = play(a_field(3), store)
    assert len(playing.jobs) == 5 + MAX_TRIES
    assert list(tournament.given_up.values()) == ["no disk"]
    assert [progress.words for progress in found if progress.result is None] == 3 * ["no disk"]
    assert list(store.load_failures(tournament.given_up).values()) == [3 * ["no disk"]]
    assert not compute_standings(tournament.ledger()).is_over


def test_a_match_that_could_be_played_at_last_is_not_given_up(
    store: Store, executor: Begin
) -> None:
    tries = Counter[str]()

    def comes(job: Job) -> Result:
        tries[job.spec.key] += 1
        return EngineFailure("no disk") if tries[job.spec.key] == 1 else a_draw(job)

    executor(comes)
    tournament, _ = play(a_field(3), store)
    assert tournament.given_up == {}
    assert compute_standings(tournament.ledger()).is_over
