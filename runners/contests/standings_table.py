"""The standings as text and as JSON."""

from collections.abc import Callable, Iterator, Sequence

import msgspec

from engine.bots.sandbox import DANGER, Layer
from engine.streams import seed_text
from engine.support.sanitizing import one_line
from engine.support.wording import pluralize
from runners.contests.plan import Entrant, Field
from runners.contests.standings import Standings, StandingsRow
from runners.lost_decisions import forfeits_text
from runners.statistics.ratings import Rating

MAX_NAME_LENGTH = 30
MAX_DECIDED = 5
"""So many pairings that ended early are named; JSON names all."""


class Column(msgspec.Struct, frozen=True):
    """A column of the table: its heading, and the text of each row."""

    heading: str
    text: Callable[[StandingsRow], str]
    is_left: bool = False


WHAT_A_POINT_IS = "  points: of each pairing the share of its matches that were won, a draw half"
RANK = Column("rank", lambda row: str(row.rank))
BOT = Column("bot", lambda row: one_line(row.entrant.bot.name)[:MAX_NAME_LENGTH], is_left=True)
POINTS = Column("points", lambda row: _points_text(row.points))
SHARE = Column("share", lambda row: f"{row.share:.0%}")
RECORD = Column("W-D-L", lambda row: f"{row.wins}-{row.draws}-{row.losses}")
WINS = Column("wins", lambda row: str(row.wins))
PLACE = Column("place", lambda row: "-" if row.mean_place is None else f"{row.mean_place:.2f}")
BUCHHOLZ = Column("Buchholz", lambda row: _points_text(row.buchholz))
LIVE = Column("live", lambda row: "" if row.live is None else f"{row.live:.0f}")
SCORE = Column("mean score", lambda row: f"{row.mean_score:.1f}")
STATUS = Column("", lambda row: "in quarantine" * row.is_quarantined, is_left=True)


def standings_table(
    standings: Standings,
    field: Field,
    ratings: Sequence[Rating] | None = None,
    most: int | None = None,
) -> list[str]:
    """Return lines: a heading, and one for each bot, or for the best so many."""
    strength = [BUCHHOLZ] if field.make_format().ranks_by_strength else []
    live = [LIVE] if field.make_format().moves_ratings else []
    elo = [] if ratings is None else [_elo_column(ratings)]
    record = [RECORD] if field.plan.table == 2 else [WINS, PLACE]
    share = [SHARE] if standings.is_by_share else []
    columns = [RANK, BOT, *share, POINTS, *record, *strength, *live, *elo, SCORE, STATUS]
    rows = standings.rows[:most]
    lines = [[column.heading for column in columns]]
    lines += [[column.text(row) for column in columns] for row in rows]
    widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
    return [_format_line(cells, widths, columns) for cells in lines]


def _elo_column(ratings: Sequence[Rating]) -> Column:
    by_number = {rating.entrant: rating for rating in ratings}
    return Column("Elo (95 %)", lambda row: rating_text(by_number[row.number]))


def rating_text(rating: Rating) -> str:
    """Return the figure with its interval, or as much as is known."""
    if rating.elo is None:
        return str(rating.kind)
    return f"{rating.elo:.0f} ({_interval_text(rating.low, rating.high)})"


def _interval_text(low: float | None, high: float | None) -> str:
    if high is None:
        return f"at least {low:.0f}"
    return f"at most {high:.0f}" if low is None else f"{low:.0f} to {high:.0f}"


def standings_remarks(standings: Standings) -> list[str]:
    """Return lines on forfeits, faults and incomplete sandboxes."""
    lines = []
    for row in standings.rows:
        parts = []
        if row.forfeits:
            parts.append(f"forfeited {pluralize(row.forfeits, 'match')}")
        if row.faults:
            nearly_all = ", nearly all its decisions" if row.loses_nearly_all else ""
            parts.append(f"{forfeits_text(row.faults)}{nearly_all}")
        if parts:
            lines.append(f"  {BOT.text(row)}: {', '.join(parts)}")
    if standings.void:
        played = pluralize(standings.void, "match was", "matches were")
        lines.append(f"  {played} void and played again: a bot waited too long for a processor")
    if standings.decided:
        ended = pluralize(len(standings.decided), "pairing")
        pairs = ", ".join(
            f"{' : '.join(map(one_line, one.bots))} after {one.map_pairs}"
            for one in standings.decided[:MAX_DECIDED]
        )
        more = ", ..." * (len(standings.decided) > MAX_DECIDED)
        lines.append(f"  {ended} ended early, each with 95 % confidence: {pairs}{more} map pairs")
    return [*lines, *sandbox_gaps(standings)]


def sandbox_gaps(standings: Standings) -> list[str]:
    """Return lines on the machines whose sandbox lacked layers that were asked for."""
    return [
        f"  sandbox incomplete on {name_machine(host)}, in "
        f"{pluralize(matches, 'match')}: {describe_dangers(gaps)}"
        for (host, gaps), matches in sorted(standings.gaps.items())
    ]


def name_machine(host: str) -> str:
    """Return what to call the machine of a result."""
    return one_line(host) or "the runner's machine"


def describe_dangers(gaps: Sequence[Layer]) -> str:
    """Return what a bot can do for lack of these layers."""
    return f"a bot {', '.join(DANGER[layer] for layer in gaps)} ({', '.join(gaps)})"


def exclusion_lines(field: Field) -> list[str]:
    """Return lines on the bots that do not play, and why."""
    return [
        f"  {one_line(entrant.bot.name)[:MAX_NAME_LENGTH]} does not play: {one_line(entrant.flaw)}"
        for entrant in field.left_out
    ]


def heading_lines(standings: Standings, field: Field, *, is_verbose: bool = True) -> list[str]:
    """Return lines: which tournament, and how far it is; `is_verbose`: with seed and secrets."""
    plan = field.plan
    done = [f"{pluralize(standings.played, 'match')} played"]
    if standings.forfeited:
        done.append(f"{standings.forfeited} forfeited")
    to_come = "over" if standings.is_over else f"{standings.open} of this stage to come"
    if standings.is_by_share:
        to_come += "; until then ranked by the share of the points that each could have by now"
    tables = f", {plan.table}-player matches" if plan.table > 2 else ""
    bots = f"{len(field.entrants)} bots{tables}"
    seed = f", seed {seed_text(plan.seed)}" if is_verbose else ""
    return [
        f"tournament '{plan.name}': {plan.format}, {bots}{seed}",
        ", ".join([*done, to_come]),
        *(secret_lines(standings, field) if is_verbose else ()),
    ]


def secret_lines(standings: Standings, field: Field) -> Iterator[str]:
    """Yield lines on what the maps were drawn from, once all of them were played."""
    if not standings.is_over:
        return
    for secret, names in field.secrets().items():
        who = "" if secret.number == 0 else f" where {', '.join(map(one_line, names))} played"
        yield f"maps follow from secret {seed_text(secret.value)}{who}"


def standings_json(standings: Standings, field: Field, ratings: Sequence[Rating]) -> str:
    """Return the standings as JSON for scripts."""
    by_number = {rating.entrant: rating for rating in ratings}
    # What the maps were drawn from, with the bots that entered with it.
    secrets = [
        {"secret": seed_text(secret.value), "bots": names}
        for secret, names in field.secrets().items()
    ]
    return msgspec.json.encode(
        {
            "name": field.plan.name,
            "game": field.plan.game,
            "format": field.plan.format,
            "table": field.plan.table,
            "seed": seed_text(field.plan.seed),
            "secrets": secrets if standings.is_over else None,
            "played": standings.played,
            "forfeited": standings.forfeited,
            "open": standings.open,
            "is_over": standings.is_over,
            "is_by_share": standings.is_by_share,
            "void": standings.void,
            "decided": standings.decided,
            "sandbox_gaps": [
                {"host": host, "layers": gaps, "matches": matches}
                for (host, gaps), matches in sorted(standings.gaps.items())
            ],
            "standings": [_row_to_json(row, by_number[row.number]) for row in standings.rows],
            "left_out": [exclusion_to_dict(entrant) for entrant in field.left_out],
        }
    ).decode()


def exclusion_to_dict(entrant: Entrant) -> dict[str, object]:
    """Return a bot that does not play, for scripts."""
    return {"bot": entrant.bot, "why": entrant.flaw}


def _row_to_json(row: StandingsRow, rating: Rating) -> dict[str, object]:
    fields = msgspec.structs.asdict(row)
    entrant = fields.pop("entrant")
    fields.pop("number")
    figures = {"kind": rating.kind, "elo": rating.elo, "low": rating.low, "high": rating.high}
    return {"bot": entrant.bot, "joined": entrant.joined, **fields, "rating": figures}


def _points_text(points: float) -> str:
    """Return points with two digits at most: with more than two players thirds come up."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _format_line(cells: list[str], widths: list[int], columns: list[Column]) -> str:
    padded = [
        f"{cell:<{width}}" if column.is_left else f"{cell:>{width}}"
        for cell, width, column in zip(cells, widths, columns, strict=True)
    ]
    return f"  {'  '.join(padded)}".rstrip()
