"""The arena: what a server spends on a match and on a page, and how soon a bot has a result."""

from server.contests.contest_heads import ContestHeads
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import closing
from queue import SimpleQueue
from statistics import median

from sqlalchemy import select

from benchmarks.command_line import HOME
from benchmarks.harness import MS_PER_S, SETS_OF_EACH, Site, new_site, page_ms
from benchmarks.table import SMALL, Effort, Figure, Target, figure
from engine.bots.finding import Copies
from engine.bots.sandbox import Level
from engine.errors import EngineFailure
from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_ratings import Published, compute_ratings
from runners.contests.ladders import Ladders
from runners.contests.player import ContestObserver
from runners.match_request import RunOptions
from runners.storage.ladder_tables import VersionState, fixtures, players
from runners.storage.store import StoredResult
from server.bots.bots import Bots
from server.bots.checking import Checking
from server.bots.submissions import Enrollment
from server.bots.built_in_bots import BuiltInBots
from server.bots.submissions import Submissions
from server.contests.contest_pages import ContestPages
from server.contests.ladder_tables import LadderTables
from server.contests.playing_now import PlayingNow
from server.contests.reporting import Reporter
from server.contests.tournament_views import TournamentViews
from server.contests.tournaments import Tournaments
from server.bots.uploads import Sent
from server.identity.audit_log import AuditLog
from server.identity.people import People
from server.watching.running_matches import RunningMatches
from server.http.page_requests import Pages

FIELD, LISTED = 60, 1_000
WARM_UP, MATCHES, VISITS = 2, 400, 50
SETTLED_S, PATIENCE_S = 3.0, 120.0


def measure(effort: Effort) -> list[Figure]:
    """Measure the dispatcher, ratings, the page of a ladder, and handing in."""
    is_small = effort.orders < SMALL
    return [
        match_overhead(4 if is_small else FIELD, 4 if is_small else MATCHES),
        match_overhead(20 if is_small else LISTED, 4 if is_small else MATCHES),
        measure_rating(20 if is_small else LISTED),
        *measure_pages(20 if is_small else LISTED),
        *measure_first_result(),
    ]


def match_overhead(bots: int, matches: int) -> Figure:
    """Return what a match costs this process, which plays none itself: CPU time of all threads.

    Notices are written, and ratings published; those are computed by another process.
    """
    with new_site() as site:
        site.add_bots(site.new_ladder(), bots, site.add_bot())
        reporter = Reporter(site.database, LadderTables(site.database))
        played = SimpleQueue[str]()

        class Counting(ContestObserver):
            def on_match_played(
                self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
            ) -> None:
                reporter.on_match_played(match, result, quarantined)
                played.put(result.key)

            def on_ratings(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
                reporter.on_ratings_published(ladder_id, ratings)

        with site.playing(Counting()):
            for _ in range(WARM_UP):
                played.get()
            before = time.process_time()
            for _ in range(matches):
                played.get()
            used_s = time.process_time() - before
    return figure(
        f"arena, match of {bots}", "ms", MS_PER_S * used_s / matches, Target.at_most(5.0)
    ).says(f"CPU time of the server for a match of a ladder of {bots} bots")


def measure_pages(size: int) -> Iterable[Figure]:
    """Yield what the table of a large ladder costs: unchanged, and with new ratings of all bots."""
    with new_site() as site:
        ladder, database = site.new_ladder(), site.database
        version_ids = site.add_bots(ladder, size)
        site.add_matches(ladder, version_ids)
        site.rate(ladder, version_ids)
        people, tables, bots = People(database), LadderTables(database), Bots(database)
        pages, running = Pages(people, AuditLog(database)), RunningMatches(site.folder)
        tournaments = Tournaments(database, RunOptions(out=site.folder))
        views = TournamentViews(database, tournaments, running, site.folder, "")
        playing = PlayingNow(pages, database, tables, running)
        heads = ContestHeads(tables, views)
        contests = ContestPages(pages, database, tables, tournaments, views, heads, bots, playing)

        def visit() -> float:
            return page_ms(contests.routes, people, "/contests/{id}", id=ladder.id)

        visit()
        again = [visit() for _ in range(VISITS)]
        changed = []
        for _ in range(VISITS // 5):
            site.rate(ladder, version_ids)
            changed.append(visit())
    yield figure("arena, page", "ms", median(again), Target.at_most(20.0)).says(
        f"CPU time of the page of a ladder of {size} bots"
    )
    yield figure("arena, page anew", "ms", median(changed), Target.at_most(20.0)).says(
        "the same, after all ratings have changed"
    )


def measure_rating(size: int) -> Figure:
    """Return how long the ratings of a large ladder take, in the process that computes them."""
    with new_site() as site:
        ladder = site.new_ladder()
        site.add_matches(ladder, site.add_bots(ladder, size))
        with site.database.reading() as connection:
            before = time.process_time()
            compute_ratings(connection, ladder.id)
            used_s = time.process_time() - before
    return figure("arena, ratings", "s", used_s, Target.at_most(2.0)).says(
        f"CPU time of the ratings of {size} bots from {SETS_OF_EACH * size} matches"
    )


def measure_first_result() -> Iterable[Figure]:
    """Yield how long it takes until a bot that is handed in is accepted, and has a result."""
    with (
        new_site() as site,
        closing(Checking(site.database, site.folder, Level.DEFAULT)) as checking,
    ):
        author = _Author(site, checking)
        checking.start()
        with site.playing():
            time.sleep(SETTLED_S)  # not a server that has yet to begin
            begun = time.monotonic()
            version = author.hand_in()
            accepted_s = _seconds_until(lambda: author.is_active(version), begun)
            result_s = _seconds_until(lambda: author.has_result(version), begun)
    for name, what, seconds in (
        ("arena, accepted", "it is accepted and has played its first match", accepted_s),
        ("arena, first result", "its first result on the ladder", result_s),
    ):
        yield figure(name, "s", seconds, Target.at_most(10.0)).says(
            f"from handing in a bot of Slime Mind until {what}"
        )


class _Author:
    """Hands in a bot, to a site on which the house plays, and looks what becomes of it."""

    def __init__(self, site: Site, checking: Checking) -> None:
        self._database = site.database
        self._bots = Bots(site.database)
        copies, built_in = Copies(site.folder / "bots"), BuiltInBots(site.database, site.folder)
        for ladder in Ladders(site.database).ensure_usual():
            built_in.enter(ladder)
        self._person = site.join("Ann")
        pages = Pages(People(site.database), AuditLog(site.database))
        enrollment = Enrollment(site.database, self._bots, copies)
        self._submissions = Submissions(pages, self._bots, copies, enrollment, checking.wake)

    def hand_in(self) -> str:
        """Hand in a starter bot; return the id of its version."""
        sent = Sent("player_mine.py", (HOME / "playerCode" / "player_two.py").read_bytes())
        form = {"game": "slime_mind", "name": "mine"}
        return self._submissions.take(self._person, [sent], form, "").version.id

    def is_active(self, version_id: str) -> bool:
        found = self._bots.version(version_id)
        return found is not None and found.state is VersionState.ACTIVE

    def has_result(self, version_id: str) -> bool:
        query = (
            select(players.c.fixture)
            .join(fixtures, fixtures.c.id == players.c.fixture)
            .where(players.c.version == version_id, fixtures.c.has_result)
        )
        with self._database.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None


def _seconds_until(holds: Callable[[], bool], begun: float) -> float:
    while not holds():
        if time.monotonic() - begun > PATIENCE_S:
            raise EngineFailure(f"nothing came of a bot within {PATIENCE_S} s")
        time.sleep(0.02)
    return time.monotonic() - begun
