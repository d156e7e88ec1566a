"""Matches of starter bots, begun when nobody else plays, for a part of the time alone."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from engine.catalog import GAMES
from runners.match_request import RunOptions
from runners.storage.database import now
from runners.storage.ladder_tables import fixtures
from server.games.game_storage import GameStorage
from server.games.new_games import Opponents
from server.runs.exhibitions import MAX_EXHIBITION_SHARE, MIN_INTERVAL_S, QUIET_S, Exhibitions
from server.runs.run_rows import State
from tests.server.contests.field import add_match, tiny_ladder_in
from tests.server.playing import a_game_service, start_game
from tests.shell import eventually


def make_exhibitions(
    storage: GameStorage, out: Path, clock: Callable[[], float] = time.monotonic
) -> Exhibitions:
    run = RunOptions(out=out)
    return Exhibitions(storage.database, Opponents(out), run, print, clock=clock)


class Stage:
    """Exhibitions that nobody plays, with a clock that a test moves on."""

    def __init__(self, storage: GameStorage, out: Path) -> None:
        self.seconds = 0.0
        self.is_busy = False
        self.begun: list[tuple[str, tuple[str, ...]]] = []
        exhibitions: Any = make_exhibitions(storage, out, lambda: self.seconds)
        exhibitions.runs, exhibitions.exhibit = self, self.exhibit
        self.exhibitions: Exhibitions = exhibitions

    def exhibit(self, players: Any, request: Any) -> Any:
        self.begun.append((request.game, tuple(players)))
        self.is_busy = True
        return self.begun[-1]

    def look(self, after_s: float = 0.0) -> bool:
        """Return whether a match is begun so much later."""
        self.seconds += after_s
        return self.exhibitions.start_if_idle() is not None

    def end(self, after_s: float) -> None:
        self.seconds += after_s
        self.is_busy = False


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[GameStorage]:
    with closing(GameStorage(tmp_path / "games.sqlite")) as made:
        yield made


@pytest.fixture
def stage(storage: GameStorage, tmp_path: Path) -> Stage:
    return Stage(storage, tmp_path)


def test_a_server_that_has_just_begun_shows_a_match_at_once(stage: Stage) -> None:
    assert stage.look()
    ((game, players),) = stage.begun
    assert game in GAMES
    assert len(set(players)) == 2


def test_one_is_played_at_a_time_and_another_game_after_a_rest(stage: Stage) -> None:
    assert stage.look()
    assert not stage.look(after_s=100)
    stage.end(after_s=20)
    rest = 120 / MAX_EXHIBITION_SHARE - 120
    assert not stage.look()
    assert not stage.look(after_s=rest - 1)
    assert stage.look(after_s=1)
    (first, _), (second, _) = stage.begun
    assert first != second


def test_short_ones_do_not_follow_each_other_at_once(stage: Stage) -> None:
    assert stage.look()
    stage.end(after_s=1)
    assert not stage.look()
    assert not stage.look(after_s=MIN_INTERVAL_S - 2)
    assert stage.look(after_s=1)


def test_people_who_play_are_not_held_up(tmp_path: Path, storage: GameStorage) -> None:
    from engine.game import Ask

    stage, service = Stage(storage, tmp_path), a_game_service(tmp_path / "games.sqlite")
    service.answer(start_game(service), Ask(1, 1), 0, "A6-B6")
    assert not stage.look()
    assert not stage.look(after_s=QUIET_S)  # what counts is when it was decided
    assert stage.begun == []


def test_a_match_of_a_ladder_that_was_just_played_is_one(
    stage: Stage, storage: GameStorage
) -> None:
    ladder = tiny_ladder_in(storage.database)
    add_match(storage.database, ladder.id, has_result=False)
    assert not stage.look()
    long_ago = now() - timedelta(seconds=QUIET_S)
    storage.database.write(update(fixtures).values(played_at=long_ago))
    assert stage.look()


@pytest.mark.slow
def test_a_match_is_played_and_found_for_the_first_page(
    tmp_path: Path, storage: GameStorage
) -> None:
    with closing(make_exhibitions(storage, tmp_path)) as exhibitions:
        run = exhibitions.start_if_idle()
        assert run is not None
        assert exhibitions.newest is run
        assert exhibitions.start_if_idle() is None
        assert eventually(lambda: run.state is State.OVER, 120)
        assert run.words.startswith(run.names[0])
