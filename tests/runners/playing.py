"""Small series and matches to play, of bots written for the purpose."""

from pathlib import Path
from typing import Any

import msgspec

from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.limits import Limits
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec
from runners.execution.executor import Result
from runners.match_request import RunOptions
from runners.series import Series
from tests.shell import WALKER

GAME = find_game("slime_mind")
TINY = msgspec.convert(
    {"columns": 8, "rows": 5, "max_turns": 3, "slime_pairs": 1, "plant_pairs": 3, "rock_pairs": 1},
    GAME.settings,
)


def contestant(out: Path, name: str, source: str = WALKER) -> Contestant:
    """A bot, written and copied to where results go."""
    path = out.parent / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    bot = read_bot(path)
    Copies(out / "bots").save(bot)
    return Contestant(name=name, digest=bot.digest)


def a_series(out: Path, *, maps: int = 2, a: str = WALKER, b: str = WALKER + "#") -> Series:
    contestants = (contestant(out, "ann", a), contestant(out, "bob", b))
    return Series(
        spec=MatchSpec(
            game=GAME.name,
            rules_version=GAME.rules_version,
            settings=TINY,
            limits=Limits(),
            bots=tuple(bot.digest for bot in contestants),
            seed=1,
        ),
        contestants=contestants,
        maps=maps,
        secret=1,
        run=RunOptions(out=out),
    )


def a_job(out: Path, a: str = WALKER, b: str = WALKER + "#") -> Job:
    """The first match of such a series, to be played whether or not it has its result."""
    series = a_series(out, a=a, b=b)
    return msgspec.structs.replace(series.make_job(series.fixtures()[0]), once=False)


def change_run(series: Series, **changes: Any) -> Series:
    """The same series, played otherwise: `workers=2`."""
    return msgspec.structs.replace(series, run=msgspec.structs.replace(series.run, **changes))


def jobs(out: Path, matches: int, a: str = WALKER) -> list[Job]:
    """Return the first matches of a series, to be played."""
    series = a_series(out, maps=matches, a=a)
    return [series.make_job(fixture) for fixture in series.fixtures()[:matches]]


def keys(results: dict[int, Result]) -> list[str]:
    """Return the keys of what was played, in the order of the jobs."""
    played = [results[number] for number in sorted(results)]
    return [result.key for result in played if isinstance(result, MatchResult)]
