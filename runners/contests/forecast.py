"""Forecasts what a tournament takes: how many matches, how long, how much disk."""

import shutil
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec

from engine.bots.finding import Copies
from engine.referee import Job, Referee
from engine.support.wording import pluralize
from runners.contests.ledger import Ledger, State
from runners.contests.plan import Field, TournamentPlan
from runners.contests.registration import Registration
from runners.durations import format_duration
from runners.formats.bracket import Bracket
from runners.match_request import RunOptions

MAX_TRIALS = 4
MAX_TRIAL_S = 10.0
"""No other trial is begun after so many seconds."""


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """The time and disk space that some matches of a tournament took."""

    matches: int
    wall_s: float
    bytes: int

    @property
    def match_s(self) -> float:
        return self.wall_s / self.matches

    @property
    def match_bytes(self) -> float:
        return self.bytes / self.matches


def count_expected_fixtures(ledger: Ledger) -> int:
    """Return how many fixtures there are in all, if the lowest number wins whatever is open.

    `ledger`: one that was read through.
    """
    field, format_ = ledger.field, ledger.field.make_format()
    points, fixtures = dict(ledger.points), 0
    seen = set[tuple[int, int]]()
    while new := [p for p in format_.pairings(points) if p.place not in seen]:
        for pairing in new:
            seen.add(pairing.place)
            if not pairing.is_bye:
                fixtures += field.plan.games * len(pairing.entrants)
                first = min(pairing.entrants)
                shares = tuple(float(entrant == first) for entrant in pairing.entrants)
                points.setdefault(pairing.place, shares)
    return fixtures


def try_out(entries: Registration, run_options: RunOptions) -> Trial:
    """Play a few matches of the schedule's beginning, in a folder that is thrown away."""
    with tempfile.TemporaryDirectory(prefix="slime-mind-") as name:
        out = Path(name)
        _copy_bots(entries, run_options.out / "bots", out / "bots")
        jobs = _trial_jobs(entries.field, run_options)
        began, played = time.perf_counter(), 0
        with closing(Referee(out)) as referee:
            for job in jobs:
                referee.play(job)
                played += 1
                if time.perf_counter() - began > MAX_TRIAL_S:
                    break
        wall_s = time.perf_counter() - began
        files = [path.stat().st_size for path in (out / "matches").rglob("*") if path.is_file()]
    return Trial(matches=played, wall_s=wall_s, bytes=sum(files))


def _copy_bots(entries: Registration, saved: Path, trial: Path) -> None:
    copies = Copies(trial)
    for bot in entries.bots:
        copies.save(bot)
    for entrant in entries.field.entrants:
        digest = entrant.bot.digest
        if not (trial / digest).exists():
            Copies(saved).find_path(digest)
            shutil.copytree(saved / digest, trial / digest)


def _trial_jobs(field: Field, run_options: RunOptions) -> list[Job]:
    """Return jobs spread over what is known of the schedule at its beginning."""
    ledger = Ledger(field)
    entries = [entry for entry in ledger if entry.state is State.OPEN]
    step = max(1, len(entries) // MAX_TRIALS)
    return [
        field.make_job(entry.fixture, run_options.play) for entry in entries[::step][:MAX_TRIALS]
    ]


def in_words(trial: Trial, field: Field, *, matches: int, done: int, workers: int | None) -> str:
    """Return what remains to be played, and what that takes; `workers` is None on a cluster."""
    plan, left = field.plan, max(0, matches - done)
    begun = f"; {done} are done, {left} remaining" if done else ""
    more = "; more if a pairing is tied" if isinstance(field.make_format(), Bracket) else ""
    fewer = "; fewer where a pairing is decided early" * plan.decides
    return (
        f"tournament '{plan.name}': {plan.format}, {len(field.entrants)} bots, "
        f"{_games_text(plan)}\n"
        f"  matches  {matches}{begun}{more}{fewer}\n"
        f"  time     about {_time_text(left * trial.match_s, workers)}\n"
        f"  disk     about {format_size(left * trial.match_bytes)}\n"
        f"judged by {pluralize(trial.matches, 'match')} of the beginning: "
        f"{trial.match_s:.2g} s and {format_size(trial.match_bytes)} each"
    )


def _time_text(wall_s: float, workers: int | None) -> str:
    if workers is None:
        return f"{format_duration(wall_s)} of one worker of the cluster"
    return f"{format_duration(wall_s / workers)}, {pluralize(workers, 'match')} at a time"


def _games_text(plan: TournamentPlan) -> str:
    """Return how often those play each other who meet, in words."""
    if plan.table == 2:
        return f"{pluralize(plan.games, 'side-swapped pair')} for each pairing"
    maps = pluralize(plan.games, "map")
    return f"{maps} for each {plan.table}-player pairing, in {plan.table} rotations"


def format_size(count: float) -> str:
    for unit, length in (("GB", 1e9), ("MB", 1e6)):
        if count >= length:
            return f"{count / length:.1f} {unit}"
    return f"{count / 1e3:.0f} KB"
