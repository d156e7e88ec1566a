"""Small series and matches to play, of bots written for the purpose."""

from pathlib import Path

import msgspec

from engine.bots.finding import Copies, read_bot
from engine.bots.limits import Limits
from engine.catalogue import game_named
from engine.record import Contestant
from engine.referee import Job
from engine.spec import MatchSpec
from runners.multi_match import Series
from tests.shell import WALKER

GAME = game_named("slime_mind")
TINY = msgspec.convert(
    {"columns": 8, "rows": 5, "max_turns": 3, "slime_pairs": 1, "plant_pairs": 3, "rock_pairs": 1},
    GAME.settings,
)


def contestant(out: Path, name: str, source: str = WALKER) -> Contestant:
    """A bot, written and copied to where results go."""
    path = out.parent / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    bot = read_bot(path)
    Copies(out / "bots").keep(bot)
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
        seed=1,
    )


def a_job(out: Path, a: str = WALKER, b: str = WALKER + "#") -> Job:
    """The first match of such a series."""
    series = a_series(out, a=a, b=b)
    return series.job(series.fixtures()[0])
