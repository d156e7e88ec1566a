"""An assignment that grades itself: put it beside player_mine.py, and run pytest."""

from pathlib import Path

from slime_mind_arena import play_series
from slime_mind_arena.testing import Workbench, workbench

__all__ = ["workbench"]  # the fixture of the tests below

BOT = Path(__file__).parent / "player_mine.py"


def test_it_plays_without_a_fault(workbench: Workbench) -> None:
    assert workbench.check(BOT, turns=50).problems == ()


def test_it_beats_the_wanderer(tmp_path: Path) -> None:
    played = play_series(BOT, "player_one", maps=5, preset="small", out=tmp_path)
    winners = [match.teams[number - 1].bot for match in played for number in match.winners]
    assert winners.count("player_mine") >= 6
