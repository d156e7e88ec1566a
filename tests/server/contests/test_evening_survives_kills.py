"""An organizer's evening: a season, a sealed knockout with breaks, and a server that is killed.

It is killed with SIGKILL while entries are open, a version is checked, a round is played, a break
lasts, the report is being written, and in the final of the season.
"""

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import select, update

from engine.result_folder import RESULT, ResultFolder
from report.folder import PUBLIC_MARK_FILE
from runners.contests.contests import TournamentChoices
from runners.contests.entries import enter
from runners.contests.ladders import Ladders
from runners.contests.ledger import State
from runners.contests.persistence import load_tournament
from runners.formats.open_ladder import PLACEMENT_SETS
from runners.match_request import RunOptions
from runners.storage.database import Database, now
from runners.storage.game_tables import leases
from runners.storage.ladder_tables import FieldRule, VersionState, notices, versions
from runners.storage.schema import DATABASE, ensure_schema
from runners.storage.store import Store
from runners.storage.tables import contests, matches
from server.contests.tournaments import Tournaments
from tests import needs
from tests.examples import at_length
from tests.server.contests.field import (
    Made,
    announced,
    enter_all,
    real_bot_in,
    results_in,
    tiny_ladder_in,
    version_in,
)
from tests.server.contests.test_season_finals import find_concluded, sets_since
from tests.shell import ENVIRONMENT, eventually

STUDENTS = at_length(30, else_=5)
ENTERED = 4
"""Of these in the knockout: two rounds."""
KINDS = ("cup has begun", "begins after the break", "cup is over", "Spring is over")
HOUR = timedelta(hours=1)
KNOCKOUT = TournamentChoices(
    format="single_elimination", games=1, rounds=None, table=2, break_minutes=1
)
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
WRITES_SLOWLY = SERVE.replace(
    "    main()",
    """
    import time
    from server.contests import tournaments

    def write_slowly(tournament, out, *_, **__):
        (out / "writing").touch()
        time.sleep(600)

    tournaments.write_report = write_slowly
    main()""",
)


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


class Evening:
    """The contests of an evening, and what is known of them."""

    def __init__(self, database: Database, out: Path) -> None:
        self.database, self.out, self.store = database, out, Store(database)
        self.season = tiny_ladder_in(
            database, name="Spring", begins_at=now() - HOUR, ends_at=now() + HOUR
        )
        self.bots = [real_bot_in(database, out, f"bot {n}") for n in range(STUDENTS)]
        enter_all(database, self.season, self.bots)
        Ladders(database).set_paused(self.season.id, is_paused=True)
        cup = announced(self.season.id, choices=KNOCKOUT, field=FieldRule.ENTERED, is_sealed=True)
        Tournaments(database, RunOptions(out=out)).announce(cup)

    def kill_when(self, holds: Callable[[], object], code: str = SERVE) -> None:
        """Serve until something holds, and kill the server then."""
        with serving(self.out, code) as process:
            assert eventually(holds)
            process.kill()
            process.wait()

    def set_contest(self, name: str, **values: object) -> None:
        self.database.write(update(contests).where(contests.c.name == name).values(values))

    def works(self, work: str) -> bool:
        """Return whether a server has begun some work."""
        query = select(leases.c.token).where(leases.c.work == work)
        return self.database.fetch_value(query) is not None

    def hand_in_newer(self, bot: Made) -> None:
        """Hand in another version of a bot, which is to be checked."""
        made = real_bot_in(
            self.database, self.out, f"of {bot.name}", "return 'LEFT'", person=bot.person
        )
        digest = self.database.fetch_value(
            select(versions.c.digest).where(versions.c.id == made.version)
        )
        version_in(
            self.database, bot, "newer", number=2, digest=digest, state=VersionState.CHECKING
        )
        this = update(versions).where(versions.c.id == "newer")
        self.database.write(this.values(ladder=self.season.id))

    def played(self) -> Counter[int]:
        """Return how many matches of each round of the cup were played."""
        found = load_tournament(self.store, "cup")
        entries = () if found is None else found.ledger()
        return Counter(one.pairing.round for one in entries if one.state is State.PLAYED)

    def is_all_told(self) -> bool:
        """Return whether everybody knows the places, and the report is there."""
        places = [words for _, words in self.told() if "took place" in words]
        is_written = (self.out / "cup" / "report" / PUBLIC_MARK_FILE).exists()
        return is_written and len(places) == ENTERED + STUDENTS

    def told(self) -> Counter[tuple[str, str]]:
        rows = self.database.fetch_all(select(notices.c.person, notices.c.words))
        return Counter((row.person, row.words) for row in rows)


@pytest.mark.slow
@pytest.mark.timeout(300)
@needs.call("signal.SIGKILL")
def test_nothing_is_lost_and_nobody_is_told_twice(tmp_path: Path) -> None:
    with closing(Database(tmp_path / DATABASE)) as database:
        ensure_schema(database)
        evening = Evening(database, tmp_path)
        play_the_cup(evening)
        play_the_final(evening)
        check(evening)


def play_the_cup(evening: Evening) -> None:
    """Let the knockout be entered, begin and be played, by servers that are killed."""
    database, (first, *others) = evening.database, evening.bots[:ENTERED]
    enter(database, "cup", first.id)
    evening.kill_when(partial(evening.works, "dispatcher"))
    for bot in others:
        enter(database, "cup", bot.id)
    evening.hand_in_newer(first)
    evening.set_contest("cup", begins_at=now(), entries_until=now())
    evening.kill_when(partial(evening.works, "checks"))
    evening.kill_when(lambda: evening.played()[1])
    evening.kill_when(lambda: any("after the break" in words for _, words in evening.told()))
    assert not evening.played()[2]
    database.write(update(matches).values(played_at=now() - HOUR))  # so the break is over


def play_the_final(evening: Evening) -> None:
    """Let the season end, and its final be played, by servers that are killed."""
    ended, writing = replace(evening.season, ends_at=now()), evening.out / "writing"
    evening.set_contest(ended.id, ends_at=ended.ends_at, is_paused=False)
    evening.kill_when(
        lambda: writing.exists() and results_in(evening.database, ended), WRITES_SLOWLY
    )
    evening.kill_when(lambda: find_concluded(evening.database, ended) and evening.is_all_told())
    sets = sets_since(evening.database, ended)
    assert len(sets) == STUDENTS
    assert all(count >= PLACEMENT_SETS for count in sets.values())


def check(evening: Evening) -> None:
    cup = load_tournament(evening.store, "cup")
    assert cup is not None
    entrants = {one.bot.name: one.bot.version for one in cup.field.entrants}
    assert entrants == {f"bot {n}": "1" if n else "2" for n in range(ENTERED)}
    assert all(one.state is State.PLAYED for one in cup.ledger())
    keys = {one.key for one in cup.ledger()}
    keys |= {row.key for row in results_in(evening.database, evening.season)}
    for key in keys:
        filed = msgspec.json.decode(
            (evening.out / ResultFolder.MATCHES / key / RESULT).read_bytes()
        )
        assert filed["first_fingerprint"] is None, "it was played to its end once"
    assert not (evening.out / ResultFolder.AGAIN).exists()
    told = evening.told()
    assert set(told.values()) == {1}
    kinds = Counter(one for _, words in told for one in KINDS if one in words)
    assert kinds == {
        "cup has begun": ENTERED,
        "begins after the break": 2,
        "cup is over": ENTERED,
        "Spring is over": STUDENTS,
    }
