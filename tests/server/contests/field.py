"""An arena for tests: people, bots with versions, and ladders in a real database."""

import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection, insert, select

from engine.bots.finding import Copies, read_bot
from engine.catalog import find_game
from engine.play_options import PlayOptions
from engine.referee import Job
from runners.contests.contests import (
    Ladder,
    SavedTournament,
    TournamentChoices,
    new_ladder_id,
    usual_spec,
)
from runners.contests.entries import enter
from runners.contests.ladder_contest import LadderContest, LadderMatch, OnPlayed
from runners.contests.ladder_fixtures import WITH_RESULTS, LadderFixture, LadderFixtures
from runners.contests.ladder_ratings import Published, publish
from runners.contests.ladders import Ladders
from runners.contests.player import ContestObserver, ContestPlayer
from runners.contests.playing import Contest, MatchQueue, play_contests
from runners.execution.executor import Result
from runners.execution.pool import Pool
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.ladder_tables import (
    FieldRule,
    VersionState,
    bots,
    fixtures,
    notices,
    players,
    versions,
)
from runners.storage.store import StoredResult
from runners.storage.tables import matches
from server.identity.people import Kind, People
from tests.engine.bots.matches import DUEL, GAME, LENIENT, a_bot
from tests.runners.contests.executors import MadeUpExecutor, a_draw
from tests.runners.contests.fields import a_result
from tests.shell import eventually

CHOICES = TournamentChoices(format="round_robin", games=1, rounds=None, table=2)


class Made(msgspec.Struct, frozen=True, kw_only=True):
    """A bot that was made for a test, with one active version."""

    id: str
    name: str
    person: str
    version: str


def person_in(database: Database, name: str) -> str:
    """Return the id of a new person."""
    people = People(database)
    key = people.new_link(Kind.PERSON, made_by=None, good_for=timedelta(days=1))
    return people.join(key, name, None).id


def bot_in(
    database: Database,
    person: str,
    name: str,
    *,
    game: str = "slime_mind",
    digest: str | None = None,
) -> Made:
    """Add a bot with one version that is active; no two have the same files unless that is said."""
    made = Made(id=secrets.token_hex(8), name=name, person=person, version=secrets.token_hex(8))
    database.write(
        insert(bots).values(
            id=made.id,
            person=person,
            game=game,
            name=name,
            name_key=name,
            is_open=False,
            created_at=now(),
        )
    )
    version_in(database, made, made.version, digest=digest)
    return made


def version_in(
    database: Database,
    bot: Made,
    version: str,
    *,
    number: int = 1,
    digest: str | None = None,
    state: VersionState = VersionState.ACTIVE,
) -> None:
    """Add a version of a bot."""
    database.write(
        insert(versions).values(
            id=version,
            bot=bot.id,
            number=number,
            digest=digest or version,
            size=100,
            state=state,
            why="",
            handed_in_at=now(),
            person=bot.person,
        )
    )


def ladder_in(database: Database, game: str = "slime_mind", **fields: Any) -> Ladder:
    """Add a ladder that has begun."""
    at = now()
    usual = Ladder(
        id=new_ladder_id(),
        name=f"ladder {secrets.token_hex(2)}",
        spec=usual_spec(find_game(game)),
        begins_at=at,
        created_at=at,
    )
    ladder = msgspec.structs.replace(usual, **fields)
    Ladders(database).add(ladder)
    return ladder


def add_match(database: Database, ladder_id: str, *bots: Made, **fields: Any) -> int:
    """Add a match of a ladder, played just now unless `fields` say otherwise; return its number."""
    seats = msgspec.json.encode([bot.version for bot in bots]).decode()
    row = {"ladder": ladder_id, "set_number": 1, "seats": seats, "seed": "1", "key": "k"}
    at = now()
    row |= {"has_result": True, "created_at": at, "played_at": at} | fields
    with database.transaction() as connection:
        key = connection.execute(insert(fixtures).values(row)).inserted_primary_key
        assert key is not None
        for seat, bot in enumerate(bots, 1):
            player = {"fixture": key[0], "seat": seat, "version": bot.version}
            connection.execute(insert(players).values(player))
    return int(key[0])


def announced(ladder: str, name: str = "cup", **changes: Any) -> SavedTournament:
    """Return a tournament of all bots of a ladder, by its id, that begins in an hour."""
    at = now() + timedelta(hours=1)
    usual = {"choices": CHOICES, "field": FieldRule.EVERYBODY, "entries_until": at, "begins_at": at}
    fields = {"name": name, "ladder": ladder, "created_at": now(), **usual, **changes}
    return SavedTournament(**fields)


def tiny_ladder_in(database: Database, **fields: Any) -> Ladder:
    """Add a ladder of matches of three turns, in which no honest bot is late."""
    limits = msgspec.structs.replace(LENIENT, max_restarts=1)
    spec = msgspec.structs.replace(usual_spec(GAME), settings=DUEL, limits=limits)
    return ladder_in(database, spec=spec, **fields)


def real_bot_in(
    database: Database, out: Path, name: str, decide: str = "return None", *, person: str = ""
) -> Made:
    """Add a bot that can be played, of an author of its own unless that is said."""
    bot = read_bot(a_bot(out / "sources" / name, f"name = {name!r}\n{decide}"))
    Copies(out / "bots").save(bot)
    author = person or person_in(database, f"author of {name}")
    return bot_in(database, author, name, digest=bot.digest)


def bots_in(database: Database, *names: str, game: str = "slime_mind") -> list[Made]:
    """Add bots that nobody can play, each of an author of its own."""
    return [bot_in(database, person_in(database, f"of {one}"), one, game=game) for one in names]


def tiny_field(
    database: Database, out: Path, *names: str, decide: str = "return None", **fields: Any
) -> tuple[Ladder, list[Made]]:
    """Add a tiny ladder, and bots that can be played on it, each of an author of its own."""
    ladder = tiny_ladder_in(database, **fields)
    made = [real_bot_in(database, out, name, decide) for name in names]
    enter_all(database, ladder, made)
    return ladder, made


def enter_all(database: Database, ladder: Ladder, bots_made: Iterable[Made]) -> None:
    """Let bots into a ladder."""
    for bot in bots_made:
        enter(database, ladder.id, bot.id)


class NotingObserver(ContestObserver):
    """Keeps what fails."""

    def __init__(self, on_played: OnPlayed = lambda *_: None) -> None:
        """`on_played`: told of each match of a ladder, and who went into quarantine by it."""
        self.failures: list[str] = []
        self._on_played = on_played

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        self._on_played(match, result, quarantined)

    def on_failure(self, message: str) -> None:
        self.failures.append(message)


@contextmanager
def playing(
    database: Database, out: Path, workers: int = 1, on_played: OnPlayed = lambda *_: None
) -> Iterator[ContestPlayer]:
    """Play contests meanwhile; what fails in it fails the test."""
    noting = NotingObserver(on_played)
    player = ContestPlayer(database, RunOptions(out=out, workers=workers), noting)
    player.start()
    try:
        yield player
    finally:
        player.close()
    assert noting.failures == []


def play_until(database: Database, out: Path, ladder: Ladder, count: int) -> list[Any]:
    """Play until so many matches of a ladder have a result; return the fixtures that do."""
    with playing(database, out):
        assert eventually(lambda: len(results_in(database, ladder)) >= count)
    return results_in(database, ladder)


def contest_of(
    database: Database,
    ladder: Ladder,
    on_played: OnPlayed = lambda *_: None,
    on_failure: Callable[[BaseException], object] = lambda _: None,
) -> LadderContest:
    """Return a ladder as it is played."""
    return LadderContest(database, ladder, PlayOptions(), on_played, on_failure)


def play_on_paper(
    contest: Contest[Any], count: int, comes: Callable[[Job], Result] = a_draw
) -> list[Job]:
    """Let so many matches of a contest come out as `comes` says; return what was to be played."""
    executor, queue = MadeUpExecutor(comes, workers=1), MatchQueue(contest)
    with Pool(executor) as pool:
        for _ in play_contests(pool, lambda: [queue] if len(executor.jobs) < count else []):
            pass
    return executor.jobs


def play_set(
    database: Database, ladder: Ladder, seed: int = 1, scores: Sequence[float] = (1.0, 0.0)
) -> list[LadderFixture]:
    """Let everybody on a ladder meet on one map, with these scores by seat."""
    known = LadderFixtures(database)
    drawn = known.add_set(ladder, known.find_contenders(ladder.id), seed)
    for fixture in drawn:
        known.save_result(fixture, a_result(fixture.key, scores), ladder.spec.game)
    return drawn


def rate(
    database: Database,
    ladder_id: str,
    elos: Mapping[str, float],
    at: datetime | None = None,
    pinned: datetime | None = None,
) -> dict[str, Published]:
    """Publish ratings after ten games, by version."""
    at = at or now()
    found = {
        version: Published(version=version, at=at, games=10, elo=elo, low=elo - 9, high=elo + 9)
        for version, elo in elos.items()
    }
    publish(database, ladder_id, found, at, pinned=pinned)
    return found


def keep_result(connection: Connection, key: str, result: str) -> None:
    """Add a result, JSON, under the key of a match."""
    row = {"key": key, "game": "slime_mind", "result": result, "played_at": now()}
    connection.execute(insert(matches).values(row))


def read_notices(database: Database, person: str) -> list[str]:
    """Return what somebody was told, in order."""
    query = select(notices.c.words).where(notices.c.person == person)
    return database.fetch_column(query.order_by(notices.c.id))


def results_in(database: Database, ladder: Ladder) -> list[Any]:
    """Return the fixtures of a ladder that have a result, in their order."""
    query = select(fixtures, matches.c.result).select_from(WITH_RESULTS)
    mine = query.where(fixtures.c.ladder == ladder.id, fixtures.c.has_result)
    return list(database.fetch_all(mine.order_by(fixtures.c.id)))
