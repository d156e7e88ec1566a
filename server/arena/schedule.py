"""What the dispatcher remembers of a ladder: who met whom, how strong they seem, what they used.

All of it follows from the database, and is read from there when a dispatcher begins, but for how
long a match rests that failed: the next dispatcher tries it at once.
"""

from collections import Counter, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from itertools import combinations, groupby
from random import SystemRandom
from time import monotonic

from sqlalchemy import func, select

from engine.streams import draw_seed
from runners.contests.player import BACK_OFF_S
from runners.statistics.live_ratings import LiveRatings
from runners.statistics.ratings import MIDDLE
from runners.statistics.scores import Score
from runners.storage.database import Database, Stale
from runners.storage.ladder_tables import bots, fixtures, players, versions
from runners.storage.store import KeptResult
from runners.team_counts import playable_counts
from server.arena.fixtures import Contender, Fixture, Fixtures
from server.arena.ladders import Ladder
from server.arena.pairing import PLACEMENT_SETS, Candidate, next_table
from server.arena.rating import NEWCOMER_SPREAD, Published, predecessors
from server.people import now

MOST_RESTING = 20
"""Where so many rest, no new ones are begun: nothing can be played, it seems."""

_chance = SystemRandom()


class Schedule:
    """A ladder's next matches."""

    def __init__(self, database: Database, ladder: Ladder) -> None:
        self.ladder = ladder
        self._database = database
        self._fixtures = Fixtures(database)
        self._contenders: dict[str, Contender] = {}
        self._waiting = deque[Fixture]()
        self._resting: dict[int, float] = {}
        """Until when a fixture rests that failed."""
        self._met = Counter[tuple[str, str]]()
        self._sets = Counter[str]()
        self._last = Counter[str]()
        """The number of the last set that a bot was in, by bot."""
        self._number = 0
        self._live = LiveRatings()
        self._entrants: dict[str, int] = {}
        """The numbers under which the live ratings know the versions."""
        self._day = date.min
        self._used_ms = Counter[str]()
        """CPU time of a person's bots today, by person."""
        self._today = Counter[str]()
        """Matches of a bot today, by bot."""
        self._read_sets()

    def refresh(self, ladder: Ladder, playing: Collection[int]) -> None:
        """Look again who plays, and which fixtures wait besides those that are being played."""
        self.ladder = ladder
        self._contenders = {one.version: one for one in self._fixtures.contenders(ladder.id)}
        self._fixtures.drop_idle(ladder.id)
        at = monotonic()
        self._resting = {number: end for number, end in self._resting.items() if at < end}
        idle = {*playing, *self._resting}
        self._waiting = deque(
            one for one in self._fixtures.waiting(ladder.id) if one.id not in idle
        )
        if self._day != now().date():
            self._read_day()
        self._place_new()

    def take(self) -> Fixture | None:
        """Return the next fixture, of a new set if none waits; None if nobody can meet now."""
        if not self._waiting and len(self._resting) < MOST_RESTING:
            with suppress(Stale):
                self._waiting.extend(self._open_set())
        return self._waiting.popleft() if self._waiting else None

    def seated(self, fixture: Fixture) -> list[Contender]:
        """Return who sits in a fixture."""
        known = [self._contenders.get(version) for version in fixture.seats]
        seated = [one for one in known if one is not None]
        return seated if len(seated) == len(known) else self._fixtures.seated(fixture)

    def _open_set(self) -> list[Fixture]:
        """Add the next set, and return its fixtures. Raises: Stale."""
        able = {one.version: one for one in self._contenders.values() if self._has_time(one)}
        found = next_table(
            [self._candidate(one) for one in able.values()],
            playable_counts(self.ladder.game, self.ladder.spec.settings),
            self._number + 1,
            lambda one, other: self._met[_pair(one, other)],
        )
        if not found:
            return []
        seated = [able[one.version] for one in found]
        _chance.shuffle(seated)  # who sits beside whom; the rotations exchange the seats
        made = self._fixtures.add_set(self.ladder, seated, draw_seed())
        self._count_set(made[0].set_number, [(one.version, one.bot) for one in seated])
        return made

    def failed(self, fixture: Fixture) -> None:
        """Let a fixture rest that could not be played, for no bot's fault."""
        if fixture.failures < len(BACK_OFF_S):
            self._resting[fixture.id] = monotonic() + BACK_OFF_S[fixture.failures]

    def played(self, seated: Sequence[Contender], result: KeptResult) -> None:
        """Take note of a result."""
        for one, team in zip(seated, result.teams, strict=True):
            self._used_ms[one.person] += team.cpu.total_ms
            self._today[one.bot] += 1
        entrants = tuple(self._entrant(one.version) for one in seated)
        self._live.add(Score(entrants, result.scores, result.groups))

    def adopt(self, published: Mapping[str, Published]) -> None:
        """Go on from ratings that were just computed from all results."""
        for version, rating in published.items():
            if rating.elo is not None:
                self._live.place(self._entrant(version), rating.elo, rating.spread)

    # -- what the above have in common --------------------------------------------------------

    def _has_time(self, one: Contender) -> bool:
        """Return whether an author's bots have not used their CPU time of the day."""
        return self._used_ms[one.person] < 1_000 * self.ladder.cpu_s_per_day

    def _candidate(self, one: Contender) -> Candidate:
        return Candidate(
            version=one.version,
            author=one.person,
            elo=self._live.of(self._entrant(one.version)).elo,
            sets=self._sets[one.version],
            last=self._last[one.bot],
            is_resting=self._sets[one.version] >= PLACEMENT_SETS
            and self._today[one.bot] >= self.ladder.matches_per_day,
        )

    def _entrant(self, version: str) -> int:
        number = self._entrants.get(version)
        if number is None:
            number = self._entrants[version] = len(self._entrants)
            self._live.place(number, MIDDLE, NEWCOMER_SPREAD)
        return number

    def _place_new(self) -> None:
        """Let versions that are new here begin at their own rating, or their predecessor's."""
        new = [one for one in self._contenders.values() if one.version not in self._entrants]
        if new:
            known = predecessors(self._database, self.ladder.id)
            self.adopt({one.version: known[one.bot] for one in new if one.bot in known})

    def _count_set(self, number: int, seated: Iterable[tuple[str, str]]) -> None:
        """Count a set of versions, each with its bot."""
        self._number = max(self._number, number)
        pairs = list(seated)
        for version, bot in pairs:
            self._sets[version] += 1
            self._last[bot] = max(self._last[bot], number)
        self._met.update(_pair(*met) for met in combinations([v for v, _ in pairs], 2))

    def _read_sets(self) -> None:
        query = (
            select(fixtures.c.set_number, versions.c.id, versions.c.bot)
            .distinct()
            .select_from(
                fixtures.join(players, players.c.fixture == fixtures.c.id).join(
                    versions, versions.c.id == players.c.version
                )
            )
            .where(fixtures.c.ladder == self.ladder.id)
            .order_by(fixtures.c.set_number)
        )
        with self._database.reading() as connection:
            rows = connection.execute(query).all()
        for number, of_set in groupby(rows, lambda row: int(row[0])):
            self._count_set(number, [(row[1], row[2]) for row in of_set])

    def _read_day(self) -> None:
        """Add up what was used since midnight, UTC."""
        today = now()
        midnight = datetime.combine(today.date(), time(), today.tzinfo)
        query = (
            select(bots.c.person, bots.c.id, func.sum(players.c.cpu_ms), func.count())
            .select_from(
                fixtures.join(players, players.c.fixture == fixtures.c.id)
                .join(versions, versions.c.id == players.c.version)
                .join(bots, bots.c.id == versions.c.bot)
            )
            .where(
                fixtures.c.ladder == self.ladder.id,
                fixtures.c.played_at >= midnight,
                fixtures.c.result.is_not(None),
            )
            .group_by(bots.c.id)
        )
        self._day, self._used_ms, self._today = today.date(), Counter(), Counter()
        with self._database.reading() as connection:
            for person, bot, used_ms, matches in connection.execute(query):
                self._used_ms[person] += used_ms or 0
                self._today[bot] += matches


def _pair(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)
