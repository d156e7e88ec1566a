"""A ladder of sixty bots is played by a server that is killed, and so are its processes."""

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select

from engine.result_folder import RESULT, ResultFolder
from server.arena.ladders import Ladder, Ladders
from server.arena.rating import latest, mark_of, ratings_of
from server.arena.tables import VersionState, fixtures, players, versions
from server.database import DATABASE, Database
from server.schema import ensure_schema
from tests.engine.bots.matches import children_of
from tests.server.arena.field import enter_all, real_bot_in, results_in, tiny_ladder_in
from tests.shell import ENVIRONMENT, eventually

SOUND, BROKEN = 45, 15
MOVES = ("LEFT", "RIGHT", "UP", "DOWN", "BITEUP", "BITELEFT", "SPLITUP", "SPLITLEFT")
FAULTS = (
    "import os; os._exit(1)",
    "raise ValueError('broken')",
    "return 'FLY'",
    "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "return 'x' * 100_000",
)
MATCHES, KILLS = 300, 6
SERVE = """
import cli  # first, as it sets the environment
from cli.main import main
from server.arena import ending_executor, publishing

if __name__ == "__main__":
    # A machine that runs other tests is never idle.
    ending_executor.NICENESS = publishing.NICENESS = 0
    main()
"""


@contextmanager
def serving(out: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Serve a folder from a process of its own."""
    options = ["--out", str(out), "serve", "--port", "0", "--workers", "2"]
    with subprocess.Popen(
        [sys.executable, "-c", SERVE, *options], env=ENVIRONMENT, stdout=subprocess.DEVNULL
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def new_field(database: Database, out: Path) -> Ladder:
    ladder = tiny_ladder_in(database)
    decides = [f"return {MOVES[n % len(MOVES)]!r}" for n in range(SOUND)]
    decides += [FAULTS[n % len(FAULTS)] for n in range(BROKEN)]
    bots = [real_bot_in(database, out, f"bot {n}", decide) for n, decide in enumerate(decides)]
    enter_all(database, ladder, bots)
    return ladder


def has_played(database: Database, ladder: Ladder, matches: int) -> bool:
    return len(results_in(database, ladder)) >= matches


def is_rated(database: Database, ladder: Ladder) -> bool:
    """Return whether the published ratings are those of all results."""
    with database.reading() as connection:
        count, _ = mark_of(connection, ladder.id)
        known = latest(connection, ladder.id)
    return sum(one.games for one in known.values()) == 2 * count


@pytest.mark.slow
def test_nothing_is_lost_and_nothing_counts_twice(tmp_path: Path) -> None:
    with closing(Database(tmp_path / DATABASE)) as database:
        ensure_schema(database)
        ladder = new_field(database, tmp_path)
        for number in range(KILLS):
            goal = MATCHES * (number + 1) // KILLS
            with serving(tmp_path) as process:
                assert eventually(partial(has_played, database, ladder, goal - 20))
                for child in children_of(process.pid):
                    os.kill(child, signal.SIGKILL)
                assert eventually(partial(has_played, database, ladder, goal))
                # The server itself is killed in the middle of what it does.
        with serving(tmp_path) as process:
            assert eventually(lambda: len(quarantined(database)) > 0)
            Ladders(database).change(msgspec.structs.replace(ladder, is_paused=True))
            assert eventually(partial(is_rated, database, ladder))
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        check(database, ladder, tmp_path)


def check(database: Database, ladder: Ladder, out: Path) -> None:
    rows = results_in(database, ladder)
    with database.reading() as connection:
        everything = connection.execute(select(fixtures)).all()
        seats = Counter(connection.execute(select(players.c.fixture)).scalars())
        at_once, kept = ratings_of(connection, ladder.id), latest(connection, ladder.id)
    assert len({row.key for row in everything}) == len(everything)
    assert set(seats.values()) == {2}
    assert len(seats) == len(everything)
    assert set(Counter(row.set_number for row in everything).values()) == {2}
    assert {row.why for row in everything} <= {"", "one of its bots plays no more"}
    for row in rows:
        filed = msgspec.json.decode((out / ResultFolder.MATCHES / row.key / RESULT).read_bytes())
        kept_result = msgspec.json.decode(row.result)
        assert filed["fingerprint"] == kept_result["fingerprint"]
        assert filed["first_fingerprint"] is None  # it was played to its end once
    assert not (out / ResultFolder.AGAIN).exists()
    assert {version: one.games for version, one in at_once.items()} == {
        version: one.games for version, one in kept.items()
    }
    for version, rating in at_once.items():
        assert msgspec.structs.replace(rating, at=kept[version].at) == kept[version]


def quarantined(database: Database) -> list[str]:
    query = select(versions.c.id).where(versions.c.state == VersionState.QUARANTINED)
    with database.reading() as connection:
        return list(connection.execute(query).scalars())
