"""Matches of starter bots, begun when nobody else plays, for a part of the time alone."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from engine.bots.sandbox import Level
from engine.catalogue import GAMES
from server.games.game_storage import GameStorage
from server.runs.exhibitions import QUIET_S, SHARE, SHORTEST_S, Exhibitions
from server.runs.runs import Runs, State
from tests.server.playing import a_game_service, begin
from tests.shell import eventually


class Silent:
    """Runs that nobody plays, in place of those in a process."""

    def __init__(self) -> None:
        self.is_busy = False
        self.begun: list[tuple[str, tuple[str, ...]]] = []

    def exhibit(self, players: Any, request: Any) -> Any:
        self.begun.append((request.game, tuple(players)))
        self.is_busy = True
        return self.begun[-1]


class Stage:
    """Exhibitions, with a clock that a test moves on."""

    def __init__(self, storage: GameStorage) -> None:
        self.runs = Silent()
        self.seconds = 0.0
        runs: Any = self.runs
        self.exhibitions = Exhibitions(storage.database, runs, print, clock=lambda: self.seconds)

    def look(self, after_s: float = 0.0) -> bool:
        """Return whether a match is begun so much later."""
        self.seconds += after_s
        return self.exhibitions.look() is not None

    def end(self, after_s: float) -> None:
        self.seconds += after_s
        self.runs.is_busy = False


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[GameStorage]:
    with closing(GameStorage(tmp_path / "games.sqlite")) as made:
        yield made


@pytest.fixture
def stage(storage: GameStorage) -> Stage:
    return Stage(storage)


def test_a_server_that_has_just_begun_shows_a_match_at_once(stage: Stage) -> None:
    assert stage.look()
    ((game, players),) = stage.runs.begun
    assert game in GAMES
    assert len(set(players)) == 2


def test_one_is_played_at_a_time_and_another_game_after_a_rest(stage: Stage) -> None:
    assert stage.look()
    assert not stage.look(after_s=100)
    stage.end(after_s=20)
    rest = 120 / SHARE - 120
    assert not stage.look()
    assert not stage.look(after_s=rest - 1)
    assert stage.look(after_s=1)
    (first, _), (second, _) = stage.runs.begun
    assert first != second


def test_short_ones_do_not_follow_each_other_at_once(stage: Stage) -> None:
    assert stage.look()
    stage.end(after_s=1)
    assert not stage.look()
    assert not stage.look(after_s=SHORTEST_S - 2)
    assert stage.look(after_s=1)


def test_people_who_play_are_not_held_up(tmp_path: Path, storage: GameStorage) -> None:
    from engine.game import Ask

    stage, service = Stage(storage), a_game_service(tmp_path / "games.sqlite")
    service.answer(begin(service), Ask(1, 1), 0, "A6-B6")
    assert not stage.look()
    assert not stage.look(after_s=QUIET_S)  # what counts is when it was decided
    assert stage.runs.begun == []


@pytest.mark.slow
def test_a_match_is_played_and_found_for_the_first_page(
    tmp_path: Path, storage: GameStorage
) -> None:
    with closing(Runs(tmp_path, Level.DEFAULT, print)) as runs:
        assert runs.newest_exhibition() is None
        exhibitions = Exhibitions(storage.database, runs, print)
        run = exhibitions.look()
        assert run is not None
        assert runs.newest_exhibition() is run
        assert exhibitions.look() is None
        assert eventually(lambda: run.state is State.OVER, 120)
        assert run.words.startswith(run.names[0])
