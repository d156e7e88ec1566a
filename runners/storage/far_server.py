"""Fewer round trips to a PostgreSQL server: each costs milliseconds where it is on another host."""

import selectors
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, LiteralString

import psycopg
from sqlalchemy import Engine, event
from sqlalchemy.exc import DisconnectionError

TRUSTED_S = 10.0
"""A pooled connection that was used so lately is not tried, unless something came by it."""
_USED_AT = "used_at"


class Session(psycopg.Connection[Any]):
    """A session that sends BEGIN together with the first statement of a transaction.

    It is in the mode that PostgreSQL calls autocommit: we say ourselves when a transaction begins.
    """

    _begin: LiteralString | None = None

    def begin(self, words: LiteralString) -> None:
        """Begin a transaction, by these words, with the next statement."""
        self._begin = words

    def take_begin(self) -> LiteralString | None:
        """Return what is to be sent before a statement, once; None in a transaction."""
        words, self._begin = self._begin, None
        return words

    def cursor(self, name: str = "", **how: Any) -> Any:
        """Return a cursor; one that the server keeps needs a transaction that has begun."""
        if name and (words := self.take_begin()):
            psycopg.Cursor(self).execute(words)
        return super().cursor(name, **how)


class Cursor(psycopg.Cursor[Any]):
    """Sends what its session waits to send with the statement, and waits once."""

    def execute(self, *statement: Any, **how: Any) -> "Cursor":
        with self._begun():
            return super().execute(*statement, **how)

    def executemany(self, *statement: Any, **how: Any) -> None:
        with self._begun():
            super().executemany(*statement, **how)

    @contextmanager
    def _begun(self) -> Iterator[None]:
        assert isinstance(self.connection, Session)
        words = self.connection.take_begin()
        if words is None:
            yield
            return
        with self.connection.pipeline() if psycopg.Pipeline.is_supported() else nullcontext():
            psycopg.Cursor(self.connection).execute(words)
            yield


def have_sessions(engine: Engine) -> None:
    """Have the connections of an engine made as sessions."""

    @event.listens_for(engine, "do_connect")
    def connect(dialect: object, record: object, args: Any, options: Any) -> Session:
        return Session.connect(*args, **options, autocommit=True, cursor_factory=Cursor)


def try_when_in_doubt(engine: Engine) -> None:
    """Have a pooled connection tried before it is used again only where it may have ended.

    A server that was restarted has closed it, which is seen here without asking. One that went
    down with its host or network did not: so a connection that rested for a while is tried.
    """

    @event.listens_for(engine, "checkin")
    def note(connection: Any, record: Any) -> None:
        record.info[_USED_AT] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def check(connection: Any, record: Any, proxy: object) -> None:
        used_at = record.info.pop(_USED_AT, None)
        if used_at is None:  # it is new
            return
        has_rested = time.monotonic() > used_at + TRUSTED_S
        try:
            if connection.closed or has_rested or _has_news(connection):
                engine.dialect.do_ping(connection)
        except psycopg.Error as error:
            gone = DisconnectionError()
            gone.invalidate_pool = True  # the others ended with it
            raise gone from error


def _has_news(connection: "psycopg.Connection[Any]") -> bool:
    """Return whether something came by a connection at rest: mostly its end."""
    with selectors.DefaultSelector() as selector:
        selector.register(connection.fileno(), selectors.EVENT_READ)
        return bool(selector.select(0))
