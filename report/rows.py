"""The rows of a report's files. Numbers of entrants, teams and matches count from 1 there."""

from collections.abc import Iterable, Iterator, Mapping

from engine.result import CpuUse
from engine.streams import seed_text
from report.dossier import OpponentRecord
from report.files import Value
from report.report import Report
from runners.contests.ledger import LedgerEntry
from runners.contests.plan import Entrant
from runners.contests.standings import StandingsRow
from runners.statistics.ratings import Rating

NOT_ASKED = CpuUse(calls=0, median_us=0, p95_us=0, max_us=0, total_ms=0)

Cells = dict[str, Value]


def standings_row(row: StandingsRow, rating: Rating) -> Cells:
    """Return the row of an entrant."""
    bot = row.bot
    return {
        "rank": row.rank,
        **_entrant_cells(row),
        "title": bot.title,
        "author": bot.author,
        "version": bot.version,
        "digest": bot.digest,
        "points": row.points,
        "share": row.share,
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "byes": row.byes,
        "forfeits": row.forfeits,
        "faults": row.faults.total(),
        "mean_score": row.mean_score,
        "mean_place": row.mean_place,
        "buchholz": row.buchholz,
        "sonneborn_berger": row.sonneborn_berger,
        "is_quarantined": row.is_quarantined,
        "rating_kind": rating.kind,
        "rating": rating.elo,
        "rating_low": rating.low,
        "rating_high": rating.high,
    }


def left_out_row(entrant: Entrant) -> Cells:
    """Return the row of a bot that does not play."""
    return {"name": entrant.bot.name, "digest": entrant.bot.digest, "why": entrant.flaw}


def match_row(entry: LedgerEntry, report: Report) -> Cells:
    """Return the row of a match.

    What would foretell a map is left empty: a seed until it was played, a secret until all is
    over.
    """
    result = entry.result
    secret = report.field.secret_of_pairing(entry.pairing).value
    return {
        "round": entry.pairing.round,
        "label": entry.pairing.label,
        "pairing": entry.pairing.number,
        "match_number": entry.fixture.number + 1,
        "key": entry.key,
        "map": report.map_name(entry),
        "secret": seed_text(secret) if report.standings.is_over else "",
        "seed": "" if result is None else seed_text(entry.fixture.seed),
        "state": entry.state,
        "reason": "" if result is None else result.reason,
        "turns": 0 if result is None else result.turns,
        "again": "" if result is None else report.commands.play_again_command(entry.key),
    }


def team_rows(entry: LedgerEntry, entrants: Mapping[int, StandingsRow]) -> Iterator[Cells]:
    """Yield a row for each team of a match."""
    for seat, number in enumerate(entry.fixture.seats):
        yield {
            "key": entry.key,
            "round": entry.pairing.round,
            "pairing": entry.pairing.number,
            "match_number": entry.fixture.number + 1,
            "team": seat + 1,
            **_entrant_cells(entrants[number]),
            **_team_result_cells(entry, seat),
        }


def _team_result_cells(entry: LedgerEntry, seat: int) -> Cells:
    """Return what a team came to; open and forfeited matches have no results."""
    team = None if entry.result is None else entry.result.teams[seat]
    cpu = NOT_ASKED if team is None else team.cpu
    faults = {} if team is None else team.faults
    return {
        "score": None if team is None else team.score,
        "share": entry.shares[seat] if entry.shares else None,
        "left": "" if team is None else team.left,
        "out": None if team is None else team.out,
        "calls": cpu.calls,
        "median_us": cpu.median_us,
        "p95_us": cpu.p95_us,
        "max_us": cpu.max_us,
        "faults": sum(faults.values()),
        "causes": "; ".join(f"{cause}: {count}" for cause, count in faults.items()),
    }


def crosstable_row(
    row: StandingsRow, met: Mapping[int, OpponentRecord], rows: Iterable[StandingsRow]
) -> Cells:
    """Return the shares of the points against each; columns have numbers, as names may be equal."""
    shares: Cells = {
        f"against {other.number + 1}": met[other.number].share if other.number in met else None
        for other in rows
    }
    return {"rank": row.rank, **_entrant_cells(row), **shares}


def _entrant_cells(row: StandingsRow) -> Cells:
    return {"number": row.number + 1, "name": row.bot.name}
