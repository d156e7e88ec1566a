"""One match, played and kept."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from engine.errors import EngineFailure, Stopped
from engine.game import Event, Stage
from engine.observer import Observer
from runners.single_match import play_single_match
from tests.runners.playing import a_job
from tests.shell import BOT


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "results"


def test_the_match_is_played_and_kept(out: Path) -> None:
    job = a_job(out)
    result = play_single_match(job, out, shows_progress=False)
    assert (result.key, result.turns) == (job.spec.key, 3)
    saved = {path.name for path in (out / "matches" / result.key).iterdir()}
    assert saved == {"match.json", "replay.jsonl.gz"}


def test_observers_are_told(out: Path) -> None:
    class Counter(Observer):
        events = 0

        def on_event(self, event: Event) -> None:
            self.events += 1

    counter = Counter()
    play_single_match(a_job(out), out, shows_progress=False, observers=[counter])
    assert counter.events > 0


class Impatient(Observer):
    """Ends a match in its second turn."""

    def __init__(self, error: BaseException) -> None:
        self._error = error

    def on_event(self, event: Event) -> None:
        if isinstance(event, Stage) and event.turn == 2:
            raise self._error


def test_a_match_that_is_stopped_says_how_it_stood_and_leaves_nothing(out: Path) -> None:
    with pytest.raises(Stopped, match=r"^stopped in turn 2: ann 0\.2, bob 0\.2; nothing is kept"):
        play_single_match(
            a_job(out), out, shows_progress=False, observers=[Impatient(KeyboardInterrupt())]
        )
    assert list((out / "matches").iterdir()) == []


@pytest.mark.parametrize(
    ("error", "raised", "text"),
    [
        (KeyboardInterrupt(), Stopped, r"^stopped in turn 2: ann 0\.2, bob 0\.2; to resume"),
        (EngineFailure("the disk is full"), EngineFailure, "^the disk is full; to resume"),
    ],
)
def test_a_match_that_is_cut_off_says_how_it_goes_on(
    out: Path, error: BaseException, raised: type[BaseException], text: str
) -> None:
    job = replace(a_job(out), is_kept=True)
    with pytest.raises(raised, match=f"{text}: --continue {job.spec.key}$"):
        play_single_match(job, out, shows_progress=False, observers=[Impatient(error)])
    assert (out / "interrupted" / job.spec.key / "replay.jsonl.gz").exists()


def test_what_cannot_be_kept_is_our_failure(out: Path) -> None:
    job = a_job(out)
    (out / "matches").write_text("in the way")
    with pytest.raises(EngineFailure, match="matches"):
        play_single_match(job, out, shows_progress=False)


def test_two_broken_bots_draw(out: Path) -> None:
    broken = BOT.format("raise ValueError('no')")
    result = play_single_match(a_job(out, a=broken, b=broken), out, shows_progress=False)
    assert result.winner is None
    assert [dict(team.faults) for team in result.teams] == [{"exception": 3}, {"exception": 3}]
