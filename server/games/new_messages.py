"""How many messages of each game somebody has not read yet."""

from sqlalchemy import func, select

from runners.storage.game_tables import games, messages, messages_read, owners
from runners.storage.together import Lookup
from server.games.game_rows import finished_query


def new_messages(person_id: str, most_finished: int) -> Lookup[dict[str, int]]:
    """Look up how many messages are new to a person, by game; games without new ones are left out.

    Of the games that run, and of so many of the newest that are over. A message is new that
    somebody else has written, and that is newer than what was shown to the person in a seat of
    that game.
    """
    mine = select(owners.c.game).where(owners.c.person == person_id)
    running = select(games.c.id).where(games.c.id.in_(mine), games.c.is_over.is_(False))
    ended = finished_query(person_id, most_finished).with_only_columns(games.c.id).subquery()
    own_seat = (owners.c.game == messages.c.game) & (owners.c.person == person_id)
    is_own = select(owners.c.team).where(own_seat, owners.c.team == messages.c.team).exists()
    read = (
        select(func.coalesce(func.max(messages_read.c.up_to), 0))
        .join(
            owners,
            (owners.c.game == messages_read.c.game) & (owners.c.team == messages_read.c.team),
        )
        .where(own_seat)
        .correlate(messages)
        .scalar_subquery()
    )
    found = select(messages.c.game, func.count().label("new")).where(
        messages.c.game.in_(running) | messages.c.game.in_(select(ended.c.id)),
        ~is_own,
        messages.c.id > read,
    )
    return Lookup(found.group_by(messages.c.game), lambda rows: {row.game: row.new for row in rows})
