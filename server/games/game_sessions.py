"""A game that people play, as it stands: its rows played through the rules, and what comes next.

A session holds nothing that its rows do not: it can be dropped at any time and made again.
"""

import time
from collections.abc import Callable, Collection, Mapping

import msgspec

from engine.fault import Cause, Fault
from engine.game import CLAIM_ACT, Act, Ask, Refusal
from engine.replays.decisions import Decision, SeatChange, encode, order_to_record
from engine.support.sanitizing import one_line
from runners.storage.database import Stale
from server.games.clocks import Clock, Kind, advance_clocks, new_clock
from server.games.game_rows import Participant, Premoves, StoredGame, Takeback
from server.games.game_storage import GameStorage
from server.games.history import NOBODY, UNDONE, History, Undone, answers_nothing, decision_piece_id
from server.http.errors import ActionRefused
from server.messages.conversations import Conversation

Key = tuple[int, int]
"""Whose clock it is: team and piece, or team and 0."""
BACK_MESSAGE, FINISH = "I am back", "let my bot finish"
ASK_TAKEBACK, AGREE, DECLINE = "take back my move", "agree to take back", "decline to take back"
"""What people do that is none of the rules' business."""


class GameSession(History):
    """One game. Who changes it must hold its lock; after any error it is made again."""

    def __init__(
        self, stored: StoredGame, storage: GameStorage, now: Callable[[], float] = time.time
    ) -> None:
        """`now`: the present point in time, seconds since 1970."""
        super().__init__(stored)
        self.is_ahead = False
        """Whether a decision was played that could not be written: make the session again."""
        self.clocks: Mapping[Key, Clock] = {}
        """The clocks of people."""
        self.rematch = stored.rematch
        """The id of the game in which they play again."""
        self.rematch_answers = storage.rematch_answers(stored.id)
        """The teams whose players want to play again, with a minus those who do not."""
        self.conversation: Conversation | None = None
        """What people last wrote to each other, and who reads it; None until somebody asks."""
        self._takebacks: dict[int, Takeback] = {}
        self._premoves: dict[int, Premoves] = {}
        self._storage = storage
        self.now = now
        self.play_new_decisions()

    def play_new_decisions(self) -> None:
        """Play what another process wrote meanwhile, and read the orders that wait for others."""
        new = [self._read(each) for each in self._storage.decisions(self.stored.id, len(self.log))]
        if any(isinstance(decision, Undone) for decision in new):
            self._replay_log([*self.log, *new])
        else:
            for decision in new:
                assert isinstance(decision, Decision)
                self._play(decision)
        orders = self._storage.load_orders(self.stored.id).items()
        self.waiting = {
            ask: self._reader.order(content.encode())
            for ask, content in orders
            if ask in self.stepper.asks
        }
        self._takebacks = self._storage.load_takebacks(self.stored.id)
        if self.game.has_premoves:
            self._premoves = self._storage.load_premoves(self.stored.id)
        self.clocks = self._storage.load_clocks(self.stored.id)
        after = self._clocks_after()
        if after != self.clocks:
            self._storage.save_clocks(self.stored.id, after)
            self.clocks = after
        self._play_if_complete()

    def refresh(self, stored: StoredGame) -> None:
        """See all that another process has changed; `stored`: how its row is now."""
        self.conversation = None
        if stored.seats != self.stored.seats:  # a player's name is gone
            self.stored = stored
            self._replay_log([*self.log])
        self.rematch = stored.rematch
        self.rematch_answers = self._storage.rematch_answers(self.stored.id)
        self.play_new_decisions()

    def answer(self, ask: Ask, step: int, answer: object) -> None:
        """Take a person's answer. The same again is harmless. Raises: Stale, ActionRefused."""
        if self._opened.get(ask) == step:
            order = self.stepper.check(ask, answer)
            if type(order) is Refusal:
                raise ActionRefused(order.reason)
            self._require_in_time(ask)
            self._come_back(ask.team)
            self.order(ask, step, order)
        elif not self._was_given(ask, step, answer):
            raise Stale

    def order(self, ask: Ask, step: int, order: object) -> None:
        """Take an order or a Fault; play it if no other is waited for. Raises: Stale."""
        if self._opened.get(ask) != step:
            raise Stale
        if self.game.asks_are_separate(self.stepper.state):
            self._decide(Decision((order,), ask=ask))
            return
        if any(other != ask and other not in self.waiting for other in self.stepper.asks):
            content = encode(order_to_record(order)).decode()
            self.waiting[ask] = order
            self.clocks = self._clocks_after()
            number = len(self.log)
            self._storage.save_order(self.stored.id, number, ask, content, self.clocks)
            return
        orders = {**self.waiting, ask: order}
        self._decide(Decision(tuple(orders[each] for each in self.stepper.asks)))

    def fail(self, ask: Ask, step: int, error: str) -> None:
        """Forfeit a decision of a remote bot. Raises: Stale, ActionRefused."""
        if not self.stored.seats[ask.team - 1].is_remote:
            raise ActionRefused("only a remote bot forfeits a decision so: resign, or order")
        self._come_back(ask.team)
        self.order(ask, step, Fault(Cause.EXCEPTION, one_line(error)))

    def order_of_bot(self, ask: Ask, step: int, order: object) -> None:
        """Take what a bot orders, unless whom it plays for is back meanwhile. Raises: Stale."""
        if not self.is_played_by_bot(ask.team):
            raise Stale
        self.order(ask, step, order)

    def take_back_order(self, ask: Ask, step: int) -> None:
        """Take back an order for which others are still waited for. Raises: Stale."""
        if self._opened.get(ask) != step:
            raise Stale
        self._require_in_time(ask)
        self._drop_order(ask)

    def open_acts(self, team: int) -> list[Act]:
        """Return what a team may do now besides ordering; claims only what is overdue."""
        if self.outcome is not None:
            return []
        overdue = {ask.piece_id for ask in self.overdue_asks() if ask.team != team}
        acts = [
            act
            for act in self.game.legal_acts(self.stepper.state, team)
            if act.name != CLAIM_ACT or act.piece_id in overdue
        ]
        if self.is_away(team):
            acts.append(Act(team, 0, BACK_MESSAGE))
        elif team in self.people and self.stored.spec.origin and self.stored.terms.substitute:
            acts.append(Act(team, 0, FINISH))
        return acts + self._takeback_acts(team)

    def perform_act(self, act: Act, step: int | None = None) -> None:
        """Do what somebody wants besides ordering, if the ask of its piece is of that step.

        So an act does not count twice, nor in another position than it was meant for.
        Raises: ActionRefused for what cannot be done now; Stale.
        """
        if step is not None and not self._is_open(act.piece_id, step):
            raise Stale
        if act not in self.open_acts(act.team):
            raise ActionRefused(f"{act.name!r:.40} is not possible now")
        match act.name:
            case str(name) if name == BACK_MESSAGE:
                self._come_back(act.team)
            case str(name) if name == FINISH:
                self._seat(act.team, self.stored.terms.substitute or NOBODY)
            case str(name) if name == ASK_TAKEBACK:
                self._ask_takeback(act.team, act.piece_id)
            case str(name) if name == AGREE:
                self._take_back_move(self._takebacks[act.piece_id].team, act.piece_id)
            case str(name) if name == DECLINE:
                self._save_takeback(act.piece_id, None)
            case _:
                self._decide(Decision((), act=act))
                self._play_if_complete()

    def _is_open(self, piece: int, step: int) -> bool:
        """Return whether an ask of a piece has been open since this step."""
        return any(ask.piece_id == piece and opened == step for ask, opened in self._opened.items())

    def team_orders(self, teams: Collection[int]) -> list[dict[str, object]]:
        """Return what some teams have ordered and done so far, as records have it."""
        found: list[dict[str, object]] = []
        for number, decision in self._valid_decisions():
            if decision.act is not None and decision.act.team in teams:
                found.append({"decision": number, "act": decision.act.name})
            for ask, order in zip(self._asked[number], decision.orders, strict=True):
                if ask.team in teams:
                    written = order_to_record(order)
                    found.append({"decision": number, "piece": ask.piece_id, "order": written})
        return found

    # -- orders given ahead -------------------------------------------------------------------

    @property
    def turn(self) -> int:
        """Return the turn that is played."""
        return self.game.standing(self.stepper.state).turn

    def list_premoves(self, team: int) -> Premoves:
        """Return what a team has ordered ahead for this turn: at first what still is to be done."""
        premoves = self._premoves.get(team)
        if premoves is None or premoves.turn == self.turn:
            return premoves or Premoves(turn=self.turn)
        known = self.stepper.known[team]
        return Premoves(
            turn=self.turn,
            orders=tuple(
                (piece, order)
                for piece, order in premoves.orders
                if self.game.premove_lasts(known, Ask(team, piece), order)
            ),
        )

    def save_premoves(self, team: int, premoves: Premoves) -> None:
        """Keep what a team orders ahead; once sent, it is played as the asks come.

        Raises: Stale for another turn than the present one; ActionRefused.
        """
        if not self.game.has_premoves:
            raise ActionRefused(f"nothing can be ordered ahead in {self.game.title}")
        if self.outcome is not None or premoves.turn != self.turn:
            raise Stale
        self._come_back(team)
        known = self.stepper.known[team]
        for piece, order in premoves.orders:
            meant = self.game.premove(known, Ask(team, piece), order)
            if isinstance(meant, Refusal):
                raise ActionRefused(meant.reason)
        self._storage.save_premoves(self.stored.id, team, premoves)
        self._premoves[team] = premoves

    def _play_premove(self) -> bool:
        """Play the first open ask for which an order was given ahead, and sent."""
        for ask in self._open_asks():
            premoves = self._premoves.get(ask.team)
            if premoves is None or not premoves.is_sent or premoves.turn != self.turn:
                continue
            if not self.sitting[ask.team - 1].is_person:
                continue
            orders = dict(premoves.orders)
            if ask.piece_id not in orders:
                continue
            known = self.stepper.known[ask.team]
            order = self.game.premove(known, ask, orders[ask.piece_id])
            if not isinstance(order, Refusal):
                self.order(ask, self.ask_step(ask), order)
                return True
        return False

    # -- clocks, and who sits -----------------------------------------------------------------

    def clock_key(self, ask: Ask) -> Key:
        """Return whose clock runs while this ask is open."""
        is_apart = self.game.asks_are_separate(self.stepper.state)
        return ask.team, ask.piece_id if is_apart else 0

    def overdue_asks(self) -> list[Ask]:
        """Return the open asks for whose answer no time is left."""
        now = self.now()
        clocks = {ask: self.clocks.get(self.clock_key(ask)) for ask in self._open_asks()}
        return [ask for ask, clock in clocks.items() if clock is not None and clock.is_overdue(now)]

    def next_deadline(self) -> float | None:
        """Return when the next clock will run out; None if none will."""
        now = self.now()
        deadlines = [clock.deadline for clock in self.clocks.values()]
        return min((each for each in deadlines if each is not None and each > now), default=None)

    def all_clocks(self) -> dict[Key, Clock]:
        """Return the clocks of all people, those that did not run yet, too."""
        control = self.stored.terms.clock
        if control.kind is Kind.NONE or self.outcome is not None:
            return dict(self.clocks)
        keys = [self.clock_key(ask) for ask in self.stepper.asks]
        pieces = sorted({piece for _, piece in keys})
        teams = [team for team, one in enumerate(self.stored.seats, 1) if one.is_person]
        missing = {(team, piece): new_clock(control) for team in teams for piece in pieces}
        return dict(sorted({**missing, **self.clocks}.items()))

    def settle(self) -> None:
        """Do all that follows without anybody's decision: of lost time, and of empty seats."""
        while self._settle_one():
            pass

    def _settle_one(self) -> bool:
        """Do the first thing that follows by itself; return whether there was one."""
        if self.outcome is not None:
            return False
        for team in range(1, len(self.sitting) + 1):
            if self._is_given_up(team):
                self._seat(team, self.stored.terms.substitute or NOBODY)
                return True
        for ask in self._open_asks():
            if self.sitting[ask.team - 1] == NOBODY:
                self.order(ask, self.ask_step(ask), Fault(Cause.ABSENT))
                return True
        if self._play_premove():
            return True
        return any(self._settle_overdue(ask) for ask in self.overdue_asks())

    def _settle_overdue(self, ask: Ask) -> bool:
        """Let a bot, here or remote, claim what is overdue, or else the turn pass."""
        if not self._has_claims():
            self.order(ask, self.ask_step(ask), Fault(Cause.LATE))
            return True
        for team, one in enumerate(self.sitting, 1):
            claim = Act(team, ask.piece_id, CLAIM_ACT)
            if not one.is_at_board and claim in self.open_acts(team):
                self.perform_act(claim)
                return True
        return False

    def _has_claims(self) -> bool:
        """Return whether the rules leave it to the opponents what happens to who is overdue."""
        acts = (self.game.legal_acts(self.stepper.state, team) for team in self.viewers if team)
        return any(act.name == CLAIM_ACT for of_team in acts for act in of_team)

    def _is_given_up(self, team: int) -> bool:
        """Return whether a person has missed so many turns in a row that somebody else sits in."""
        is_there = self.sitting[team - 1].is_person
        return is_there and self._count_missed_turns(team) >= self.stored.terms.absent_turns

    def _seat(self, team: int, one: Participant) -> None:
        self._decide(Decision((), sits=SeatChange(team, one.name, one.digest)))

    def _come_back(self, team: int) -> None:
        """Let a person play again; what was ordered for them and not played yet is dropped."""
        if not self.is_away(team):
            return
        for ask in [ask for ask in self.waiting if ask.team == team]:
            self._drop_order(ask)
        self._seat(team, self.stored.seats[team - 1])

    def _drop_order(self, ask: Ask) -> None:
        self.waiting.pop(ask, None)
        self.clocks = self._clocks_after()
        self._storage.save_order(self.stored.id, len(self.log), ask, None, self.clocks)

    def _require_in_time(self, ask: Ask) -> None:
        """Raises: ActionRefused if the turn has passed because its time was over."""
        order = self.waiting.get(ask)
        if type(order) is Fault and order.cause is Cause.LATE:
            raise ActionRefused("your time for this turn is over; the next one is yours again")

    def _open_asks(self) -> list[Ask]:
        return [ask for ask in self.stepper.asks if ask not in self.waiting]

    def _clocks_after(self, decided: Mapping[Key, bool] | None = None) -> dict[Key, Clock]:
        """Return the clocks as they go on now."""
        running = {
            self.clock_key(ask) for ask in self._open_asks() if self.sitting[ask.team - 1].is_person
        }
        control = self.stored.terms.clock
        return advance_clocks(control, self.clocks, running, self.now(), decided)

    def _find_stopped_clocks(self, decision: Decision) -> dict[Key, bool]:
        """Return whose clocks a decision stops, and whether they were late."""
        asks = self.stepper.asks if decision.ask is None else (decision.ask,)
        return {
            self.clock_key(ask): type(order) is Fault
            for ask, order in zip(asks, decision.orders, strict=False)
            if self.sitting[ask.team - 1].is_person
        }

    # -- moves taken back ---------------------------------------------------------------------

    def _takeback_acts(self, team: int) -> list[Act]:
        if self.stored.terms.is_rated or not self.game.asks_are_separate(self.stepper.state):
            return []  # what was ordered is taken back until all have: `take_back_order`
        acts: list[Act] = []
        for piece in sorted({ask.piece_id for ask in self.stepper.asks}):
            asked = self._open_takeback(piece)
            if asked is not None and asked.team != team:
                acts += [Act(team, piece, AGREE), Act(team, piece, DECLINE)]
            elif asked is None and self._since_last_move(team, piece):
                acts.append(Act(team, piece, ASK_TAKEBACK))
        return acts

    def find_takeback(self, piece: int) -> object:
        """Return the order that somebody asks to take back, as the record has it."""
        decision = self.log[self._since_last_move(self._takebacks[piece].team, piece)[0]]
        assert isinstance(decision, Decision)
        return msgspec.to_builtins(order_to_record(decision.orders[0]))

    def _open_takeback(self, piece: int) -> Takeback | None:
        """Return who asks to take back a move of this piece; a decision about it is an answer."""
        asked = self._takebacks.get(piece)
        if asked is None or any(decision_piece_id(one) == piece for one in self.log[asked.step :]):
            return None
        return asked

    def _ask_takeback(self, team: int, piece: int) -> None:
        """Ask the others; bots agree at once."""
        others = [one for other, one in enumerate(self.sitting, 1) if other != team]
        if any(one.is_at_board for one in others):
            self._save_takeback(piece, Takeback(team=team, step=len(self.log)))
        else:
            self._take_back_move(team, piece)

    def _save_takeback(self, piece: int, takeback: Takeback | None) -> None:
        self._storage.save_takeback(self.stored.id, piece, takeback)
        self._takebacks = self._storage.load_takebacks(self.stored.id)

    def _take_back_move(self, team: int, piece: int) -> None:
        """Go back to before a team's last move; what is undone stays in the database."""
        undone = Undone(piece, self._since_last_move(team, piece))
        number = len(self.log)
        self.is_ahead = True
        self._replay_log([*self.log, undone])
        self.clocks = self._clocks_after()
        self._storage.save_decision(
            self.stored.id,
            number,
            encode((UNDONE, undone.piece, undone.numbers)).decode(),
            keeps_orders=True,
            running=self.clocks,
        )
        self.is_ahead = False

    # -- decisions ----------------------------------------------------------------------------

    def _decide(self, decision: Decision) -> None:
        """Play a decision and write it: only what is written counts. Raises: Stale."""
        number, decided = len(self.log), self._find_stopped_clocks(decision)
        self.is_ahead = True
        self._play(decision)
        self.clocks = self._clocks_after(decided)
        self._storage.save_decision(
            self.stored.id,
            number,
            encode(decision.to_record()).decode(),
            keeps_orders=answers_nothing(decision),
            outcome=self.outcome,
            running=self.clocks,
        )
        self.is_ahead = False

    def _play_if_complete(self) -> None:
        """Play a decision of which no order is missing: an act may have made it complete."""
        asks = self.stepper.asks
        if asks and all(ask in self.waiting for ask in asks):
            self._decide(Decision(tuple(self.waiting[ask] for ask in asks)))


class GameObserver:
    """Told by the GameService of what happens; may be called from any thread."""

    def on_game_change(self, game_id: str) -> None:
        """A game has changed, here or in another process."""

    def on_rematch(self, game_id: str, rematch: str) -> None:
        """A game is played again, as another one; perhaps told more than once."""

    def on_game_invalidated(self, game_id: str) -> None:
        """Whatever is kept of a game besides its rows is to go."""

    def on_clock_set(self) -> None:
        """A clock may run out earlier than any other did."""
