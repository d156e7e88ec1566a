"""The order of the starter bots: that of the pages in docs/api, and who comes next."""

import re

import pytest

from bootstrap import HOME
from engine.catalog import GAMES, find_game
from runners.starter_bots import next_opponent, starter_bots


def mean_rates(game: str) -> dict[str, float]:
    """Return each bot's mean win rate, from the table on the page of its game."""
    page = (HOME / "docs" / "api" / f"{game}.md").read_text(encoding="utf-8")
    section = page.partition("\n## Starter bots\n")[2]
    rows = re.findall(r"^\| `(\w+)`.*?\| ([\d.]+) \|", section, re.MULTILINE)
    return {name: float(rate) for name, rate in rows}


@pytest.mark.parametrize("game", GAMES)
def test_starter_bots_are_in_the_order_of_their_mean_win_rate(game: str) -> None:
    rates = mean_rates(game)
    assert list(starter_bots(game)) == sorted(rates, key=rates.__getitem__)


@pytest.mark.parametrize("game", GAMES)
def test_every_starter_bot_has_its_place(game: str) -> None:
    folder = HOME / "playerCode" / find_game(game).bots
    there = {path.stem for path in folder.glob("player_*")} - {"player_base"}
    assert set(starter_bots(game)) == there


def test_a_game_without_starter_bots_has_no_order() -> None:
    assert starter_bots("no_such_game") == ()


@pytest.mark.parametrize(
    ("beaten", "own", "expected"),
    [("a", "mine", "b"), ("b", "mine", "c"), ("a", "b", "c"), ("c", "mine", None)],
)
def test_the_next_opponent_is_the_next_stronger_one(
    beaten: str, own: str, expected: str | None
) -> None:
    assert next_opponent("abc", beaten, own) == expected
