"""How many messages of each game somebody has not read yet."""

from sqlalchemy import func, select

from runners.storage.game_tables import (
    avoided_people,
    avoided_seats,
    games,
    messages,
    messages_read,
    owners,
    withheld_messages,
)
from runners.storage.together import Lookup
from server.games.game_rows import finished_query


def new_messages(person_id: str, most_finished: int) -> Lookup[dict[str, int]]:
    """Look up how many messages are new to a person, by game; games without new ones are left out.

    Of the games that run, and of so many of the newest that are over. A message is new that
    somebody else has written, and that is newer than what was shown to the person in a seat of
    that game. Those of people who are avoided do not count, nor those that are withheld.
    """
    mine = select(owners.c.game).where(owners.c.person == person_id)
    running = select(games.c.id).where(games.c.id.in_(mine), games.c.is_over.is_(False))
    ended = finished_query(person_id, most_finished).with_only_columns(games.c.id).subquery()
    theirs = owners.alias("theirs")
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
    avoided = (
        select(avoided_people.c.other)
        .join(theirs, theirs.c.person == avoided_people.c.other)
        .where(avoided_people.c.person == person_id)
        .where(theirs.c.game == messages.c.game, theirs.c.team == messages.c.team)
    )
    avoided_here = (
        select(avoided_seats.c.other)
        .join(
            owners,
            (owners.c.game == avoided_seats.c.game) & (owners.c.team == avoided_seats.c.team),
        )
        .where(own_seat, avoided_seats.c.other == messages.c.team)
    )
    withheld = (
        select(withheld_messages.c.team)
        .join(owners, owners.c.team == withheld_messages.c.team)
        .where(own_seat, withheld_messages.c.message == messages.c.id)
    )
    found = select(messages.c.game, func.count().label("new")).where(
        messages.c.game.in_(running) | messages.c.game.in_(select(ended.c.id)),
        ~is_own,
        messages.c.id > read,
        ~avoided.correlate(messages).exists(),
        ~avoided_here.correlate(messages).exists(),
        ~withheld.correlate(messages).exists(),
    )
    return Lookup(found.group_by(messages.c.game), lambda rows: {row.game: row.new for row in rows})
