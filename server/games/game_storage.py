"""Games of people in a database: a game is a row, and so is each of its decisions.

Whatever process takes the last order of a decision writes that decision; a second one that tries
the same is told so. Nothing that was acknowledged is lost by a kill, nor by a power cut.
"""

import secrets
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, Table, bindparam, delete, func, insert, select, update

from engine.errors import EngineFailure, UsageError
from engine.game import Ask, Outcome
from engine.spec import MatchSpec, encode_spec
from runners.storage.database import Database, DatabaseBusy, DiskFull, Stale, with_time_zone
from runners.storage.game_tables import (
    avoided_seats,
    clocks,
    decisions,
    drafts,
    games,
    keys,
    messages,
    messages_read,
    messages_wanted,
    open_games,
    orders,
    owners,
    premoves,
    rematch_wishes,
    takebacks,
    withheld_messages,
)
from runners.storage.schema import ensure_schema
from runners.storage.tables import about
from runners.storage.together import AnyRow, AnySelect
from server.games.clocks import Clock, Clocks, Kind, after_a_pause
from server.games.game_rows import (
    Participant,
    PremoveOrders,
    Premoves,
    StoredGame,
    Takeback,
    Terms,
    running_games,
    stored_game,
    terms_from,
)
from server.messages.conversations import ACCEPT, Pair

CHANNEL = "slime_mind_changes"
"""Where PostgreSQL tells of changes. Older versions, which say less of one, use another name."""
# Made once: to build a statement takes longer than to run it.
COUNT = update(games).where(games.c.id == bindparam("of"), games.c.decisions == bindparam("known"))
DROP_ORDERS = delete(orders).where(orders.c.game == bindparam("of"))
PARTS_OF_GAMES = (
    decisions,
    orders,
    clocks,
    takebacks,
    withheld_messages,
    messages,
    messages_read,
    messages_wanted,
    avoided_seats,
    rematch_wishes,
    drafts,
    premoves,
    keys,
    owners,
)
"""The tables of what belongs to a game, whoever plays it."""
MAX_CACHED_GAMES = 10_000
"""Games of which the last known change is remembered."""


class Change(NamedTuple):
    """A game was changed by one of the processes that serve it."""

    game_id: str
    version: int
    """How often it was by then."""
    is_ours: bool
    """Whether this process did it."""


class GameStorage:
    """The database of a server."""

    def __init__(self, where: Path | str) -> None:
        """`where`: a SQLite file, or the URL of a database.

        Raises: UsageError for a database of a newer version, or of something else.
        """
        self.database = Database(where)
        self._writer = secrets.token_hex(4)
        """What tells our changes from those of other processes."""
        self._versions: dict[str, int] = {}
        """The changes that we know of, by game."""
        self._written: dict[str, int] = {}
        """The newest changes that are ours, by game."""
        try:
            ensure_schema(self.database)
        except (UsageError, DatabaseBusy, DiskFull):
            self.close()
            raise
        except EngineFailure as error:
            self.close()
            raise UsageError(
                f"{self.database.name}: is no database of games, or is damaged: {error}"
            ) from error

    def close(self) -> None:
        self.database.close()

    # -- several processes --------------------------------------------------------------------

    @property
    def is_shared(self) -> bool:
        """Return whether other processes may serve the same games."""
        return self.database.path is None

    def has_changed(self, game_id: str, version: int | None = None) -> bool:
        """Return whether others have changed a game since this was asked last; then look again.

        One that they have removed is always changed. `version`: as the caller has just read it.
        """
        if not self.is_shared:
            return False
        if version is None:
            query = select(games.c.version).where(games.c.id == game_id)
            version = self.database.fetch_value(query)
        if version is None:
            return True
        if self._versions.get(game_id, -1) >= version:
            return False
        if len(self._versions) >= MAX_CACHED_GAMES:
            self._versions.clear()
        self._versions[game_id] = version
        return True

    def load_versions(self, also: Iterable[str] = ()) -> dict[str, int]:
        """Return how often each running game was changed, and each of some others.

        Those that were removed are not among them.
        """
        wanted = games.c.is_over.is_(False) | games.c.id.in_(also)
        rows = self.database.fetch_all(select(games.c.id, games.c.version).where(wanted))
        return {row.id: row.version for row in rows}

    def is_own_change(self, game_id: str, version: int) -> bool:
        """Return whether a change of a game is ours."""
        return self._written.get(game_id) == version

    def follow_changes(self, pause_s: float) -> Generator[Change | None, None, None]:
        """Yield the changes of games as they are made, and None after each pause."""
        with closing(self.database.listen(CHANNEL, pause_s)) as contents:
            for content in contents:
                if content is None:
                    yield None
                    continue
                writer, version, game_id = content.split(" ")
                yield Change(game_id, int(version), is_ours=writer == self._writer)

    @contextmanager
    def transaction(self, game_id: str) -> Iterator[Connection]:
        """Write what changes a game, so that other processes see it."""
        with self.database.transaction() as connection:
            yield connection
            version = self._note_change(connection, game_id)
        if version is not None and self._versions.get(game_id) == version - 1:
            self._versions[game_id] = version

    def note_change(self, game_id: str) -> None:
        """Let other processes look at a game again of which something else has changed."""
        with self.transaction(game_id):
            pass

    def _note_change(self, connection: Connection, game_id: str) -> int | None:
        """Return the number of the change where others are told."""
        if not self.is_shared:
            return None
        same = update(games).where(games.c.id == game_id).values(version=games.c.version + 1)
        version = connection.execute(same.returning(games.c.version)).scalar()
        if version is not None:
            if len(self._written) >= MAX_CACHED_GAMES:
                self._written.clear()
            self._written[game_id] = version
            self.database.notify(connection, CHANNEL, f"{self._writer} {version} {game_id}")
        return version

    # -- games --------------------------------------------------------------------------------

    def add_game(
        self,
        game_id: str,
        spec: MatchSpec,
        seats: Sequence[Participant],
        terms: Terms | None = None,
        *,
        rematch_of: str | None = None,
        new_teams: Mapping[int, int] | None = None,
        taken_over: Sequence[str] = (),
        acquainted: Collection[Pair] = (),
    ) -> None:
        """`taken_over`: the decisions with which it begins, of the game from which it goes on.

        `acquainted`: teams and others whose messages they read from the start.

        `new_teams`: which team of a rematch plays whoever played each team before.

        Raises: Stale if the game of which this is a rematch has one already.
        """
        now = datetime.now(UTC)
        row = {
            "decisions": len(taken_over),
            "id": game_id,
            "game": spec.game,
            "spec": encode_spec(spec).decode(),
            "seats": msgspec.json.encode(seats).decode(),
            "terms": msgspec.json.encode(terms or Terms()).decode(),
            "created_at": now,
        }
        rows = [
            {"game": game_id, "number": number, "content": content, "decided_at": now}
            for number, content in enumerate(taken_over)
        ]
        with self.database.transaction() as connection:
            connection.execute(insert(games).values(row))
            known = [
                {"game": game_id, "team": team, "other": other, "kind": ACCEPT}
                for team, other in acquainted
            ]
            for table, new in ((decisions, rows), (avoided_seats, known)):
                if new:
                    connection.execute(insert(table), new)
            self._note_change(connection, game_id)  # a bot may be the first to move
            if rematch_of is not None:
                first = update(games).where(games.c.id == rematch_of, games.c.rematch.is_(None))
                if connection.execute(first.values(rematch=game_id)).rowcount != 1:
                    raise Stale
                _take_along(connection, rematch_of, game_id, new_teams or {})
                self._note_change(connection, rematch_of)

    def find_game(self, game_id: str) -> StoredGame | None:
        row = self.database.fetch_row(select(games).where(games.c.id == game_id))
        return None if row is None else stored_game(row)

    def running_games(self, game: str | None = None) -> list[StoredGame]:
        """Return the games that are not over, of one game or of all; the newest first."""
        return self.database.find(running_games(game=game))

    def find_guest_games(self) -> list[tuple[str, bool, datetime]]:
        """Return the games of those without an account, the one that played last first.

        Not those in which somebody with an account has a seat by now.
        Of each: its id, whether it is over, and when the last decision was made.
        """
        last = select(func.max(decisions.c.decided_at)).where(decisions.c.game == games.c.id)
        at = func.coalesce(last.scalar_subquery(), games.c.created_at)
        has_owner = select(owners.c.game).where(owners.c.game == games.c.id).exists()
        query = select(games.c.id, games.c.is_over, at.label("at")).where(
            games.c.terms.contains('"is_strangers":true'), ~has_owner
        )
        rows = [
            (row.id, row.is_over, with_time_zone(row.at)) for row in self.database.fetch_all(query)
        ]
        return sorted(rows, key=lambda row: row[2], reverse=True)

    def remove_game(self, game_id: str) -> None:
        """Remove a game, and all that belongs to it."""
        with self.database.transaction() as connection:
            for table in PARTS_OF_GAMES:
                connection.execute(delete(table).where(table.c.game == game_id))
            connection.execute(delete(open_games).where(open_games.c.id == game_id))
            connection.execute(delete(games).where(games.c.id == game_id))

    def decisions(self, game_id: str, first: int = 0) -> list[str]:
        """Return what was decided, from decision number `first` on."""
        query = (
            select(decisions.c.content)
            .where(decisions.c.game == game_id, decisions.c.number >= first)
            .order_by(decisions.c.number)
        )
        return self.database.fetch_column(query)

    def save_decision(
        self,
        game_id: str,
        number: int,
        content: str,
        *,
        keeps_orders: bool,
        outcome: Outcome | None = None,
        running: Clocks | None = None,
    ) -> None:
        """Keep decision `number`, and drop the orders that waited for it. Raises: Stale.

        `keeps_orders`: it answered no ask, so that the orders go on waiting. `outcome`: how the
        game ended with it. `running` are the clocks after it.
        """
        with self.transaction(game_id) as connection:
            _count(
                connection, game_id, number, {"decisions": number + 1, **_outcome_columns(outcome)}
            )
            row = {"game": game_id, "number": number, "content": content}
            connection.execute(insert(decisions), {**row, "decided_at": datetime.now(UTC)})
            if not keeps_orders:
                connection.execute(DROP_ORDERS, {"of": game_id})
            _save_clocks(connection, game_id, running)

    def save_order(
        self, game_id: str, number: int, ask: Ask, content: str | None, running: Clocks
    ) -> None:
        """Keep an order of decision `number` until the others are in; None: drop it.

        Raises: Stale.
        """
        with self.transaction(game_id) as connection:
            _count(connection, game_id, number, {"decisions": number})
            row = {"game": game_id, "team": ask.team, "piece": ask.piece_id}
            _replace(connection, orders, row, None if content is None else {"content": content})
            _save_clocks(connection, game_id, running)

    def load_clocks(self, game_id: str) -> dict[tuple[int, int], Clock]:
        """Return a game's clocks as they were left."""
        rows = self.database.fetch_all(select(clocks).where(clocks.c.game == game_id))
        return {(row.team, row.piece): _clock_from_row(row) for row in rows}

    def save_clocks(self, game_id: str, running: Clocks) -> None:
        with self.transaction(game_id) as connection:
            _save_clocks(connection, game_id, running)

    def keep_alive(self, now: float) -> None:
        """Note that the server runs: what comes later may be time in which it was down."""
        self.database.write(update(about).values(alive_at=now))

    def pass_over_pause(self, now: float) -> None:
        """Give back to the live clocks the time in which the server was down."""
        with self.database.transaction() as connection:
            alive_at = connection.execute(select(about.c.alive_at)).scalar()
            if alive_at is None:
                return
            rows = connection.execute(
                select(clocks, games.c.terms)
                .join(games, games.c.id == clocks.c.game)
                .where(games.c.is_over.is_(False), clocks.c.since.is_not(None))
            ).all()
            for row in rows:
                if terms_from(row.terms).clock.kind is not Kind.LIVE:
                    continue
                same = (clocks.c.game == row.game, clocks.c.team == row.team)
                since = after_a_pause(_clock_from_row(row), alive_at, now).since
                connection.execute(
                    update(clocks).where(*same, clocks.c.piece == row.piece).values(since=since)
                )
            connection.execute(update(about).values(alive_at=now))

    def answer_rematch(self, game_id: str, answers: Collection[int]) -> frozenset[int]:
        """Keep which teams' players want to play again, with a minus who do not; return all."""
        with self.transaction(game_id) as connection:
            known = frozenset(connection.execute(_rematch_answers_query(game_id)).scalars())
            former = known.intersection(-answer for answer in answers)
            if former:
                where = rematch_wishes.c.game == game_id, rematch_wishes.c.team.in_(former)
                connection.execute(delete(rematch_wishes).where(*where))
            rows = [{"game": game_id, "team": answer} for answer in set(answers) - known]
            if rows:
                connection.execute(insert(rematch_wishes), rows)
        return (known - former).union(answers)

    def rematch_answers(self, game_id: str) -> frozenset[int]:
        """Return the teams whose players want to play a game again, with a minus who do not."""
        return frozenset(self.database.fetch_column(_rematch_answers_query(game_id)))

    def load_takebacks(self, game_id: str) -> dict[int, Takeback]:
        """Return who has asked to take back a move, by piece; some may be answered by a move."""
        rows = self.database.fetch_all(select(takebacks).where(takebacks.c.game == game_id))
        return {row.piece: Takeback(team=row.team, step=row.step) for row in rows}

    def save_takeback(self, game_id: str, piece: int, takeback: Takeback | None) -> None:
        """Keep who asks to take back a move; None: nobody does any more."""
        values = None if takeback is None else msgspec.structs.asdict(takeback)
        with self.transaction(game_id) as connection:
            _replace(connection, takebacks, {"game": game_id, "piece": piece}, values)

    def load_orders(self, game_id: str) -> dict[Ask, str]:
        """Return the orders for which others are still waited for."""
        rows = self.database.fetch_all(select(orders).where(orders.c.game == game_id))
        return {Ask(row.team, row.piece): row.content for row in rows}

    def save_draft(self, game_id: str, team: int, step: int, lines: str) -> None:
        values = {"step": step, "lines": lines}
        with self.database.transaction() as connection:
            _replace(connection, drafts, {"game": game_id, "team": team}, values)

    def load_draft(self, game_id: str, team: int) -> tuple[int, str] | None:
        """Return the step that a team's draft is for, and its lines."""
        condition = drafts.c.game == game_id, drafts.c.team == team
        query = select(drafts.c.step, drafts.c.lines).where(*condition)
        row = self.database.fetch_row(query)
        return None if row is None else (row.step, row.lines)

    def load_premoves(self, game_id: str) -> dict[int, Premoves]:
        """Return what was ordered ahead last, by team."""
        return {
            row.team: Premoves(
                turn=row.turn,
                orders=msgspec.json.decode(row.orders, type=PremoveOrders),
                is_sent=row.is_sent,
            )
            for row in self.database.fetch_all(select(premoves).where(premoves.c.game == game_id))
        }

    def save_premoves(self, game_id: str, team: int, saved: Premoves) -> None:
        """Keep what a team orders ahead in place of what it did before."""
        ordered = msgspec.json.encode(saved.orders).decode()
        values = {"turn": saved.turn, "orders": ordered, "is_sent": saved.is_sent}
        with self.transaction(game_id) as connection:
            _replace(connection, premoves, {"game": game_id, "team": team}, values)

    def add_key(self, key_hash: str, game_id: str, teams: Sequence[int], *, is_link: bool) -> None:
        row = {
            "hash": key_hash,
            "game": game_id,
            "teams": msgspec.json.encode(teams).decode(),
            "is_link": is_link,
        }
        self.database.write(insert(keys).values(row))

    def find_game_by_key(self, key_hash: str) -> str | None:
        """Return the game that the key of a link is for; None if there is no such key."""
        query = select(keys.c.game).where(keys.c.hash == key_hash, keys.c.is_link)
        game_id: str | None = self.database.fetch_value(query)
        return game_id

    def take_key(self, key_hash: str, game_id: str) -> tuple[int, ...]:
        """Return the teams of a link's key, which is good for once; none if it was used."""
        same = keys.c.hash == key_hash, keys.c.game == game_id, keys.c.is_link
        with self.database.transaction() as connection:
            teams = connection.execute(select(keys.c.teams).where(*same)).scalar()
            connection.execute(delete(keys).where(*same))
        return _decode_teams(teams)

    def drop_keys(self, game_id: str, team: int) -> int:
        """Drop all keys and tokens with which a team is played; return how many there were."""
        same = keys.c.game == game_id
        with self.transaction(game_id) as connection:
            rows = connection.execute(select(keys.c.hash, keys.c.teams).where(same)).all()
            found = [row.hash for row in rows if team in _decode_teams(row.teams)]
            connection.execute(delete(keys).where(keys.c.hash.in_(found)))
        return len(found)

    def find_teams(self, token_hash: str, game_id: str) -> tuple[int, ...]:
        """Return the teams that whoever has this token plays; none for one of another game."""
        same = keys.c.hash == token_hash, keys.c.game == game_id, keys.c.is_link.is_(False)
        return _decode_teams(self.database.fetch_value(select(keys.c.teams).where(*same)))


def _decode_teams(teams: str | None) -> tuple[int, ...]:
    return () if teams is None else msgspec.json.decode(teams, type=tuple[int, ...])


def _take_along(
    connection: Connection, game_id: str, rematch: str, new_teams: Mapping[int, int]
) -> None:
    """Let players of a rematch mute, block and read whom they did before."""
    query = select(avoided_seats).where(avoided_seats.c.game == game_id)
    avoided = [
        {
            "game": rematch,
            "team": new_teams[row.team],
            "other": new_teams[row.other],
            "kind": row.kind,
        }
        for row in connection.execute(query)
    ]
    wanting = select(messages_wanted.c.team).where(messages_wanted.c.game == game_id)
    wanted = [
        {"game": rematch, "team": new_teams[team]} for team in connection.execute(wanting).scalars()
    ]
    for table, rows in ((avoided_seats, avoided), (messages_wanted, wanted)):
        if rows:
            connection.execute(insert(table), rows)


def _count(connection: Connection, game_id: str, number: int, values: dict[str, object]) -> None:
    """Change a game's row if just so much was decided. Raises: Stale."""
    if connection.execute(COUNT, {"of": game_id, "known": number, **values}).rowcount != 1:
        raise Stale


def _save_clocks(connection: Connection, game_id: str, running: Clocks | None) -> None:
    if not running:
        return
    connection.execute(delete(clocks).where(clocks.c.game == game_id))
    rows = [
        {"game": game_id, "team": team, "piece": piece, **msgspec.structs.asdict(clock)}
        for (team, piece), clock in running.items()
    ]
    connection.execute(insert(clocks), rows)


def _clock_from_row(row: AnyRow) -> Clock:
    return Clock(remaining_s=row.remaining_s, since=row.since, has_decided=row.has_decided)


def _outcome_columns(outcome: Outcome | None) -> dict[str, object]:
    """Return the columns of a game that say how it ended, if it did."""
    if outcome is None:
        return {"is_over": False, "outcome": None, "ended_at": None}
    text = msgspec.json.encode(outcome).decode()
    return {"is_over": True, "outcome": text, "ended_at": datetime.now(UTC)}


def _replace(
    connection: Connection,
    table: Table,
    keys: dict[str, object],
    values: dict[str, object] | None,
) -> None:
    """Keep values in place of those that there are for some keys; None: there are none any more."""
    same = (table.c[name] == value for name, value in keys.items())
    connection.execute(delete(table).where(*same))
    if values is not None:
        connection.execute(insert(table).values({**keys, **values}))


def _rematch_answers_query(game_id: str) -> AnySelect:
    return select(rematch_wishes.c.team).where(rematch_wishes.c.game == game_id)
