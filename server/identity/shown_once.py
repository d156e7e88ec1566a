"""What a person is shown once, on the page after the form that made it: a new link or token.

The form may be answered by one process and the page by another, so it waits in the database: for
minutes, and encrypted. The key is made from the token of the browser's session, of which the
database has the hash alone: whoever reads the database, or a backup of it, learns nothing.
"""

from datetime import timedelta
from hashlib import blake2b

from nacl.secret import SecretBox
from sqlalchemy import delete, insert, select

from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import shown_once
from runners.storage.together import Lookup
from server.identity.people import hash_key

LIFETIME = timedelta(minutes=10)
"""A browser asks for the next page at once; what nobody has asked for by then is dropped."""
MAX_TEXTS_PER_SESSION = 20
"""Texts that wait for one session; the oldest are dropped."""


class ShownOnce:
    """Texts that wait to be shown. All methods may be called from any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def save(self, session: str, page: str, text: str, subject: str | None = None) -> None:
        """Keep a text for a page that a session, given by its token, asks for next.

        `subject`: what a text is about of which only the newest is good; it replaces an older one.
        """
        where, at = shown_once.c.session == hash_key(session), now()
        row = {
            "session": hash_key(session),
            "page": page,
            "subject": subject,
            "content": bytes(_secret_box(session).encrypt(text.encode())),
            "kept_at": at,
        }
        former = where, shown_once.c.page == page, shown_once.c.subject == subject
        newest = select(shown_once.c.id).where(where).order_by(shown_once.c.id.desc())
        with self._database.transaction() as connection:
            connection.execute(delete(shown_once).where(shown_once.c.kept_at < at - LIFETIME))
            if subject is not None:
                connection.execute(delete(shown_once).where(*former))
            connection.execute(insert(shown_once).values(row))
            surplus = connection.execute(newest.offset(MAX_TEXTS_PER_SESSION)).scalars().all()
            connection.execute(delete(shown_once).where(shown_once.c.id.in_(surplus)))

    def take(self, session: str, page: str) -> list[str]:
        """Return the texts for a page, the oldest first: nobody is given them again.

        It writes; `has_text` says whether that is needed, which it hardly ever is.
        """
        where = shown_once.c.session == hash_key(session), shown_once.c.page == page
        waiting = select(shown_once).where(*where).order_by(shown_once.c.id)
        with self._database.transaction() as connection:
            rows = connection.execute(waiting).all()
            connection.execute(delete(shown_once).where(*where))
        return [
            _secret_box(session).decrypt(row.content).decode()
            for row in rows
            if now() < with_time_zone(row.kept_at) + LIFETIME
        ]


def has_text(session: str, page: str) -> Lookup[bool]:
    """Look up whether there is a text for a page."""
    where = shown_once.c.session == hash_key(session), shown_once.c.page == page
    return Lookup(select(shown_once.c.id).where(*where).limit(1), bool)


def _secret_box(session: str) -> SecretBox:
    """Return what encrypts for a session. Its token is random, so a plain hash makes the key."""
    key = blake2b(session.encode(), digest_size=SecretBox.KEY_SIZE, person=b"shown once")
    return SecretBox(key.digest())
