"""The bots of Smack! that we ship: each plays without a fault, and to a plan."""

import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bots.finding import find_bots
from engine.catalog import find_game
from engine.games.smack.notation import position_text
from engine.games.smack.player import BasePlayer, Board, Position, Side
from engine.games.smack.position import START, parse_squares
from engine.games.smack.settings import BULLY_POINTS, Settings
from engine.limits import Limits
from runners.configuration import HOME
from runners.series import A
from tests.loaded_bots import load_player
from tests.playerCode.series import faults, play_series

GAME = find_game("smack")
BOTS = {bot.name: bot for bot in find_bots(HOME / "playerCode" / GAME.bots)}
NUMBERED = sorted(BOTS.keys() - {"player_base"})


def a_player(name: str) -> BasePlayer:
    kind = load_player(BOTS[name].path, name, BasePlayer)
    kind.limits = Limits(cpu_ms=200)  # type: ignore[attr-defined]
    player: BasePlayer = kind(1)
    return player


def a_board(position: Position, **changes: object) -> Board:
    usual: dict[str, object] = {
        "number": 1,
        "position": position,
        "side": position.side,
        "ply": 10,
        "quiet": 0,
        "points": (0, 0),
        "wants_end": False,
        "seen": {},
    }
    return Board(**usual | changes)  # type: ignore[arg-type]


def test_there_are_four_bots_and_a_template_and_all_are_bots() -> None:
    assert set(BOTS) == {"player_base", *(f"player_{n}" for n in ("one", "two", "three", "four"))}
    assert [bot.flaw for bot in BOTS.values() if bot.flaw] == []


@pytest.mark.parametrize(
    "better",
    [
        "player_two",
        *(pytest.param(f"player_{n}", marks=pytest.mark.slow) for n in ("three", "four")),
    ],
)
def test_every_other_one_beats_the_random_one(better: str, tmp_path: Path) -> None:
    settings = Settings(opening_plies=4, ply_limit=40)  # drawn openings, and short halves
    limits = Limits(cpu_ms=100, wall_ms=20_000, load_ms=30_000)
    pair = (BOTS[better], BOTS["player_one"])
    played = play_series(GAME, settings, limits, pair, tmp_path)
    assert [one.share(A) for one in played] == [1.0, 1.0]
    assert [faults(one.result) for one in played] == [[], []]


@pytest.mark.slow
@pytest.mark.parametrize("name", NUMBERED)
def test_every_move_of_a_bot_is_legal(name: str) -> None:
    player, dice, position = a_player(name), Random(1), START
    for _ in range(6):
        answer = player.decide(a_board(position))
        move = str(answer["move"] if isinstance(answer, dict) else answer)
        assert move in map(str, position.moves())
        position = position.after(dice.choice(position.moves()))


@pytest.mark.parametrize("name", sorted(set(BOTS) - {"player_one"}))
def test_a_bully_that_stands_beside_a_nerd_is_taken(name: str) -> None:
    position = Position(parse_squares("F6 A6 A7"), parse_squares("G7 O11"), Side.NERDS)
    assert str(a_player(name).decide(a_board(position))) == "F6-G7"


@pytest.mark.parametrize("name", ["player_two", "player_three", "player_four"])
def test_a_bully_goes_where_it_takes_most(name: str) -> None:
    position = Position(parse_squares("F5 F6 F7 K13"), parse_squares("D6 L10"), Side.BULLIES)
    assert str(a_player(name).decide(a_board(position))) == "D6-E6"


def test_the_searcher_expects_nothing_more_where_a_half_ends_by_repetition() -> None:
    search: Any = load_player(BOTS["player_three"].path, "player_three", BasePlayer)
    kind = search.decide.__globals__["Search"]
    position = Position(parse_squares("F6 A6 A7"), parse_squares("G7 O11"), Side.NERDS)
    text = position_text(position)
    values = [kind(math.inf, {text: times})._value(position, 1, -99, 99) for times in (1, 2)]
    assert values[0] >= BULLY_POINTS
    assert values[1] == 0


def test_the_planner_ends_a_half_that_it_leads_when_nothing_happens_any_more() -> None:
    player, position = a_player("player_four"), START
    ahead = player.decide(a_board(position, quiet=61, points=(5, 3)))
    behind = player.decide(a_board(position, quiet=61, points=(3, 5)))
    assert isinstance(ahead, dict)
    assert ahead["end"]
    assert not isinstance(behind, dict)
