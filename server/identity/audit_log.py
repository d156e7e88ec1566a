"""The audit log: who did what, and what was refused, as organizers read it."""

from collections.abc import Callable
from datetime import datetime, timedelta

import msgspec
from sqlalchemy import ColumnElement, insert, select

from runners.storage.database import Database, now, struct_from_row
from runners.storage.game_tables import audit, people
from runners.storage.together import Lookup
from server.identity.rate_limits import MAX_ADDRESS_LENGTH, Asker

RETENTION = timedelta(days=365)
REFUSALS_RETENTION = timedelta(days=30)
"""So long rows are kept: those of what was done, and those of what was refused."""
MAX_TEXT_LENGTH = 300
REFUSAL_KINDS = (
    *("account refused", "bot refused", "link refused", "not an organizer", "password refused"),
    *("request refused", "seat refused", "sign-in refused", "too many tries"),
)
"""What strangers can make rows of, as often as they like."""


class AuditRow(msgspec.Struct, frozen=True, kw_only=True):
    """What was done or refused."""

    at: datetime
    what: str
    words: str
    person: str | None
    """A name."""
    about: str | None
    """A name."""
    address: str


class AuditLog:
    """The audit log of a server. All methods may be called from any thread."""

    def __init__(
        self, database: Database, has_room_for_refusal: Callable[[Asker], bool] = lambda by: True
    ) -> None:
        """`has_room_for_refusal`: counts a refusal, and says whether it is still written."""
        self._database = database
        self._has_room_for_refusal = has_room_for_refusal

    def note(
        self,
        what: str,
        message: str = "",
        *,
        address: str,
        person: str | None = None,
        about: str | None = None,
    ) -> None:
        """Write a row about what was done, or was refused. `person` and `about` are ids.

        Of refusals there may be too many to write: whoever floods the server shall not flood the
        log, nor keep the database busy.
        """
        if what in REFUSAL_KINDS and not self._has_room_for_refusal(Asker(address)):
            return
        row = {
            "at": now(),
            "what": what,
            "words": message[:MAX_TEXT_LENGTH],
            "person": person,
            "about": about,
            "address": address[:MAX_ADDRESS_LENGTH],
        }
        self._database.write(insert(audit).values(row))

    def rows(self, most: int, person_id: str | None = None) -> list[AuditRow]:
        """Return the newest rows: all, or those that concern somebody."""
        return self._database.find(newest_rows(most, person_id))


def is_old_row(at: datetime) -> ColumnElement[bool]:
    """Return the condition of rows that are older than they are kept."""
    is_old_refusal = audit.c.what.in_(REFUSAL_KINDS) & (audit.c.at < at - REFUSALS_RETENTION)
    return (audit.c.at < at - RETENTION) | is_old_refusal


def newest_rows(most: int, person_id: str | None = None) -> Lookup[list[AuditRow]]:
    """Look up the newest rows: all, or those that concern somebody."""
    who, whom = people.alias("who"), people.alias("whom")
    query = (
        select(audit, who.c.name.label("who"), whom.c.name.label("whom"))
        .outerjoin(who, who.c.id == audit.c.person)
        .outerjoin(whom, whom.c.id == audit.c.about)
        .order_by(audit.c.number.desc())
        .limit(most)
    )
    if person_id is not None:
        query = query.where((audit.c.person == person_id) | (audit.c.about == person_id))
    return Lookup(
        query,
        lambda rows: [
            struct_from_row(AuditRow, row, person=row.who, about=row.whom) for row in rows
        ],
    )
