"""Passwords: checked, hashed and compared; each takes a while and much memory, on purpose."""

import threading

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 8, 200
"""Letters of a password."""
# OWASP's profile of 19 MiB (Password Storage Cheat Sheet, Argon2id).
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
DUMMY_HASH = HASHER.hash("")
"""Compared with where a name does not exist or has no password: that takes as long."""

ONE_AT_A_TIME = threading.Lock()
"""Many that are checked at once would take the machine's memory from the games."""


class BadPassword(Exception):
    """Why a password will not do."""


def validate_password(typed: str) -> str | None:
    """Return a password; None for none. Raises: BadPassword."""
    if typed and not MIN_PASSWORD_LENGTH <= len(typed) <= MAX_PASSWORD_LENGTH:
        raise BadPassword(
            f"a password has {MIN_PASSWORD_LENGTH} to {MAX_PASSWORD_LENGTH} letters; this one "
            f"has {len(typed)}"
        )
    return typed or None


def password_hash(password: str) -> str:
    """Return what is kept of a password."""
    with ONE_AT_A_TIME:
        return HASHER.hash(password)


def is_password(saved: str | None, typed: str) -> bool:
    """Return whether a password is the one that was hashed; never where there is none."""
    try:
        with ONE_AT_A_TIME:
            HASHER.verify(DUMMY_HASH if saved is None else saved, typed[: MAX_PASSWORD_LENGTH + 1])
    except (VerificationError, InvalidHashError):
        return False
    return saved is not None
