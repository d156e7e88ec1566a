"""What members draw, kept so that it is there in another browser, too."""

import msgspec
from sqlalchemy import delete, insert, select, update

from runners.storage.database import Database, now
from runners.storage.game_tables import designs
from server.designs.bodies import ArmyBody


class KeptDesigns:
    """A design for each member: what was drawn last."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, person_id: str, body: ArmyBody) -> None:
        """Keep a design in place of the one before."""
        row = {"content": msgspec.json.encode(body).decode(), "changed_at": now()}
        mine = designs.c.person == person_id
        with self._database.writing() as connection:
            if not connection.execute(update(designs).where(mine).values(row)).rowcount:
                connection.execute(insert(designs).values(person=person_id, **row))

    def of(self, person_id: str) -> ArmyBody | None:
        """Return the design of somebody; None where there is none, or another version's."""
        query = select(designs.c.content).where(designs.c.person == person_id)
        with self._database.reading() as connection:
            content = connection.execute(query).scalar()
        if content is None:
            return None
        try:
            return msgspec.json.decode(content, type=ArmyBody)
        except msgspec.DecodeError:
            return None

    def forget(self, person_id: str) -> None:
        with self._database.writing() as connection:
            connection.execute(delete(designs).where(designs.c.person == person_id))
