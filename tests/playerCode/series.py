"""Series of matches that bots we ship play in real processes."""

from contextlib import closing
from pathlib import Path

import msgspec

from engine.bots.finding import Bot, Copies
from engine.game import AnyGame
from engine.limits import Limits
from engine.play_options import PlayOptions
from engine.referee import Referee
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.spec import MatchSpec
from runners.match_request import RunOptions
from runners.series import Played, Series, maps_for


def play_series(
    game: AnyGame,
    settings: msgspec.Struct,
    limits: Limits,
    bots: tuple[Bot, Bot],
    out: Path,
    *,
    matches: int = 2,
) -> list[Played]:
    """Play matches in mirrored pairs, one after the other."""
    copies = Copies(out / "bots")
    for bot in bots:
        copies.save(bot)
    series = Series(
        spec=MatchSpec(
            game=game.name,
            rules_version=game.rules_version,
            settings=settings,
            limits=limits,
            bots=(),
            seed=0,
        ),
        contestants=tuple(Contestant(name=bot.name, digest=bot.digest) for bot in bots),
        maps=maps_for(matches, 2),
        secret=1,
        run=RunOptions(out=out, play=PlayOptions(keep_replay=False)),
    )
    fixtures = series.fixtures()[:matches]
    with closing(Referee(out)) as referee:
        return [Played(fixture, referee.play(series.make_job(fixture))) for fixture in fixtures]


def faults(result: MatchResult) -> list[object]:
    return [team.details for team in result.teams if team.faults]
