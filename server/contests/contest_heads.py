"""How contests stand, in lists of them: for pages and for programs, as whoever asks may know it."""

from collections.abc import Mapping, Sequence
from datetime import datetime

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


class ListedContest(msgspec.Struct, frozen=True, kw_only=True):
    """A ladder, a season or a tournament, in a list of them."""

    id: str
    """The id of a ladder, or the name of a tournament: its page is `/contests/ID`."""
    name: str
    game: str
    format: str
    """`ladder`, `season`, or the format of a tournament."""
    state: str
    """`announced`, `running`, `paused`, `over` and so on, as the pages say."""
    bots: int
    matches: int
    """How many were played."""
    begins_at: datetime
    entries_until: datetime | None = None
    """When handing in closes; null where it stays open, and where nobody enters any more."""
    ends_at: datetime | None = None
    """Of a season: when handing in closes, and its final begins."""
    is_frozen: bool = False
    """Whether the table is shown as it stood when it was frozen."""
    ladder: str | None = None
    """Whose bots play a tournament; null of a ladder."""
    leaders: list[str] = []
    """The names of the first three, as far as they are known."""


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """A contest in a list."""

    contest: Contest
    listed: ListedContest
    table: LadderTable | None = None
    """That of a ladder."""

    @property
    def ladder(self) -> Ladder:
        return self.contest.ladder

    @property
    def phase(self) -> str:
        """Return under which heading it stands in a list."""
        if self.listed.state in TO_BEGIN:
            return PHASES[0]
        return PHASES[2] if self.listed.state == "over" else PHASES[1]

    @property
    def rated(self) -> list[Standing]:
        """Return the first bots of a ladder."""
        standings = [] if self.table is None else self.table.standings[:MAX_LEADERS]
        return [one for one in standings if one.rank]


class ContestHeads:
    """How contests stand. All methods may be called from any thread."""

    def __init__(self, tables: LadderTables, views: TournamentViews) -> None:
        self._tables = tables
        self._views = views

    def find_heads(
        self,
        found: Sequence[Contest],
        entrants: Mapping[str, list[str]],
        viewer: Viewer | None,
    ) -> tuple[list[Head], list[str]]:
        """Return how contests stand, and the names of those that cannot be understood.

        `entrants`: by the names of tournaments.
        """
        begun = [one for one in found if one.tournament is not None and one.tournament.is_begun]
        views, unreadable = self._views.view_all(begun, entrants)
        ladders = [one.ladder for one in found if one.tournament is None]
        stand = {one.contest.id: one for one in self.list_ladders(ladders, viewer)}
        stand |= {view.contest.id: _list_tournament(view.contest, view) for view in views}
        stand |= {
            one.id: _list_tournament(one, None)
            for one in found
            if one.tournament is not None and not one.tournament.is_begun
        }
        return [stand[one.id] for one in found if one.id in stand], unreadable

    def list_ladders(self, ladders: Sequence[Ladder], viewer: Viewer | None) -> list[Head]:
        """Return how ladders and seasons stand."""
        at = now()
        wanted = [(ladder, table_until(ladder, viewer, at)) for ladder in ladders]
        return [
            Head(
                contest=Contest(ladder=ladder),
                table=table,
                listed=ListedContest(
                    id=ladder.id,
                    name=ladder.name,
                    game=ladder.spec.game,
                    format="season" if ladder.is_season else "ladder",
                    state=ladder_state(ladder, at),
                    bots=len(table.standings),
                    matches=table.matches,
                    begins_at=ladder.begins_at,
                    entries_until=ladder.ends_at,
                    ends_at=ladder.ends_at,
                    is_frozen=visible_until(ladder, viewer, at) is not None,
                    leaders=[one.name for one in table.standings[:MAX_LEADERS] if one.rank],
                ),
            )
            for ladder, table in zip(ladders, self._tables.tables(wanted), strict=True)
        ]


def _list_tournament(contest: Contest, view: TournamentView | None) -> Head:
    """Return how a tournament stands; `view`: None of one that has not begun."""
    one, standings = contest.tournament, None if view is None else view.shown.standings
    assert one is not None
    choices = one.choices if view is None else view.tournament.field.plan
    assert choices is not None
    leaders = standings.rows[:MAX_LEADERS] if standings is not None and standings.played else []
    return Head(
        contest=contest,
        listed=ListedContest(
            id=one.id,
            name=one.title,
            game=contest.ladder.spec.game,
            format=choices.format,
            state=view.state if view is not None else one.state,
            bots=0 if standings is None else len(standings.rows),
            matches=0 if standings is None else standings.played,
            begins_at=(view is None and one.begins_at) or one.created_at,
            entries_until=one.entries_until if view is None else None,
            ladder=one.ladder,
            leaders=[row.bot.name for row in leaders],
        ),
    )
