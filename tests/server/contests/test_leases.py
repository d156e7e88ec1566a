"""Who may do some work of a server, where all its processes are on one machine."""

from contextlib import closing

import pytest

from runners.storage.database import Database
from runners.storage.leases import Lease, LeaseLost
from runners.storage.locks import LockHeld


def test_the_lease_of_a_process_that_was_killed_is_had_at_once(database: Database) -> None:
    killed, other = Lease(database, "work"), Lease(database, "work")
    assert killed.take()
    with other.hold():
        other.beat()
        with pytest.raises(LeaseLost, match="work: another process has taken over"):
            killed.beat()


def test_while_a_lease_is_held_nobody_else_has_it_and_other_work_is_free(
    database: Database,
) -> None:
    with Lease(database, "work").hold(), closing(Database(database.where)) as elsewhere:
        with pytest.raises(LockHeld), Lease(elsewhere, "work").hold():
            pass
        with Lease(elsewhere, "other work").hold():
            pass
    with closing(Database(database.where)) as elsewhere, Lease(elsewhere, "work").hold():
        pass
