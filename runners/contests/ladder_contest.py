"""The contest of a ladder: who meets next follows from all results so far, and it never ends.

A season ends with a final, once handing in has closed: whoever plays is in as many more sets as a
new version is to get its place, whatever was used of the day.

LadderFixtures are drawn when they are needed, and kept: who plays may change at any moment, so that
nobody could work out later whom a bot met. All else that is remembered here follows from the
database, and is read from there when somebody begins to play the ladder.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time
from itertools import groupby
from random import SystemRandom

import msgspec
from sqlalchemy import func, select

from engine.play_options import PlayOptions
from engine.referee import Job
from engine.result import MatchResult
from engine.streams import draw_seed
from runners.contests.authors import author_ids, coauthor_ids
from runners.contests.contests import Ladder
from runners.contests.ladder_fixtures import Contender, LadderFixture, LadderFixtures, match_job
from runners.contests.ladder_ratings import NEWCOMER_SPREAD, Published, find_predecessor_ratings
from runners.contests.playing import MAX_TRIES
from runners.execution.pool import describe_error
from runners.formats.open_ladder import PLACEMENT_SETS, Candidate, OpenLadder
from runners.statistics.live_ratings import LiveRatings
from runners.statistics.ratings import MEAN_RATING
from runners.statistics.scores import Score
from runners.storage.database import Database, Stale, now
from runners.storage.ladder_tables import bots, fixtures, players, versions
from runners.storage.store import StoredResult
from runners.team_counts import playable_counts

MAX_FAILING = 20
"""Where so many matches are to be tried again, no new ones are drawn: nothing can be played, it
seems."""
OTHER_SETTINGS = "the ladder is played with other settings now"

_chance = SystemRandom()


class LadderMatch(msgspec.Struct, frozen=True):
    """A fixture, and who sits in it."""

    fixture: LadderFixture
    seated: tuple[Contender, ...]


OnPlayed = Callable[[LadderMatch, StoredResult, Collection[str]], object]
"""Told of a match that was played; the last are the versions that went into quarantine by it."""


class LadderContest:
    """A ladder as it is played."""

    opens_early = False

    def __init__(
        self,
        database: Database,
        ladder: Ladder,
        play: PlayOptions,
        on_played: OnPlayed,
        on_failure: Callable[[BaseException], object],
    ) -> None:
        self.ladder = ladder
        """The ladder as it is now: whoever has it played may change it."""
        self._database = database
        self._play = play
        self._on_played = on_played
        self._on_failure = on_failure
        self._fixtures = LadderFixtures(database)
        self._contenders: dict[str, Contender] = {}
        self._failing = set[int]()
        """The ids of the fixtures that are to be tried again."""
        self._format = OpenLadder()
        self._final = OpenLadder()
        """The sets of the final alone."""
        self._final_begins_at: datetime | None = None
        self._live = LiveRatings()
        self._entrants: dict[str, int] = {}
        """The numbers under which the live ratings know the versions."""
        self._day = date.min
        self._used_ms = Counter[str]()
        """CPU time of a person's bots today, by person."""
        self._today = Counter[str]()
        """Matches of a bot today, by bot."""
        self._read_sets(self._format)

    def open_fixtures(self) -> Iterator[LadderMatch]:
        """Yield the fixtures that wait, and then those of new sets, as long as anybody can meet."""
        self._begin_step()
        for fixture in self._fixtures.find_waiting(self.ladder.id):
            match = self._make_match(fixture)
            if self.make_job(match).spec.key == fixture.key:
                yield match
            else:
                self._fixtures.give_up(fixture, OTHER_SETTINGS)
        while len(self._failing) < MAX_FAILING and (drawn := self._draw_set()):
            yield from map(self._make_match, drawn)

    def is_final_played(self) -> bool:
        """Return whether nothing is left to be played, or to be checked, of a season's final."""
        assert self.ladder.ends_at is not None
        if self._fixtures.has_pending_work(self.ladder.id, self.ladder.ends_at):
            return False
        self._begin_step()
        return not self._next_table()

    def fixture_id(self, fixture: LadderMatch) -> int:
        return fixture.fixture.id

    def make_job(self, fixture: LadderMatch) -> Job:
        """Return what plays a fixture."""
        return match_job(self.ladder, fixture.fixture, fixture.seated, self._play)

    def save_result(self, fixture: LadderMatch, result: MatchResult) -> bool:
        """Keep a result, unless a bot of it has left meanwhile."""
        self._failing.discard(fixture.fixture.id)
        stored = msgspec.convert(result, StoredResult, from_attributes=True)
        try:
            quarantined = self._fixtures.save_result(fixture.fixture, stored, self.ladder.spec.game)
        except Stale:
            return False
        self._count(fixture.seated, stored)
        self._on_played(fixture, stored, quarantined)
        return bool(quarantined)

    def fail(self, fixture: LadderMatch, error: BaseException) -> int:
        """Keep why a match could not be played, for no bot's fault."""
        failures = self._fixtures.fail(fixture.fixture, describe_error(error))
        self._on_failure(error)
        if failures < MAX_TRIES:
            self._failing.add(fixture.fixture.id)
        else:
            self._failing.discard(fixture.fixture.id)
        return failures

    def adopt(self, published: Mapping[str, Published]) -> None:
        """Go on from ratings that were just computed from all results."""
        for version, rating in published.items():
            if rating.elo is not None:
                self._live.set_first_rating(
                    self._entrant_number(version), rating.elo, rating.spread
                )

    # -- what the above have in common --------------------------------------------------------

    def _begin_step(self) -> None:
        """Look who plays, and whether a new day or the final has come."""
        self._contenders = {
            one.version: one for one in self._fixtures.find_contenders(self.ladder.id)
        }
        dropped = self._fixtures.drop_idle(self.ladder.id)
        self._failing.difference_update(dropped)
        if self._day != now().date():
            self._read_day()
        if self._is_in_final() and self._final_begins_at != self.ladder.ends_at:
            self._final, self._final_begins_at = OpenLadder(), self.ladder.ends_at
            self._read_sets(self._final, self._final_begins_at)
        self._place_new()

    def _make_match(self, fixture: LadderFixture) -> LadderMatch:
        """Return a fixture with who sits in it."""
        known = [self._contenders.get(version) for version in fixture.seats]
        seated = [one for one in known if one is not None]
        if len(seated) < len(known):
            seated = self._fixtures.find_seated_contenders(fixture)
        return LadderMatch(fixture, tuple(seated))

    def _draw_set(self) -> list[LadderFixture]:
        """Keep the next set, and return its fixtures; none if nobody can meet now."""
        found = self._next_table()
        if not found:
            return []
        seated = [self._contenders[one.version] for one in found]
        _chance.shuffle(seated)  # who sits beside whom; the rotations exchange the seats
        with suppress(Stale):  # another process has drawn one meanwhile
            made = self._fixtures.add_set(self.ladder, seated, draw_seed())
            number, members = made[0].set_number, [(one.version, one.bot) for one in seated]
            self._format.add_set(number, members)
            if self._is_in_final():
                self._final.add_set(number, members)
            return made
        return []

    def _next_table(self) -> tuple[Candidate, ...]:
        """Return who plays the next set; nobody if nobody can meet now."""
        is_final = self._is_in_final()
        drawn = self._final if is_final else self._format
        able = [
            self._make_candidate(one, drawn, is_final=is_final)
            for one in self._contenders.values()
            if is_final or self._has_time(one)
        ]
        sizes = playable_counts(self.ladder.game, self.ladder.spec.settings)
        return drawn.next_table(able, sizes)

    def _is_in_final(self) -> bool:
        return self.ladder.is_in_final(now())

    def _count(self, seated: Sequence[Contender], result: StoredResult) -> None:
        """Count what a match has used, and rate its players."""
        for one, team in zip(seated, result.teams, strict=True):
            for author in one.authors:
                self._used_ms[author] += team.cpu.total_ms
            self._today[one.bot] += 1
        entrants = tuple(self._entrant_number(one.version) for one in seated)
        self._live.add(Score(entrants, result.scores, result.groups))

    def _has_time(self, one: Contender) -> bool:
        """Return whether its authors' bots have not used their CPU time of the day."""
        most_ms = 1_000 * self.ladder.cpu_s_per_day
        return all(self._used_ms[author] < most_ms for author in one.authors)

    def _make_candidate(self, one: Contender, drawn: OpenLadder, *, is_final: bool) -> Candidate:
        """Return how a version stands among these sets; a final knows no limit of the day."""
        sets = drawn.count_sets(one.version)
        return Candidate(
            version=one.version,
            authors=one.authors,
            elo=self._live.get_rating(self._entrant_number(one.version)).elo,
            sets=sets,
            last=drawn.last_set(one.bot),
            is_resting=sets >= PLACEMENT_SETS
            and (is_final or self._today[one.bot] >= self.ladder.matches_per_day),
        )

    def _entrant_number(self, version: str) -> int:
        number = self._entrants.get(version)
        if number is None:
            number = self._entrants[version] = len(self._entrants)
            self._live.set_first_rating(number, MEAN_RATING, NEWCOMER_SPREAD)
        return number

    def _place_new(self) -> None:
        """Let versions that are new here begin at their own rating, or their predecessor's."""
        new = [one for one in self._contenders.values() if one.version not in self._entrants]
        if new:
            known = find_predecessor_ratings(self._database, self.ladder.id)
            self.adopt({one.version: known[one.bot] for one in new if one.bot in known})

    def _read_sets(self, drawn: OpenLadder, since: datetime | None = None) -> None:
        """Count the sets of this ladder, or those that were drawn since a time."""
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
        if since is not None:
            query = query.where(fixtures.c.created_at >= since)
        rows = self._database.fetch_all(query)
        for number, of_set in groupby(rows, lambda row: row.set_number):
            drawn.add_set(number, [(row.id, row.bot) for row in of_set])

    def _read_day(self) -> None:
        """Add up what was used since midnight, UTC."""
        today = now()
        midnight = datetime.combine(today.date(), time(), today.tzinfo)
        query = (
            select(
                *(bots.c.person, bots.c.id, coauthor_ids()),
                func.sum(players.c.cpu_ms).label("used_ms"),
                func.count().label("matches"),
            )
            .select_from(
                fixtures.join(players, players.c.fixture == fixtures.c.id)
                .join(versions, versions.c.id == players.c.version)
                .join(bots, bots.c.id == versions.c.bot)
            )
            .where(
                fixtures.c.ladder == self.ladder.id,
                fixtures.c.played_at >= midnight,
                fixtures.c.has_result,
            )
            .group_by(bots.c.id)
        )
        self._day, self._used_ms, self._today = today.date(), Counter(), Counter()
        for row in self._database.fetch_all(query):
            for author in author_ids(row):
                self._used_ms[author] += row.used_ms or 0
            self._today[row.id] += row.matches
