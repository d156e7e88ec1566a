"""A ladder of sixty bots is played by servers that are killed, and so are their processes.

With `LADDER_MATCHES=5000` in the environment it plays as many, which takes some ten minutes.
"""

import os
import secrets
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
from sqlalchemy import func, select, update

from engine.result_folder import RESULT, ResultFolder
from runners.contests.contests import Ladder
from runners.contests.ladder_ratings import compute_ratings, find_latest_ratings, results_mark
from runners.contests.ladders import Ladders
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState, fixtures, players, versions
from runners.storage.schema import DATABASE, ensure_schema
from tests import needs
from tests.engine.bots.matches import find_children
from tests.examples import at_length
from tests.processes import kill
from tests.server.contests.field import (
    Made,
    enter_all,
    real_bot_in,
    results_in,
    tiny_ladder_in,
    version_in,
)
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
MATCHES = int(os.environ.get("LADDER_MATCHES", at_length(300, else_=200)))
ROUNDS = max(3, MATCHES // 250)
"""In each of them all workers are killed once, and then two servers."""
TIMEOUT_S = 300 + MATCHES
FEW = 10
"""Matches that are played before our patience ends."""
LOOKS = 6
"""Ratings of many versions are computed seldom: so often our patience may end."""
SERVE = """
import cli  # first, as it sets the environment
from cli.main import main
from runners.contests import publishing
from runners.execution import pool

if __name__ == "__main__":
    # A machine that runs other tests is never idle.
    pool.NICENESS = publishing.NICENESS = 0
    main()
"""


@contextmanager
def serving(out: Path, code: str = SERVE) -> Iterator["subprocess.Popen[bytes]"]:
    """Serve a folder from a process of its own, which runs this."""
    options = ["--out", str(out), "serve", "--port", "0", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-c", code, *options], env=ENVIRONMENT, stdout=subprocess.DEVNULL
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


def count_played(database: Database, ladder: Ladder) -> int:
    query = select(func.count()).where(fixtures.c.ladder == ladder.id, fixtures.c.has_result)
    return int(database.fetch_value(query))


def is_rated(database: Database, ladder: Ladder) -> bool:
    """Return whether the published ratings are those of all results."""
    with database.reading() as connection:
        count, _ = results_mark(connection, ladder.id)
        known = find_latest_ratings(connection, ladder.id)
    return sum(one.games for one in known.values()) == 2 * count


@pytest.mark.slow
@pytest.mark.timeout(TIMEOUT_S)
@needs.call("signal.SIGKILL")
def test_nothing_is_lost_and_nothing_counts_twice(tmp_path: Path) -> None:
    with closing(Database(tmp_path / DATABASE)) as database:
        ensure_schema(database)
        ladder = new_field(database, tmp_path)
        have_broken = 0
        for number in range(ROUNDS):
            play_and_kill(database, ladder, tmp_path, number * MATCHES // ROUNDS)
            have_broken += hand_in_again(database)
        assert have_broken > 0
        with serving(tmp_path) as process:
            assert wait_until_played(database, ladder, MATCHES)
            Ladders(database).set_paused(ladder.id, True)
            assert any(eventually(partial(is_rated, database, ladder)) for _ in range(LOOKS))
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        check(database, ladder, tmp_path)


def play_and_kill(database: Database, ladder: Ladder, out: Path, begun: int) -> None:
    """Kill the workers, then the server that plays, then the one that plays in its place."""
    step = MATCHES // ROUNDS // 3
    with serving(out) as first:
        assert wait_until_played(database, ladder, begun + step)
        for child in find_children(first.pid):
            kill(child)
        assert wait_until_played(database, ladder, begun + 2 * step)
        first.kill()
        first.wait()
    with serving(out) as second:
        assert wait_until_played(database, ladder, begun + 3 * step)
        second.kill()
        second.wait()


def hand_in_again(database: Database) -> int:
    """Let the authors of bots that broke hand them in anew, as broken as before; how many do."""
    is_broken = versions.c.state == VersionState.QUARANTINED
    rows = database.fetch_all(select(versions).where(is_broken))
    for row in rows:
        former = update(versions).where(versions.c.id == row.id)
        database.write(former.values(state=VersionState.FORMER))
        made = Made(id=row.bot, name="", person="", version="")
        another = secrets.token_hex(8)
        version_in(database, made, another, number=row.number + 1, digest=row.digest)
    return len(rows)


def wait_until_played(database: Database, ladder: Ladder, matches: int) -> bool:
    """Wait until so many matches are played, as long as more and more of them are."""

    def has_played(count: int) -> bool:
        return count_played(database, ladder) >= count

    steps = (*range(count_played(database, ladder), matches, FEW), matches)
    return all(eventually(partial(has_played, count)) for count in steps)


def check(database: Database, ladder: Ladder, out: Path) -> None:
    rows = results_in(database, ladder)
    with database.reading() as connection:
        everything = connection.execute(select(fixtures)).all()
        seats = Counter(connection.execute(select(players.c.fixture)).scalars())
        at_once = compute_ratings(connection, ladder.id)
        saved = find_latest_ratings(connection, ladder.id)
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
    assert set(at_once) == set(saved)
    for version, rating in at_once.items():
        assert msgspec.structs.replace(rating, at=saved[version].at) == saved[version]
