"""What was acknowledged and is not there, looked up in the database and the results."""

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from sqlalchemy import func, select

from engine.replays.reading import Replay
from engine.replays.verifying import verify
from engine.result_folder import RESULT, ResultFolder
from runners.contests.ledger import State
from runners.contests.persistence import load_tournament
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState, fixtures, players
from runners.storage.store import Store
from server.bots.bots import Bots
from server.games.game_sessions import GameSession
from server.games.game_storage import GameStorage
from tests.soak.visitors import Author, Player, Site


def find_lost_orders(site: Site, table: Sequence[Player], folder: Path) -> Iterator[str]:
    """Yield the acknowledged orders that are not in the games, and games that are not whole."""
    with closing(GameStorage(site.url)) as storage:
        for player in table:
            made = defaultdict(list)
            for game, board, ply, move in player.acknowledged:
                made[game].append((board, ply, move))
            for game, orders in made.items():
                stored = storage.find_game(game)
                if stored is None:
                    yield f"game {game}"
                    continue
                room = GameSession(stored, storage)
                played: dict[int, list[str]] = {1: [], 2: []}
                for decision in room.decisions:
                    assert decision.ask is not None
                    played[decision.ask.piece_id].append(decision.orders[0].move)
                for board, ply, move in orders:
                    if played[board][ply : ply + 1] != [move]:
                        yield f"order {move} of game {game}"
                room.record(folder / f"{game}.replay")
                if (wrong := verify(Replay(folder / f"{game}.replay"))) is not None:
                    yield f"game {game}: {wrong}"


def count_results(url: str | Path) -> int:
    """Return how many results the ladders of a database have."""
    with closing(Database(url)) as database:
        return int(database.fetch_value(select(func.count()).where(fixtures.c.has_result)))


def find_lost_results(url: str | Path, outs: Sequence[Path]) -> Iterator[str]:
    """Yield the results that count twice, or that are without their match on any host.

    `outs`: the folders of the hosts.
    """
    with closing(Database(url)) as database:
        rows = database.fetch_all(select(fixtures).where(fixtures.c.has_result))
        counted = select(players.c.fixture, func.count().label("seats"))
        rows_of = database.fetch_all(counted.group_by(players.c.fixture))
        seats = {row.fixture: row.seats for row in rows_of}
    doubled = len(rows) - len({row.key for row in rows})
    if doubled:
        yield f"{doubled} results counted twice"
    for row in rows:
        if seats.get(row.id) != len(json.loads(row.seats)):
            yield f"fixture {row.id} counts for {seats.get(row.id)} seats"
        if not _is_filed(outs, row.key):
            yield f"the match of fixture {row.id}"


def find_tournament_losses(site: Site, name: str, outs: Sequence[Path]) -> Iterator[str]:
    """Yield what a tournament lacks that should be over by now."""
    with closing(Database(site.url)) as database:
        tournament = load_tournament(Store(database), name)
        assert tournament is not None
        entries = list(tournament.ledger())
    lacking = sum(entry.state is State.OPEN for entry in entries)
    if lacking:
        yield f"{lacking} of {len(entries)} matches of {name}"
    for entry in entries:
        if entry.result is not None and not _is_filed(outs, entry.key):
            yield f"the match {entry.key} of {name}"


def _is_filed(outs: Sequence[Path], key: str) -> bool:
    """Return whether a match is in the folder of any host."""
    return any((out / ResultFolder.MATCHES / key / RESULT).is_file() for out in outs)


def find_lost_bots(site: Site, author: Author) -> Iterator[str]:
    """Yield the bots that were accepted, and are not there or were never checked."""
    with closing(Database(site.url)) as database:
        bots = Bots(database)
        for path in author.accepted:
            bot_id, _, number = path.partition("/bots/")[2].partition("/versions/")
            version = bots.find_version(bot_id, int(number))
            if version is None:
                yield f"bot {path}"
            elif version.state is not VersionState.ACTIVE:
                yield f"bot {path} is {version.state.value}: {version.why}"
