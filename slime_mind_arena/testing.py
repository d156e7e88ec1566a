"""Tests of bots: a pytest fixture that plays and asks them, and suites of positions; of games.

docs/writing_a_bot.md, "Tests of a bot", and docs/adding_a_game.md show how they are used.
"""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import slime_mind_arena.top_level  # noqa: F401 - bots, and so their tests, import `engine`
from engine.play_options import PlayOptions
from engine.bots.finding import read_bot
from engine.catalog import DEFAULT_GAME
from runners.arguments import CHECKED_TURNS, match_request, require_count, require_path
from runners.authoring.check import USUAL_TURNS, check
from runners.authoring.check_report import CheckReport
from runners.authoring.positions import Position, PositionAnswer, ask_positions, read_positions
from runners.authoring.workbench import Workbench as Asking
from runners.configuration import UNCONFIGURED
from slime_mind_arena.game_contract import GameContract

__all__ = [
    "CheckReport",
    "GameContract",
    "Position",
    "PositionAnswer",
    "Workbench",
    "positions_in",
    "workbench",
]


class Workbench:
    """Checks bots and asks them, each in a sandboxed process of its own, as matches do."""

    def __init__(self, out: Path) -> None:
        """`out` gets copies of the bots."""
        self._out = out
        self._asking = Asking(out, PlayOptions())

    def check(
        self,
        bot: str | Path,
        game: str = DEFAULT_GAME,
        *,
        turns: int = USUAL_TURNS,
        preset: str | None = None,
    ) -> CheckReport:
        """Play short matches with a bot; `problems` is what costs it decisions.

        Raises: SlimeMindError if there is no such bot, game or preset.
        """
        request = match_request(game=game, preset=preset, out=self._out)
        named = require_path(bot, "bot")
        turns = require_count(turns, "turns", CHECKED_TURNS)
        return check(request, named, UNCONFIGURED, turns=turns)

    def ask(self, bot: str | Path, position: Position) -> PositionAnswer:
        """Return what a bot orders in a position, and whether that is right.

        Raises: SlimeMindError if there is no such bot or match, or nothing is asked there.
        """
        answers = ask_positions(self._asking, read_bot(Path(require_path(bot, "bot"))), (position,))
        with closing(answers):
            return next(answers)

    def close(self) -> None:
        """End the process that starts bots."""
        self._asking.referee.close()


def positions_in(path: str | Path) -> list[Any]:
    """Return the positions of a suite, for `pytest.mark.parametrize`: each has its name as id.

    Raises: SlimeMindError if the file cannot be read, or something in it is wrong.
    """
    positions = read_positions(Path(require_path(path, "path")))
    return [pytest.param(position, id=str(position)) for position in positions]


@pytest.fixture(scope="session")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    """Give a workbench, whose processes all tests share."""
    bench = Workbench(tmp_path_factory.mktemp("workbench"))
    yield bench
    bench.close()
