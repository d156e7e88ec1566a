"""All games of a server: who may change them, and whose move comes next."""

import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import Future
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from typing import Concatenate, NamedTuple, ParamSpec

import msgspec
from sqlalchemy import Connection

from engine.catalog import find_game
from engine.errors import EngineFailure
from engine.game import Act, Ask
from engine.replays.decisions import DecisionReader
from engine.spec import MatchSpec
from engine.streams import draw_seed
from engine.support.process_pool import ProcessLost
from runners.storage.database import Database, Stale
from server.games.bot_seats import BotSeats
from server.games.change_listener import ChangeListener
from server.games.clocks import Kind
from server.games.game_rows import Participant, Premoves, StoredGame, Terms, person_digest
from server.games.game_sessions import GameObserver, GameSession
from server.games.game_storage import GameStorage
from server.games.session_cache import SessionCache
from server.http.errors import ActionRefused, NoSuchGame, OtherRules
from server.http.parts import Report, ignore_report
from server.identity.people import hash_key
from server.messages.conversations import Conversations, Pair

P = ParamSpec("P")
MAX_RACES = 2
"""How often a change is tried again that another process was faster than."""
MAX_LINES = 2_000
"""Lines of a draft: more than any game reads."""


MAX_UNPLAYED_TURN = 2
"""Until then a game against bots can be given up for another; the opponent may move first."""
UNPLAYED_S, SHOWN_S = 86_400, 7 * 86_400
"""Games of those without an account are removed when nobody has moved for so long, and so long
after their end."""
MAX_KEPT_GUEST_GAMES = 500
"""The most of those that are kept, in any case."""
TIDIED_S = 60.0
"""How often it is looked for what is not needed any more."""


MAX_CACHED_TOKENS = 10_000
"""Tokens whose teams are kept in memory, until `forget`."""


FIRST_WAIT_S, MAX_WAIT_S = 0.1, 60.0
"""Seconds until a bot whose process was lost again is asked again."""


class BotQuestion(NamedTuple):
    """What a bot is asked."""

    stored: StoredGame
    ask: Ask
    step: int

    @property
    def key(self) -> tuple[str, Ask, int]:
        return self.stored.id, self.ask, self.step


class BotQuestions:
    """The questions that bots are thinking about."""

    def __init__(
        self,
        bot_seats: BotSeats,
        games: "GameService",
        report: Report,
        *,
        is_asking: bool,
    ) -> None:
        """`is_asking`: whether this process asks; of several that share a database one does."""
        self._bot_seats = bot_seats
        self._games = games
        self._report = report
        self.is_asking = is_asking
        self._asked: set[tuple[str, Ask, int]] = set()

    def new_ones(self, session: GameSession) -> list[BotQuestion]:
        """Return what bots are to be asked, and were not."""
        questions: list[BotQuestion] = []
        if not self.is_asking:
            return questions
        for ask in session.stepper.asks:
            if not session.is_played_by_bot(ask.team) or ask in session.waiting:
                continue
            question = BotQuestion(session.stored, ask, session.ask_step(ask))
            if question.key not in self._asked:
                self._asked.add(question.key)
                questions.append(question)
        return questions

    def ask(self, questions: Sequence[BotQuestion], failures: int = 0) -> None:
        """Ask bots. Not while a session is held: an answer may be there at once."""
        for question in questions:
            stored, ask = question.stored, question.ask
            with self._games.open_session(stored.id) as session:
                if not session.is_played_by_bot(ask.team):  # whom it plays for is back
                    self._asked.discard(question.key)
                    continue
                written = session.encode_decisions()
                substitute = session.sitting[ask.team - 1] if session.is_away(ask.team) else None
            future = self._bot_seats.ask(stored, written, ask, substitute)
            future.add_done_callback(partial(self._take, question, failures))

    def _take(self, question: BotQuestion, failures: int, done: "Future[str]") -> None:
        """Take what a bot has answered, on the thread that waited for it."""
        if done.cancelled():
            return
        stored, ask = question.stored, question.ask
        error = done.exception()
        if error is not None:
            self._ask_again(question, failures + 1, error)
            return
        self._asked.discard(question.key)
        reader = DecisionReader(find_game(stored.spec.game), len(stored.seats))
        order = reader.order(done.result().encode())
        try:
            self._games.order_of_bot(stored.id, ask, question.step, order)
        except (Stale, NoSuchGame):  # the half was given up meanwhile
            return
        except EngineFailure as failure:
            self._report(f"game {stored.id}: {failure}")

    def _ask_again(self, question: BotQuestion, failures: int, error: BaseException) -> None:
        """Ask again: at once where a process was lost, later and later where that goes on."""
        if failures == 1 and isinstance(error, ProcessLost):
            self.ask([question], failures)
            return
        wait_s = min(FIRST_WAIT_S * 2**failures, MAX_WAIT_S)
        self._report(
            f"game {question.stored.id}: team {question.ask.team} could not be asked: {error}; "
            f"again in {wait_s:g} s"
        )
        timer = threading.Timer(wait_s, self.ask, ([question], failures))
        timer.daemon = True
        timer.start()


class SeatKeys:
    """A key stands in a link and is good for once; a token is what its browser gets for it."""

    def __init__(self, storage: GameStorage) -> None:
        self._storage = storage
        self._lock = threading.Lock()
        self._teams: dict[tuple[str, str], tuple[int, ...]] = {}
        """The teams of tokens that were seen, by their hash and the game."""

    def find_game(self, key: str) -> str | None:
        """Return the game for which a link is, if it was not used."""
        return self._storage.find_game_by_key(hash_key(key))

    def exchange(self, key: str, game_id: str) -> str | None:
        """Return a token for a key that is good for once; None if it is not, or was used."""
        teams = self._storage.take_key(hash_key(key), game_id)
        return self.new_token(game_id, teams) if teams else None

    def new_token(self, game_id: str, teams: Sequence[int]) -> str:
        """Return a token with which these teams are played."""
        token = secrets.token_urlsafe(24)
        self._storage.add_key(hash_key(token), game_id, teams, is_link=False)
        return token

    def new_key(self, game_id: str, teams: Sequence[int]) -> str:
        """Return a key for a link, good for once; only its hash is kept."""
        key = secrets.token_urlsafe(24)
        self._storage.add_key(hash_key(key), game_id, teams, is_link=True)
        return key

    def forget(self, game_id: str) -> None:
        """Look anew what the tokens of a game are good for: some may be good no more."""
        with self._lock:
            for known in [known for known in self._teams if known[1] == game_id]:
                del self._teams[known]

    def find_teams(self, token: str, game_id: str) -> tuple[int, ...]:
        """Return the teams that whoever has a token plays."""
        if not token:
            return ()
        key = hash_key(token), game_id
        teams = self._teams.get(key)
        if teams is None and (teams := self._storage.find_teams(*key)):
            with self._lock:
                if len(self._teams) >= MAX_CACHED_TOKENS:
                    self._teams.clear()
                self._teams[key] = teams
        return teams or ()


class GameService:
    """The games of a server. All methods may be called from any thread."""

    def __init__(
        self,
        storage: GameStorage,
        bot_seats: BotSeats,
        now: Callable[[], float] = time.time,
        report: Report = ignore_report,
    ) -> None:
        """`now`: the present point in time, seconds since 1970.

        `report` takes a sentence for whoever runs the server.
        """
        self._storage = storage
        self.database: Database = storage.database
        self._now = now
        self._deadlines: dict[str, float] = {}
        """When a clock runs out next, by game."""
        self._live: set[str] = set()
        """The games in which a live clock runs."""
        self._bot_seats = bot_seats
        self._tidied_at = float("-inf")
        self._lock = threading.Lock()
        self._sessions = SessionCache(storage, now)
        self._questions = BotQuestions(bot_seats, self, report, is_asking=not storage.is_shared)
        self.keys = SeatKeys(storage)
        self.conversations = Conversations(self, now)
        self.report = report
        self._observers: list[GameObserver] = []

    def add_observer(self, observer: GameObserver) -> None:
        """Let somebody follow what happens."""
        self._observers.append(observer)

    def transaction(self, game_id: str) -> AbstractContextManager[Connection]:
        """Write what changes a game, so that other processes see it."""
        return self._storage.transaction(game_id)

    def _notify_invalidated(self, game_id: str) -> None:
        for observer in self._observers:
            observer.on_game_invalidated(game_id)

    def announce_change(self, game_id: str) -> None:
        """Tell all observers that a game has changed."""
        for observer in self._observers:
            observer.on_game_change(game_id)

    def start(self) -> ChangeListener | None:
        """Begin to listen to other processes, where there may be some."""
        if not self._storage.is_shared:
            return None
        changes = ChangeListener(self._storage, self, self.report)
        changes.start()
        return changes

    def create(
        self,
        spec: MatchSpec,
        seats: Sequence[Participant],
        game_id: str,
        terms: Terms | None = None,
        taken_over: Sequence[str] = (),
        acquainted: Collection[Pair] = (),
    ) -> str:
        """Begin a game, with the decisions of another one if it goes on from it; return its id.

        `acquainted`: teams and others whose messages they read from the start.
        """
        self._storage.add_game(
            game_id, spec, seats, terms, taken_over=taken_over, acquainted=acquainted
        )
        self.go_on(game_id)
        return game_id

    def create_rematch(self, game_id: str, teams: Collection[int]) -> str | None:
        """Play the same game again, each player a seat further, if that is what all people want.

        `teams`: whose players want it now. Returns the id of the new game, None while others have
        yet to agree; asked for again, it is the same one. Raises: ActionRefused, NoSuchGame.
        """
        with self.open_session(game_id) as session:
            if session.outcome is None:
                raise ActionRefused("the game is not over")
            if any(one.is_remote for one in session.stored.seats):
                raise ActionRefused("a remote bot has played: challenge it to another game")
            people = session.people
            rule = self.conversations.load(game_id).filter
            if session.rematch is None and rule.is_anybody_apart(people):
                raise ActionRefused("one of those who played does not play with another any more")
            wishes = people.intersection(teams)
            session.rematch_answers = self._storage.answer_rematch(game_id, wishes)
            if session.rematch is None and session.rematch_answers == people:
                session.rematch = self._add_rematch(session.stored)
            rematch = session.rematch
        if rematch is not None:
            for observer in self._observers:
                observer.on_rematch(game_id, rematch)
            self.refresh_conversation(rematch)  # it is known by now whose the seats are
            self.go_on(rematch)
        self.announce_change(game_id)
        return rematch

    def decline_rematch(self, game_id: str, teams: Collection[int]) -> None:
        """Keep that the players of these teams do not want to play again; they may later.

        Raises: ActionRefused, NoSuchGame.
        """
        with self.open_session(game_id) as session:
            if session.outcome is None or session.rematch is not None:
                raise ActionRefused("the game is not over, or they play again already")
            refusals = [-team for team in session.people.intersection(teams)]
            session.rematch_answers = self._storage.answer_rematch(game_id, refusals)
        self.announce_change(game_id)

    def _add_rematch(self, stored: StoredGame) -> str:
        new_id = new_game_id()
        seats = [
            msgspec.structs.replace(one, digest=person_digest(new_id, team))
            if one.is_person
            else one
            for team, one in enumerate((*stored.seats[1:], stored.seats[0]), 1)
        ]
        digests = tuple(one.digest for one in seats)
        # It begins at the beginning, whatever the game before went on from: with a seed of its own.
        spec = msgspec.structs.replace(stored.spec, bots=digests, seed=draw_seed(), origin=None)
        count = len(seats)
        self._storage.add_game(
            new_id,
            spec,
            seats,
            stored.terms,
            rematch_of=stored.id,
            new_teams={team: rematch_team(team, count) for team in range(1, count + 1)},
        )
        return new_id

    def rematch_token(self, game_id: str, teams: Sequence[int]) -> tuple[str, str | None]:
        """Return a rematch, and a token for those who played these teams before; None for none.

        Raises: ActionRefused where there is no rematch, NoSuchGame.
        """
        with self.open_session(game_id) as session:
            rematch, count = session.rematch, len(session.stored.seats)
        if rematch is None:
            raise ActionRefused("nobody has asked for a rematch yet")
        new_teams = [rematch_team(team, count) for team in teams]
        return rematch, self.keys.new_token(rematch, new_teams) if new_teams else None

    def refresh_conversation(self, game_id: str) -> None:
        """Look again who is shown whose messages in a game, in each process."""
        with self._sessions.lock_game(game_id):
            session = self._sessions.find_session(game_id)
            if session is not None:
                session.conversation = None
        self._storage.note_change(game_id)
        self.announce_change(game_id)

    def close_seat(self, game_id: str, team: int) -> bool:
        """Let nobody play a team by a cookie or a link any more; return whether anybody could.

        Raises: NoSuchGame.
        """
        with self.open_session(game_id):
            had_keys = self._storage.drop_keys(game_id, team) > 0
            self.keys.forget(game_id)
        self.announce_change(game_id)
        return had_keys

    def go_on(self, game_id: str) -> None:
        """Do what follows by itself, and ask the bots that are to move."""
        with self.open_session(game_id) as session:
            self._go_on(session)
            questions = self._questions.new_ones(session)
        self._questions.ask(questions)

    def until_deadline(self, most_s: float) -> float:
        """Return how long it is until a clock runs out in any game; `most_s` if that is longer."""
        with self._lock:
            deadline = min(self._deadlines.values(), default=None)
        return most_s if deadline is None else min(most_s, deadline - self._now())

    def call_time(self) -> None:
        """Do what follows where a clock has run out, and tell those who look on."""
        now = self._now()
        with self._lock:
            due = [game_id for game_id, at in self._deadlines.items() if at <= now]
        for game_id in due:
            # Another process has decided, or removed it: look again.
            with suppress(Stale, NoSuchGame, OtherRules):
                self.go_on(game_id)
            self.announce_change(game_id)

    def keep_alive(self) -> None:
        """Note that the server runs, if there are live clocks: see `pass_over_pause`."""
        with self._lock:
            is_any_live = bool(self._live)
        if is_any_live:
            self._storage.keep_alive(self._now())

    def tidy(self) -> None:
        """End what is not needed any more, now and then: idle bots, and games of strangers."""
        now = self._now()
        if 0 <= now - self._tidied_at < TIDIED_S:  # less than 0 where the clock was set back
            return
        self._tidied_at = now
        self._bot_seats.end_idle()
        if self._questions.is_asking:  # of several processes one does it
            for index, (game_id, is_over, at) in enumerate(self._storage.find_guest_games()):
                is_old = at.timestamp() < now - (SHOWN_S if is_over else UNPLAYED_S)
                if is_old or index >= MAX_KEPT_GUEST_GAMES:
                    self._remove(game_id)

    def remove_unplayed(self, game_id: str) -> None:
        """Remove a game that has hardly begun; leave any other."""
        with self.open_session(game_id) as session:
            is_new = session.turn <= MAX_UNPLAYED_TURN and session.outcome is None
        if is_new:
            self._remove(game_id)

    def _remove(self, game_id: str) -> None:
        with self._sessions.lock_game(game_id):
            self._storage.remove_game(game_id)
            self._drop(game_id)
        self._bot_seats.end(game_id)
        self._notify_invalidated(game_id)
        self.announce_change(game_id)

    def _drop(self, game_id: str) -> None:
        """Drop what is in memory of a game that was removed."""
        self._sessions.drop(game_id)
        with self._lock:
            self._deadlines.pop(game_id, None)
            self._live.discard(game_id)

    def go_on_with_all(self) -> None:
        """Go on with all games that are not over: after the server was started again.

        The time in which it was down is given back to live clocks.
        """
        self._storage.pass_over_pause(self._now())
        self._sessions.clear()  # they have the clocks as they were
        left = 0
        for stored in self._storage.running_games():
            try:
                self.go_on(stored.id)
            except OtherRules:
                left += 1
        if left:
            self.report(
                f"running games that were begun under other rules than ours, and wait: {left}; "
                "a server of the version of Slime Mind that began them can go on with them"
            )

    @contextmanager
    def open_session(self, game_id: str, version: int | None = None) -> Iterator[GameSession]:
        """Hold a game's session, as it is now. Raises: NoSuchGame, OtherRules.

        `version`: how often the game was changed, where that has just been read.
        """
        try:
            with self._sessions.hold(game_id, version) as session:
                yield session
        except NoSuchGame:
            self._drop(game_id)
            raise

    def on_external_change(self, game_id: str) -> None:
        """Do what follows where another process has changed a game, and tell who looks on."""
        self.keys.forget(game_id)
        self.announce_change(game_id)
        if self._questions.is_asking:
            with suppress(Stale, NoSuchGame, OtherRules):
                self.go_on(game_id)

    def begin_asking(self) -> None:
        """Ask bots from now on, and go on with all games that are not over."""
        self._questions.is_asking = True
        self.go_on_with_all()

    def end_asking(self) -> None:
        """Ask no bots from now on: another process does."""
        self._questions.is_asking = False

    def forget(self, game_id: str) -> None:
        """Make a game's session again from its rows when it is next used, in each process.

        Raises: NoSuchGame.
        """
        with self.open_session(game_id):
            self._sessions.drop(game_id)
        self._storage.note_change(game_id)
        self._notify_invalidated(game_id)

    def answer(self, game_id: str, ask: Ask, step: int, answer: object) -> int:
        """Take a person's answer; return how many decisions there are by then.

        Raises: Stale, ActionRefused, NoSuchGame.
        """
        return self._change(game_id, GameSession.answer, ask, step, answer)

    def order_of_bot(self, game_id: str, ask: Ask, step: int, order: object) -> None:
        """Take what a bot has answered. Raises: Stale, NoSuchGame, EngineFailure."""
        self._change(game_id, GameSession.order_of_bot, ask, step, order)

    def fail(self, game_id: str, ask: Ask, step: int, error: str) -> int:
        """Forfeit what a remote bot cannot answer; return how many decisions there are by then.

        Raises: Stale, ActionRefused for a seat that people play, NoSuchGame.
        """
        return self._change(game_id, GameSession.fail, ask, step, error)

    def take_back_order(self, game_id: str, ask: Ask, step: int) -> int:
        """Take back an answer for which others are still waited for. Raises: Stale, NoSuchGame."""
        return self._change(game_id, GameSession.take_back_order, ask, step)

    def perform_act(self, game_id: str, act: Act, step: int | None = None) -> int:
        """Do what somebody wants besides ordering. Raises: ActionRefused, Stale, NoSuchGame.

        `step`: when the ask of that piece was opened, as who acts knows it.
        """
        return self._change(game_id, GameSession.perform_act, act, step)

    def save_draft(self, game_id: str, ask: Ask, step: int, lines: Sequence[object]) -> None:
        """Keep what somebody has clicked so far. Raises: Stale, ActionRefused, NoSuchGame."""
        if len(lines) > MAX_LINES:
            raise ActionRefused(f"{len(lines)} lines; {MAX_LINES} are the most")
        with self.open_session(game_id) as session:
            if ask not in session.stepper.asks or session.ask_step(ask) != step:
                raise Stale
            self._storage.save_draft(game_id, ask.team, step, msgspec.json.encode(lines).decode())

    def save_premoves(self, game_id: str, team: int, premoves: Premoves) -> int:
        """Keep what a team orders ahead, and play it as far as its asks are open.

        Returns how many decisions there are by then. Raises: Stale, ActionRefused, NoSuchGame.
        """
        if len(premoves.orders) > MAX_LINES:
            raise ActionRefused(f"{len(premoves.orders)} orders; {MAX_LINES} are the most")
        return self._change(game_id, GameSession.save_premoves, team, premoves)

    def load_draft_orders(self, game_id: str, ask: Ask) -> list[object]:
        """Return the lines of the present turn's draft; none if it was for another."""
        with self.open_session(game_id) as session:
            body = self._storage.load_draft(game_id, ask.team)
            if body is None or ask not in session.stepper.asks or body[0] != session.ask_step(ask):
                return []
        return msgspec.json.decode(body[1], type=list)

    def _change(
        self,
        game_id: str,
        change: Callable[Concatenate[GameSession, P], None],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> int:
        """Change a game; somebody else's decision in another process counts first.

        What can be done after that one is done: a move on the other board of Smack!, for example.
        """
        for races in range(MAX_RACES + 1):
            try:
                with self.open_session(game_id) as session:
                    try:
                        change(session, *args, **kwargs)
                    except Stale:
                        if not session.is_ahead:
                            session.play_new_decisions()
                        raise
                    self._go_on(session)
                    questions, decisions = self._questions.new_ones(session), len(session.log)
                break
            except Stale:
                if races == MAX_RACES:
                    raise
        self.announce_change(game_id)
        self._questions.ask(questions)
        return decisions

    def _go_on(self, session: GameSession) -> None:
        """Do what follows by itself, and note when the next clock runs out."""
        session.settle()
        deadline, game_id = session.next_deadline(), session.stored.id
        with self._lock:
            self._deadlines.pop(game_id, None)
            self._live.discard(game_id)
            if deadline is not None:
                self._deadlines[game_id] = deadline
                if session.stored.terms.clock.kind is Kind.LIVE:
                    self._live.add(game_id)
        if deadline is not None:
            for observer in self._observers:
                observer.on_clock_set()
        if session.outcome is not None:
            self._bot_seats.end(game_id)


def rematch_team(team: int, count: int) -> int:
    """Return which team whoever played this one, of so many, plays in the rematch."""
    return (team - 2) % count + 1


def new_game_id() -> str:
    """Return an id that nobody guesses."""
    return secrets.token_hex(8)
