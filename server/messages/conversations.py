"""The messages of games: they are taken, kept and shown, and players say whose they read.

Who reads whose is one rule: a message that a block keeps from somebody is withheld from them for
good. One of somebody who is muted, or who was not accepted yet, is not shown while that is so.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from itertools import combinations, permutations
from typing import NamedTuple, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, Select, Table, delete, func, insert, select

from engine.support.sanitizing import make_printable
from runners.storage.database import Database, struct_from_row
from runners.storage.game_tables import (
    avoided_people,
    avoided_seats,
    games,
    group_members,
    messages,
    messages_read,
    messages_wanted,
    owners,
    withheld_messages,
)
from runners.storage.together import Lookup, Rows
from server.http.errors import ActionRefused, TooMany
from server.messages.block_list import Restriction

ACCEPT = "accept"
"""Stands in the row of a pair of teams, where a mute or a block may stand, too."""
ASKS_CONSENT = games.c.terms.contains('"has_guests":true')
"""The games in which first messages are announced: see `Terms.asks_consent`."""

Pair = tuple[int, int]
"""A team, and another one about which its player has decided something."""


class Message(msgspec.Struct, frozen=True, kw_only=True):
    """What somebody has written to the others."""

    id: int
    team: int
    text: str
    said_at: float
    """Seconds since 1970."""


class MessageFilter(NamedTuple):
    """What the rows say of a game."""

    asks_consent: bool
    """Whether a first message is announced; otherwise everybody reads everybody."""
    people: Mapping[int, str]
    """The ids of those with an account, by team."""
    restricted: Mapping[Pair, Restriction]
    """In this game or everywhere; of both, what keeps them further apart."""
    accepted: frozenset[Pair]
    wanted: frozenset[int]
    """The teams that read everybody: they have written themselves, or have switched messages on
    when older versions had a switch."""
    withheld: frozenset[Pair]
    """Messages, by id, each with a team that never gets it."""

    def admits(self, message: Message, teams: Collection[int]) -> bool:
        """Return whether a message is shown to whoever plays these teams."""
        is_own = message.team in teams
        return is_own or (self._may_reach(message, teams) and self._may_hear(teams, message.team))

    def announced_teams(
        self, messages: Iterable[Message], teams: Collection[int]
    ) -> tuple[int, ...]:
        """Return the teams that wrote to whoever plays these, and wait for what they decide."""
        reaching = {one.team for one in messages if self._may_reach(one, teams)}
        return tuple(sorted(one for one in reaching if not self._may_hear(teams, one)))

    def is_accepted(self, teams: Collection[int], other: int) -> bool:
        """Return whether the player of these teams has decided to read another one."""
        return any((team, other) in self.accepted for team in teams)

    def is_withheld(self, message: Message, teams: Collection[int]) -> bool:
        """Return whether whoever plays these teams never gets a message."""
        return any((message.id, team) in self.withheld for team in teams)

    def _may_reach(self, message: Message, teams: Collection[int]) -> bool:
        is_restricted = any((team, message.team) in self.restricted for team in teams)
        return not is_restricted and not self.is_withheld(message, teams)

    def _may_hear(self, teams: Collection[int], other: int) -> bool:
        """Return whether other than by a mute or a block nothing keeps another one's messages."""
        if not self.asks_consent or other in teams or not self.wanted.isdisjoint(teams):
            return True
        return self.is_accepted(teams, other)

    def find_restriction(self, teams: Collection[int], other: int) -> Restriction | None:
        """Return how the player of these teams mutes or blocks another one."""
        kinds = {self.restricted.get((team, other)) for team in teams}
        return next((kind for kind in (Restriction.BLOCK, Restriction.MUTE) if kind in kinds), None)

    def restricted_teams(self, teams: Collection[int], kind: Restriction) -> tuple[int, ...]:
        """Return the teams that the player of these teams mutes, or blocks."""
        pairs = self.restricted.items()
        return tuple(sorted({pair[1] for pair, one in pairs if pair[0] in teams and one is kind}))

    def are_apart(self, team: int, other: int) -> bool:
        """Return whether one of two players has blocked the other."""
        found = (self.restricted.get(pair) for pair in ((team, other), (other, team)))
        return Restriction.BLOCK in found

    def is_anybody_apart(self, teams: Collection[int]) -> bool:
        """Return whether one of some players has blocked another of them."""
        return any(self.are_apart(*pair) for pair in combinations(teams, 2))


def find_acquainted(people: Mapping[int, str], linked: Collection[int]) -> Lookup[frozenset[Pair]]:
    """Look up who reads whom from the start.

    `people`: the ids of those with an account, by team. `linked`: the teams of those who came by a
    private link, and of who gave it to them.
    """
    query = select(group_members.c.group, group_members.c.person).where(
        group_members.c.person.in_(list(people.values()))
    )

    def find_pairs(rows: Rows) -> frozenset[Pair]:
        teams: dict[str, list[int]] = {}
        for row in rows:
            teams.setdefault(row.group, []).extend(
                team for team, person in people.items() if person == row.person
            )
        return frozenset(pair for one in (linked, *teams.values()) for pair in permutations(one, 2))

    return Lookup(query, find_pairs)


class Conversation(NamedTuple):
    """What the people of a game have written to each other, and who of them reads it."""

    messages: list[Message]
    """The last ones, whoever they are for."""
    read_up_to: Mapping[int, int]
    """The newest message that was shown to who plays each team, if there was one."""
    filter: MessageFilter

    def shown_to(self, teams: Collection[int]) -> list[Message]:
        """Return the messages that are shown to whoever plays these teams."""
        return [each for each in self.messages if self.filter.admits(each, teams)]

    def last_read(self, teams: Collection[int]) -> int:
        """Return the newest message that was shown to whoever plays these teams; 0 for none."""
        return max(self.read_up_to.get(team, 0) for team in teams)


def load_conversation(
    database: Database, game_id: str, most: int, *, asks_consent: bool
) -> Conversation:
    """Look up the last messages of a game, at most so many, and who reads them."""
    read = select(messages_read).where(messages_read.c.game == game_id)
    people = select(owners.c.team, owners.c.person).where(owners.c.game == game_id)
    wanted = select(messages_wanted.c.team).where(messages_wanted.c.game == game_id)
    withheld = select(withheld_messages).where(withheld_messages.c.game == game_id)
    found = (
        last_messages(game_id, most),
        Lookup(read, lambda rows: {row.team: row.up_to for row in rows}),
        Lookup(people, lambda rows: {row.team: row.person for row in rows}),
        Lookup(_restricted_everywhere(game_id), lambda rows: rows),
        Lookup(select(avoided_seats).where(avoided_seats.c.game == game_id), lambda rows: rows),
        Lookup(wanted, lambda rows: frozenset(row.team for row in rows)),
        Lookup(withheld, lambda rows: frozenset((row.message, row.team) for row in rows)),
    )
    said, read_up_to, people_ids, everywhere, decided, wanting, never = database.read(*found)
    rule = MessageFilter(
        asks_consent=asks_consent,
        people=people_ids,
        restricted={
            (row.team, row.other): kind
            for kind in (Restriction.MUTE, Restriction.BLOCK)  # which counts more
            for row in (*everywhere, *decided)
            if row.kind == kind
        },
        accepted=frozenset((row.team, row.other) for row in decided if row.kind == ACCEPT),
        wanted=wanting,
        withheld=never,
    )
    return Conversation(said, read_up_to, rule)


def last_messages(game_id: str, most: int) -> Lookup[list[Message]]:
    """Look up the last messages of a game, the oldest of them first."""
    query = select(messages).where(messages.c.game == game_id).order_by(messages.c.id.desc())
    return Lookup(
        query.limit(most),
        lambda rows: [struct_from_row(Message, row) for row in reversed(rows)],
    )


def count_new_messages(person_id: str, among: ColumnElement[bool]) -> Lookup[dict[str, int]]:
    """Look up how many messages are new to a person, by game; games without new ones are left out.

    `among`: in which games. A message is new that somebody else has written, that is shown to the
    person, and that is newer than what was shown in a seat of theirs in that game.
    """
    opponent = owners.alias("theirs")
    own_seat = (owners.c.game == messages.c.game) & (owners.c.person == person_id)

    def of_seat(table: Table, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
        """Return whether there is such a row of a seat of theirs in that game."""
        rows = select(owners.c.team).join(table, table.c.team == owners.c.team)
        conditions = (own_seat, table.c.game == owners.c.game, *conditions)
        return rows.where(*conditions).correlate(messages).exists()

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
    restricted = (
        select(avoided_people.c.other)
        .join(opponent, opponent.c.person == avoided_people.c.other)
        .where(avoided_people.c.person == person_id)
        .where(opponent.c.game == messages.c.game, opponent.c.team == messages.c.team)
    )
    about_writer = avoided_seats.c.other == messages.c.team
    asking = select(games.c.id).where(games.c.id == messages.c.game, ASKS_CONSENT)
    found = select(messages.c.game, func.count().label("new")).where(
        among,
        ~select(owners.c.team).where(own_seat, owners.c.team == messages.c.team).exists(),
        messages.c.id > read,
        ~restricted.correlate(messages).exists(),
        ~of_seat(avoided_seats, about_writer, avoided_seats.c.kind != ACCEPT),
        ~of_seat(withheld_messages, withheld_messages.c.message == messages.c.id),
        ~asking.correlate(messages).exists()
        | of_seat(messages_wanted)
        | of_seat(avoided_seats, about_writer, avoided_seats.c.kind == ACCEPT),
    )
    return Lookup(found.group_by(messages.c.game), lambda rows: {row.game: row.new for row in rows})


def _restricted_everywhere(game_id: str) -> Select[tuple[int, int, str]]:
    own, opponent = owners.alias("mine"), owners.alias("theirs")
    return (
        select(own.c.team, opponent.c.team.label("other"), avoided_people.c.kind)
        .join(own, own.c.person == avoided_people.c.person)
        .join(opponent, opponent.c.person == avoided_people.c.other)
        .where(own.c.game == game_id, opponent.c.game == game_id)
    )


MAX_MESSAGE_LENGTH = 500
"""Letters."""
MAX_MESSAGES = 100
"""Messages that are shown."""
MESSAGES_AT_ONCE, MESSAGES_S = 5, 10.0
"""A team may send so many messages in so many seconds."""


class Game(Protocol):
    """What messages know of a game."""

    conversation: Conversation | None
    """What was read of its messages; None: read it anew."""

    @property
    def title(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]:
        """Return who sits where, by the order of teams."""

    @property
    def people(self) -> frozenset[int]:
        """Return the teams that people play."""

    @property
    def asks_consent(self) -> bool:
        """Return whether the first message of who was not accepted is announced."""


class Games(Protocol):
    """The games of a server, of which messages need no more."""

    @property
    def database(self) -> Database: ...
    @property
    def conversations(self) -> "Conversations": ...
    def open_session(self, game_id: str) -> AbstractContextManager[Game]:
        """Hold a game. Raises: NoSuchGame."""

    def transaction(self, game_id: str) -> AbstractContextManager[Connection]:
        """Write what changes a game, so that other processes see it."""

    def announce_change(self, game_id: str) -> None:
        """Tell all who look on that a game has changed."""

    def refresh_conversation(self, game_id: str) -> None:
        """Read the messages of a game anew, in each process."""

    def close_seat(self, game_id: str, team: int) -> bool:
        """Let nobody without an account play a team any more. Raises: NoSuchGame."""


class Talk(msgspec.Struct, frozen=True, kw_only=True):
    """Who would like to write to the viewer, and whose messages the viewer is shown."""

    announced: tuple[int, ...]
    """The teams that have written, and whose messages are shown once the viewer accepts that."""
    strangers: tuple[int, ...]
    """The teams that may be asked first whether they read what the viewer writes."""
    muted: tuple[int, ...]
    """The teams whose messages are not shown to the viewer."""
    blocked: tuple[int, ...]
    """Those to which the viewer's do not go, either."""


class ConversationView(NamedTuple):
    """What people have written to each other, as who has a seat knows it."""

    messages: tuple[Message, ...]
    read_up_to: int
    talk: Talk | None
    """None where nobody else can write."""


NO_TALK = ConversationView((), 0, None)


class Conversations:
    """The messages of all games. All methods may be called from any thread, and raise NoSuchGame.

    What is read of a game's messages is kept with its session, and dropped when it changes.
    """

    def __init__(self, games: Games, now: Callable[[], float]) -> None:
        self._games = games
        self._now = now

    def load(self, game_id: str) -> Conversation:
        """Return the last messages of a game, and who reads them."""
        with self._games.open_session(game_id) as game:
            if game.conversation is None:
                game.conversation = load_conversation(
                    self._games.database, game_id, MAX_MESSAGES, asks_consent=game.asks_consent
                )
            return game.conversation

    def view(self, game_id: str, teams: Collection[int]) -> ConversationView:
        """Return the messages of a game as whoever plays these teams may see them."""
        with self._games.open_session(game_id) as game:
            found, others = self.load(game_id), game.people.difference(teams)
        shown = found.shown_to(teams)
        talk = _talk_for_viewer(found, teams, others, shown) if others else None
        return ConversationView(tuple(shown), found.last_read(teams), talk)

    def count_new(self, game_id: str, teams: Collection[int]) -> int:
        """Return how many of the last messages are new to who plays these teams."""
        found = self.load(game_id)
        newest = found.last_read(teams)
        return sum(one.team not in teams and one.id > newest for one in found.shown_to(teams))

    def say(self, game_id: str, team: int, text: str, after: int | None = None) -> None:
        """Send a message to the other people of a game. Raises: ActionRefused, TooMany.

        `after`: it is sent again, by who knew the messages up to this one, and is kept once.
        Who writes reads the answers of all.
        """
        text = text.strip()
        if not text or len(text) > MAX_MESSAGE_LENGTH or text != make_printable(text):
            raise ActionRefused(f"a message is one line of 1 to {MAX_MESSAGE_LENGTH} letters")
        with self._games.open_session(game_id) as game:
            others, found = game.people - {team}, self.load(game_id)
            if after is not None and any(
                (one.team, one.text) == (team, text) and one.id > after for one in found.messages
            ):
                return
            withheld = {other for other in others if found.filter.are_apart(team, other)}
            if withheld == others:
                raise ActionRefused("nobody else here reads messages")
            now = self._now()
            just_now = [one for one in found.messages if one.said_at > now - MESSAGES_S]
            if sum(one.team == team for one in just_now) >= MESSAGES_AT_ONCE:
                raise TooMany("that is too much at once: wait a few seconds", MESSAGES_S)
            self.add(game_id, team, text, now, withheld)
            game.conversation = None
        self._games.announce_change(game_id)

    def add(
        self, game_id: str, team: int, text: str, now: float, withheld_from: Iterable[int] = ()
    ) -> None:
        """Keep a message; `withheld_from`: the teams that never get it."""
        row = {"game": game_id, "team": team, "text": text, "said_at": now}
        with self._games.transaction(game_id) as connection:
            key = connection.execute(insert(messages).values(row)).inserted_primary_key
            assert key is not None
            withheld = [{"message": key[0], "team": one, "game": game_id} for one in withheld_from]
            if withheld:
                connection.execute(insert(withheld_messages), withheld)
            wanted = {"game": game_id, "team": team}
            self._games.database.insert_new(connection, messages_wanted, wanted)

    def decide(
        self, game_id: str, teams: Collection[int], other: int, kind: Restriction | None
    ) -> None:
        """Mute or block the player of another team in this game; None: read their messages.

        Raises: ActionRefused.
        """
        rows = [
            {"game": game_id, "team": team, "other": other, "kind": kind or ACCEPT}
            for team in teams
        ]
        with self._games.open_session(game_id) as game:
            if other in teams or other not in game.people:
                raise ActionRefused(f"team {other} is played by nobody else: choose another team")
            self._replace(game_id, avoided_seats, rows, avoided_seats.c.other == other)
            game.conversation = None
        self._games.announce_change(game_id)

    def mark_read(self, game_id: str, teams: Collection[int], up_to: int) -> None:
        """Keep that the messages up to this one were shown to who plays these teams.

        The same again, or an earlier message, changes nothing.
        """
        with self._games.open_session(game_id) as game:
            found = self.load(game_id)
            newest = min(up_to, max((one.id for one in found.messages), default=0))
            rows = [
                {"game": game_id, "team": team, "up_to": newest}
                for team in teams
                if found.read_up_to.get(team, 0) < newest
            ]
            if not rows:
                return
            self._replace(game_id, messages_read, rows)
            game.conversation = None
        self._games.announce_change(game_id)  # the other devices of who has read them

    def _replace(
        self,
        game_id: str,
        table: Table,
        rows: list[dict[str, object]],
        *conditions: ColumnElement[bool],
    ) -> None:
        """Keep rows of some teams in place of those that there are."""
        same = table.c.game == game_id, table.c.team.in_([row["team"] for row in rows])
        with self._games.transaction(game_id) as connection:
            # One after the other, where two processes do this at once for two tabs of somebody.
            connection.execute(select(games.c.id).where(games.c.id == game_id).with_for_update())
            connection.execute(delete(table).where(*same, *conditions))
            connection.execute(insert(table), rows)


def _talk_for_viewer(
    found: Conversation, teams: Collection[int], others: Collection[int], shown: list[Message]
) -> Talk:
    """Return what its viewer may know: not what others have decided about the viewer."""
    rule, announced = found.filter, found.filter.announced_teams(found.messages, teams)
    writers = {one.team for one in shown}.union(announced)
    strangers = [
        other
        for other in sorted(others)
        if rule.asks_consent
        and other not in writers
        and not rule.is_accepted(teams, other)
        and rule.find_restriction(teams, other) is None
    ]
    return Talk(
        announced=announced,
        strangers=tuple(strangers),
        muted=rule.restricted_teams(teams, Restriction.MUTE),
        blocked=rule.restricted_teams(teams, Restriction.BLOCK),
    )
