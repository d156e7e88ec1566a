"""Plays one match, with a bar while it runs."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from engine.catalogue import game_named
from engine.cut_off import CutOff
from engine.errors import EngineFailure, Stopped
from engine.match import Observer
from engine.referee import Job, Referee
from engine.result import MatchResult
from runners.cores import pin_anywhere
from runners.observers import TurnBar


def play_single_match(
    job: Job,
    out: Path,
    *,
    shows_progress: bool,
    observers: Iterable[Observer] = (),
    live: Path | None = None,
) -> MatchResult:
    """`live` is a file for those that watch meanwhile.

    Raises: EngineFailure; Stopped, saying how it stood, on Ctrl-C. Both say how it can go on.
    """
    pin_anywhere()
    names = tuple(contestant.name for contestant in job.contestants)
    bar = TurnBar(game_named(job.spec.game), names, is_wanted=shows_progress)
    referee = Referee(out)
    try:
        with closing(referee), closing(bar):
            return referee.play(job, [bar, *observers], live)
    except KeyboardInterrupt:
        kept = how_to_go_on(referee.cut_off) or "nothing is kept of this match"
        raise Stopped(f"stopped {bar.standing}; {kept}") from None
    except EngineFailure as failure:
        kept = how_to_go_on(referee.cut_off)
        if not kept:
            raise
        raise EngineFailure(f"{failure}; {kept}") from failure


def how_to_go_on(cut_off: CutOff | None) -> str:
    """The option that goes on with a match; empty if there is nothing to go on with."""
    return "" if cut_off is None else f"to go on: --continue {cut_off.key}"
