"""The one stream of a remote bot: challenges, and what is asked of it in all its games."""

import re
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain

import msgspec
from starlette.concurrency import run_in_threadpool

from engine.bots.programs.protocol import VERSION, Start, Wants
from engine.game import Ask
from engine.streams import derive_seed, seed_text
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver, GameSession
from server.games.history import Undone
from server.games.open_games import OpenGame, waiting_games
from server.games.positions import make_result
from server.http.errors import NoSuchGame, OtherRules, TooMany
from server.http.event_streams import Events, Followers, StreamEvent, alive_until
from server.http.permissions import require_player
from server.http.responses import encode
from server.identity.people import Person
from server.identity.visitors import Visitor
from server.messages.block_list import blocked_either_way
from server.remote_bots.bodies import Challenge, GameAsk, GameOver, GameStarted, PlayQuery
from server.remote_bots.challenges import MAX_GAMES, RemoteSeat, challenges_for, remote_seats

POLL_S = 5.0
"""What another process has changed is seen after so long at the latest."""
STREAMS, RETRY_S = 4, 10
"""Streams of one person; one more is asked for again after so long."""
PROGRESS_PATTERN = re.compile(r"([0-9a-f]{1,32}):([0-9]{1,9})", re.ASCII)
"""A game and how many decisions of it were told: what the id of an event is made of."""
NO_PROGRESS = "-"
"""The id of an event after which no game is known."""


class Progress:
    """What a stream has told: what comes next depends on it."""

    def __init__(self, last: str = "") -> None:
        """`last`: the id of the last event that was seen of a former stream."""
        found = PROGRESS_PATTERN.findall(last[: MAX_GAMES * 60])
        self.decisions: dict[str, int] = {game_id: int(count) for game_id, count in found}
        """Of each game that its reader knows, how many decisions."""
        self.asked: set[tuple[str, Ask, int]] = set()
        self.challenges: dict[str, Challenge] = {}

    @property
    def last(self) -> str:
        """Return the id of an event that is sent now."""
        return ",".join(f"{game}:{count}" for game, count in self.decisions.items()) or NO_PROGRESS

    def forget(self, game_id: str) -> None:
        self.decisions.pop(game_id, None)
        self.asked = {one for one in self.asked if one[0] != game_id}


class RemoteStreams(GameObserver):
    """Tells programs what concerns them. Streams run on the event loop, all else on threads."""

    def __init__(self, game_service: GameService) -> None:
        self._game_service = game_service
        self.followers = Followers()
        self._lock = threading.Lock()
        self._open = Counter[str]()
        """How many streams each person has."""
        self._games: dict[str, frozenset[str]] = {}
        """The games of which a person's streams tell."""
        game_service.add_observer(self)

    def on_game_change(self, game_id: str) -> None:
        with self._lock:
            concerned = [person for person, games in self._games.items() if game_id in games]
        for person_id in concerned:
            self.followers.notify(person_id)

    def on_waiting_game_change(self, game: OpenGame) -> None:
        """Tell those who have made a game, sit in it or are challenged to it."""
        for person_id in {game.made_by, *(seat.person for seat in game.seats)} - {None}:
            self.followers.notify(str(person_id))

    async def follow(self, visitor: Visitor, person: Person, query: PlayQuery, last: str) -> Events:
        """Yield what concerns a person's program, until its token is revoked."""
        sent = Progress(last)
        with self.followers.follow(person.id) as woken:
            while woken is not None and not self.followers.is_closing:
                woken.clear()
                # Refused once the token was revoked, or its owner banned: that ends the stream.
                for event in await run_in_threadpool(
                    self._new_events, visitor.reload(), query, sent
                ):
                    yield event
                async for _ in alive_until(woken, POLL_S):
                    yield None
                    break

    def _new_events(self, visitor: Visitor, query: PlayQuery, sent: Progress) -> list[StreamEvent]:
        """Return what is new. Raises: Denied."""
        me = require_player(visitor)
        seats, waiting, apart = visitor.read(
            remote_seats(me.id), waiting_games(), blocked_either_way(me.id)
        )
        with self._lock:
            self._games[me.id] = frozenset(seat.game_id for seat in seats)
        return [
            *_challenge_events(sent, challenges_for(waiting, apart, me)),
            *self._game_over_events(sent, {seat.game_id for seat in seats}),
            *(event for seat in seats for event in self._game_events(seat, query, sent)),
        ]

    def _game_over_events(self, sent: Progress, running: set[str]) -> Iterator[StreamEvent]:
        for game_id in [one for one in sent.decisions if one not in running]:
            outcome = None
            try:
                with self._game_service.open_session(game_id) as session:
                    outcome = make_result(session.outcome)
            except (NoSuchGame, OtherRules):
                pass
            sent.forget(game_id)
            yield _make_event("over", GameOver(game=game_id, outcome=outcome), sent)

    def _game_events(self, seat: RemoteSeat, query: PlayQuery, sent: Progress) -> list[StreamEvent]:
        try:
            with self._game_service.open_session(seat.game_id, seat.version) as session:
                if session.outcome is not None:  # just now: its row is read again soon
                    return []
                return [
                    *_start(session, seat.team, sent),
                    *_ask_events(session, seat.team, query, sent),
                ]
        except (NoSuchGame, OtherRules):
            return []

    @contextmanager
    def count_stream(self, person: Person) -> Iterator[None]:
        """Count a stream of a person while it is sent. Raises: TooMany."""
        self.followers.start()
        with self._lock:
            if self._open[person.id] >= STREAMS:
                text = f"your remote bots have {STREAMS} streams open: end one, or wait"
                raise TooMany(text, RETRY_S)
            self._open[person.id] += 1
        try:
            yield
        finally:
            with self._lock:
                self._open[person.id] -= 1
                if not self._open[person.id]:
                    del self._open[person.id]
                    self._games.pop(person.id, None)


def _challenge_events(sent: Progress, present: list[Challenge]) -> Iterator[StreamEvent]:
    """Yield the waiting games that are new or have changed, and those that are no more."""
    now = {one.id: one for one in present}
    gone = [one for one in sent.challenges if one not in now]
    changed = [one for one in present if sent.challenges.get(one.id) != one]
    sent.challenges = now
    for game_id in gone:
        yield _make_event("withdrawn", {"id": game_id}, sent)
    for one in changed:
        yield _make_event("challenge", one, sent)


def _start(session: GameSession, team: int, sent: Progress) -> Iterator[StreamEvent]:
    """Yield how a game stands, if that is not known or the past is not what it was."""
    game_id, known = session.stored.id, sent.decisions.get(session.stored.id)
    is_same = known is not None and known <= len(session.log)
    if is_same and not any(isinstance(one, Undone) for one in session.log[known:]):
        return
    sent.forget(game_id)
    sent.decisions[game_id] = len(session.log)
    spec = session.stored.spec
    start = Start(
        protocol=VERSION,
        game=spec.game,
        rules_version=spec.rules_version,
        team=team,
        seed=seed_text(derive_seed(spec.seed, f"bot/{team}/0")),
        limits=spec.limits,
        notes=False,
        state=msgspec.Raw(encode(session.stepper.known[team])),
    )
    players = [one.name for one in session.stored.seats]
    clock = str(session.stored.terms.clock)
    yield _make_event(
        "start", GameStarted(game=game_id, players=players, clock=clock, start=start), sent
    )


def _ask_events(
    session: GameSession, team: int, query: PlayQuery, sent: Progress
) -> Iterator[StreamEvent]:
    """Yield what a team is asked and was not told."""
    game_id, known = session.stored.id, session.stepper.known[team]
    for ask in session.stepper.asks:
        step = session.ask_step(ask)
        if ask.team != team or ask in session.waiting or (game_id, ask, step) in sent.asked:
            continue
        wants_events = query.wants is Wants.EVENTS
        news = chain.from_iterable(session.observed[team][sent.decisions[game_id] + 1 :])
        sent.asked.add((game_id, ask, step))
        sent.decisions[game_id] = len(session.log)
        asked = GameAsk(
            game=game_id,
            team=team,
            piece=ask.piece_id,
            step=step,
            clock_s=_clock_s(session, ask),
            view=session.stepper.view(ask),
            legal=session.game.legal_orders(known, ask) if query.legal else None,
            state=None if wants_events else known,
            events=list(news) if wants_events else None,
        )
        yield _make_event("ask", asked, sent)


def _clock_s(session: GameSession, ask: Ask) -> float | None:
    clock = session.all_clocks().get(session.clock_key(ask))
    return None if clock is None else round(clock.remaining_at(session.now()), 1)


def _make_event(kind: str, content: object, sent: Progress) -> StreamEvent:
    return StreamEvent(kind, encode(content), sent.last)
