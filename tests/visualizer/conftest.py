"""A toy game in the catalog, replays of it, and a real browser."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.catalog import find_game
from engine.match import play_match
from engine.replays.writing import Contestant, Recorder
from engine.spec import MatchSpec
from tests.contract.samples import SAMPLES
from tests.engine.seats import ScriptedSeat
from tests.visualizer import toy
from tests.visualizer.timelines import read_timeline
from visualizer.model.timeline import ReplayTimeline

MakeTimeline = Callable[..., ReplayTimeline]


@pytest.fixture
def race(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The toy game can be watched."""
    toy.install(monkeypatch, tmp_path / "sprites")


@pytest.fixture
def race_timeline(race: None, tmp_path: Path) -> MakeTimeline:
    """Plays a race of these scripts (toy.EVENTFUL without any), and reads all of it."""

    def make(*scripts: list[str], **options: object) -> ReplayTimeline:
        path = tmp_path / "race.jsonl.gz"
        toy.record_race(path, *(scripts or toy.EVENTFUL), **options)  # type: ignore[arg-type]
        return read_timeline(path)

    return make


@pytest.fixture(scope="module")
def smack_timeline(tmp_path_factory: pytest.TempPathFactory) -> ReplayTimeline:
    """A match of Smack!: a scene of two parts."""
    settings = find_game("smack").settings(ply_limit=8)
    return random_timeline("smack", settings, 2, tmp_path_factory.mktemp("match"))


@pytest.fixture(scope="module")
def smac_timeline(tmp_path_factory: pytest.TempPathFactory) -> ReplayTimeline:
    """A match of SMAC: many things in a square, six teams, and a score that wins."""
    settings = find_game("smac").settings(side=20, last_turn=9, victory_from_turn=9)
    return random_timeline("smac", settings, 6, tmp_path_factory.mktemp("match"))


def random_timeline(name: str, settings: Any, teams: int, folder: Path) -> ReplayTimeline:
    """Make the timeline of a match with legal answers drawn at random."""
    game, path = find_game(name), folder / "replay.jsonl.gz"
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=settings,
        limits=game.limits,
        bots=tuple(str(team) * 16 for team in range(teams)),
        seed=1,
    )
    bots = tuple(Contestant(name=name, digest=name) for name in spec.bots)
    recorder, dice = Recorder(game, spec, bots, path), Random(1)

    def answer(ask: Any, known: Any) -> Any:
        return SAMPLES[game.name].answer(known, ask, dice)

    try:
        play_match(game, spec, [ScriptedSeat(answer) for _ in bots], [recorder])
    finally:
        recorder.close()
    return read_timeline(path)
