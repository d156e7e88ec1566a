"""Who is shown whose messages in a game: what was muted, blocked, switched off, withheld.

A message that a block or a switch keeps from somebody is withheld from them for good. One of
somebody who is muted is not shown while they are.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import combinations
from typing import NamedTuple

from sqlalchemy import select

from runners.storage.database import Database
from runners.storage.game_tables import (
    avoided_people,
    avoided_seats,
    messages_wanted,
    owners,
    withheld_messages,
)
from runners.storage.together import Lookup, Rows
from server.games.game_rows import Message
from server.identity.avoided import Avoiding

Pair = tuple[int, int]
"""A team, and another one that its player avoids."""


class Hearing(NamedTuple):
    """What the rows say of a game."""

    people: Mapping[int, str]
    """The ids of those with an account, by team."""
    avoided: Mapping[Pair, Avoiding]
    """In this game or everywhere; of both, what keeps them further apart."""
    everywhere: frozenset[Pair]
    """Those of them who are avoided in every game."""
    wanted: frozenset[int]
    """The teams that have switched messages on."""
    withheld: Mapping[int, frozenset[int]]
    """Of messages, by id, the teams that never get them."""

    def shows(self, message: Message, teams: Collection[int]) -> bool:
        """Return whether a message is shown to whoever plays these teams."""
        if message.team in teams:
            return True
        if self.withheld.get(message.id, frozenset()).intersection(teams):
            return False
        return not any((team, message.team) in self.avoided for team in teams)

    def filter_messages(self, messages: Iterable[Message], teams: Collection[int]) -> list[Message]:
        """Return the messages that are shown to whoever plays these teams."""
        return [message for message in messages if self.shows(message, teams)]

    def kind(self, teams: Collection[int], other: int) -> Avoiding | None:
        """Return how the player of these teams avoids another one."""
        kinds = {self.avoided.get((team, other)) for team in teams}
        return next((kind for kind in (Avoiding.BLOCK, Avoiding.MUTE) if kind in kinds), None)

    def avoided_teams(self, teams: Collection[int], kind: Avoiding) -> tuple[int, ...]:
        """Return the teams that the player of these teams avoids so."""
        pairs = self.avoided.items()
        return tuple(sorted({pair[1] for pair, one in pairs if pair[0] in teams and one is kind}))

    def are_apart(self, team: int, other: int) -> bool:
        """Return whether one of two players has blocked the other."""
        found = (self.avoided.get(pair) for pair in ((team, other), (other, team)))
        return Avoiding.BLOCK in found

    def is_anybody_apart(self, teams: Collection[int]) -> bool:
        """Return whether one of some players has blocked another of them."""
        return any(self.are_apart(*pair) for pair in combinations(teams, 2))

    def withheld_from(
        self, team: int, others: Collection[int], *, has_switch: bool
    ) -> frozenset[int]:
        """Return those of some other teams that do not get what a team writes now.

        `has_switch`: messages are for those alone who have switched them on.
        """
        return frozenset(
            other
            for other in others
            if self.are_apart(team, other) or (has_switch and other not in self.wanted)
        )


def load_message_filter(database: Database, game_id: str) -> Hearing:
    """Look up who hears whom in a game."""
    people, everywhere, here, wanted, withheld = database.read(
        Lookup(
            select(owners.c.team, owners.c.person).where(owners.c.game == game_id),
            lambda rows: {row.team: row.person for row in rows},
        ),
        _global_block_list(game_id),
        Lookup(select(avoided_seats).where(avoided_seats.c.game == game_id), _kinds),
        Lookup(
            select(messages_wanted.c.team).where(messages_wanted.c.game == game_id),
            lambda rows: frozenset(row.team for row in rows),
        ),
        Lookup(select(withheld_messages).where(withheld_messages.c.game == game_id), _withheld),
    )
    return Hearing(
        people=people,
        avoided=_further_apart(everywhere, here),
        everywhere=frozenset(everywhere),
        wanted=wanted,
        withheld=withheld,
    )


def _global_block_list(game_id: str) -> Lookup[dict[Pair, Avoiding]]:
    mine, theirs = owners.alias("mine"), owners.alias("theirs")
    query = (
        select(mine.c.team, theirs.c.team.label("other"), avoided_people.c.kind)
        .join(mine, mine.c.person == avoided_people.c.person)
        .join(theirs, theirs.c.person == avoided_people.c.other)
        .where(mine.c.game == game_id, theirs.c.game == game_id)
    )
    return Lookup(query, _kinds)


def _kinds(rows: Rows) -> dict[Pair, Avoiding]:
    return {(row.team, row.other): Avoiding(row.kind) for row in rows}


def _withheld(rows: Rows) -> dict[int, frozenset[int]]:
    found: dict[int, frozenset[int]] = {}
    for row in rows:
        found[row.message] = found.get(row.message, frozenset()) | {row.team}
    return found


def _further_apart(*several: Mapping[Pair, Avoiding]) -> dict[Pair, Avoiding]:
    """Return what is in any of several; a block counts more than a mute."""
    found: dict[Pair, Avoiding] = {}
    for each in several:
        for pair, kind in each.items():
            if found.get(pair) is not Avoiding.BLOCK:
                found[pair] = kind
    return found
