"""Removes what nobody needs any more of matches: what the database says of them stays.

A tournament keeps the replays of its most interesting matches, a ladder those of its newest ones.
"""

import shutil
from pathlib import Path

from sqlalchemy import select

from engine.errors import EngineFailure
from engine.result_folder import REPLAY, ResultFolder
from runners.contests.highlights import find_highlights
from runners.contests.overview import side_swapped_sets
from runners.contests.tournament import Progress, Tournament
from runners.statistics.live_ratings import LiveRatings
from runners.storage.database import Database
from runners.storage.ladder_tables import fixtures

CLEARED_EVERY = 500
"""Matches of a tournament after which replays are removed; so many more can there be meanwhile."""
LADDER_CLEARED_EVERY = 100
"""The same of a ladder."""
MOST_KEPT = 20_000
"""Matches of a ladder whose replays and logs are kept, the newest ones: one or two gigabytes."""


class TournamentRetention:
    """Removes replays while a tournament is played, and at its end."""

    def __init__(self, tournament: Tournament, out: Path, most: int) -> None:
        self._tournament = tournament
        self._matches = out / ResultFolder.MATCHES
        self._most = most
        self._new = 0

    def told(self, progress: Progress) -> None:
        self._new += progress.result is not None
        if self._new >= CLEARED_EVERY:
            self._clear()

    def close(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._new = 0
        kept = self._worth_keeping()
        for entry in self._tournament.ledger():
            if entry.key not in kept:
                _remove(self._matches / entry.key / REPLAY)

    def _worth_keeping(self) -> set[str]:
        """Return the keys of matches to keep. Live ratings will do for upsets, and take no time."""
        ledger = self._tournament.ledger()
        field = range(len(ledger.field.entrants))
        ratings = LiveRatings(field)
        for swapped in side_swapped_sets(ledger):
            for score in swapped.scores:
                ratings.add(score)
        elo = {who: ratings.of(who).elo for who in field}
        entries, ranking = self._tournament.ledger(), ledger.ranking()
        return {found.entry.key for found in find_highlights(entries, ranking, elo, self._most)}


class LadderRetention:
    """Removes the folders of the oldest matches of ladders, of which the results stay.

    Told of every match that was played.
    """

    def __init__(self, database: Database, out: Path) -> None:
        self._database = database
        self._matches = out / ResultFolder.MATCHES
        self._new: dict[str, int] = {}
        self._cleared: dict[str, int] = {}
        """The number up to which fixtures have no folder, by ladder."""

    def played(self, ladder_id: str) -> None:
        """Remove what is too old, now and then."""
        self._new[ladder_id] = self._new.get(ladder_id, 0) + 1
        if self._new[ladder_id] >= LADDER_CLEARED_EVERY:
            self._new[ladder_id] = 0
            self.clear(ladder_id)

    def clear(self, ladder_id: str) -> None:
        """Remove the folders of some of the oldest matches, if there are too many."""
        mine = fixtures.c.ladder == ladder_id, fixtures.c.has_result
        newest = select(fixtures.c.id).where(*mine).order_by(fixtures.c.id.desc())
        since = fixtures.c.id > self._cleared.get(ladder_id, 0)
        with self._database.reading() as connection:
            last = connection.execute(newest.offset(MOST_KEPT).limit(1)).scalar()
            if last is None:
                return
            old = select(fixtures.c.id, fixtures.c.key).where(*mine, since, fixtures.c.id <= last)
            rows = connection.execute(
                old.order_by(fixtures.c.id).limit(10 * LADDER_CLEARED_EVERY)
            ).all()
        for number, key in rows:
            shutil.rmtree(self._matches / key, ignore_errors=True)
            self._cleared[ladder_id] = number


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be removed: {error.strerror}") from error
