"""Results of matches that nobody played."""

from typing import Any

from engine.bots.sandbox import Level
from engine.limits import Limits
from engine.replays.writing import Contestant
from engine.result import CpuUse, MatchResult, Protection, TeamResult
from engine.spec import MatchSpec
from tests.runners.playing import GAME, TINY


def a_spec(seed: int = 1) -> MatchSpec:
    return MatchSpec(
        game=GAME.name,
        rules_version=GAME.rules_version,
        settings=TINY,
        limits=Limits(),
        bots=("d1", "d2"),
        seed=seed,
    )


def a_match_result(seed: int = 1, **changes: Any) -> MatchResult:
    """Return a result of the match with this seed."""
    spec = a_spec(seed)
    usual: dict[str, Any] = {
        "key": spec.key,
        "spec": spec,
        "winner": 1,
        "reason": "last turn",
        "turns": 3,
        "teams": (a_team("änn"), a_team("bob")),
        "fingerprint": f"fingerprint {seed}",
        "wall_ms": 4,
        "cpu_ms": 3,
        "sandbox": Protection(level=Level.DEFAULT, layers=(), failings={}),
    }
    return MatchResult(**usual | changes)


def a_team(name: str) -> TeamResult:
    return TeamResult(
        bot=Contestant(name=name, digest="d"),
        score=1.5,
        left="nothing",
        faults={},
        details={},
        restarts=0,
        out=None,
        cpu=CpuUse(calls=1, median_us=2, p95_us=3, max_us=4, total_ms=5),
    )
