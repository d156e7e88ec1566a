"""Tells authors what became of their bots on ladders."""

from collections.abc import Collection, Mapping
from datetime import timedelta

from sqlalchemy import select

from runners.contests.contests import Ladder
from runners.contests.highlights import UPSET_ELO
from runners.contests.ladder_contest import LadderMatch
from runners.contests.ladder_fixtures import BREAKS, Contender
from runners.contests.ladder_ratings import Published, find_latest_ratings
from runners.contests.ladders import Ladders
from runners.storage.database import Database, now
from runners.storage.ladder_tables import versions
from runners.storage.store import StoredResult
from server.contests.ladder_tables import LadderTables, Standing
from server.contests.match_rows import has_lost_before, load_match
from server.contests.notices import page_of, place_words, tell_all, tell_once

FAR_ELO = 2 * UPSET_ELO
"""Elo by which a bot is rated lower that should hardly ever have won."""
NEWS_PERIOD = timedelta(days=7)
"""A season that has begun or ended longer ago is no news."""
NOTABLE_RANKS = (1, 3, 10, 30, 100)
"""The ranks of which people are told when their bot reaches them."""


class Reporter:
    """Writes notices; called by the thread that plays."""

    def __init__(self, database: Database, tables: LadderTables) -> None:
        """`tables` has a ladder's new table before anybody asks for its page."""
        self._database = database
        self._ladders = Ladders(database)
        self._tables = tables
        self._ratings: dict[str, Mapping[str, Published]] = {}
        self._best: dict[tuple[str, str], int] = {}
        """The best rank that was seen, by ladder and bot."""

    def on_match_played(
        self, match: LadderMatch, result: StoredResult, quarantined: Collection[str]
    ) -> None:
        """Look at a match that was played."""
        for one in match.seated:
            if one.version in quarantined:
                self._tell_of_quarantine(one)
        if result.winner is not None:
            self._look_for_upset(match, result.winner - 1)

    def on_ratings_published(self, ladder_id: str, ratings: Mapping[str, Published]) -> None:
        """Look at the new ratings of a ladder."""
        self._ratings[ladder_id] = ratings
        ladder = self._ladders.ladder(ladder_id)
        if ladder is None or ladder.is_frozen(now()):
            return
        for one in self._tables.table(ladder, None).standings:
            if one.rank is not None and not one.is_provisional:
                self._look_at_rank(ladder, one, one.rank)

    def on_season_begin(self, season: Ladder) -> None:
        """Tell the authors of each bot that plays, once; nothing of a season of long ago."""
        at = now()
        if at - season.begins_at <= NEWS_PERIOD and not season.is_closed(at):
            news = {
                f"{season.name} has begun; {one.name} plays.": one.authors
                for one in self._tables.table(season, None).standings
            }
            tell_once(self._database, season.id, news)

    def on_season_end(self, ladder_id: str) -> None:
        """Tell the authors of each bot its place, once; nothing of a season of long ago."""
        ladder, at = self._ladders.ladder(ladder_id), now()
        ended = None if ladder is None else ladder.final_time(at)
        if ladder is None or ended is None or at - ended > NEWS_PERIOD:
            return
        placed = [one for one in self._tables.table(ladder, ended).standings if one.rank]
        news = {
            place_words(ladder.name, one.name, one.rank, len(placed)): one.authors for one in placed
        }
        tell_once(self._database, ladder.id, news)

    def _tell_of_quarantine(self, one: Contender) -> None:
        with self._database.transaction() as connection:
            query = select(versions.c.why).where(versions.c.id == one.version)
            why = connection.execute(query).scalar_one()
            tell_all(
                connection,
                one.authors,
                f"{one.name}, version {one.number}, broke in {BREAKS} matches in a row and plays "
                f"no more until you hand in another version: {why.partition('last one: ')[2]}",
                f"/bots/{one.bot}",
            )

    def _look_for_upset(self, played: LadderMatch, seat: int) -> None:
        """Tell who lost for the first time to a bot that is rated far below."""
        fixture, seated = played.fixture, played.seated
        ladder = self._ladders.ladder(fixture.ladder)
        ratings = self._load_ratings(fixture.ladder)
        winner = seated[seat]
        its = ratings.get(winner.version)
        if its is None or its.elo is None or ladder is None or ladder.is_frozen(now()):
            return
        for one in seated:
            own = ratings.get(one.version)
            if own is None or own.elo is None or own.elo - its.elo < FAR_ELO:
                continue
            with self._database.transaction() as connection:
                match = load_match(connection, fixture.public_id)
                assert match is not None
                if not has_lost_before(connection, match, one.bot, winner.bot):
                    tell_all(
                        connection,
                        one.authors,
                        f"{one.name} lost for the first time to {winner.name}, which is rated "
                        f"{own.elo - its.elo:.0f} lower",
                        f"/matches/{fixture.public_id}",
                    )

    def _load_ratings(self, ladder_id: str) -> Mapping[str, Published]:
        if ladder_id not in self._ratings:
            with self._database.reading() as connection:
                self._ratings[ladder_id] = find_latest_ratings(connection, ladder_id)
        return self._ratings[ladder_id]

    def _look_at_rank(self, ladder: Ladder, one: Standing, rank: int) -> None:
        """Tell of a rank that is better than any since the server began to play."""
        best = self._best.get((ladder.id, one.bot))
        self._best[ladder.id, one.bot] = rank if best is None else min(best, rank)
        reached = [place for place in NOTABLE_RANKS if best is not None and rank <= place < best]
        if reached:
            text = "leads" if reached[0] == 1 else f"is among the best {reached[0]} of"
            with self._database.transaction() as connection:
                told = f"{one.name} {text} {ladder.name}"
                tell_all(connection, one.authors, told, page_of(ladder.id))
