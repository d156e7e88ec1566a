"""What a runner is told of a running match."""

import io
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tqdm import tqdm

from engine.game import Outcome, Stage, Standing
from runners import observers
from runners.observers import TurnBar, is_off


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
    bar.began(state)
    for turn in range(1, turns + 1):
        state.turn = turn
        bar.happened(Stage(turn, "rocks"))
        bar.happened(Stage(turn, "plants"))


def test_the_bar_shows_the_turn_and_the_score_of_both(terminal: Terminal) -> None:
    bar = a_bar()
    play(bar, 5)
    shown = terminal.getvalue().split("\r")[-1]
    assert "| turn 5/10 [" in shown
    assert ", ann 1.5, bob 2.5]" in shown
    bar.close()


def test_the_bar_is_gone_when_the_match_has_ended(terminal: Terminal) -> None:
    bar = a_bar()
    play(bar, 3)
    bar.ended(Outcome((1.0, 2.0), "last turn"))
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
