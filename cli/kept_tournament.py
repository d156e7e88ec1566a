"""Find a tournament in its results, and format its tables."""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from cli.store_options import StoreOptions
from engine.catalog import GAMES
from engine.errors import UsageError
from runners.contests.persistence import find_tournament
from runners.contests.standings import compute_standings, overview_of
from runners.contests.standings_table import (
    WHAT_A_POINT_IS,
    exclusion_lines,
    heading_lines,
    standings_json,
    standings_remarks,
    standings_table,
)
from runners.contests.tournament import Tournament
from runners.storage.database import is_there, without_password
from runners.storage.store import default_url, existing_store


@contextmanager
def as_it_stands(options: StoreOptions, name: str | None) -> Iterator[Tournament]:
    """Yield the tournament of a name, or the latest. Raises: UsageError if there is none."""
    store = existing_store(options.url)
    if store is None:
        where = without_password(options.url)
        raise UsageError(f"{where}: there are no results{_other_games(options)}")
    with closing(store):
        yield find_tournament(store, name)


def _other_games(options: StoreOptions) -> str:
    """Return the games of which there are results, in the same folder."""
    if options.results is not None:
        return ""
    games = [game for game in GAMES if is_there(default_url(options.match.out, game))]
    return f"; there are some of other games: -g {' or -g '.join(games)}" if games else ""


def standings_as_json(tournament: Tournament) -> str:
    """Return the standings for scripts."""
    overview = overview_of(tournament.ledger())
    return standings_json(overview.standings, tournament.field, overview.ratings)


def whole_table(tournament: Tournament, *, is_verbose: bool) -> str:
    """Return the standings with ratings, which take a moment; with seeds if `is_verbose`."""
    overview, field = overview_of(tournament.ledger()), tournament.field
    lines = heading_lines(overview.standings, field, is_verbose=is_verbose)
    lines += ["", *standings_table(overview.standings, field, overview.ratings)]
    lines += ["", WHAT_A_POINT_IS] if field.plan.table == 2 else []
    if arguments := [*standings_remarks(overview.standings), *exclusion_lines(field)]:
        lines += ["", *arguments]
    return "\n".join(lines)


def short_table(tournament: Tournament) -> list[str]:
    """Return the standings without ratings, as lines."""
    standings, field = compute_standings(tournament.ledger()), tournament.field
    return [
        *heading_lines(standings, field),
        *standings_table(standings, field),
        *standings_remarks(standings),
        *exclusion_lines(field),
    ]
