"""Observers of a tournament while it is played: a bar, faults, a log, lines for scripts."""

import os
import shutil
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import NoReturn, Protocol

import click
import msgspec
from tqdm import tqdm

from engine.bots.sandbox import Layer
from engine.errors import EngineFailure
from engine.fault import Cause
from engine.replays.writing import Contestant
from engine.streams import seed_text
from engine.support.files import make_folder, wrap_write_errors
from engine.support.sanitizing import one_line
from engine.support.standard_streams import discard_stdout
from runners.contests.standings import compute_standings
from runners.contests.standings_table import describe_dangers, name_machine, standings_table
from runners.contests.tournament import Progress, Tournament
from runners.observers import Forecast, is_off
from runners.storage.store import StoredResult

REDRAWN_S = 2.0
"""The standings are drawn again at most so often."""
REDRAWN_SHARE = 0.05
"""No more than this share of the time goes into it: they are added up again each time."""
Look = Callable[[Contestant, str, int], str]
"""What to type to look at the first fault of a bot in a match, by its key and the bot's team."""
KEPT_FREE = os.terminal_size((3, 6))
"""Columns for the ^C that a terminal shows, which would else move all that is drawn; and lines
for the bar, and for what was there before."""


class Observer(Protocol):
    """Is called after each match."""

    def on_progress(self, progress: Progress) -> None: ...

    def close(self) -> None: ...


class Silent:
    """An observer that has nothing to close."""

    def close(self) -> None:
        """Do nothing."""


class Bar:
    """A progress bar, with the standings below it; only where there is a terminal."""

    def __init__(self, tournament: Tournament, *, done: int, total: int) -> None:
        self._tournament = tournament
        self._bar = tqdm(
            total=max(total, done),
            initial=done,
            unit="match",
            leave=False,
            ncols=_drawable_size().columns,
            disable=is_off(is_wanted=True),
        )
        self._lines: list[tqdm[NoReturn]] = []
        self._next_s = time.monotonic() + REDRAWN_S
        if not self._bar.disable:
            self._draw()

    def on_progress(self, progress: Progress) -> None:
        if self._bar.disable or progress.result is None:
            return
        # A level knockout is played on: there may be more than was foreseen.
        self._bar.total = max(self._bar.total, self._bar.n + 1)
        self._bar.ncols = _drawable_size().columns
        self._bar.update()
        if time.monotonic() >= self._next_s:
            self._draw()

    def close(self) -> None:
        for line in reversed(self._lines):
            line.close()
        self._bar.close()

    def _draw(self) -> None:
        began = time.monotonic()
        standings, room = compute_standings(self._tournament.ledger()), _drawable_size()
        table = standings_table(standings, self._tournament.field, most=room.lines)
        while len(self._lines) < len(table):
            # A bar of words only: tqdm draws several bars below each other.
            position = len(self._lines) + 1
            self._lines.append(tqdm(total=0, position=position, bar_format="{desc}", leave=False))
        for line, text in zip(self._lines, table, strict=False):
            line.ncols = room.columns
            line.set_description_str(text)
        now = time.monotonic()
        self._next_s = now + max(REDRAWN_S, (now - began) / REDRAWN_SHARE)


class TimeForecast:
    """Says how long a tournament takes, once its first match was played."""

    def __init__(self, matches: int, workers: int) -> None:
        self._stack = ExitStack()
        self._forecast = self._stack.enter_context(Forecast(matches, workers, is_wanted=True))

    def on_progress(self, progress: Progress) -> None:
        if progress.result is not None:
            self._forecast.add_match(progress.result.teams)

    def close(self) -> None:
        self._stack.close()


def _drawable_size() -> os.terminal_size:
    """Return how much of the terminal may be drawn on."""
    try:
        columns, lines = os.get_terminal_size(sys.stderr.fileno())
    except OSError:
        columns, lines = shutil.get_terminal_size()
    return os.terminal_size((max(1, columns - KEPT_FREE.columns), max(1, lines - KEPT_FREE.lines)))


class FaultLines(Silent):
    """Prints the first fault of each cause of each bot as it happens."""

    def __init__(self, say: Callable[[str], None], look: Look = lambda bot, key, team: "") -> None:
        """`look` returns the command that shows the first fault of a team of a match."""
        self._say = say
        self._find_link = look
        self._reported = set[tuple[int, Cause]]()
        self._gaps_told = set[tuple[str, tuple[Layer, ...]]]()

    def on_progress(self, progress: Progress) -> None:
        for line in self._new_lines(progress):
            self._say(line)

    def _new_lines(self, progress: Progress) -> list[str]:
        if progress.result is None:
            reason = progress.words.splitlines()[-1] if progress.words else ""
            return [f"not played: match {progress.entry.key}: {one_line(reason)}"]
        lines = self._sandbox_gap_lines(progress.result)
        lines += [
            f"void and played again: match {progress.entry.key}: {one_line(why)}"
            for why in progress.result.void_tries
        ]
        teams = zip(progress.entry.fixture.seats, progress.result.teams, strict=True)
        for place, (number, team) in enumerate(teams, 1):
            new = [cause for cause in team.faults if (number, cause) not in self._reported]
            self._reported.update((number, cause) for cause in new)
            for cause in new:
                text = one_line(f"{team.bot.name}: {cause}: {team.details.get(cause, '')}")
                lines.append(f"{text} (match {progress.entry.key})")
            if new and (link := self._find_link(team.bot, progress.entry.key, place)):
                lines.append(f"  look at it: {link}")
        return lines

    def _sandbox_gap_lines(self, result: StoredResult) -> list[str]:
        """Return a line for the first match of each machine whose sandbox was incomplete."""
        if not result.gaps or (result.host, result.gaps) in self._gaps_told:
            return []
        self._gaps_told.add((result.host, result.gaps))
        return [
            f"sandbox incomplete on {name_machine(result.host)}: {describe_dangers(result.gaps)}"
        ]


class JsonLines(Silent):
    """Prints a line of JSON for each match, for scripts."""

    def on_progress(self, progress: Progress) -> None:
        """Raises: EngineFailure where nobody reads them any more, as behind `| head`."""
        try:
            click.echo(msgspec.json.encode(as_json(progress)).decode())
        except BrokenPipeError as error:
            discard_stdout()
            raise EngineFailure(
                "nobody reads the output of --json any more; what was played is kept, and the "
                "same command resumes"
            ) from error


class Log:
    """Appends a line with the time to a file for each match."""

    def __init__(self, path: Path) -> None:
        """Raises: UsageError where it cannot be."""
        make_folder(path.parent)
        self._path = path
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def on_progress(self, progress: Progress) -> None:
        self.write(in_words(progress))

    def write(self, text: str) -> None:
        """Write a line with the time before it. Raises: EngineFailure."""
        with wrap_write_errors(self._path):
            self._file.write(f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}  {text}\n")

    def close(self) -> None:
        self._file.close()


def as_json(progress: Progress) -> dict[str, object]:
    """Return a match as JSON for scripts."""
    entry, result = progress.entry, progress.result
    place = {
        "key": entry.key,
        "round": entry.pairing.label,
        "pairing": entry.pairing.number,
    }
    if result is None:  # it is still to be played: its map is told to nobody
        return {**place, "failure": progress.words}
    return {
        **place,
        "seed": seed_text(entry.fixture.seed),
        "winner": result.winner,
        "winners": result.winners,
        "reason": result.reason,
        "turns": result.turns,
        "teams": [
            {
                "bot": team.bot.name,
                "digest": team.bot.digest,
                "score": team.score,
                "faults": team.faults,
                "out": team.out,
            }
            for team in result.teams
        ],
        "replay": result.replay,
        "host": result.host,
        "sandbox_gaps": result.gaps,
        "void_tries": result.void_tries,
    }


def in_words(progress: Progress) -> str:
    """Return a match as a line."""
    entry, result = progress.entry, progress.result
    if result is None:
        return f"not played: match {entry.key}: {progress.words}"
    sides = " : ".join(f"{one_line(team.bot.name)} {team.score:g}" for team in result.teams)
    faults = [
        f"; {one_line(team.bot.name)}: {count} forfeited turn{'s' * (count != 1)} ({cause})"
        for team in result.teams
        for cause, count in sorted(team.faults.items())
    ]
    void = [f"; void and played again: {one_line(why)}" for why in result.void_tries]
    text = f"{entry.pairing.label}: {sides} ({result.reason}, {entry.key})"
    return "".join([text, *faults, *void])
