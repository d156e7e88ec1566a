"""A toy game in the catalogue, films of it, and a real browser."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks import chromium as browsers
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


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """Skips where there is no Chromium. Ends with a module: two at once do not go."""
    if browsers.path() is None:
        pytest.skip(browsers.WHY_NONE)
    with browsers.chromium() as browser:
        yield browser
