"""Matches that starter bots play for whoever looks on, when nobody else plays."""

import threading
import time
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random

from sqlalchemy import func, select

from engine.bots.finding import Copies
from engine.catalog import GAMES, describe_game
from engine.errors import SlimeMindError
from runners.match_request import MatchRequest, RunOptions
from runners.starter_bots import starter_bots
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import decisions, games
from runners.storage.ladder_tables import fixtures
from runners.storage.tables import IS_LADDER, contests
from server.games.new_games import Opponents
from server.http.errors import TooMany
from server.http.parts import Part, Report
from server.runs.run_rows import Run
from server.runs.runs import EXHIBITION, Draft, Opponent, Runs

POLL_INTERVAL_S = 5.0
"""It is looked so often whether somebody plays."""
QUIET_S = 120.0
"""Nobody plays if nothing was decided, and no match of a ladder played, for so long."""
MAX_EXHIBITION_SHARE = 0.2
"""The part of the time in which exhibition matches are played at most."""
MIN_INTERVAL_S = 60.0
"""From the beginning of one to that of the next."""


class Exhibitions(Part):
    """Begins one match after another, each of the next game."""

    def __init__(
        self,
        database: Database,
        opponents: Opponents,
        run: RunOptions,
        report: Report,
        *,
        is_on: bool = True,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` returns seconds."""
        self._database = database
        self._opponents = opponents
        self._copies = Copies(run.out / "bots")
        # In a process of their own: nobody's run waits behind one of them.
        self.runs = Runs(database, run.out, run.play.sandbox, report)
        self.newest: Run | None = None
        """The match that was begun last, by this process."""
        self._is_on = is_on
        self._report = report
        self._clock = clock
        self._games = cycle(GAMES)
        self._dice = Random()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self._begun_at = self._next_at = float("-inf")
        self._is_open = False

    def start(self) -> None:
        if not self._is_on:
            return
        self._thread = threading.Thread(target=self._run, name="exhibitions", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
        self.runs.close()

    def start_if_idle(self) -> Run | None:
        """Begin a match if it is time for one, and nobody else plays; return it."""
        at = self._clock()
        if self.runs.is_busy:
            return None
        if self._is_open:  # it is over since: rest by what it took
            self._is_open = False
            took = at - self._begun_at
            self._next_at = self._begun_at + max(MIN_INTERVAL_S, took / MAX_EXHIBITION_SHARE)
        if at < self._next_at or self._has_recent_match():
            return None
        run = self._new_match()
        if run is not None:
            self._is_open, self._begun_at = True, at
        return run

    def _run(self) -> None:
        while not self._ended.wait(POLL_INTERVAL_S):
            try:
                self.start_if_idle()
            except (SlimeMindError, OSError) as error:
                self._report(f"no exhibition match could be begun: {error}")
                self._next_at = self._clock() + MIN_INTERVAL_S

    def _has_recent_match(self) -> bool:
        since = now()
        # Both look rows up by an index, for each game and ladder, and never read all decisions.
        last = (
            select(decisions.c.decided_at)
            .where(decisions.c.game == games.c.id, decisions.c.number == games.c.decisions - 1)
            .correlate(games)
        )
        of_ladder = (
            select(func.max(fixtures.c.played_at))
            .where(fixtures.c.ladder == contests.c.name)
            .correlate(contests)
        )
        newest = (
            select(func.max(last.scalar_subquery())).select_from(games),
            select(func.max(of_ladder.scalar_subquery())).where(IS_LADDER),
        )
        with self._database.reading() as connection:
            times = [connection.execute(query).scalar() for query in newest]
        return any(
            at is not None and (since - with_time_zone(at)).total_seconds() < QUIET_S
            for at in times
        )

    def _new_match(self) -> Run | None:
        game = next(self._games)
        bots = starter_bots(game)
        if len(bots) < 2:
            return None
        # The stronger half: their matches are worth watching.
        players = self._dice.sample(bots[len(bots) // 2 :] if len(bots) > 3 else bots, 2)
        request = MatchRequest(game=game, preset=describe_game(game).short_preset)
        try:
            self.newest = self.exhibit(players, request)
        except TooMany:
            return None
        return self.newest

    def exhibit(self, players: Sequence[str], request: MatchRequest) -> Run:
        """Have two bots of this server play. Raises: TooMany, BadBot, EngineFailure."""
        first, second = (self._opponents.seat(request.game, name) for name in players)
        draft = Draft(name=first.name, packed=self._copies.pack(first.digest))
        other = Opponent(second.name, second.digest, is_confidential=False)
        return self.runs.start_run(draft, [other], request, EXHIBITION)
