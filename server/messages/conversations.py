"""The messages of games: they are taken, kept and shown, and players say whose they read."""

from collections.abc import Callable, Collection, Iterable
from contextlib import AbstractContextManager
from typing import NamedTuple, Protocol

import msgspec
from sqlalchemy import ColumnElement, Connection, Table, delete, insert, select

from engine.support.sanitizing import make_printable
from runners.storage.database import Database
from runners.storage.game_tables import (
    avoided_seats,
    games,
    messages,
    messages_read,
    messages_wanted,
    withheld_messages,
)
from server.http.errors import ActionRefused, TooMany
from server.messages.block_list import Restriction
from server.messages.message_filter import ACCEPT, Conversation, Message, load_conversation

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
