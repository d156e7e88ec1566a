"""Boards drawn as text, and pieces that need only the numbers a test is about."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from engine.fault import Fault
from engine.game import Event
from engine.games.slime_mind import rules
from engine.games.slime_mind.orders import Command
from engine.games.slime_mind.pieces import Piece, Plant, Rock, Slime
from engine.games.slime_mind.settings import LEVELS, Settings, level_of
from engine.games.slime_mind.state import Board
from engine.streams import DRAWS, Streams
from tests.engine.advancing import advance

Draw = Callable[[], float]


def a_slime(
    piece_id: int = 1,
    *,
    team: int = 1,
    xp: int = 1,
    level: int | None = None,
    hp: int | None = None,
    ready: bool = False,
) -> Slime:
    """Return a slime of the level that goes with its xp (or a stale one), in full health."""
    level = level_of(xp) if level is None else level
    row = LEVELS[level]
    hp = row.max_hp if hp is None else hp
    return Slime(piece_id, team, 0, 0, xp, level, 12, hp, row.max_hp, row.attack, ready)


def an_enemy(piece_id: int = 2, **numbers: Any) -> Slime:
    return a_slime(piece_id, team=2, **numbers)


def a_plant(piece_id: int = 3, *, level: int = 1, hp: int = 3, max_level: int = 12) -> Plant:
    return Plant(piece_id, 0, 0, level, max_level, hp, 6 * level)


USUAL: dict[str, Piece] = {"A": a_slime(1), "B": an_enemy(2), "p": a_plant(3)}


def a_board(drawing: str, *, turn: int = 2, queue: Iterable[int] = (1, 2), **pieces: Any) -> Board:
    """Return a board drawn in words: `.` is empty, `#` a rock, other words name `pieces`.

    Unless given, A is slime 1 of team 1, B is slime 2 of team 2 and p is plant 3; rocks get
    the highest ids. Other keywords are settings. By default A acts, then B, then A begins
    turn 3 (plants do nothing unless their chances are set).
    """
    lines = [line.split() for line in drawing.strip().splitlines()]
    named = {**USUAL, **{name: pieces.pop(name) for name in tuple(pieces) if len(name) == 1}}
    placed, rock_squares = _read(lines, named)
    rock_ids = range(max((piece.id for piece in placed), default=0) + 1, 1 << 30)
    rocks = [Rock(rock_id, x, y) for rock_id, (x, y) in zip(rock_ids, rock_squares, strict=False)]
    return Board(
        some_settings(columns=len(lines[0]), rows=len(lines), **pieces),
        turn=turn,
        next_id=max((piece.id for piece in [*placed, *rocks]), default=0) + 1,
        slimes={piece.id: piece for piece in placed if isinstance(piece, Slime)},
        plants={piece.id: piece for piece in placed if isinstance(piece, Plant)},
        rocks={rock.id: rock for rock in rocks},
        queue=list(queue),
    )


def some_settings(**changes: Any) -> Settings:
    """Return settings with plants that do nothing and without pieces at the start."""
    quiet = {
        "plant_level_chance_pct": 0,
        "plant_seed_chance_pct": 0,
        "slime_pairs": 1,
        "plant_pairs": 0,
        "rock_pairs": 0,
    }
    return Settings(**{**quiet, **changes})


def _read(
    lines: list[list[str]], named: dict[str, Piece]
) -> tuple[list[Piece], list[tuple[int, int]]]:
    placed, rocks = [], []
    for y, words in enumerate(lines):
        for x, word in enumerate(words):
            if word == "#":
                rocks.append((x, y))
            elif word != ".":
                placed.append(replace(named[word], x=x, y=y))
    return sorted(placed, key=lambda piece: piece.id), rocks


def play(board: Board, *orders: str | Fault, streams: Streams | None = None) -> list[Event]:
    """Give the acting slimes these orders; return all events up to the next decision."""
    streams = streams or Streams(0)
    events = []
    for order in orders:
        known = order if isinstance(order, Fault) else Command(order)
        events += advance(board, rules.play_round(board, known, streams))
    return events


def choosing(place: int) -> float:
    """Return a draw by which a stream chooses the option at this place, from 0."""
    return place / DRAWS


class LoadedStreams(Streams):
    """Streams whose draws are written down beforehand, 0 to below 1; an empty list runs dry."""

    def __init__(self, **draws: list[float]) -> None:
        super().__init__(0)
        for name, values in draws.items():
            self[name].random = iter(values).__next__
