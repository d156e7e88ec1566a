"""A toy game in the catalogue, and films of it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.replay import Replay
from tests.visualizer import toy
from visualizer.film import Film

MakeFilm = Callable[..., Film]


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy game can be watched."""
    toy.install(monkeypatch, tmp_path / "sprites")


@pytest.fixture
def race_film(race: None, tmp_path: Path) -> MakeFilm:
    """Plays a race of these scripts (toy.EVENTFUL without any), and reads all of it."""

    def make(*scripts: list[str], **options: object) -> Film:
        path = tmp_path / "race.jsonl.gz"
        toy.record_race(path, *(scripts or toy.EVENTFUL), **options)  # type: ignore[arg-type]
        film = Film(Replay(path))
        film.read_on()
        return film

    return make
