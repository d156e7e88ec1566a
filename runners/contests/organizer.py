"""Opens a tournament, or resumes one, for the command line to play."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from engine.bots.finding import Copies
from engine.bots.launching import require
from engine.errors import UsageError
from engine.support.typed_commands import typed_commands
from runners.configuration import Configuration
from runners.contests.checking import checked
from runners.contests.ledger import Ledger
from runners.contests.persistence import keep, kept_tournament
from runners.contests.registration import (
    Registration,
    first_registration,
    later_registration,
)
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import TournamentRequest
from runners.run_options import RunOptions
from runners.storage.locks import LockHeld
from runners.storage.store import Store, existing_store, opened_store

OF_SERVERS = "tournaments"
"""The work that whoever plays the tournaments of a server does: the same for all of them."""


class Organizer:
    """Registers bots for a tournament in a store, and opens it to be played."""

    def __init__(self, wanted: TournamentRequest, configuration: Configuration, url: str) -> None:
        """Register bots; nothing is written yet. Raises: UsageError."""
        self._wanted = wanted
        self._configuration = configuration
        self._url = url
        store = existing_store(url)
        if store is None:
            self.entries = first_registration(wanted, configuration)
        else:
            with closing(store):
                self.entries = self._register(store)

    @contextmanager
    def ledger(self) -> Iterator[Ledger]:
        """Yield how it stands, with the bots that are to play from now on; to be read meanwhile."""
        store = existing_store(self._url)
        if store is None:
            yield Ledger(self.entries.field)
            return
        with closing(store):
            yield Tournament(self.entries.field, store).ledger()

    def look_at_bots(self, run_options: RunOptions) -> None:
        """Check bots as before a tournament begins, but keep nothing. Raises: UsageError."""
        with tempfile.TemporaryDirectory(prefix="slime-mind-") as folder:
            out = Path(folder)
            for bot in self.entries.bots:
                Copies(out / "bots").keep(bot)
            self.entries = checked(self.entries, run_options, out)

    @contextmanager
    def open(self, run_options: RunOptions) -> Iterator[Tournament]:
        """Yield the tournament, stored and ready to be played; by nobody else meanwhile.

        Raises: UsageError if somebody else is at it, or a bot's copy is gone.
        """
        if run_options.cluster is None:
            require(run_options.play.sandbox)
        with (
            closing(opened_store(self._url)) as opened,
            playing_alone(opened, self._wanted.name) as store,
        ):
            self.entries = self._register(store)  # again: it may have begun meanwhile
            self._copy_bots(run_options.out)
            self.entries = checked(self.entries, run_options, run_options.out)
            keep(store, self.entries.field)
            yield Tournament(self.entries.field, store)

    def _register(self, store: Store) -> Registration:
        kept = kept_tournament(store, self._wanted.name)
        if kept is None:
            return first_registration(self._wanted, self._configuration)
        return later_registration(self._wanted, self._configuration, kept)

    def _copy_bots(self, out: Path) -> None:
        copies = Copies(out / "bots")
        for bot in self.entries.bots:
            copies.keep(bot)
        for entrant in self.entries.field.entrants:
            copies.entry(entrant.bot.digest)


@contextmanager
def playing_alone(store: Store, name: str) -> Iterator[Store]:
    """Play a tournament as nobody else does meanwhile; yield the store to write to.

    Two would play every match twice. Raises: UsageError if another process plays it; LeaseLost,
    later, where another has taken over.
    """
    with ExitStack() as stack:
        work = OF_SERVERS if store.is_of_server(name) else f"tournament {name}"
        try:
            alone = stack.enter_context(store.leased(work))
        except LockHeld as held:
            raise UsageError(
                f"tournament '{name}' is being played by {held}; watch it with "
                f"'{typed_commands().main} standings {name}'"
            ) from held
        yield alone
