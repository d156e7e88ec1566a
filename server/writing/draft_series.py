"""Is a draft better? Side-swapped pairs are played until a sequential test has decided.

Each match waits in the queue of runs until nobody waits for anything else, and one of a series is
played at a time: so a long series holds nobody up.
"""

import secrets
import threading
from collections.abc import Sequence
from concurrent.futures import CancelledError, Future
from datetime import timedelta
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from sqlalchemy import delete, insert, select, update

from engine.errors import SlimeMindError
from engine.play_options import PlayOptions
from engine.referee import Job
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.streams import derive_seed, draw_seed
from engine.support.fair_queue import Priority
from engine.support.lazy_import import lazy_imports
from engine.support.process_pool import ProcessLost
from runners.execution.local_executor import play_here
from runners.match_request import MatchRequest
from runners.statistics.scores import Score, SideSwappedSet
from runners.storage.database import Database, now, with_time_zone
from runners.storage.game_tables import draft_series
from server.http.limits import ConcurrencyLimit
from server.identity.rate_limits import Asker
from server.identity.text_limits import FIELDS
from server.runs.run_rows import OPEN, State
from server.runs.runs import FAILED, STOPPED, Draft, Opponent, Runs, run_spec

with lazy_imports():  # it needs numpy, which takes a while to import, and memory
    from runners.statistics import sequential

LOST_AFTER = timedelta(minutes=15)
"""A series of which nothing was heard for so long was of a process that was killed."""
KEPT = timedelta(days=7)
MAX_GAMES = 200
LOST_TEXT = "The server was ended meanwhile: start it again."


class SeriesBody(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom a draft is to play, and how many games at most: an even number."""

    against: Annotated[str, Meta(max_length=FIELDS["opponent"])]
    games: Annotated[int, Meta(ge=2, le=MAX_GAMES)] = 40
    preset: Annotated[str, Meta(max_length=FIELDS["game"])] | None = None


class SeriesMade(Struct, frozen=True):
    """The series that was begun."""

    id: str


class SeriesAnswer(Struct, kw_only=True):
    """How a series of a draft stands."""

    id: str
    draft: str
    against: str
    """The name of the other bot."""
    state: State = State.WAITING
    played: int = 0
    of: int
    """The games at most: a verdict may come before."""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    best: float | None = None
    """The lead of the draft in Elo, from complete pairs; null where there is no limit."""
    low: float | None = None
    """The ends of its interval of 95 %."""
    high: float | None = None
    confidence: float = 0.95
    verdict: str = ""
    """In words, for as far as it was played."""
    is_decided: bool = False


class SeriesRows:
    """The series of all processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, series: SeriesAnswer) -> None:
        """Add a series, and drop those of weeks before."""
        row = {"id": series.id, "draft": series.draft, **_series_to_row(series)}
        with self._database.transaction() as connection:
            connection.execute(delete(draft_series).where(draft_series.c.changed_at < now() - KEPT))
            connection.execute(insert(draft_series).values(row))

    def save(self, series: SeriesAnswer) -> None:
        """Write how a series stands."""
        where = draft_series.c.id == series.id
        self._database.write(update(draft_series).where(where).values(_series_to_row(series)))

    def find(self, series_id: str) -> SeriesAnswer | None:
        query = select(draft_series).where(draft_series.c.id == series_id)
        row = self._database.fetch_row(query)
        if row is None:
            return None
        series = msgspec.json.decode(row.content, type=SeriesAnswer)
        if series.state in OPEN and with_time_zone(row.changed_at) < now() - LOST_AFTER:
            series.state, series.verdict = State.FAILED, LOST_TEXT
        return series

    def fail_unfinished(self) -> None:
        """Say of all that are not over that they are lost: nobody plays them."""
        query = select(draft_series.c.content).where(draft_series.c.state.in_(OPEN))
        found = [
            msgspec.json.decode(content, type=SeriesAnswer)
            for content in self._database.fetch_column(query)
        ]
        for series in found:
            series.state, series.verdict = State.FAILED, LOST_TEXT
            self.save(series)


def _series_to_row(series: SeriesAnswer) -> dict[str, object]:
    return {
        "content": msgspec.json.encode(series).decode(),
        "state": series.state,
        "changed_at": now(),
    }


A, B = 0, 1
"""The draft, and what it plays."""
LARGE_ELO = 100.0
"""Somebody waits for it: a smaller difference than `main.py versus` looks for takes far longer."""
MAX_CONCURRENT_SERIES, MAX_SERIES_PER_ADDRESS = 50, 10
"""Series that are not over, those of guests half of them at most; and those of one address."""
OWN_WAIT = "a series of yours is not over: wait until it is, or stop it"
WAIT_S = 30.0
ID_BYTES = 12


class DraftSeries:
    """Plays series of drafts. All methods may be called from any thread."""

    def __init__(self, database: Database, runs: Runs) -> None:
        self._rows = SeriesRows(database)
        self._is_alone = database.path is not None
        self._runs = runs
        self._limit = ConcurrencyLimit(
            MAX_CONCURRENT_SERIES, 1, MAX_SERIES_PER_ADDRESS, OWN_WAIT, WAIT_S
        )
        self._lock = threading.Lock()
        self._playing: dict[str, _Series] = {}

    def fail_unfinished(self) -> None:
        """Say of what a killed server has left that it is lost, where no other one plays."""
        if self._is_alone:
            self._rows.fail_unfinished()

    def start_series(
        self, draft: Draft, opponent: Opponent, request: MatchRequest, by: Asker, games: int
    ) -> SeriesAnswer:
        """Begin a series of at most so many games. Raises: TooMany, BadBot, SlimeMindError."""
        answer = SeriesAnswer(
            id=secrets.token_hex(ID_BYTES),
            draft=draft.id,
            against=opponent.name,
            of=games - games % 2,
        )
        contestants = (
            Contestant(name=draft.name, digest=draft.packed.digest),
            Contestant(name=opponent.name, digest=opponent.digest),
        )
        series = _Series(answer, contestants, request, by)
        self._limit.acquire(by)
        with self._lock:
            self._playing[answer.id] = series
        self._runs.hold(series.digests)
        try:
            self._runs.copy_here(draft, [opponent])
            self._rows.add(answer)
            self._go_on(series)
        except BaseException:
            self._forget(series)
            raise
        return answer

    def find(self, series_id: str) -> SeriesAnswer | None:
        """Return how a series stands, of any process."""
        with self._lock:
            series = self._playing.get(series_id)
        return self._rows.find(series_id) if series is None else series.answer

    def stop(self, series_id: str) -> None:
        """End a series of this process; what was played of it counts."""
        with self._lock:
            series = self._playing.get(series_id)
        if series is not None:
            self._end(series, State.STOPPED, STOPPED)
            if series.future is not None:
                self._runs.give_up(series.future)

    # -- details --------------------------------------------------------------------------------

    def _forget(self, series: "_Series") -> None:
        """Let another series of the same author begin, and the copies go."""
        with self._lock:
            is_there = self._playing.pop(series.answer.id, None) is not None
        if is_there:
            self._limit.release(series.by)
            self._runs.release(series.digests)

    def _go_on(self, series: "_Series") -> None:
        """Let the next match wait for its turn. Raises: EngineFailure: the server ends."""
        job = series.next_job(self._runs)
        series.future = future = self._runs.do(series.by, Priority.BACKGROUND, play_here, job)
        future.add_done_callback(lambda done: self._on_match_done(series, done))

    def _on_match_done(self, series: "_Series", done: "Future[MatchResult]") -> None:
        try:
            result = done.result()
            self._runs.discard(result)
            if series.answer.state not in OPEN:
                return
            is_over = series.count(result)
            if is_over:
                self._end(series, State.OVER, series.answer.verdict)
                return
            if not series.is_in_pair:
                self._rows.save(series.answer)
            self._go_on(series)
        except CancelledError:
            return
        except (ProcessLost, SlimeMindError, OSError):
            self._end(series, State.FAILED, FAILED)

    def _end(self, series: "_Series", state: State, text: str) -> None:
        answer = series.answer
        self._forget(series)
        with self._lock:
            if answer.state not in OPEN:
                return
            before = answer.verdict if state is State.STOPPED else ""
            answer.verdict = " ".join(filter(None, [text, before]))
            answer.state = state
        try:
            self._rows.save(answer)
        except SlimeMindError:  # others say in a while that it is lost
            return


class _Series:
    """A series that is played."""

    def __init__(
        self,
        answer: SeriesAnswer,
        contestants: Sequence[Contestant],
        request: MatchRequest,
        by: Asker,
    ) -> None:
        self.answer = answer
        self.by = by
        self.future: Future[MatchResult] | None = None
        self._contestants = contestants
        self._request = request
        self._seed = draw_seed()
        self._running = sequential.RunningTest(sequential.SequentialTest(elo1=LARGE_ELO))
        self._pairs = 0
        self._scores: list[Score] = []
        self._games: list[str] = []

    @property
    def digests(self) -> tuple[str, ...]:
        """Return those of both bots."""
        return tuple(one.digest for one in self._contestants)

    @property
    def is_in_pair(self) -> bool:
        """Return whether one match of a pair was played."""
        return bool(self._scores)

    def next_job(self, runs: Runs) -> Job:
        """Return the next match: on a new map, or on the same one with the seats exchanged."""
        seats = (B, A) if self.is_in_pair else (A, B)
        contestants = tuple(self._contestants[seat] for seat in seats)
        seed = derive_seed(self._seed, f"pair/{self._pairs}")
        request = MatchRequest(game=self._request.game, preset=self._request.preset, seed=seed)
        play = PlayOptions(sandbox=runs.level, keep_replay=False, keep_notes=False)
        return Job(spec=run_spec(request, contestants), contestants=contestants, play=play)

    def count(self, result: MatchResult) -> bool:
        """Count a match; return whether that was enough."""
        answer = self.answer
        answer.state = State.PLAYING
        answer.played += 1
        seats = (B, A) if self.is_in_pair else (A, B)
        own = seats.index(A) + 1
        if result.winner is None:
            answer.draws += 1
        elif result.winner == own:
            answer.wins += 1
        else:
            answer.losses += 1
        self._scores.append(Score(seats, tuple(team.score for team in result.teams)))
        self._games.append(result.fingerprint)
        if len(self._scores) == len(seats):
            share = SideSwappedSet(0, tuple(self._scores)).entrant_share(A)
            self._running.add(sequential.Pair(share, tuple(self._games)))
            self._pairs, self._scores, self._games = self._pairs + 1, [], []
            self._update_verdict()
        return self._running.is_over or answer.played >= answer.of

    def _update_verdict(self) -> None:
        answer = self.answer
        found = self._running.assess()
        answer.best, answer.low, answer.high = found.elo.best, found.elo.low, found.elo.high
        answer.is_decided = found.verdict is not sequential.Verdict.UNDECIDED
        names = [one.name for one in self._contestants]
        answer.verdict = f"{found.describe(*names)}."
