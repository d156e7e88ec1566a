"""Both teams think at the same time: real processes on one core, and neither pays for the other."""

from contextlib import closing
from pathlib import Path

import pytest

from benchmarks.cores import one_core
from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.fault import Cause
from engine.games.smack.settings import MAX_POINTS
from engine.limits import Limits
from engine.referee import Job, Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec

PLIES = 6
LIMITS = Limits(cpu_ms=200, wall_ms=20_000, load_ms=30_000)
THINKS = f"""
import time
from engine.games.smack.player import BasePlayer


class Player(BasePlayer):
    def decide(self, board):
        until = time.process_time() + {0.6 * LIMITS.cpu_ms / 1_000}
        while time.process_time() < until:
            pass
        return board.position.moves()[0]
"""
"""Uses more than half of what it may: two of them take longer than the limit of either."""
HOGS = THINKS.replace("time.process_time() < until", "True")


def play(folder: Path, *sources: str) -> MatchResult:
    """A match of bots with these sources, engine and all on one core."""
    game, bots = find_game("smack"), []
    for number, source in enumerate(sources, 1):
        path = folder / f"player_{number}.py"
        path.write_text(source)
        bots.append(read_bot(path))
        Copies(folder / "bots").save(bots[-1])
    spec = MatchSpec(
        game=game.name,
        rules_version=game.rules_version,
        settings=game.settings(ply_limit=PLIES),
        limits=LIMITS,
        bots=tuple(bot.digest for bot in bots),
        seed=1,
    )
    contestants = tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots)
    with one_core(), closing(Referee(folder)) as referee:
        return referee.play(Job(spec=spec, contestants=contestants))


def test_two_that_think_at_once_are_each_charged_for_their_own_time(tmp_path: Path) -> None:
    result = play(tmp_path, THINKS, THINKS)
    assert [team.faults for team in result.teams] == [{}, {}]
    assert [team.cpu.calls for team in result.teams] == [PLIES, PLIES]


@pytest.mark.slow
@pytest.mark.parametrize("hog", [1, 2])
def test_a_hog_loses_its_half_and_costs_the_other_nothing(tmp_path: Path, hog: int) -> None:
    sources = [THINKS, THINKS]
    sources[hog - 1] = HOGS
    result = play(tmp_path, *sources)
    guilty, other = result.teams[hog - 1], result.teams[2 - hog]
    assert set(guilty.faults) == {Cause.TIMEOUT}
    assert (other.faults, other.restarts, other.score) == ({}, 0, 2.0 * MAX_POINTS)
