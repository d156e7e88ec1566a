"""The clocks of people: how long they may think. Times are given in, never read here.

Rules know no clock. A clock only says when somebody is overdue; what follows from it is the
session's to do. Points in time are seconds since 1970, spans are seconds.
"""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from engine.errors import UsageError

DAY_S = 86_400
FIRST_S = 600
"""The least time of a live clock for the first decision: the others may still be on their way."""
LATE_S = 10
"""The least time of a live clock for the decision after one that was late."""

_live = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,2})?)\+([0-9]{1,4})").fullmatch
_days = re.compile(r"([0-9]{1,3})d").fullmatch


class Kind(StrEnum):
    """How time is counted."""

    NONE = "none"
    LIVE = "live"
    """A time for the whole game, and some more for each decision; all are there at once."""
    DAYS = "days"
    """A time for each decision."""


class TimeControl(msgspec.Struct, frozen=True, kw_only=True):
    """How long people may think in a game."""

    kind: Kind = Kind.NONE
    base_s: Annotated[float, Meta(ge=0, le=1_000_000)] = 0
    """Time for the game; of `days`, for each decision."""
    increment_s: Annotated[float, Meta(ge=0, le=10_000)] = 0
    """Time that a decision adds."""

    def __str__(self) -> str:
        match self.kind:
            case Kind.LIVE:
                return f"{self.base_s / 60:g}+{self.increment_s:g}"
            case Kind.DAYS:
                return f"{self.base_s / DAY_S:g}d"
        return str(self.kind)


NO_CLOCK = TimeControl()


def read_control(text: str) -> TimeControl:
    """Return what `10+5` (minutes and seconds), `3d` or `none` means. Raises: UsageError."""
    if text == Kind.NONE:
        return NO_CLOCK
    if (live := _live(text)) is not None and (float(live[1]) or float(live[2])):
        base_s, increment_s = 60 * float(live[1]), float(live[2])
        return TimeControl(kind=Kind.LIVE, base_s=base_s, increment_s=increment_s)
    if (days := _days(text)) is not None and int(days[1]):
        return TimeControl(kind=Kind.DAYS, base_s=DAY_S * int(days[1]))
    raise UsageError(
        f"{text!r:.40} is not a clock; expected minutes+seconds (10+5: ten minutes, and five "
        "seconds for each decision), days for each decision (3d), or none"
    )


class Clock(msgspec.Struct, frozen=True, kw_only=True):
    """The clock of a team, or of a team at one board."""

    remaining_s: float
    """What was left when it last began to run, or stopped."""
    since: float | None = None
    """Since when it runs; None while it stands still."""
    has_decided: bool = False
    """Whether a first decision was made."""

    def remaining_at(self, now: float) -> float:
        """Return what is left; not below 0, and not more where the machine's clock was set back."""
        used = 0.0 if self.since is None else max(0.0, now - self.since)
        return max(0.0, self.remaining_s - used)

    @property
    def deadline(self) -> float | None:
        """The moment when nothing is left; None while it stands still."""
        return None if self.since is None else self.since + self.remaining_s

    def is_overdue(self, now: float) -> bool:
        """Return whether it runs though nothing is left."""
        return self.deadline is not None and self.deadline <= now


Clocks = Mapping[tuple[int, int], Clock]
"""The clocks by team and piece; the piece is 0 where a team has one clock."""


def new_clock(control: TimeControl) -> Clock:
    """Return a clock that nobody has looked at."""
    is_live = control.kind is Kind.LIVE
    return Clock(remaining_s=max(FIRST_S, control.base_s) if is_live else control.base_s)


def switch_clock(clock: Clock, now: float, *, runs: bool) -> Clock:
    """Return a clock that runs, or stands still."""
    if runs == (clock.since is not None):
        return clock
    return replace(clock, remaining_s=clock.remaining_at(now), since=now if runs else None)


def after_decision(control: TimeControl, clock: Clock, now: float, *, is_late: bool) -> Clock:
    """Return the clock, at a stand, of whoever has decided, or was too late."""
    if control.kind is Kind.DAYS:
        left = control.base_s
    elif not clock.has_decided:
        left = control.base_s + control.increment_s
    else:
        left = clock.remaining_at(now) + control.increment_s
    if is_late:
        left = max(left, LATE_S)
    return Clock(remaining_s=left, has_decided=True)


def advance_clocks(
    control: TimeControl,
    clocks: Clocks,
    running: Collection[tuple[int, int]],
    now: float,
    decided: Mapping[tuple[int, int], bool] | None = None,
) -> dict[tuple[int, int], Clock]:
    """Return all clocks after a change.

    `running` are those that run now, and `decided` those whose owner has just decided, with
    whether that was too late. One that runs on is refilled first.
    """
    if control.kind is Kind.NONE:
        return {}
    after: dict[tuple[int, int], Clock] = {}
    for key in sorted({*clocks, *running}):
        clock = clocks.get(key) or new_clock(control)
        if decided is not None and key in decided:
            clock = after_decision(control, clock, now, is_late=decided[key])
        after[key] = switch_clock(clock, now, runs=key in running)
    return after


def after_a_pause(clock: Clock, alive_at: float, now: float) -> Clock:
    """Return a clock that did not run while the server was down: from `alive_at` until now."""
    if clock.since is None:
        return clock
    return replace(clock, since=now - max(0.0, alive_at - clock.since))
