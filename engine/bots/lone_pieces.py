"""A team whose pieces decide in processes of their own: messages of the game are all they share.

Each process is started and confined like any bot's, and is shown what its piece alone may know.
CPU time, memory and faults are those of the team: one bank, one limit, one count of restarts.
"""

import os
from array import array
from collections.abc import Callable
from pathlib import Path

from engine.bots.clock import Bank, Judge
from engine.bots.launching import Launcher
from engine.bots.process_seat import ProcessSeat, SeatConfig
from engine.fault import Cause, Fault
from engine.game import AnyGame, Ask, State
from engine.seat import Seat

DESIGN_PIECE_ID = 0
"""The piece of asks that are not about one."""
TURNS_BETWEEN_LOOKS = 10
"""How often it is looked at how much more memory the processes have of their own, turns."""
LOOKS_BETWEEN_SUMS = 5
"""How often, instead, what they have together is added up: that takes 0.5 ms for each of them."""
KB_PER_MB, BYTES_PER_MB = 1_024, 1_048_576
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4_096


class LonePiecesSeat(Seat):
    """One bot in a process for each of its pieces, for one match."""

    def __init__(self, config: SeatConfig, launcher: Launcher, game: AnyGame) -> None:
        self.config = config
        self.call_us: array[int] = array("I")
        self._launcher = launcher
        self._game = game
        self._bank = Bank(config.limits)
        self._state: State | None = None
        self._seats: dict[int, ProcessSeat] = {}
        """The process of each piece, by the piece's id."""
        self._asked_in: dict[int, int] = {}
        """The turn in which each piece was last asked."""
        self._turn = -1
        self._looks = 0
        self._used_mb = self._own_mb = 0.0
        """What the processes had together when it was last added up, and what of their own."""
        self._views: Callable[[int], object] = lambda piece_id: None
        self._fault: Fault | None = None
        self._asked: ProcessSeat | None = None

    def prepare(self, state: State) -> None:
        self._state = state

    def start(self) -> Fault | None:
        """Start the process for what is no piece's; return why the bot cannot play, if so."""
        if self.out is None:
            self.out = self._get_seat(DESIGN_PIECE_ID).start()
        return self.out

    def put(self, ask: Ask, view: object) -> None:
        self._asked, self._fault = None, self.out
        if self._fault is None:
            self._fault = self._begin_turn()
        if self._fault is not None:
            return
        seat = self._asked = self._get_seat(ask.piece_id)
        self._asked_in[ask.piece_id] = self._turn
        seat.put(ask, view if ask.piece_id == DESIGN_PIECE_ID else self._views(ask.piece_id))

    def take(self) -> object:
        seat = self._asked
        if seat is None:
            return self._fault
        before = seat.restarts
        answer = seat.take()
        self.notes, seat.notes = seat.notes, ()
        if type(answer) is Fault:
            self._count(seat.restarts - before, seat.out, answer)
        return answer

    def close(self) -> None:
        """End all processes, and keep their logs: the match is over."""
        for piece_id in sorted(self._seats):
            self._seats.pop(piece_id).close()

    def restore(self, restarts: int, out: Fault | None) -> None:
        """Be as after a recorded fault: processes that were replaced then are replaced now."""
        if self.restarts < restarts:
            self.restarts = restarts
            self.close()
        self.out = self.out or out

    def used_s(self) -> float:
        return self._bank.used_s()

    # -- processes ----------------------------------------------------------------------------

    def _get_seat(self, piece_id: int) -> ProcessSeat:
        seat = self._seats.get(piece_id)
        if seat is None:
            limits = self.config.limits
            judge = Judge(self.config.name, limits, self._bank, self.call_us)
            role = f"/{self.restarts}/piece/{piece_id}"
            seat = self._seats[piece_id] = ProcessSeat(self.config, self._launcher, judge, role)
            assert self._state is not None
            known = self._state
            seat.prepare(known if piece_id == DESIGN_PIECE_ID else self._game.lone_board(known))
        return seat

    def _begin_turn(self) -> Fault | None:
        """Look around where a new turn began; return a Fault where memory ran out."""
        assert self._state is not None
        turn = self._state.turn
        if turn == self._turn:
            return None
        self._close_unused_seats(self._turn)
        self._turn = turn
        if not turn:
            return None
        self._views = self._game.lone_views(self._state)
        return self._look_at_memory() if turn % TURNS_BETWEEN_LOOKS == 0 else None

    def _close_unused_seats(self, last_turn: int) -> None:
        """End the processes of pieces that were not asked in the last turn: there are no more."""
        for piece_id, turn in list(self._asked_in.items()):
            if turn < last_turn or piece_id == DESIGN_PIECE_ID:
                del self._asked_in[piece_id]
                if piece_id in self._seats:
                    self._seats.pop(piece_id).close()

    def _look_at_memory(self) -> Fault | None:
        """Replace all processes if together they have more than one bot may."""
        most = self.config.limits.memory_mb
        pids = [seat.pid for seat in self._seats.values() if seat.pid is not None]
        own = sum(map(own_memory_mb, pids))
        is_sum_due = self._looks % LOOKS_BETWEEN_SUMS == 0
        self._looks += 1
        if not is_sum_due and self._used_mb + max(0.0, own - self._own_mb) <= most:
            return None
        used = self._used_mb = sum(map(memory_mb, pids))
        self._own_mb = own
        if used <= most:
            return None
        self.close()
        fault = Fault(
            Cause.OUT_OF_MEMORY, f"its processes used {used:.0f} MB together; {most} are allowed"
        )
        self._count(1, None, fault)
        return fault

    def _count(self, restarts: int, out: Fault | None, fault: Fault) -> None:
        """Count what a fault costs the team, which is out if it broke too often."""
        self.restarts += restarts
        if self.restarts > self.config.limits.max_restarts:
            self.restarts = self.config.limits.max_restarts
            out = out or Fault(Cause.OUT, f"{fault.cause}: {fault.detail}")
        if out is not None:
            self.out = self.out or out
            self.close()


def memory_mb(pid: int) -> float:
    """Return the memory that a process adds to the others' (Linux; elsewhere 0, and unlimited).

    Pages shared by several count for each by its share (PSS); where that may not be read, only its
    own pages count. Source: smaps_rollup and statm in proc(5).
    """
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / KB_PER_MB
    except (OSError, StopIteration):
        return own_memory_mb(pid)


def own_memory_mb(pid: int) -> float:
    """Return the memory of a process that is no file's; what it shares since a fork is in it."""
    try:
        _, resident, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
    except (OSError, ValueError):  # another system, or it has ended
        return 0.0
    return (resident - shared) * PAGE_BYTES / BYTES_PER_MB
