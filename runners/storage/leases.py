"""Work that one process at a time does, of all that use a database.

Who holds a lease says again and again that it lives. Who has said nothing for a while has lost it:
another takes it, under a new number. That number is looked at in every transaction that writes,
so whoever was stopped meanwhile, and goes on, writes nothing. No clock of any machine counts, only
how long a waiting process has seen nothing happen.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path

from sqlalchemy import Connection, insert, select, update

from engine.errors import EngineFailure
from runners.storage.database import Database
from runners.storage.game_tables import leases
from runners.storage.locks import LockHeld, file_lock, process_name

LEASE_S = 10.0
"""Who has said nothing for so long has lost its lease."""
BEAT_S = 2.0
"""It says so often that it lives."""
POLL_INTERVAL_S = 0.5
"""Who watches looks again so often."""


class LeaseLost(EngineFailure):
    """Another process does our work now: nothing was written."""


class Lease:
    """The right to do some work. Used by one thread, but for `require`."""

    def __init__(
        self, database: Database, work: str, passed: Callable[[], float] = time.monotonic
    ) -> None:
        """`passed`: seconds since some moment, which nobody sets back."""
        self._plain = database
        self._work = work
        self._passed = passed
        self._token = 0
        """The number under which we hold it; 0 if we do not."""
        self._last_beat: tuple[int, int] | None = None
        """What its holder last did as far as we know, ..."""
        self._seen_at = 0.0
        """... and since when we know."""
        self._was_alive = False
        """Whether it has said that it lives since we look."""
        self.database = database.with_write_check(self.require)
        """The database, for whoever holds the lease. Writing raises: LeaseLost."""

    @contextmanager
    def hold(self, *, watches: bool = False) -> Iterator[None]:
        """Hold the lease. Raises: LockHeld while another process does; EngineFailure.

        `watches`: whether to look for some seconds whether that process still lives.
        """
        if self._plain.path is not None:
            # All are on this machine, and a lock of a file ends with its process.
            with file_lock(self._lock_file(self._plain.path)):
                self.take(at_once=True)
                yield
            return
        while not self.take():
            if not watches or self._was_alive:
                holder = select(leases.c.holder).where(leases.c.work == self._work)
                raise LockHeld(self._plain.fetch_value(holder) or "another process")
            time.sleep(POLL_INTERVAL_S)
        is_over = threading.Event()
        beats = threading.Thread(target=self._beat_until, args=(is_over,), daemon=True)
        beats.start()
        try:
            yield
        finally:
            is_over.set()
            beats.join()
            with suppress(EngineFailure):  # if not, others see that nothing happens
                self.give_back()

    def take(self, *, at_once: bool = False) -> bool:
        """Take the lease if nobody holds it; return whether we do. Raises: EngineFailure.

        `at_once`: whoever held it is known to be gone.
        """
        where = leases.c.work == self._work
        with self._plain.transaction() as connection:
            row = connection.execute(select(leases).where(where)).one_or_none()
            if row is None:
                connection.execute(
                    insert(leases).values(work=self._work, token=1, beats=0, holder=process_name())
                )
                token = 1
            elif (
                at_once
                or not row.holder
                or row.token == self._token  # ours, not given back: the database was away
                or self._is_silent(row.token, row.beats)
            ):
                token = row.token + 1
                values = {"token": token, "beats": 0, "holder": process_name()}
                connection.execute(update(leases).where(where).values(values))
            else:
                return False
        self._token = token
        return True

    def require(self, connection: Connection) -> None:
        """Raises: LeaseLost unless we hold it; in a transaction it stays so to its end."""
        token = select(leases.c.token).where(leases.c.work == self._work)
        if not self._token or connection.execute(token).scalar() != self._token:
            ending = self._plain.use.if_lost
            raise LeaseLost(f"{self._work}: another process has taken over{ending}")

    def beat(self) -> None:
        """Say that we live. Raises: LeaseLost, EngineFailure."""
        self.database.write(
            update(leases).where(leases.c.work == self._work).values(beats=leases.c.beats + 1)
        )

    def give_back(self) -> None:
        """Let others have it at once."""
        where = leases.c.work == self._work, leases.c.token == self._token
        self._plain.write(update(leases).where(*where).values(holder=""))
        self._token = 0

    def _lock_file(self, path: Path) -> Path:
        """Return the file that stands for it: a hidden one, as backups leave such files out."""
        name = self._work
        if not name.isidentifier():  # it has a name in it that somebody chose
            name = sha256(name.encode()).hexdigest()[:8]
        return path.with_name(f".{path.stem}-{name}")

    def _is_silent(self, token: int, beats: int) -> bool:
        """Return whether whoever holds it has done nothing for long."""
        if self._last_beat != (token, beats):
            self._was_alive = self._last_beat is not None
            self._last_beat, self._seen_at = (token, beats), self._passed()
        return self._passed() - self._seen_at >= LEASE_S

    def _beat_until(self, is_over: threading.Event) -> None:
        while not is_over.wait(BEAT_S):
            try:
                self.beat()
            except LeaseLost:
                return
            except EngineFailure:  # a database that starts again: others cannot take it either
                continue
