"""Boards to measure on, by the rules alone."""

from collections.abc import Iterable
from typing import Any

from engine.catalog import find_game
from engine.game import AnyGame, Event
from engine.streams import Streams

GAME = find_game("slime_mind")
SEED = 1
FIFTY = {"slime_pairs": 50, "plant_level_chance_pct": 100, "max_turns": 1_000}
"""Two teams of 50, and plants that fill the map."""


def start_board(game: AnyGame, settings: Any, seed: int = SEED) -> tuple[Any, Streams]:
    """Return the board of a match of two that begins, and where its chance comes from."""
    state, streams = game.new(settings, 2), Streams(seed)
    apply_all(state, game.start(state, streams))
    return state, streams


def apply_all(state: Any, events: Iterable[Event]) -> None:
    for event in events:
        state.apply(event)


def board_at(turn: int) -> Any:
    """Return a board of Slime Mind of this turn, on which all slimes have walked up."""
    state, streams = start_board(GAME, GAME.settings(**FIFTY))
    while state.turn < turn:
        order = GAME.check(state, GAME.asks(state)[0], "UP")
        apply_all(state, GAME.play(state, (order,), streams))
    return state
