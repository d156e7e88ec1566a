"""The standings in words and in JSON."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from engine.bots.fault import Cause
from engine.bots.wire import one_line
from runners.ratings import Rating
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
POINTS = Column("points", lambda row: _figure(row.points))
RECORD = Column("W-D-L", lambda row: f"{row.wins}-{row.draws}-{row.losses}")
WINS = Column("wins", lambda row: str(row.wins))
PLACE = Column("place", lambda row: "-" if row.mean_place is None else f"{row.mean_place:.2f}")
BUCHHOLZ = Column("Buchholz", lambda row: _figure(row.buchholz))
LIVE = Column("live", lambda row: "" if row.live is None else f"{row.live:.0f}")
SCORE = Column("mean score", lambda row: f"{row.mean_score:.1f}")
MARK = Column("", lambda row: "in quarantine" * row.is_quarantined, is_left=True)


def standings_table(
    standings: Standings,
    field: Field,
    ratings: Sequence[Rating] | None = None,
    most: int | None = None,
) -> list[str]:
    """Lines: a heading, and one for each bot, or for the best so many."""
    strength = [BUCHHOLZ] if field.format().ranks_by_strength else []
    live = [LIVE] if field.format().moves_ratings else []
    elo = [] if ratings is None else [_elo(ratings)]
    record = [RECORD] if field.plan.table == 2 else [WINS, PLACE]
    columns = [RANK, BOT, POINTS, *record, *strength, *live, *elo, SCORE, MARK]
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
    return f"{rating.elo:.0f} ({_interval(rating.low, rating.high)})"


def _interval(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:.0f}"
    return f"at most {high:.0f}" if low is None else f"{low:.0f} to {high:.0f}"


def remarks(standings: Standings) -> list[str]:
    """Lines on what else there is to know: who forfeited, and who lost rounds to what."""
    lines = []
    for row in standings.rows:
        words = []
        if row.forfeits:
            words.append(f"forfeited {counted(row.forfeits, 'match', 'matches')}")
        if row.faults:
            total = counted(sum(row.faults.values()), "round", "rounds")
            words.append(f"lost {total} ({causes(row.faults)})")
        if words:
            lines.append(f"  {BOT.text(row)} {', '.join(words)}")
    return lines


def causes(faults: Mapping[Cause, int]) -> str:
    return ", ".join(f"{count} {cause}" for cause, count in sorted(faults.items()))


def heading(standings: Standings, field: Field) -> list[str]:
    """Lines: which tournament, and how far it is."""
    plan = field.plan
    done = [f"{counted(standings.played, 'match', 'matches')} played"]
    if standings.forfeited:
        done.append(f"{standings.forfeited} forfeited")
    to_come = "over" if standings.is_over else f"{standings.open} of this stage to come"
    tables = f", tables of {plan.table}" if plan.table > 2 else ""
    bots = f"{len(field.members)} bots{tables}"
    return [
        f"tournament '{plan.name}': {plan.format}, {bots}, seed {plan.seed}",
        ", ".join([*done, to_come]),
    ]


def standings_json(standings: Standings, field: Field, ratings: Sequence[Rating]) -> str:
    """For scripts."""
    by_number = {rating.entrant: rating for rating in ratings}
    return msgspec.json.encode(
        {
            "name": field.plan.name,
            "game": field.plan.game,
            "format": field.plan.format,
            "table": field.plan.table,
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


def _figure(points: float) -> str:
    """Thirds come up at tables; halves have one digit, as they always had."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _line(cells: list[str], widths: list[int], columns: list[Column]) -> str:
    padded = [
        f"{cell:<{width}}" if column.is_left else f"{cell:>{width}}"
        for cell, width, column in zip(cells, widths, columns, strict=True)
    ]
    return f"  {'  '.join(padded)}".rstrip()
