"""Define a seat: what plays a team in a match."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from engine.bot_output import Note
from engine.fault import Fault
from engine.game import Ask, Event, State

US_PER_S = 1_000_000


def _ignore_event(event: Event) -> None:
    """Do nothing: for seats that look at the state instead."""


class Seat(ABC):
    """The place where a team's bot is asked: all that the engine needs of a bot.

    A base class, no Protocol: a seat without a process never restarts and has nothing to end.
    """

    notify: Callable[[Event], object] = staticmethod(_ignore_event)
    """Called for each event that the team may know, after it was applied to the state.

    An attribute, so that a seat can set it to the `append` of a list: it is called for every event.
    """
    call_us: Sequence[int] = ()
    """CPU time of each call so far, microseconds."""
    restarts: int = 0
    """How often the bot's process has been replaced."""
    notes: tuple[Note, ...] = ()
    """What the bot drew and logged with the answer taken last; who reads it empties it."""
    out: Fault | None = None
    """Why the bot is asked no more; None while it is asked."""

    @abstractmethod
    def prepare(self, state: State) -> None:
        """Begin a match; `state` is what the team knows, now and whenever it is looked at."""

    def start(self) -> Fault | None:
        """Start the bot on the present board; return why it cannot play, if so."""
        return self.out

    @abstractmethod
    def put(self, ask: Ask, view: object) -> None:
        """Send an ask; the answer is taken afterwards."""

    @abstractmethod
    def take(self) -> object:
        """Return the answer to the last ask, as plain data, or a Fault."""

    def restore(self, restarts: int, out: Fault | None) -> None:  # noqa: B027 - not all restart
        """Become what the seat was after a recorded fault, when a match is resumed."""

    def log_from(self, offset: int) -> bytes:
        """Return what the bot has printed so far, from an offset on; nothing where nobody knows."""
        return b""

    def used_s(self) -> float:
        """Return what the bot has used of its time for the whole match, sleep included, seconds."""
        return sum(self.call_us) / US_PER_S

    def close(self) -> None:  # noqa: B027 - not all have something to end
        """End the bot: the match is over."""
