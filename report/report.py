"""What the pages of a tournament are made from, but for its matches: those are read one by one."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from engine.catalog import find_game
from report.boxes import Box
from runners.commands import Commands
from runners.contests.highlights import Highlight
from runners.contests.ledger import LedgerEntry
from runners.contests.plan import Field, TournamentPlan
from runners.contests.standings import Overview, Standings, StandingsRow
from runners.statistics.live_ratings import Moment
from runners.statistics.ratings import Rating


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament, and what follows from its results."""

    field: Field
    overview: Overview
    begun_at: datetime | None = None
    """When it began, UTC; None where nobody knows."""
    bracket: Sequence[Box] = ()
    """The tree of a knockout."""
    rounds: Sequence[Box] = ()
    """The rounds of other formats in which pairings follow from results."""
    highlights: Sequence[Highlight] = ()
    """Matches worth watching."""
    replays: Mapping[str, str] = {}
    """The pages that show matches, by the keys of the matches."""
    commands: Commands = Commands()

    @property
    def plan(self) -> TournamentPlan:
        return self.field.plan

    @property
    def game_title(self) -> str:
        return find_game(self.plan.game).title

    @property
    def standings(self) -> Standings:
        return self.overview.standings

    @property
    def rows(self) -> Sequence[StandingsRow]:
        """Return the entrants, the best first."""
        return self.standings.rows

    @property
    def ratings(self) -> Sequence[Rating]:
        """Return the ratings by the numbers of the entrants."""
        return self.overview.ratings

    @property
    def histories(self) -> Mapping[int, Sequence[Moment]]:
        """Return the ratings over time by the numbers of the entrants."""
        return {row.number: self.overview.histories.get_history(row.number) for row in self.rows}

    @property
    def podium(self) -> Sequence[StandingsRow]:
        """Return the first three, once all is played."""
        return self.rows[:3] if self.standings.is_over else ()

    @property
    def matches(self) -> int:
        """Return how many are known by now."""
        return self.standings.played + self.standings.forfeited + self.standings.open

    def map_name(self, entry: LedgerEntry) -> str:
        """Return what the map of a match is called."""
        return self.field.map_name(entry.pairing, entry.fixture.map_number)
