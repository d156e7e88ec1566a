"""Reports of tournaments nobody played."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from engine.fault import Cause
from engine.replays.writing import Contestant
from engine.result import CpuUse
from report.report import Report
from report.site import write_site
from runners.contests.highlights import Highlight, HighlightKind
from runners.contests.ledger import LedgerEntry, State
from runners.contests.plan import Entrant, Field
from runners.contests.standings import Overview, Standings, StandingsRow
from runners.formats.pairing import Pairing
from runners.series import Fixture
from runners.statistics.live_ratings import Histories
from runners.statistics.ratings import Rating, RatingKind
from runners.statistics.scores import Score
from runners.storage.store import StoredResult, StoredTeam
from tests.runners.contests.fields import SECRET, a_plan

HOSTILE = "<script>alert(1)</script>"
NAMES = (
    "player_one",
    HOSTILE,
    "\"><img src=x onerror=alert(2)>'",
    '=HYPERLINK("http://evil.example","click")',
    "{{ 7 * 7 }}{% raw %}",
    "../../../etc/passwd",
    "turned \u202e around\nand broken\x1b[31m",
)
KEY = "0123456789abcdef"


def a_row(number: int = 0, **bot: str) -> StandingsRow:
    usual = {"name": f"player_{number + 1}", "digest": f"{number + 1:016x}"}
    return StandingsRow(
        rank=number + 1,
        number=number,
        entrant=Entrant(bot=Contestant(**usual | bot), secret=SECRET),
        points=99.0 - number,
        wins=99 - number,
        draws=1,
        losses=number + 1,
        mean_score=12.5,
    )


def a_rating(number: int = 0, **changes: Any) -> Rating:
    usual: dict[str, Any] = {
        "entrant": number,
        "kind": RatingKind.RATED,
        "elo": 1550.0 - 50 * number,
        "low": 1400.0,
        "high": 1700.0,
        "points": 99.0 - number,
        "games": 101,
    }
    return Rating(**usual | changes)


def unrated_rating(number: int = 0) -> Rating:
    return a_rating(number, kind=RatingKind.NOT_COMPARABLE, elo=None, low=None, high=None)


def cpu_use(calls: int = 100, median_us: int = 50) -> CpuUse:
    return CpuUse(calls=calls, median_us=median_us, p95_us=80, max_us=900, total_ms=5)


def a_team(score: float = 10.0, **changes: Any) -> StoredTeam:
    usual: dict[str, Any] = {
        "bot": Contestant(name="a", digest="d"),
        "score": score,
        "faults": {},
        "details": {},
        "restarts": 0,
        "out": None,
        "cpu": cpu_use(),
    }
    return StoredTeam(**usual | changes)


def an_entry(
    *seats: int,
    key: str = KEY,
    round_number: int = 1,
    pairing: int = 1,
    label: str = "round 1",
    match: int = 0,
    shares: Sequence[float] | None = None,
    teams: Sequence[StoredTeam] | None = None,
    state: State = State.PLAYED,
    reason: str = "last turn",
    seed: int = 7,
) -> LedgerEntry:
    """The first one wins."""
    seats = seats or (0, 1)
    if shares is None:
        shares = [float(seat == 0) for seat in range(len(seats))]
    result = StoredResult(
        key=key,
        winner=1,
        reason=reason,
        turns=100,
        teams=tuple(teams or [a_team(10 * share) for share in shares]),
        fingerprint=key,
    )
    return LedgerEntry(
        pairing=Pairing(round_number, pairing, tuple(sorted(seats)), label),
        fixture=Fixture(number=match, seed=seed, seats=seats),
        key=key,
        state=state,
        shares=() if state is State.OPEN else tuple(shares),
        result=result if state is State.PLAYED else None,
    )


def all_entries(bots: int) -> list[LedgerEntry]:
    """Everybody against everybody, twice."""
    return [
        an_entry(
            *(pair if match == 0 else pair[::-1]),
            key=f"{number:08x}{match + 1:08x}",
            pairing=number,
            match=match,
        )
        for number, pair in enumerate(combinations(range(bots), 2), 1)
        for match in (0, 1)
    ]


def a_report(
    size: int = 3,
    matches: int = 6,
    *,
    rows: Sequence[StandingsRow] = (),
    ratings: Sequence[Rating] = (),
    scores: Sequence[Score] = (),
    still_open: int = 0,
    game: str = "slime_mind",
    **changes: Any,
) -> Report:
    """`scores` move the ratings over time."""
    rows = rows or [a_row(number) for number in range(size)]
    histories = Histories(range(len(rows)))
    for score in scores:
        histories.add(score)
    overview = Overview(
        standings=Standings(rows=list(rows), played=matches, forfeited=0, open=still_open),
        ratings=tuple(ratings or [a_rating(row.number) for row in rows]),
        histories=histories,
    )
    field = Field(a_plan(game=game), tuple(row.entrant for row in rows))
    return Report(field=field, overview=overview, **changes)


def hostile_report() -> tuple[Report, list[LedgerEntry]]:
    """Every text that strangers write is an attack."""
    rows = [
        a_row(number, name=name, title=HOSTILE, author=name, version=HOSTILE)
        for number, name in enumerate(NAMES)
    ]
    faulty = a_team(
        0.0,
        faults={Cause.EXCEPTION: 3},
        details={Cause.EXCEPTION: HOSTILE},
        out=f"{HOSTILE} & more",
        left=HOSTILE,
    )
    entries = all_entries(len(NAMES))
    entries[0] = an_entry(
        0, 1, shares=(0.0, 1.0), teams=(faulty, a_team()), reason=HOSTILE, label=HOSTILE
    )
    highlight = Highlight(HighlightKind.FAULT, HOSTILE, entries[0])
    return a_report(matches=len(entries), rows=rows, highlights=[highlight]), entries


def write_report_site(folder: Path, report: Report, entries: Sequence[LedgerEntry]) -> Path:
    folder.mkdir()
    write_site(folder, report, entries)
    return folder
