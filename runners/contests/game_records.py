"""Matches of a contest for programs that rate games of two: PGN, and a table as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from engine import ENGINE_VERSION
from engine.catalog import find_game
from engine.errors import UsageError
from engine.support.sanitizing import escape_formula, one_line
from runners.contests.ledger import LedgerEntry
from runners.contests.tournament import Tournament
from runners.contests.tournament_request import tournament_title

PGN, CSV = ".pgn", ".csv"
COLUMNS = ("round", "white", "black", "white_points", "key")
PGN_RESULTS = {1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}


def records_for(tournament: Tournament, path: Path) -> bytes:
    """Return the matches that were played, in the format that a file's name asks for.

    Raises: UsageError for another one, and where PGN cannot say what was played.
    """
    kind = path.suffix.lower()
    if kind == CSV:
        return _csv_rows(tournament)
    if kind != PGN:
        raise UsageError(f"{path}: expected a name that ends with {PGN} or {CSV}")
    if tournament.field.plan.table != 2:
        raise UsageError(
            f"{path}: {PGN} is for games of two, and these are matches of "
            f"{tournament.field.plan.table}; {CSV} has a row for each two that met"
        )
    return tournament_pgn(tournament)


class PlayedGame(NamedTuple):
    """A match of two that was played."""

    round: str
    white: str
    black: str
    points: float
    """Those of the first: 1, 0 or 0.5."""
    key: str
    at: datetime | None


def tournament_pgn(tournament: Tournament) -> bytes:
    """Return the matches of a tournament that were played, as PGN."""
    names = [entrant.bot.name for entrant in tournament.field.entrants]
    begun = tournament.begun_at()
    games = (
        PlayedGame(_format_place(entry), names[white], names[black], points, entry.key, begun)
        for entry in tournament.ledger()
        for white, black, points in _pairs_with_points(entry)
    )
    plan = tournament.field.plan
    return make_pgn(tournament_title(plan.name), plan.game, games)


def make_pgn(contest: str, game: str, games: Iterable[PlayedGame]) -> bytes:
    """Return matches as PGN, without moves: team 1 is White."""
    lines: list[str] = []
    for one in games:
        result = PGN_RESULTS[one.points]
        tags = {
            "Event": contest,
            "Site": f"Slime Mind {ENGINE_VERSION}, {find_game(game).title}",
            "Date": "????.??.??" if one.at is None else f"{one.at:%Y.%m.%d}",
            "Round": one.round,
            "White": one.white,
            "Black": one.black,
            "Result": result,
            "Match": one.key,
        }
        for tag, value in tags.items():
            quoted = one_line(value).replace("\\", "\\\\").replace('"', '\\"')
            lines.append(f'[{tag} "{quoted}"]')
        lines += ["", result, ""]
    return "\n".join(lines).encode()


def _csv_rows(tournament: Tournament) -> bytes:
    """Return a row for each two that met in a match: points of 1, 0 or 0.5."""
    content = io.StringIO(newline="")
    table = csv.writer(content)
    table.writerow(COLUMNS)
    entrants = tournament.field.entrants
    for entry in tournament.ledger():
        for white, black, points in _pairs_with_points(entry):
            names = [escape_formula(entrants[number].bot.name) for number in (white, black)]
            table.writerow([_format_place(entry), *names, f"{points:g}", entry.key])
    return content.getvalue().encode()


def _format_place(entry: LedgerEntry) -> str:
    return f"{entry.pairing.round}.{entry.pairing.number}"


def _pairs_with_points(entry: LedgerEntry) -> Iterator[tuple[int, int, float]]:
    """Yield who met in a match that was played, and the points of the first of each two."""
    if entry.result is None:
        return
    groups: Sequence[tuple[int, ...]] = entry.result.groups
    scores, seats = entry.result.scores, entry.fixture.seats
    for one, other in combinations(range(len(seats)), 2):
        if any({one + 1, other + 1}.issubset(group) for group in groups):
            continue  # they played together
        won = (scores[one] > scores[other]) - (scores[one] < scores[other])
        yield seats[one], seats[other], (won + 1) / 2
