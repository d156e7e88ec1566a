"""What several processes that serve one database tell each other: that a game has changed.

A connection of its own listens for what PostgreSQL notifies. What it misses, while it is connected
again, is found by looking at the games now and then. One of the processes asks the bots.
"""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing, suppress
from typing import Protocol

from engine.errors import EngineFailure
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld
from server.games.game_storage import Change, GameStorage
from server.http.parts import Report

POLL_S = 2.0
"""The running games are looked at so often."""
TROUBLE_S = 1.0
"""The pause after an error."""


class Changing(Protocol):
    """What is told of changes."""

    def on_external_change(self, game_id: str) -> None:
        """Tell that another process has changed a game."""

    def begin_asking(self) -> None:
        """Ask bots from now on, and go on with all games."""

    def end_asking(self) -> None:
        """Ask no bots from now on: another process does."""


class ChangeListener:
    """A thread that listens, and one that asks bots if no other process does."""

    def __init__(self, storage: GameStorage, games: Changing, report: Report) -> None:
        """`report` takes a sentence for whoever runs the server."""
        self._storage = storage
        self._games = games
        self._lease = Lease(storage.database, "games")
        self._is_closed = threading.Event()
        self._known: dict[str, int] | None = None
        """How often each game was changed, as far as was told; kept while nobody listens."""
        self._threads = [
            threading.Thread(target=self._retry, args=(each,), name=name, daemon=True)
            for name, each in (("changes", self._listen), ("bots of games", self._ask))
        ]
        self._report = report

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        self._is_closed.set()
        for thread in self._threads:
            thread.join()

    def _retry(self, once: Callable[[], None]) -> None:
        """Do it again whenever it fails: the database may start anew."""
        while not self._is_closed.is_set():
            try:
                once()
            except (LockHeld, LeaseLost):
                self._is_closed.wait(TROUBLE_S)
            except EngineFailure as failure:
                self._report(str(failure))
                self._is_closed.wait(TROUBLE_S)

    def _listen(self) -> None:
        """Tell of every change of another process. Raises: EngineFailure."""
        looked_at = float("-inf")
        if self._known is None:
            self._known = self._storage.load_versions()
        with closing(self._storage.follow_changes(POLL_S)) as notices:
            for change in notices:
                if self._is_closed.is_set():
                    return
                if change is not None:
                    self._note(change)
                if change is not None and time.monotonic() < looked_at + POLL_S:
                    continue
                self._poll(self._known)
                looked_at = time.monotonic()

    def _note(self, change: Change) -> None:
        """Tell of a change, unless it is ours or was told when we looked."""
        assert self._known is not None
        if self._known.get(change.game_id, -1) >= change.version:
            return
        self._known[change.game_id] = change.version
        if not change.is_ours:
            self._games.on_external_change(change.game_id)

    def _poll(self, known: Mapping[str, int]) -> None:
        """Tell of what was changed and not told: by a notice that was missed, or is yet to come.

        Whoever asked for a game may have seen a change of which no stream was told.
        """
        present = self._storage.load_versions()
        over = known.keys() - present.keys()
        versions = self._storage.load_versions(over) if over else present
        seen: dict[str, int] = {}
        for game_id in known.keys() | present.keys():
            before, version = known.get(game_id, -1), versions.get(game_id)
            is_ours = version is not None and self._storage.is_own_change(game_id, version)
            if version != before and not is_ours:
                self._games.on_external_change(game_id)
            if version is not None and game_id in present:
                seen[game_id] = before if is_ours else version  # its notice is to come
        self._known = seen

    def _ask(self) -> None:
        """Ask bots as long as we hold the lease. Raises: LockHeld, LeaseLost, EngineFailure."""
        with ExitStack() as stack:
            stack.enter_context(self._lease.hold())
            stack.callback(self._games.end_asking)
            self._games.begin_asking()
            while not self._is_closed.wait(POLL_S):
                with suppress(EngineFailure), self._storage.database.reading() as connection:
                    self._lease.require(connection)
