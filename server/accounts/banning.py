"""Banning people, and letting them in again."""

from collections.abc import Sequence
from http import HTTPStatus

from server.http.errors import Denied
from server.http.parts import Part
from server.identity.audit_log import AuditLog
from server.identity.people import People, Person


class Banning:
    """What organizers do about people; each act is in the audit log."""

    def __init__(self, people: People, audit: AuditLog, others: Sequence[Part]) -> None:
        """`others`: the parts of the site from which somebody banned is withdrawn."""
        self._people = people
        self._audit = audit
        self._others = others

    def ban(self, me: Person, who: Person, address: str) -> None:
        """Ban somebody. Raises: Denied."""
        if who.id == me.id:
            raise Denied(HTTPStatus.CONFLICT, "you cannot ban yourself")
        self._people.set_banned(who.id, True)
        for part in self._others:
            part.withdraw(who.id)
        self._audit.note("banned", address=address, person=me.id, about=who.id)

    def unban(self, me: Person, who: Person, address: str) -> None:
        """Let somebody in again."""
        self._people.set_banned(who.id, False)
        self._audit.note("unbanned", address=address, person=me.id, about=who.id)
