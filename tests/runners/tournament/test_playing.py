"""Playing what is missing, with a crew that makes results up."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from engine.errors import EngineFailure
from engine.referee import Job
from runners.crew import Result
from runners.store import Store
from runners.tournament import playing
from runners.tournament.plan import Field
from runners.tournament.playing import MOST_TRIES, Conditions, Progress, Tournament
from runners.tournament.standings import standings_of
from tests.runners.tournament.crews import MadeUpCrew, a_draw, won_by
from tests.runners.tournament.fields import a_field

Begin = Callable[..., MadeUpCrew]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(Store(f"sqlite:///{tmp_path / 'some.sqlite'}")) as store:
        yield store


@pytest.fixture
def crew(monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Puts a crew in the place of the one that would play."""

    def begin(comes: Callable[[Job], Result], workers: int = 2) -> MadeUpCrew:
        crew = MadeUpCrew(comes, workers)
        monkeypatch.setattr(playing, "crew_for", lambda *_, **__: crew)
        return crew

    return begin


def play(field: Field, store: Store) -> tuple[Tournament, list[Progress]]:
    tournament, told = Tournament(field, store), list[Progress]()
    tournament.play(Conditions(out=Path(), workers=2), told.append)
    return tournament, told


def test_every_match_is_played_once_and_kept(store: Store, crew: Begin) -> None:
    playing = crew(a_draw)
    tournament, told = play(a_field(5), store)
    assert len(playing.jobs) == len(told) == store.count() == 20
    assert len({job.spec.key for job in playing.jobs}) == 20
    assert standings_of(tournament.ledger()).is_over


def test_what_is_in_the_store_is_not_played(store: Store, crew: Begin) -> None:
    crew(a_draw)
    play(a_field(4), store)
    later = crew(a_draw)
    play(a_field(5), store)
    assert {name for names in later.names() for name in names} == {f"bot_{n}" for n in range(5)}
    assert all("bot_4" in names for names in later.names())


def test_rounds_follow_from_the_results_of_those_before(store: Store, crew: Begin) -> None:
    playing = crew(lambda job: won_by(job, "bot_3"))
    tournament, _ = play(a_field(4, format="single_elimination"), store)
    assert standings_of(tournament.ledger()).rows[0].member.bot.name == "bot_3"
    assert set(playing.names()[-1]) == {"bot_1", "bot_3"}


@pytest.mark.parametrize("workers", [1, 4])
def test_a_bot_that_breaks_in_a_row_plays_no_more(store: Store, crew: Begin, workers: int) -> None:
    crew_of_some = crew(lambda job: won_by(job, out="bot_1"), workers)
    tournament, _ = play(a_field(20, quarantine=3), store)
    begun = sum("bot_1" in names for names in crew_of_some.names())
    assert 3 <= begun <= 3 + 2 * workers
    standings = standings_of(tournament.ledger())
    assert [row.member.bot.name for row in standings.rows if row.is_quarantined] == ["bot_1"]
    assert standings.forfeited == 2 * 19 - 3
    assert standings.is_over


def test_without_quarantine_a_broken_bot_plays_on(store: Store, crew: Begin) -> None:
    playing = crew(lambda job: won_by(job, out="bot_1"))
    play(a_field(6, quarantine=0), store)
    assert len(playing.jobs) == 30


def test_a_bot_that_breaks_now_and_then_plays_on(store: Store, crew: Begin) -> None:
    count = Counter[str]()

    def comes(job: Job) -> Result:
        count["matches"] += 1
        return won_by(job, out="bot_1" if count["matches"] % 2 else "")

    playing = crew(comes)
    play(a_field(6, quarantine=2), store)
    assert len(playing.jobs) == 30


def test_a_match_that_cannot_be_played_is_tried_again_and_then_given_up(
    store: Store, crew: Begin
) -> None:
    def comes(job: Job) -> Result:
        names = [bot.name for bot in job.contestants]
        return EngineFailure("no disk") if names == ["bot_1", "bot_2"] else a_draw(job)

    playing = crew(comes)
    tournament, told = play(a_field(3), store)
    assert len(playing.jobs) == 5 + MOST_TRIES
    assert list(tournament.given_up.values()) == ["no disk"]
    assert [progress.words for progress in told if progress.result is None] == 3 * ["no disk"]
    assert list(store.failures(tournament.given_up).values()) == [3 * ["no disk"]]
    assert not standings_of(tournament.ledger()).is_over


def test_a_match_that_could_be_played_at_last_is_not_given_up(store: Store, crew: Begin) -> None:
    tries = Counter[str]()

    def comes(job: Job) -> Result:
        tries[job.spec.key] += 1
        return EngineFailure("no disk") if tries[job.spec.key] == 1 else a_draw(job)

    crew(comes)
    tournament, _ = play(a_field(3), store)
    assert tournament.given_up == {}
    assert standings_of(tournament.ledger()).is_over
