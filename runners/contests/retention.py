"""Removes what nobody needs any more of matches: what the database says of them stays.

A tournament keeps the replays of its most interesting matches, a ladder those of its newest ones.
"""

import shutil
from collections.abc import Iterator, Sequence, Set
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path

import msgspec
from sqlalchemy import select

from engine.errors import EngineFailure, SlimeMindError
from engine.result_folder import REPLAY, ResultFolder
from runners.contests.contests import IS_BEGUN, find_tournaments
from runners.contests.highlights import find_highlights
from runners.contests.persistence import load_tournament
from runners.contests.standings import side_swapped_sets
from runners.contests.tournament import Progress, Tournament
from runners.match_request import KeptReplays
from runners.statistics.live_ratings import LiveRatings
from runners.storage.database import Database, with_time_zone
from runners.storage.ladder_tables import fixtures
from runners.storage.store import Store
from runners.storage.tables import IS_LADDER, contests, matches

CLEARED_EVERY = 500
"""Matches of a tournament after which replays are removed; so many more can there be meanwhile."""
LADDER_CLEARED_EVERY = 100
"""The same of a ladder."""
MAX_KEPT_MATCHES = 20_000
"""Matches of a ladder whose replays and logs are kept, the newest ones: one or two gigabytes."""
MAX_KEYS = 500
"""Keys that one query names."""


class TournamentRetention:
    """Removes replays while a tournament is played, and at its end."""

    def __init__(self, tournament: Tournament, out: Path, most: int) -> None:
        self._tournament = tournament
        self._matches = out / ResultFolder.MATCHES
        self._most = most
        self._new = 0

    def on_progress(self, progress: Progress) -> None:
        self._new += progress.result is not None
        if self._new >= CLEARED_EVERY:
            self._clear()

    def close(self) -> None:
        self._clear()

    def _clear(self) -> None:
        self._new = 0
        worth_keeping = self._worth_keeping()
        for entry in self._tournament.ledger():
            if entry.key not in worth_keeping:
                _remove(self._matches / entry.key / REPLAY)

    def _worth_keeping(self) -> set[str]:
        """Return the keys of matches to keep. Live ratings will do for upsets, and take no time."""
        ledger = self._tournament.ledger()
        field = range(len(ledger.field.entrants))
        ratings = LiveRatings(field)
        for swapped in side_swapped_sets(ledger):
            for score in swapped.scores:
                ratings.add(score)
        elo = {who: ratings.get_rating(who).elo for who in field}
        entries, ranking = self._tournament.ledger(), ledger.ranking()
        return {found.entry.key for found in find_highlights(entries, ranking, elo, self._most)}


class LadderRetention:
    """Removes the folders of the oldest matches of ladders, of which the results stay.

    Told of every match that was played.
    """

    def __init__(self, database: Database, out: Path, retained: KeptReplays | None = None) -> None:
        """`retained`: None: as usual; what is older than some days goes once a day alone."""
        self._retained = retained
        self._database = database
        self._matches = out / ResultFolder.MATCHES
        self._new: dict[str, int] = {}
        self._cleared: dict[str, int] = {}
        """The number up to which fixtures have no folder, by ladder."""

    def on_match_played(self, ladder_id: str) -> None:
        """Remove what is too old, now and then."""
        self._new[ladder_id] = self._new.get(ladder_id, 0) + 1
        if self._new[ladder_id] >= LADDER_CLEARED_EVERY:
            self._new[ladder_id] = 0
            self.clear(ladder_id)

    def clear(self, ladder_id: str) -> None:
        """Remove the folders of some of the oldest matches, if there are too many."""
        most = MAX_KEPT_MATCHES if self._retained is None else self._retained.matches
        if most is None:
            return
        where = fixtures.c.ladder == ladder_id, fixtures.c.has_result
        newest = select(fixtures.c.id).where(*where).order_by(fixtures.c.id.desc())
        since = fixtures.c.id > self._cleared.get(ladder_id, 0)
        with self._database.reading() as connection:
            last = connection.execute(newest.offset(most).limit(1)).scalar()
            if last is None:
                return
            old = select(fixtures.c.id, fixtures.c.key).where(*where, since, fixtures.c.id <= last)
            rows = connection.execute(
                old.order_by(fixtures.c.id).limit(10 * LADDER_CLEARED_EVERY)
            ).all()
        for number, key in rows:
            shutil.rmtree(self._matches / key, ignore_errors=True)
            self._cleared[ladder_id] = number


class ContestMatches(msgspec.Struct, frozen=True, kw_only=True):
    """The matches of a ladder or tournament that have been played."""

    name: str
    played: Sequence[tuple[str, datetime]]
    """Their keys, and when they were played, the newest first."""
    is_ladder: bool

    def keys_to_keep(self, retained: KeptReplays | None, at: datetime) -> set[str]:
        """Return the keys of the matches whose replays and logs are kept."""
        if retained is None:
            retained = KeptReplays(matches=MAX_KEPT_MATCHES if self.is_ladder else None)
        since = None if retained.days is None else at - timedelta(days=retained.days)
        newest = self.played[: retained.matches]
        return {key for key, played_at in newest if since is None or played_at >= since}


def contest_matches(database: Database) -> Iterator[ContestMatches]:
    """Yield every ladder, also those that have ended, and every tournament."""
    for ladder in database.fetch_all(select(contests.c.name, contests.c.title).where(IS_LADDER)):
        query = select(fixtures.c.key, fixtures.c.played_at).where(
            fixtures.c.ladder == ladder.name, fixtures.c.has_result
        )
        rows = database.fetch_all(query.order_by(fixtures.c.id.desc()))
        played = [(row.key, with_time_zone(row.played_at)) for row in rows]
        yield ContestMatches(name=ladder.title, played=played, is_ladder=True)
    for kept in database.find(find_tournaments(IS_BEGUN)):
        with suppress(SlimeMindError):  # what cannot be read is left alone
            yield _tournament_matches(database, kept.name)


def _tournament_matches(database: Database, name: str) -> ContestMatches:
    tournament = load_tournament(Store(database), name)
    keys = [] if tournament is None else [entry.key for entry in tournament.ledger()]
    played: list[tuple[str, datetime]] = []
    for first in range(0, len(keys), MAX_KEYS):
        some = matches.c.key.in_(keys[first : first + MAX_KEYS])
        with database.reading() as connection:
            rows = connection.execute(select(matches.c.key, matches.c.played_at).where(some))
            played.extend((row.key, with_time_zone(row.played_at)) for row in rows)
    played.sort(key=lambda match: match[1], reverse=True)
    return ContestMatches(name=name, played=played, is_ladder=False)


def find_old_folders(
    database: Database,
    out: Path,
    retained: KeptReplays | None,
    at: datetime,
    others: Sequence[ContestMatches] = (),
    unnamed: Set[str] = frozenset(),
) -> list[Path]:
    """Return the folders of matches whose replays are kept no more.

    A match of two contests is kept as long as one of them keeps it. `others`: matches of no ladder
    or tournament; `unnamed`: the keys of those that nothing will name, whose folders come first.
    """
    home = out / ResultFolder.MATCHES
    there = {path.name for path in home.iterdir()} if home.is_dir() else set()
    old, young = unnamed & there, set[str]()
    for contest in chain(contest_matches(database), others):
        young |= contest.keys_to_keep(retained, at)
        old |= {key for key, _ in contest.played if key in there}
    return [home / key for key in sorted(old - young, key=lambda key: (key not in unnamed, key))]


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be removed: {error.strerror}") from error
