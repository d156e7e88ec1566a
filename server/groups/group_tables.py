"""What the pages of a group show of its members' bots."""

from runners.contests.ladders import every_ladder
from runners.contests.visibility import table_until
from runners.storage.database import Database, now
from server.contests.ladder_tables import LadderTables
from server.groups.hand_ins import (
    Place,
    entries_of_group,
    faults_of_group,
    hand_ins_of,
    places,
)
from server.identity.people import Person


class GroupTables:
    """Puts together what members have handed in, and how that stands."""

    def __init__(self, database: Database, tables: LadderTables) -> None:
        self._database = database
        self._tables = tables

    def of(self, group_id: str, viewer: Person) -> list[Place]:
        """Return the bots of a group's members, as somebody may know them; the newest first."""
        found, entered, faults, every = self._database.read(
            hand_ins_of(group_id, viewer),
            entries_of_group(group_id),
            faults_of_group(group_id),
            every_ladder(),
        )
        at, used = now(), {entry.ladder for entry in entered}
        wanted = [ladder for ladder in every if ladder.id in used]
        tables = self._tables.tables([(one, table_until(one, viewer, at)) for one in wanted])
        by_id = {one.id: (one, table) for one, table in zip(wanted, tables, strict=True)}
        return places(found, entered, by_id, faults)
