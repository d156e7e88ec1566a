"""Reports of tournaments nobody played."""

from itertools import combinations
from pathlib import Path
from typing import Any

from visualizer.site import write_site
from visualizer.site.report import Bot, Highlight, Match, Rating, Report, Team

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


def a_bot(number: int = 1, **changes: Any) -> Bot:
    usual: dict[str, Any] = {
        "number": number,
        "name": f"player_{number}",
        "digest": f"{number:016x}",
        "rank": number,
        "points": 100.0 - number,
        "wins": 100 - number,
        "draws": 1,
        "losses": number,
        "mean_score": 12.5,
        "rating": Rating(kind="rated", elo=1600.0 - 50 * number, low=1400.0, high=1700.0),
    }
    return Bot(**usual | changes)


def a_team(bot: int, share: float | None = 1.0, **changes: Any) -> Team:
    usual: dict[str, Any] = {
        "score": None if share is None else 10 * share,
        "calls": 100,
        "median_us": 50,
        "p95_us": 80,
        "max_us": 900,
    }
    return Team(bot=bot, share=share, **usual | changes)


def a_match(*bots: int, **changes: Any) -> Match:
    """The first one wins."""
    teams = tuple(a_team(bot, float(seat == 0)) for seat, bot in enumerate(bots or (1, 2)))
    usual: dict[str, Any] = {
        "key": "0123456789abcdef",
        "round": 1,
        "pairing": 1,
        "label": "round 1",
        "match_number": 1,
        "seed": 7,
        "state": "played",
        "teams": teams,
        "reason": "last turn",
        "turns": 100,
        "again": "python3 main.py --match 0123456789abcdef",
    }
    return Match(**usual | changes)


def all_matches(bots: int) -> list[Match]:
    """Everybody against everybody, twice."""
    return [
        a_match(
            *(pair if game == 1 else pair[::-1]),
            key=f"{number:08x}{game:08x}",
            pairing=number,
            match_number=game,
        )
        for number, pair in enumerate(combinations(range(1, bots + 1), 2), 1)
        for game in (1, 2)
    ]


def a_report(size: int = 3, matches: int = 6, **changes: Any) -> Report:
    usual: dict[str, Any] = {
        "name": "spring",
        "game": "Slime Mind",
        "format": "round_robin",
        "seed": 1,
        "games": 1,
        "played": matches,
        "forfeited": 0,
        "open": 0,
        "bots": tuple(a_bot(number) for number in range(1, size + 1)),
    }
    return Report(**usual | changes)


def hostile_report() -> tuple[Report, list[Match]]:
    """Every text that strangers write is an attack."""
    bots = tuple(
        a_bot(number, name=name, title=HOSTILE, author=name, version=HOSTILE)
        for number, name in enumerate(NAMES, 1)
    )
    faulty = a_team(
        1,
        0.0,
        faults={"exception": 3},
        details={"exception": HOSTILE},
        out=f"{HOSTILE} & more",
        left=HOSTILE,
    )
    matches = all_matches(len(NAMES))
    matches[0] = a_match(1, 2, teams=(faulty, a_team(2)), reason=HOSTILE, label=HOSTILE)
    highlight = Highlight(kind="fault", words=HOSTILE, match=matches[0])
    report = a_report(matches=len(matches), bots=bots, highlights=(highlight,))
    return report, matches


def written(folder: Path, report: Report, matches: list[Match]) -> Path:
    folder.mkdir()
    write_site(folder, report, matches)
    return folder
