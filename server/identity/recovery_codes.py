"""Recovery codes: with one of them somebody signs in who has lost every device and the password.

They are shown once, and kept as hashes; each works once.
"""

import secrets

from sqlalchemy import delete, func, insert, select

from runners.storage.database import Database, now
from runners.storage.game_tables import recovery_codes
from runners.storage.together import Lookup, only_value
from server.identity.people import hash_key

LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Those that nobody mistakes for another one on paper: neither 0 nor o, neither 1, l nor i."""
PART = 5
"""Letters between two dashes."""
CODES_AT_ONCE = 8
"""The codes that are made together."""
PARTS_PER_CODE = 4
"""31 letters in 20 places: about 99 bits, which nobody guesses, so that a plain hash will do."""


class RecoveryCodes:
    """The recovery codes of a server's accounts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def renew(self, person_id: str) -> list[str]:
        """Return new codes of somebody, in place of all former ones."""
        codes = [new_code(PARTS_PER_CODE) for _ in range(CODES_AT_ONCE)]
        rows = [
            {"person": person_id, "hash": hash_key(normalize_code(code)), "made_at": now()}
            for code in codes
        ]
        with self._database.transaction() as connection:
            connection.execute(delete(recovery_codes).where(recovery_codes.c.person == person_id))
            connection.execute(insert(recovery_codes), rows)
        return codes

    def use(self, person_id: str, typed: str) -> bool:
        """Use a code up; return whether it was one of this person's."""
        code = (
            recovery_codes.c.person == person_id,
            recovery_codes.c.hash == hash_key(normalize_code(typed)),
        )
        return self._database.write(delete(recovery_codes).where(*code)) == 1


def count_recovery_codes(person_id: str) -> Lookup[int]:
    """Look up how many codes of somebody's work."""
    query = select(func.count()).select_from(recovery_codes)
    return Lookup(query.where(recovery_codes.c.person == person_id), only_value)


def new_code(parts: int) -> str:
    """Return a new code of so many parts, such as k7m2p-x9q4w; each part has about 25 bits."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(PART)) for _ in range(parts))


def normalize_code(code: str) -> str:
    """Return a code as it is hashed, however it was typed."""
    return "".join(letter for letter in code.casefold() if letter in LETTERS)
