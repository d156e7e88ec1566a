"""The sessions of games that are kept in memory; any other is made again from its rows."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

from engine.errors import UnknownGame
from runners.storage.database import Stale
from runners.storage.shared_reading import look_afresh
from server.games.game_sessions import GameSession
from server.games.game_storage import GameStorage
from server.http.errors import ActionRefused, NoSuchGame, OtherRules

MAX_SESSIONS = 200
"""Games that are kept in memory."""


class _Lock:
    """A game's lock; there while somebody uses it."""

    def __init__(self) -> None:
        self.held = threading.RLock()


class SessionCache:
    """Gives each game's session to one thread at a time, as the rows say it is now."""

    def __init__(self, storage: GameStorage, now: Callable[[], float]) -> None:
        self._storage = storage
        self._now = now
        self._lock = threading.Lock()
        self._locks = WeakValueDictionary[str, _Lock]()
        self._sessions = OrderedDict[str, GameSession]()

    @contextmanager
    def hold(self, game_id: str, version: int | None = None) -> Iterator[GameSession]:
        """Hold a game's session, as it is now. Raises: NoSuchGame, OtherRules.

        `version`: how often the game was changed, where that has just been read.
        """
        with self.lock_game(game_id):
            session = self._sessions.get(game_id)
            has_changed = self._storage.has_changed(game_id, version)
            if has_changed or session is None:
                look_afresh()  # sessions outlive the request, and are never of a former moment
            if has_changed and session is not None and not session.is_ahead:
                self._refresh(session)
            if session is None:
                try:
                    stored = self._storage.find_game(game_id)
                    if stored is None:
                        self.drop(game_id)
                        raise NoSuchGame(game_id)
                    session = GameSession(stored, self._storage, self._now)
                except UnknownGame as error:  # its package is not installed any more
                    raise OtherRules(str(error)) from None
                self._cache_session(session)
            try:
                yield session
            except BaseException as error:
                if session.is_ahead or not isinstance(error, (ActionRefused, Stale)):
                    self.drop(game_id)
                raise

    @contextmanager
    def lock_game(self, game_id: str) -> Iterator[None]:
        """Hold a game's lock; who waits for it keeps no connection from whoever has it."""
        with self._lock:
            lock = self._locks.setdefault(game_id, _Lock())
        if not lock.held.acquire(blocking=False):
            look_afresh()
            lock.held.acquire()
        try:
            yield
        finally:
            lock.held.release()

    def find_session(self, game_id: str) -> GameSession | None:
        """Return a session that is in memory, to whoever holds the game's lock."""
        return self._sessions.get(game_id)

    def drop(self, game_id: str) -> None:
        """Drop a session: it is made again from its rows, if they are there."""
        self._sessions.pop(game_id, None)

    def clear(self) -> None:
        """Drop all sessions that nobody holds."""
        with self._lock:
            self._sessions.clear()

    def _refresh(self, session: GameSession) -> None:
        """See what another process has changed. Raises: NoSuchGame if it has removed the game."""
        stored = self._storage.find_game(session.stored.id)
        if stored is None:
            self.drop(session.stored.id)
            raise NoSuchGame(session.stored.id)
        try:
            session.refresh(stored)
        except BaseException:
            self.drop(session.stored.id)
            raise

    def _cache_session(self, session: GameSession) -> None:
        with self._lock:
            self._sessions[session.stored.id] = session
            self._sessions.move_to_end(session.stored.id)
            while len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)
