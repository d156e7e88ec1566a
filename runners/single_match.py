"""Playing one match, with a bar while it runs."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from engine.bots.local_seat import LeftDebugger
from engine.catalog import find_game
from engine.errors import EngineFailure, Stopped
from engine.observer import Observer
from engine.referee import Job, Referee
from engine.replays.interrupted import InterruptedMatch
from engine.result import MatchResult
from runners.execution.cores import pin_anywhere
from runners.observers import SlowBotWarner, TurnBar


def play_single_match(
    job: Job,
    out: Path,
    *,
    shows_progress: bool,
    observers: Iterable[Observer] = (),
    live: Path | None = None,
) -> MatchResult:
    """Play one match; `live` is a file for those that watch meanwhile.

    Raises: EngineFailure; Stopped, saying how it stood, on Ctrl-C. Both say how to resume it.
    """
    pin_anywhere()
    names = tuple(contestant.name for contestant in job.contestants)
    bar = TurnBar(find_game(job.spec.game), names, is_wanted=shows_progress)
    watchers = [SlowBotWarner(names, job.spec.limits)] if shows_progress else []
    referee = Referee(out)
    try:
        with closing(referee), closing(bar):
            return referee.play(job, [bar, *watchers, *observers], live)
    except KeyboardInterrupt as stop:
        advice = how_to_resume(referee.interrupted) or "nothing is kept of this match"
        how = "the debugger was left" if isinstance(stop, LeftDebugger) else "stopped"
        raise Stopped(f"{how} {bar.standing}; {advice}") from None
    except EngineFailure as failure:
        advice = how_to_resume(referee.interrupted)
        if not advice:
            raise
        raise EngineFailure(f"{failure}; {advice}") from failure


def how_to_resume(interrupted: InterruptedMatch | None) -> str:
    """Return the option that resumes a match; empty if there is nothing to resume."""
    return "" if interrupted is None else f"to resume: --continue {interrupted.key}"
