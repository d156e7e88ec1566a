"""How contests stand, in lists of them: for pages and for programs, as whoever asks may know it."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

import msgspec

from runners.contests.contests import Contest, Ladder
from runners.contests.visibility import Viewer, table_until, visible_until
from runners.storage.database import now
from server.contests.ladder_tables import LadderTable, LadderTables, Standing, ladder_state
from server.contests.tournament_views import TournamentView, TournamentViews

MAX_LEADERS = 3
"""Bots of a contest in lists of contests."""
PHASES = ("To begin", "Being played", "Over")
"""The headings under which contests stand in a list."""
TO_BEGIN = ("announced", "could not begin", "not begun")


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A contest in a list, and its first bots."""

    contest: Contest
    state: str
    is_frozen: bool = False
    """Whether its table is shown as it stood when it was frozen."""
    table: LadderTable | None = None
    """That of a ladder."""
    view: TournamentView | None = None
    """That of a tournament that has begun."""

    @property
    def ladder(self) -> Ladder:
        return self.contest.ladder

    @property
    def phase(self) -> str:
        """Return under which heading it stands in a list."""
        if self.state in TO_BEGIN:
            return PHASES[0]
        return PHASES[2] if self.state == "over" else PHASES[1]

    @property
    def format(self) -> str:
        """Return `ladder`, `season` or the format of a tournament."""
        if self.view is not None:
            return self.view.tournament.field.plan.format
        one = self.contest.tournament
        if one is not None and one.choices is not None:
            return one.choices.format
        return "season" if self.ladder.is_season else "ladder"

    @property
    def bots(self) -> int:
        if self.view is not None:
            return len(self.view.shown.standings.rows)
        return 0 if self.table is None else len(self.table.standings)

    @property
    def matches(self) -> int:
        if self.view is not None:
            return self.view.shown.standings.played
        return 0 if self.table is None else self.table.matches

    @property
    def rated(self) -> list[Standing]:
        """Return the first bots of a ladder."""
        standings = [] if self.table is None else self.table.standings[:MAX_LEADERS]
        return [one for one in standings if one.rank]

    @property
    def leaders(self) -> list[str]:
        """Return the names of its first bots, as far as they are known."""
        if self.view is not None and self.matches:
            return [row.bot.name for row in self.view.shown.standings.rows[:MAX_LEADERS]]
        return [one.name for one in self.rated]

    @property
    def begins_at(self) -> datetime:
        """Return when it begins, or has begun."""
        one = self.contest.tournament
        if one is None:
            return self.ladder.begins_at
        return one.begins_at if one.begins_at is not None and self.view is None else one.created_at

    @property
    def entries_until(self) -> datetime | None:
        """Return when handing in closes; None where it stays open, or nobody enters any more."""
        if self.contest.tournament is None:
            return self.ladder.ends_at
        return self.contest.tournament.entries_until if self.view is None else None


class ContestHeads:
    """How contests stand. All methods may be called from any thread."""

    def __init__(self, tables: LadderTables, views: TournamentViews) -> None:
        self._tables = tables
        self._views = views

    def find_heads(
        self,
        read: Callable[..., Sequence[Any]],
        found: Sequence[Contest],
        viewer: Viewer | None,
    ) -> tuple[list[Head], list[str]]:
        """Return how contests stand, and the names of those that cannot be understood."""
        begun = [one for one in found if one.tournament is not None and one.tournament.is_begun]
        views, unreadable = self._views.view_all(read, begun)
        ladders = [one.ladder for one in found if one.tournament is None]
        stand = {one.contest.id: one for one in self.list_ladders(ladders, viewer)}
        for view in views:
            stand[view.contest.id] = Head(contest=view.contest, state=view.state, view=view)
        for one in found:
            if one.tournament is not None and not one.tournament.is_begun:
                state = "could not begin" if one.tournament.why else "announced"
                stand[one.id] = Head(contest=one, state=state)
        return [stand[one.id] for one in found if one.id in stand], unreadable

    def list_ladders(self, ladders: Sequence[Ladder], viewer: Viewer | None) -> list[Head]:
        """Return how ladders and seasons stand."""
        at = now()
        wanted = [(ladder, table_until(ladder, viewer, at)) for ladder in ladders]
        return [
            Head(
                contest=Contest(ladder=ladder),
                table=table,
                state=ladder_state(ladder, at),
                is_frozen=visible_until(ladder, viewer, at) is not None,
            )
            for ladder, table in zip(ladders, self._tables.tables(wanted), strict=True)
        ]
