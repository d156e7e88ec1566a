"""Play a ladder or season of a server on its machine, without its pages."""

import time
from collections.abc import Callable, Collection, Mapping

from engine.errors import UsageError
from engine.support.wording import pluralize
from runners.contests.contests import Ladder
from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_fixtures import LadderFixtures
from runners.contests.ladder_ratings import Published
from runners.contests.ladders import Ladders
from runners.contests.player import ContestObserver, ContestPlayer
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.store import StoredResult
from server.contests.ladder_tables import LadderTables
from server.contests.reporting import Reporter

POLL_INTERVAL_S = 0.5
"""Whether a season is over is looked at so often."""
RATED_S = 30.0
"""So long the last matches of a season are waited for to be rated."""
MIN_AUTHORS = 2
MAX_SHOWN = 20
"""Bots of a table that are printed."""


class LadderObserver(ContestObserver):
    """Tells authors what a server would tell them, and whoever waits how far the ladder is."""

    def __init__(self, reporter: Reporter, say: Callable[[str], object]) -> None:
        """`say` is called with a line for whoever reads along."""
        self.holder = ""
        """Who plays instead of us, if somebody does."""
        self.is_rated = True
        """Whether all that was played is rated."""
        self._count = 0
        self._reporter = reporter
        self._say = say

    def on_waiting(self, holder: str) -> None:
        self.holder = holder

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        self._count += 1
        self.is_rated = False
        for one in match.seated:
            if one.version in quarantined:
                self._say(f"{one.name} broke too often in a row, and plays no more")
        self._reporter.on_match_played(match, result, quarantined)

    def on_ratings(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        self.is_rated = True
        self._reporter.on_ratings_published(ladder_id, ratings)
        if ratings:
            matches = pluralize(self._count, "match", "matches")
            self._say(f"{matches} played here, {len(ratings)} bots rated")

    def on_failure(self, message: str) -> None:
        self._say(f"warning: {message}")


def play_ladder(
    database: Database, ladder: Ladder, run: RunOptions, say: Callable[[str], object]
) -> None:
    """Play a ladder until it is over. Raises: UsageError where it is not to be played here now."""
    _require_running(ladder)
    contenders = LadderFixtures(database).find_contenders(ladder.id)
    if len({one.authors for one in contenders}) < MIN_AUTHORS:
        say(f"{ladder.name} waits for bots of two authors: those of one never meet")
    tables = LadderTables(database)
    observer = LadderObserver(Reporter(database, tables), say)
    player = ContestPlayer(database, run, observer, only=ladder.id)
    player.start()
    try:
        _wait(database, ladder, observer)
    finally:
        player.close()


def _require_running(ladder: Ladder) -> None:
    at = now()
    if not ladder.has_begun(at):
        raise UsageError(f"{ladder.name} begins on {ladder.begins_at:%Y-%m-%d at %H:%M} UTC")
    if ladder.is_over(at):
        raise UsageError(f"{ladder.name} is over")
    if ladder.is_paused:
        raise UsageError(f"{ladder.name} is paused: 'admin resume' lets it go on")
    if not ladder.has_present_rules:
        raise UsageError(f"{ladder.name} is of older rules, and no more matches of it are played")


def _wait(database: Database, ladder: Ladder, observer: LadderObserver) -> None:
    """Return at the end of a season; of a ladder without an end, never. Raises: UsageError."""
    ladders = Ladders(database)
    present: Ladder | None = ladder
    while present is not None and not present.is_over(now()):
        if observer.holder:
            raise UsageError(
                f"{ladder.name} is being played by {observer.holder}; end that process first"
            )
        time.sleep(POLL_INTERVAL_S)
        present = ladders.ladder(ladder.id)
    end = time.monotonic() + RATED_S
    while not observer.is_rated and time.monotonic() < end:
        time.sleep(POLL_INTERVAL_S)


def standings_lines(database: Database, ladder: Ladder) -> list[tuple[str, ...]]:
    """Return the head of a ladder's table, a row a bot, after a row of titles."""
    table = LadderTables(database).table(ladder, None)
    return [
        ("rank", "bot", "author", "matches", "rating"),
        *(
            (
                "-" if one.rank is None else str(one.rank),
                one.name,
                one.author,
                str(one.games),
                "-" if one.rating is None or one.rating.elo is None else f"{one.rating.elo:.0f}",
            )
            for one in table.standings[:MAX_SHOWN]
        ),
    ]
