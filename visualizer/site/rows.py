"""Rows of the files of a report."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from visualizer.site.dossier import Meetings
from visualizer.site.files import Row
from visualizer.site.report import Bot, Match

BOT = (
    *("rank", "number", "name", "title", "author", "version", "digest", "points"),
    *("wins", "draws", "losses", "byes", "forfeits", "faults", "mean_score", "mean_place"),
    *("buchholz", "sonneborn_berger", "is_quarantined"),
)
MATCH = (
    *(
        "round",
        "label",
        "pairing",
        "match_number",
        "key",
        "seed",
        "state",
        "reason",
        "turns",
        "again",
    ),
)
TEAM = ("score", "share", "left", "out", "calls", "median_us", "p95_us", "max_us")


def bot_row(bot: Bot) -> Row:
    rating = {
        "rating_kind": bot.rating.kind,
        "rating": bot.rating.elo,
        "rating_low": bot.rating.low,
        "rating_high": bot.rating.high,
    }
    return _fields(bot, BOT) | rating


def match_row(match: Match) -> Row:
    return _fields(match, MATCH)


def team_rows(match: Match, names: Mapping[int, str]) -> Iterator[Row]:
    """A row for each team of a match."""
    for seat, team in enumerate(match.teams, 1):
        yield {
            **_fields(match, ("key", "round", "pairing", "match_number")),
            "team": seat,
            "number": team.bot,
            "name": names[team.bot],
            **_fields(team, TEAM),
            "faults": sum(team.faults.values()),
            "causes": "; ".join(f"{cause}: {count}" for cause, count in team.faults.items()),
        }


def crosstable_row(bot: Bot, met: Mapping[int, Meetings], field: Iterable[Bot]) -> Row:
    """Shares of the points against each; columns are numbered, as two may have one name."""
    shares = {
        f"against {other.number}": met[other.number].share if other.number in met else None
        for other in field
    }
    return _fields(bot, ("rank", "number", "name")) | shares


def _fields(value: msgspec.Struct, names: Iterable[str]) -> dict[str, Any]:
    return {name: getattr(value, name) for name in names}
