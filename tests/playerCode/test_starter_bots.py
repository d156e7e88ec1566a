"""The bots we ship: each plays without a fault, and beats the random one."""

from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.bots.finding import Bot, find_bots
from engine.catalog import find_game
from engine.games.slime_mind.pieces import Plant, Rock, Slime
from engine.games.slime_mind.player import BasePlayer, BoardView
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from engine.limits import Limits
from runners.configuration import HOME
from runners.series import A, Played
from tests.loaded_bots import load_player
from tests.playerCode.series import faults, play_series

BOTS = {bot.name: bot for bot in find_bots(HOME / "playerCode")}
GAME = find_game("slime_mind")


def play(bots: tuple[Bot, Bot], out: Path, *, matches: int, max_turns: int) -> list[Played]:
    settings = msgspec.structs.replace(GAME.settings(), max_turns=max_turns)
    return play_series(GAME, settings, GAME.limits, bots, out, matches=matches)


def test_there_are_eight_bots_and_a_template_and_all_are_bots() -> None:
    numbers = ("one", "two", "three", "four", "five", "six", "seven", "learned")
    assert set(BOTS) == {"player_base", *(f"player_{number}" for number in numbers)}
    assert [bot.flaw for bot in BOTS.values() if bot.flaw] == []
    assert [
        bot.name for bot in BOTS.values() if not (bot.title and bot.author and bot.version)
    ] == []


@pytest.mark.variants(3)
@pytest.mark.parametrize("name", BOTS)
def test_a_starter_bot_plays_against_itself_without_a_fault(name: str, tmp_path: Path) -> None:
    [played] = play((BOTS[name], BOTS[name]), tmp_path, matches=1, max_turns=80)
    assert faults(played.result) == []


@pytest.mark.parametrize(
    "name",
    ["player_base", "player_two", "player_four", "player_five", "player_six", "player_seven"],
)
def test_a_slime_shut_in_by_small_plants_eats_its_way_out(name: str) -> None:
    slime = Slime(1, 1, 0, 0, 200, 8, 12, 52, 52, 24, False)
    small = [Plant(2, 1, 0, 4, 12, 24, 24), Plant(3, 0, 1, 4, 12, 24, 24)]
    large = Plant(4, 2, 0, 12, 12, 72, 72)
    plants = {plant.id: plant for plant in (*small, large)}
    board = Board(Settings(), turn=500, slimes={1: slime}, plants=plants, rocks={5: Rock(5, 1, 1)})
    player = load_player(BOTS[name].path, name, BasePlayer)(BoardView(board, 1), 1)
    assert player.decide(slime) in ("BITERIGHT", "BITEDOWN")


def test_the_searcher_sees_in_a_simulation_that_a_bite_ends_better_than_waiting() -> None:
    ours = Slime(1, 1, 5, 5, 33, 5, 12, 28, 28, 13, False)
    prey = Slime(2, 2, 6, 5, 15, 4, 12, 9, 22, 10, False)
    board = Board(Settings(), turn=500, slimes={1: ours, 2: prey}, queue=[1, 2], next_id=3)
    kind: Any = load_player(BOTS["player_seven"].path, "player_seven", BasePlayer)
    kind.limits = Limits()
    player = kind(GAME.board(board, 1), 1)
    assert player.decide(ours) == "BITERIGHT"
    assert player.outlook(ours, "BITERIGHT", seed=1) > player.outlook(ours, "MERGE", seed=1)


@pytest.mark.slow
def test_starter_bots_play_each_other_without_a_fault(tmp_path: Path) -> None:
    for first, second in combinations(BOTS.values(), 2):
        [played] = play((first, second), tmp_path, matches=1, max_turns=60)
        assert faults(played.result) == []


@pytest.mark.slow
@pytest.mark.variants(1, all=4)
@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"player_one"}))
def test_a_starter_bot_beats_the_random_one(name: str, tmp_path: Path) -> None:
    played = play((BOTS[name], BOTS["player_one"]), tmp_path, matches=4, max_turns=200)
    assert sum(match.share(A) for match in played) >= 3.5, [match.score(A) for match in played]
