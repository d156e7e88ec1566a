"""The standings in words and in JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engine.bots.fault import Cause
from engine.bots.wire import one_line
from runners.formats.bracket import Bracket
from runners.ratings import Rating
from runners.tournament.forecast import Trial
from runners.tournament.plan import Field
from runners.tournament.standings import Row, Standings

LONGEST_NAME = 30


class Column(msgspec.Struct, frozen=True):
    """A heading, and what stands below it."""

    heading: str
    text: Callable[[Row], str]
    is_left: bool = False


RANK = Column("rank", lambda row: str(row.rank))
BOT = Column("bot", lambda row: one_line(row.member.bot.name)[:LONGEST_NAME], is_left=True)
POINTS = Column("points", lambda row: f"{row.points:g}")
RECORD = Column("W-D-L", lambda row: f"{row.wins}-{row.draws}-{row.losses}")
BUCHHOLZ = Column("Buchholz", lambda row: f"{row.buchholz:g}")
SCORE = Column("mean score", lambda row: f"{row.mean_score:.1f}")
REMARKS = Column("", lambda row: "; ".join(remarks(row)), is_left=True)


def standings_table(
    standings: Standings,
    field: Field,
    ratings: Sequence[Rating] | None = None,
    most: int | None = None,
) -> list[str]:
    """Lines: a heading, and one for each bot, or for the best so many."""
    strength = [BUCHHOLZ] if field.format().ranks_by_strength else []
    elo = [] if ratings is None else [_elo(ratings)]
    columns = [RANK, BOT, POINTS, RECORD, *strength, *elo, SCORE, REMARKS]
    rows = standings.rows[:most]
    lines = [[column.heading for column in columns]]
    lines += [[column.text(row) for column in columns] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return [_line(cells, widths, columns) for cells in lines]


def _elo(ratings: Sequence[Rating]) -> Column:
    by_number = {rating.entrant: rating for rating in ratings}
    return Column("Elo (95 %)", lambda row: rating_text(by_number[row.number]))


def rating_text(rating: Rating) -> str:
    """The figure with its interval, or as much as is known."""
    if rating.elo is None:
        return str(rating.kind)
    if rating.low is None or rating.high is None:
        return f"{rating.kind} {rating.elo:.0f}"
    return f"{rating.elo:.0f} ({rating.low:.0f} to {rating.high:.0f})"


def remarks(row: Row) -> list[str]:
    """What else there is to know of an entrant."""
    words = []
    if row.is_quarantined:
        words.append("in quarantine")
    if row.forfeits:
        words.append(f"{counted(row.forfeits, 'match', 'matches')} forfeited")
    if row.faults:
        total = counted(sum(row.faults.values()), "round", "rounds")
        words.append(f"{total} lost ({causes(row.faults)})")
    return words


def causes(faults: Mapping[Cause, int]) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in sorted(faults.items()))


def how_far(standings: Standings, field: Field) -> str:
    """A heading: which tournament, and how far it is."""
    plan = field.plan
    state = "over" if standings.is_over else f"{standings.open} matches of this stage to come"
    forfeited = f", {standings.forfeited} forfeited" if standings.forfeited else ""
    played = counted(standings.played, "match", "matches")
    return (
        f"tournament '{plan.name}': {plan.format}, {len(field.members)} bots, seed {plan.seed}; "
        f"{played} played{forfeited}, {state}"
    )


def forecast_text(trial: Trial, field: Field, *, matches: int, done: int, workers: int) -> str:
    """What is still to be played of it, and what that takes."""
    plan, left = field.plan, max(0, matches - done)
    begun = f"; {done} are done, {left} are left" if done else ""
    more = "; more if a pairing is level" if isinstance(field.format(), Bracket) else ""
    wall_s = left * trial.match_s / workers
    return (
        f"tournament '{plan.name}': {plan.format}, {len(field.members)} bots, "
        f"{counted(plan.maps, 'mirrored pair', 'mirrored pairs')} for each pairing\n"
        f"  matches  {matches}{begun}{more}\n"
        f"  time     about {duration(wall_s)}, {counted(workers, 'match', 'matches')} at a time\n"
        f"  disk     about {size(left * trial.match_bytes)}\n"
        f"judged by {counted(trial.matches, 'match', 'matches')} of the beginning: "
        f"{trial.match_s:.2g} s and {size(trial.match_bytes)} each"
    )


def duration(seconds: float) -> str:
    """In the unit that suits it."""
    for unit, length in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} seconds"


def size(count: float) -> str:
    for unit, length in (("GB", 1e9), ("MB", 1e6)):
        if count >= length:
            return f"{count / length:.1f} {unit}"
    return f"{count / 1e3:.0f} KB"


def standings_json(standings: Standings, field: Field, ratings: Sequence[Rating]) -> str:
    """For scripts."""
    by_number = {rating.entrant: rating for rating in ratings}
    return msgspec.json.encode(
        {
            "name": field.plan.name,
            "game": field.plan.game,
            "format": field.plan.format,
            "seed": field.plan.seed,
            "played": standings.played,
            "forfeited": standings.forfeited,
            "open": standings.open,
            "is_over": standings.is_over,
            "standings": [_as_json(row, by_number[row.number]) for row in standings.rows],
        }
    ).decode()


def _as_json(row: Row, rating: Rating) -> dict[str, Any]:
    fields = msgspec.structs.asdict(row)
    member = fields.pop("member")
    fields.pop("number")
    figures = {"kind": rating.kind, "elo": rating.elo, "low": rating.low, "high": rating.high}
    return {"bot": member.bot, "joined": member.joined, **fields, "rating": figures}


def counted(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _line(cells: list[str], widths: list[int], columns: list[Column]) -> str:
    padded = [
        f"{cell:<{width}}" if column.is_left else f"{cell:>{width}}"
        for cell, width, column in zip(cells, widths, columns, strict=True)
    ]
    return f"  {'  '.join(padded)}".rstrip()
