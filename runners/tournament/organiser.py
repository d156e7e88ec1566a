"""Opens a tournament or goes on with it, and plays it; the command line's one partner."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from engine.bots.finding import Copies
from engine.bots.launching import require
from runners.configuration import Configuration
from runners.store import Store, existing_store
from runners.tournament.entering import Entries, Wanted, first_entries, more_entries
from runners.tournament.keeping import keep, kept_tournament
from runners.tournament.ledger import Ledger
from runners.tournament.lock import playing
from runners.tournament.playing import Conditions, Tournament


class Organiser:
    """Knows what was asked for, and where results are kept."""

    def __init__(self, wanted: Wanted, configuration: Configuration, url: str) -> None:
        """Nothing is written yet. Raises: UsageError for what cannot be done as asked."""
        self._wanted = wanted
        self._configuration = configuration
        self._url = url
        store = existing_store(url)
        if store is None:
            self.entries = first_entries(wanted, configuration)
        else:
            with closing(store):
                self.entries = self._enter(store)

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """How it stands, with the bots that are to play from now on; to be read meanwhile."""
        store = existing_store(self._url)
        if store is None:
            yield Ledger(self.entries.field)
            return
        with closing(store):
            yield Tournament(self.entries.field, store).ledger()

    @contextmanager
    def open(self, conditions: Conditions) -> Iterator[Tournament]:
        """The tournament, kept and ready to be played; by nobody else meanwhile.

        Raises: UsageError if somebody else is at it, or a bot's copy is gone.
        """
        if conditions.cluster is None:
            require(conditions.sandbox)
        store = Store(self._url)
        with closing(store), playing(store, self._wanted.name):
            self.entries = self._enter(store)  # again: it may have begun meanwhile
            self._copy_bots(conditions.out)
            keep(store, self.entries.field)
            yield Tournament(self.entries.field, store)

    def _enter(self, store: Store) -> Entries:
        kept = kept_tournament(store, self._wanted.name)
        if kept is None:
            return first_entries(self._wanted, self._configuration)
        return more_entries(self._wanted, self._configuration, kept)

    def _copy_bots(self, out: Path) -> None:
        copies = Copies(out / "bots")
        for bot in self.entries.bots:
            copies.keep(bot)
        for member in self.entries.field.members:
            copies.entry(member.bot.digest)
