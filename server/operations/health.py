"""How a server is: for its organizers as a page, for those who watch over it as figures."""

import ipaddress
import shutil
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from http import HTTPStatus
from pathlib import Path

import msgspec
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy import ColumnElement, func, literal, select, union_all
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from engine.errors import EngineFailure
from engine.fault import Cause
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.contests.contests import Ladder, find_ladders
from runners.contests.ladder_fixtures import HAS_FAILED
from runners.contests.player import ContestPlayer
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import games, people, people_groups
from runners.storage.ladder_tables import VersionState, bots, fixtures, players, versions
from runners.storage.tables import IS_LADDER, contests, matches
from runners.storage.together import Lookup, Rows, only_value
from server.http.errors import Denied
from server.http.limits import LIMITS
from server.http.metrics import METRIC_PREFIX, Network, RequestMetrics
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part, Report
from server.http.permissions import Permission
from server.identity.names import RESERVED, skeletons
from server.identity.people import BUILT_IN_OWNER
from server.operations.results_folder import ResultsFolder

DAY = timedelta(days=1)
MAX_RESULTS_READ = 5_000
"""Results of the last day in which faults are counted, the newest first."""
THREAD_NAMES = ("dispatcher", "checks", "tournaments")
"""The first words of the names of the threads that a server has."""
LITTLE_DISK = 1 << 30
"""Free bytes below which somebody should look."""
MS_PER_S = 1_000
LONG_S = 3_600.0
"""Age of a fixture, or of a check, above which somebody should look."""


class Health(msgspec.Struct, frozen=True, kw_only=True):
    """How a server is at a moment."""

    parts: Mapping[str, bool]
    """Whether each thread that this process should have runs; a process of pages alone has none."""
    workers: int
    open_fixtures: int
    """Matches to be played of the ladders that are running."""
    oldest_s: float | None
    """The age of the oldest fixture that is yet to be played; None without one."""
    played: int
    played_today: int
    """Within 24 hours."""
    failed_today: int
    """Matches that were given up within 24 hours, since they could not be played."""
    faults_today: Mapping[Cause, int]
    checking: int
    """Versions that are being checked, or wait for it."""
    oldest_check_s: float | None
    games: int
    """Games of people that run."""
    disk_free: int
    disk_total: int
    database_bytes: int
    vanished: str = ""
    """That the folder of results is not there; empty if it is."""
    unwritable: str = ""
    """Why the database could not be written the last time; empty if it could."""
    database_s: float = 0.0
    """How long it took to read all this."""
    match_cpu_s_today: float = 0.0
    """CPU time of the bots in the matches of 24 hours."""
    limits_met: Mapping[str, int] = {}
    """How often this process has refused something for each rate limit."""

    @property
    def alarms(self) -> list[str]:
        """Return what somebody should look at, in sentences."""
        return list(_alarm_texts(self))


class _Team(msgspec.Struct):
    faults: dict[Cause, int]


class _Faults(msgspec.Struct):
    """What a kept result says of faults."""

    teams: tuple[_Team, ...]


_faults = msgspec.json.Decoder(_Faults)


class HealthPages(Part):
    """The page of organizers, and what programs read."""

    def __init__(
        self,
        pages: Pages,
        database: Database,
        out: Path,
        player: ContestPlayer,
        results: ResultsFolder,
        report: Report,
    ) -> None:
        """`player`: what plays here, if this process does."""
        self._pages = pages
        self._database = database
        self._out = out
        self._player = player
        self._report = report
        self._results = results
        self._parts: Sequence[str] = ()

    def start(self) -> None:
        """Expect, from now on, that this process has the threads that play and check.

        Names that an older version gave are reported if they are refused now.
        """
        self._parts = THREAD_NAMES
        if alike := self._database.find(look_alike_names()):
            message = f"names look alike (see /admin/health): {'; '.join(alike)}"
            self._report(one_line(message))

    @property
    def routes(self) -> Sequence[Route]:
        route = self._pages.route
        return [
            self._pages.reading_route("/admin/health", Permission.ORGANIZER, self._health_page),
            route("/healthz", Permission.ANYBODY, self._is_ready),
            route("/healthz/ready", Permission.ANYBODY, self._is_ready),
            route("/healthz/live", Permission.ANYBODY, self._is_live),
            route("/metrics", Permission.ANYBODY, self._send_metrics),
        ]

    def measure_health(self, at: datetime, ladders: Iterable[Ladder]) -> Health:
        """Return how the server is, with these ladders. Raises: EngineFailure."""
        is_there = self._results.is_there()
        disk = shutil.disk_usage(self._out if is_there else Path("/"))
        threads = {thread.name.partition(" ")[0] for thread in threading.enumerate()}
        began = time.perf_counter()
        running = [one.id for one in ladders if one.is_running(at)]
        has_result, is_new = fixtures.c.has_result, fixtures.c.played_at > at - DAY
        # Nothing waits on ladders that are paused.
        is_open = fixtures.c.played_at.is_(None) & fixtures.c.is_void.is_(False)
        to_play = is_open & fixtures.c.ladder.in_(running)
        to_check = versions.c.state == VersionState.CHECKING
        size, games_running, backlog, faults, cpu_ms, played, new, failed, unchecked = (
            self._database.read(
                self._database.size_bytes(),
                _count(games.c.is_over.is_(False)),
                _find_waiting(to_play, fixtures.c.created_at, at),
                _fault_counts(has_result & is_new),
                _cpu_ms(has_result & is_new),
                _count(has_result),
                _count(has_result & is_new),
                _count(HAS_FAILED & is_new),
                _find_waiting(to_check, versions.c.handed_in_at, at),
            )
        )
        open_fixtures, oldest_s = backlog
        checking, oldest_check_s = unchecked
        health = Health(
            parts={part: part in threads for part in self._parts},
            workers=self._player.workers if self._parts else 0,
            vanished="" if is_there else self._results.words,
            disk_free=disk.free if is_there else 0,
            disk_total=disk.total,
            database_bytes=size,
            unwritable=self._database.writes.failure,
            games=games_running,
            match_cpu_s_today=cpu_ms / MS_PER_S,
            played=played,
            played_today=new,
            failed_today=failed,
            faults_today=faults,
            limits_met=self._pages.limits.met,
            open_fixtures=open_fixtures,
            oldest_s=oldest_s,
            checking=checking,
            oldest_check_s=oldest_check_s,
        )
        return msgspec.structs.replace(health, database_s=time.perf_counter() - began)

    def _health_page(self, request: PageRequest) -> Response:
        ladders, alike = request.read(find_ladders(), look_alike_names())
        health = self.measure_health(now(), ladders)
        met = [(limit, n) for limit in LIMITS if (n := health.limits_met[limit.name])]
        return request.html("admin_health.html", health=health, met=met, alike=alike)

    def _is_live(self, request: PageRequest) -> Response:
        """Say that this process answers: whoever hears nothing may start it again."""
        return _json_response({"ok": True}, HTTPStatus.OK)

    def _is_ready(self, request: PageRequest) -> Response:
        """Say whether requests can be answered; if not, they go to other processes.

        The database must be readable, and the folder of results be there.
        """
        try:
            self._database.fetch_all(select(func.count()).select_from(versions))
        except EngineFailure:
            is_ready = False
        else:
            is_ready = self._results.is_there()
        status = HTTPStatus.OK if is_ready else HTTPStatus.SERVICE_UNAVAILABLE
        return _json_response({"ok": is_ready}, status)

    def _send_metrics(self, request: PageRequest) -> Response:
        """Send figures as Prometheus reads them: to this machine, its network and organizers."""
        me, state = request.person, request.app.state
        is_inside = is_within(request.address, state.metrics_from)
        if not is_inside and (me is None or not me.is_organizer):
            raise Denied(HTTPStatus.NOT_FOUND, "there is nothing here")
        request_metrics: RequestMetrics = state.request_metrics
        (ladders,) = request.read(find_ladders())
        text = (
            prometheus_metrics(self.measure_health(now(), ladders))
            + request_metrics.prometheus_lines()
        )
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4")


class _Figures(Collector):
    """How a server is, as Prometheus collects it."""

    def __init__(self, health: Health) -> None:
        self._health = health

    def collect(self) -> Iterator[Metric]:
        """Yield every figure."""
        health = self._health
        gauges = (
            ("workers", "Matches played side by side.", health.workers),
            ("open_fixtures", "Fixtures to be played.", health.open_fixtures),
            ("oldest_fixture_seconds", "Age of the oldest of them.", health.oldest_s or 0),
            ("matches_day", "Matches played within 24 hours.", health.played_today),
            ("match_cpu_seconds_day", "CPU time of their bots.", health.match_cpu_s_today),
            ("failed_day", "Matches that failed within 24 hours.", health.failed_today),
            ("versions_checking", "Versions being checked.", health.checking),
            ("oldest_check_seconds", "Age of the oldest of them.", health.oldest_check_s or 0),
            ("games", "Running games of people.", health.games),
            ("disk_free_bytes", "Free space for results.", health.disk_free),
            ("database_bytes", "Size of the database.", health.database_bytes),
            (
                "database_writable",
                "Whether this process could write to the database the last time.",
                not health.unwritable,
            ),
            (
                "database_seconds",
                "Time that reading all these figures took.",
                health.database_s,
            ),
        )
        for name, text, value in gauges:
            yield GaugeMetricFamily(f"{METRIC_PREFIX}{name}", text, value=value)
        text = "Matches played."
        yield CounterMetricFamily(f"{METRIC_PREFIX}matches", text, value=health.played)
        faults = GaugeMetricFamily(
            f"{METRIC_PREFIX}faults_day", "Faults of bots within 24 hours.", labels=["cause"]
        )
        for cause in Cause:
            faults.add_metric([cause], health.faults_today.get(cause, 0))
        yield faults
        running = GaugeMetricFamily(
            f"{METRIC_PREFIX}running", "Whether a part of the server runs.", labels=["part"]
        )
        for part, runs in health.parts.items():
            running.add_metric([part], runs)
        yield running
        text = "Refusals of this process for a rate limit."
        met = CounterMetricFamily(f"{METRIC_PREFIX}limits_met", text, labels=["limit"])
        for limit, count in health.limits_met.items():
            met.add_metric([limit], count)
        yield met


def prometheus_metrics(health: Health) -> str:
    """Return how a server is, as Prometheus reads it."""
    registry = CollectorRegistry()
    registry.register(_Figures(health))
    return generate_latest(registry).decode()


def is_within(address: str, networks: Sequence[Network]) -> bool:
    """Return whether a request comes from this machine itself, or from one of the networks."""
    try:
        known = ipaddress.ip_address(address)
    except ValueError:
        return False
    return known.is_loopback or any(known in network for network in networks)


def _find_waiting(
    waits: ColumnElement[bool], since: ColumnElement[datetime], at: datetime
) -> Lookup[tuple[int, float | None]]:
    """Look up how many rows wait, and for how many seconds the oldest of them; None without one."""
    query = select(func.count().label("waiting"), func.min(since).label("oldest")).where(waits)

    def read_waiting(rows: Rows) -> tuple[int, float | None]:
        (row,) = rows
        if row.oldest is None:
            return row.waiting, None
        return row.waiting, max(0.0, (at - with_time_zone(row.oldest)).total_seconds())

    return Lookup(query, read_waiting)


def _fault_counts(played: ColumnElement[bool]) -> Lookup[Counter[Cause]]:
    """Look up the faults of bots in the newest fixtures of some."""
    newest = (
        select(matches.c.result)
        .join(fixtures, fixtures.c.key == matches.c.key)
        .where(played)
        .order_by(fixtures.c.played_at.desc())
        .limit(MAX_RESULTS_READ)
    )

    def count_by_cause(rows: Rows) -> Counter[Cause]:
        faults = Counter[Cause]()
        for row in rows:
            for team in _faults.decode(row.result).teams:
                faults.update(team.faults)
        return faults

    return Lookup(newest, count_by_cause)


def _cpu_ms(played: ColumnElement[bool]) -> Lookup[int]:
    """Look up the CPU time of the bots of some fixtures."""
    query = (
        select(func.sum(players.c.cpu_ms))
        .join(fixtures, fixtures.c.id == players.c.fixture)
        .where(played)
    )
    return Lookup(query, lambda rows: only_value(rows) or 0)


def _count(condition: ColumnElement[bool]) -> Lookup[int]:
    return Lookup(select(func.count()).where(condition), only_value)


def _alarm_texts(health: Health) -> Iterator[str]:
    for part, runs in health.parts.items():
        if not runs:
            yield f"the {part} does not run: restart the server, and look at its warnings"
    if health.oldest_s is not None and health.oldest_s > LONG_S:
        yield "a match has waited for more than an hour: ladders have more to play than time"
    if health.oldest_check_s is not None and health.oldest_check_s > LONG_S:
        yield "a version has waited for more than an hour to be checked"
    if health.failed_today:
        failed = pluralize(health.failed_today, "match")
        yield f"{failed} could not be played: see the newest ones of a ladder"
    if health.unwritable:
        yield f"the database cannot be written ({health.unwritable}): its disk may be full"
    if health.vanished:
        yield health.vanished
    elif health.disk_free < LITTLE_DISK:
        yield (
            "there is little space on the disk, and results cannot be kept without: 'admin disk' "
            "says what takes it, and 'serve --keep-replays' keeps fewer replays"
        )


def _json_response(value: Mapping[str, object], status: int) -> Response:
    content = msgspec.json.encode(value)
    headers = {"cache-control": "no-store"}
    return Response(content, status_code=status, media_type="application/json", headers=headers)


def look_alike_names() -> Lookup[list[str]]:
    """Look up which accounts, bots of a game, groups and ladders have names that look alike.

    Each set of such names is a text. Bots of one author may look alike.
    """
    every = union_all(
        select(literal("accounts").label("kind"), people.c.id.label("owner"), people.c.name).where(
            people.c.deleted_at.is_(None)
        ),
        select(literal("bots of ") + bots.c.game, bots.c.person, bots.c.name),
        select(literal("groups"), people_groups.c.id, people_groups.c.name),
        select(literal("ladders"), contests.c.name, contests.c.title).where(IS_LADDER),
    ).subquery()
    return Lookup(select(every), _find_alike)


def _find_alike(rows: Rows) -> list[str]:
    if all(row.name.isascii() for row in rows):
        return []  # of ASCII they were refused before, too, but for those such as MAX and rnax
    owners = defaultdict[tuple[str, str], dict[str, set[str]]](lambda: defaultdict(set))
    named = [(row.kind, row.owner, row.name) for row in rows]
    for kind, owner, name in [*named, *(("accounts", BUILT_IN_OWNER, name) for name in RESERVED)]:
        for form in skeletons(name):
            owners[kind, form][owner].add(name)
    found = {
        (kind, *sorted(set[str]().union(*names.values())))
        for (kind, _), names in owners.items()
        if len(names) > 1
    }
    return [
        # With what the letters are, where that cannot be seen.
        f"{kind}: {', '.join(n if n.isascii() else f'{n} ({ascii(n)[1:-1]})' for n in names)}"
        for kind, *names in sorted(found)
    ]
