"""Keeps the replays of the most interesting matches, and removes the others."""

from pathlib import Path

from engine.errors import EngineFailure
from engine.result_folder import REPLAY, ResultFolder
from runners.statistics.live_ratings import LiveRatings
from runners.tournament.highlights import find_highlights
from runners.tournament.overview import side_swapped_sets
from runners.tournament.playing import Progress, Tournament

CLEARED_EVERY = 500
"""Matches after which replays are removed; so many more can there be meanwhile."""


class Retention:
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


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise EngineFailure(f"{path}: cannot be removed: {error.strerror}") from error
