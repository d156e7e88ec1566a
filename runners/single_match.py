"""Plays one match, with a bar while it runs."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from engine.catalogue import game_named
from engine.errors import Stopped
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

    Raises: EngineFailure; Stopped, saying how it stood, on Ctrl-C.
    """
    pin_anywhere()
    names = tuple(contestant.name for contestant in job.contestants)
    bar = TurnBar(game_named(job.spec.game), names, is_wanted=shows_progress)
    try:
        with closing(Referee(out)) as referee, closing(bar):
            return referee.play(job, [bar, *observers], live)
    except KeyboardInterrupt:
        raise Stopped(f"stopped {bar.standing}; nothing is kept of this match") from None
