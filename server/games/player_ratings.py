"""Ratings of people: what their rated games say of them, and of the bots that they met."""

import threading
from collections import defaultdict
from collections.abc import Hashable, Iterator
from operator import itemgetter

import msgspec
from msgspec.structs import replace
from sqlalchemy import func, select

from engine.catalog import find_game
from engine.game import Outcome
from runners.statistics.live_ratings import LiveRatings
from runners.statistics.scores import Score
from runners.storage.database import Database
from runners.storage.game_tables import games, owners, people, rooms
from runners.storage.together import Lookup
from server.games.game_rows import Participant
from server.identity.people import Person

IS_RATED_TEXT = '"is_rated":true'
"""What the terms of a rated game say, as they are written."""


class RatedPlayer(msgspec.Struct, frozen=True, kw_only=True):
    """A person or a bot with the rating that follows from rated games."""

    id: str
    """A person's id or a bot's digest."""
    name: str
    is_person: bool
    elo: float
    spread: float
    """Half the width of the rating's 95 % interval."""
    games: int
    is_me: bool = False


class _RatedGame(msgspec.Struct, frozen=True):
    players: tuple[str, ...]
    """A person's id or a bot's digest for each team."""
    seats: tuple[Participant, ...]
    scores: tuple[float, ...]


class PlayerRatings:
    """The ratings of people, kept until another game is over. For any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[Hashable, list[RatedPlayer]]] = {}

    def load_players(self, game: str, mark: Hashable, me: Person | None) -> list[RatedPlayer]:
        """Return all rated players of a game, the highest rating first; `me` is marked.

        `mark`: as `ratings_cache_key` has just found it.
        """
        with self._lock:
            cached = self._cache.get(game)
        if cached is None or cached[0] != mark:
            cached = mark, find_rated_players(self._database, game)
        with self._lock:
            self._cache[game] = cached
        return [
            replace(one, is_me=True) if me is not None and me.id == one.id else one
            for one in cached[1]
        ]


def ratings_cache_key(game: str) -> Lookup[Hashable]:
    """Look up what changes with a game's ratings: its games that are over, and who has left."""
    left = select(func.count()).where(people.c.deleted_at.is_not(None)).scalar_subquery()
    if find_game(game).has_designs:
        changes = select(func.count(), func.max(rooms.c.changed_at), left)
        over = changes.where(rooms.c.has_ratings.is_(True))
    else:
        over = select(func.count(), func.max(games.c.ended_at), left).where(
            games.c.game == game, games.c.is_over.is_(True)
        )
    return Lookup(over, lambda rows: tuple(rows[0]))


def find_rated_players(database: Database, game: str) -> list[RatedPlayer]:
    """Return everybody who has played rated games of a game, the highest rating first.

    A result belongs to who sat first. People who have left count for the others, and are not shown.
    """
    numbers: dict[str, int] = {}
    last_seen: dict[str, Participant] = {}
    ratings = LiveRatings()
    has_designs = find_game(game).has_designs
    found_games = _find_battles(database) if has_designs else _find_rated_games(database, game)
    for rated in found_games:
        last_seen |= zip(rated.players, rated.seats, strict=True)
        entrants = tuple(numbers.setdefault(one, len(numbers)) for one in rated.players)
        ratings.add(Score(entrants, rated.scores))
    names = _names_by_id(database)
    found: list[RatedPlayer] = []
    for player, number in numbers.items():
        one, rating = last_seen[player], ratings.get_rating(number)
        name = names.get(player) if one.is_person else one.name
        if name is not None:
            found.append(
                RatedPlayer(
                    id=player,
                    name=name,
                    is_person=one.is_person,
                    elo=rating.elo,
                    spread=rating.spread,
                    games=rating.games,
                )
            )
    return sorted(found, key=lambda player: (-player.elo, player.name))


def _find_rated_games(database: Database, game: str) -> Iterator[_RatedGame]:
    """Yield the rated games that are over, in the order in which they ended."""
    query = (
        select(games.c.id, games.c.seats, games.c.outcome)
        .where(games.c.game == game, games.c.is_over.is_(True))
        .where(games.c.terms.contains(IS_RATED_TEXT))
        .order_by(games.c.ended_at, games.c.id)
    )
    with database.reading() as connection:
        rows = connection.execute(query).all()
        owned: dict[str, dict[int, str]] = defaultdict(dict)
        for row in connection.execute(select(owners)):
            owned[row.game][row.team] = row.person
    for row in rows:
        seats = msgspec.json.decode(row.seats, type=tuple[Participant, ...])
        players = tuple(
            owned[row.id].get(team, one.digest) if one.is_person else one.digest
            for team, one in enumerate(seats, 1)
        )
        if len(set(players)) == len(players):
            outcome = msgspec.json.decode(row.outcome, type=Outcome)
            yield _RatedGame(players, seats, outcome.scores)


def _find_battles(database: Database) -> Iterator[_RatedGame]:
    """Yield the rated battles of rooms, in the order in which they ended."""
    query = select(rooms.c.content).where(rooms.c.has_ratings.is_(True))
    found = [
        battle  # a BattleResult of server/rooms/rooms.py
        for content in database.fetch_column(query)
        for battle in msgspec.json.decode(content)["results"]
        if battle["people"]
    ]
    for battle in sorted(found, key=itemgetter("ended_at")):
        people_ids = tuple(battle["people"])
        seats = (Participant(name="", digest=one, is_person=True) for one in people_ids)
        yield _RatedGame(people_ids, tuple(seats), tuple(battle["scores"]))


def _names_by_id(database: Database) -> dict[str, str]:
    """Return the names of all who have not left, by id."""
    query = select(people.c.id, people.c.name).where(people.c.deleted_at.is_(None))
    return {row.id: row.name for row in database.fetch_all(query)}
