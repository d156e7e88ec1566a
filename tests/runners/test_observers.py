"""What a runner is told of a running match."""

import gzip
import io
import re
from pathlib import Path
from queue import SimpleQueue
from time import sleep
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tqdm import tqdm

from engine.game import Outcome, Stage, Standing
from runners import observers
from runners.observers import Forecast, TurnBar, is_off, read_turns
from tests.golden.record import HERE


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    terminal = Terminal()

    def bar(**options: Any) -> "tqdm[Any]":
        return tqdm(
            **{**options, "file": terminal, "dynamic_ncols": False, "ncols": 70, "mininterval": 0}
        )

    monkeypatch.setattr(observers, "tqdm", bar)
    return terminal


def a_bar(*, is_wanted: bool = True) -> TurnBar:
    game = SimpleNamespace(standing=lambda state: Standing(state.turn, 10, (1.5, state.turn / 2)))
    return TurnBar(cast("Any", game), ("ann", "bob"), is_wanted=is_wanted)


def play(bar: TurnBar, turns: int) -> None:
    state = SimpleNamespace(turn=0)
    bar.on_start(state)
    for turn in range(1, turns + 1):
        state.turn = turn
        bar.on_event(Stage(turn, "rocks"))
        bar.on_event(Stage(turn, "plants"))


def test_the_bar_shows_the_turn_and_the_score_of_both(terminal: Terminal) -> None:
    bar = a_bar()
    play(bar, 5)
    shown = terminal.getvalue().split("\r")[-1]
    assert re.search(r"\| turn 5/10 \[\d\d:\d\d left, ann 1.5, bob 2.5\]", shown)
    bar.close()


def test_the_bar_is_gone_when_the_match_has_ended(terminal: Terminal) -> None:
    bar = a_bar()
    play(bar, 3)
    bar.on_end(Outcome((1.0, 2.0), "last turn"))
    assert terminal.getvalue().endswith("\r")
    bar.close()


def test_a_bar_that_is_not_wanted_draws_nothing(terminal: Terminal) -> None:
    bar = a_bar(is_wanted=False)
    play(bar, 3)
    bar.close()
    assert terminal.getvalue() == ""


def test_a_bar_tells_how_the_match_stands_even_if_it_is_not_shown() -> None:
    bar = a_bar(is_wanted=False)
    assert bar.standing == "before it began"
    play(bar, 3)
    assert bar.standing == "in turn 3: ann 1.5, bob 1.5"


def test_a_bar_is_drawn_only_where_it_is_wanted_and_there_is_a_terminal() -> None:
    assert is_off(is_wanted=False) is True
    assert is_off(is_wanted=True) is None  # tqdm looks for a terminal itself


class Clock:
    """The time that observers read, which goes on as a test says."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(observers, "time", clock)
    return clock


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    said: list[str] = []
    monkeypatch.setattr(observers, "say", said.append)
    return said


def sides(cpu_s: int) -> Any:
    return [SimpleNamespace(cpu=SimpleNamespace(total_ms=cpu_s * 500)) for _ in range(2)]


def test_how_long_many_matches_take_is_said_once_after_the_first_that_was_played(
    clock: Clock, said: list[str]
) -> None:
    forecast = Forecast(60, 2, is_wanted=True, why="; so it is")
    forecast.add_match(sides(120))  # it was played before
    assert said == []
    clock.now += 120
    for _ in range(2):
        forecast.add_match(sides(120))
    (words,) = said
    assert words == (
        "a match takes about 2.0 minutes: 60 matches take about 60.0 minutes, 2 matches at a time; "
        "so it is"
    )


def test_it_is_said_once_that_the_first_match_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observers, "FIRST_S", 0.01)
    received: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(observers, "say", received.put)
    with Forecast(60, 1, is_wanted=True):
        assert received.get(timeout=30).startswith("no match has ended after 0 seconds; how long")
    with Forecast(60, 1, is_wanted=True) as forecast:
        forecast.add_match(sides(0))
        sleep(0.1)
    with Forecast(60, 1, is_wanted=False):
        sleep(0.1)
    assert received.empty()


def test_how_long_all_take_is_said_from_how_far_the_first_match_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What was recorded of a match is read as somebody who watches it does."""
    live = tmp_path / "live.jsonl"
    live.write_bytes(
        b"\n".join(gzip.decompress((HERE / "small.jsonl.gz").read_bytes()).splitlines()[:60])
        + b"\n"
    )
    turn, last = read_turns(live) or (0, 0)
    assert 1 < turn < last
    monkeypatch.setattr(observers, "SHORT_S", 0.01)
    received: SimpleQueue[str] = SimpleQueue()
    monkeypatch.setattr(observers, "say", received.put)
    with Forecast(60, 2, is_wanted=True, why="; so it is", live=live):
        words = received.get(timeout=30)
    assert words.startswith(f"turn {turn} of at most {last} after 0 seconds: a match takes up to ")
    assert words.endswith("60 matches up to 30 seconds; so it is")
    assert read_turns(tmp_path / "none.jsonl") is None


@pytest.mark.parametrize(("is_wanted", "cpu_s"), [(False, 120), (True, 0)])
def test_nothing_is_said_of_short_matches_or_where_that_is_not_wanted(
    clock: Clock, said: list[str], is_wanted: bool, cpu_s: int
) -> None:
    forecast = Forecast(60, 1, is_wanted=is_wanted)
    clock.now += 10
    forecast.add_match(sides(cpu_s))
    assert said == []


def test_without_a_bar_it_is_said_once_how_long_a_long_match_takes(
    clock: Clock, said: list[str]
) -> None:
    bar, state = a_bar(), SimpleNamespace(turn=0)
    bar.on_start(state)
    for turn in (1, 2, 3):
        clock.now += 40
        state.turn = turn
        bar.on_event(Stage(turn, "rocks"))
    (words,) = said
    assert words == (
        "turn 1 of at most 10 after 40 seconds: the match takes up to 6.0 minutes more, if all "
        "turns take as long"
    )
    bar.close()
