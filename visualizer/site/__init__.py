"""The report of a tournament: a folder of pages that need no server, and everything as files."""

from collections.abc import Iterable
from pathlib import Path

from visualizer.site.charts import HistoryChart, rating_axis, whisker
from visualizer.site.dossier import Dossier
from visualizer.site.drawing import draw_bracket, draw_rounds
from visualizer.site.files import write_table
from visualizer.site.matches import MatchLists
from visualizer.site.pages import Pages
from visualizer.site.report import Highlight, Match, Report
from visualizer.site.rows import bot_row, crosstable_row

MOST_WITH_LINKS = 60
"""Bots, up to which each cell of the crosstable links to its matches: a page must stay light."""
SHOWN_FIRST = 6
"""Matches worth watching, on the first page."""
SHOWN_OF_BOT = 12
WHISKER, WIDE_WHISKER = 190, 320
"""Lengths of axes of ratings, pixels."""
SPARK = (92, 24)
HISTORY = (560, 200)

Dossiers = dict[int, Dossier]


def write_site(folder: Path, report: Report, matches: Iterable[Match]) -> None:
    """Fill a new folder. `matches` in the order of the schedule, those of a pairing together."""
    files = folder / "files"
    files.mkdir()
    pages = Pages(folder, report)
    lists = MatchLists(report, pages, files)
    lists.write(matches)
    pages.write_style()
    _write_leaderboard(pages, report)
    _write_crosstable(pages, report, lists.dossiers)
    _write_drawing(pages, report, lists.links)
    _write_replays(pages, report)
    _write_bots(pages, report, lists.dossiers)
    write_table(files, "standings", map(bot_row, report.bots))
    write_table(
        files,
        "crosstable",
        (
            crosstable_row(bot, lists.dossiers[bot.number].opponents, report.bots)
            for bot in report.bots
        ),
    )


def _write_leaderboard(pages: Pages, report: Report) -> None:
    axis = rating_axis([bot.rating for bot in report.bots], WHISKER)
    pages.write(
        "index.html",
        "index.html",
        axis=axis,
        whiskers={bot.number: whisker(bot.rating, axis) for bot in report.bots},
        history=HistoryChart(report.bots, *SPARK),
        highlights=report.highlights[:SHOWN_FIRST],
    )


def _write_crosstable(pages: Pages, report: Report, dossiers: Dossiers) -> None:
    pages.write(
        "crosstable.html",
        "crosstable.html",
        dossiers=dossiers,
        has_links=len(report.bots) <= MOST_WITH_LINKS,
    )


def _write_drawing(pages: Pages, report: Report, links: dict[tuple[int, int], str]) -> None:
    if pages.has_drawing:
        drawing = draw_bracket(report.bracket) if report.bracket else draw_rounds(report.rounds)
        pages.write("rounds.html", "rounds.html", drawing=drawing, links=links)


def _write_replays(pages: Pages, report: Report) -> None:
    kinds: dict[str, list[Highlight]] = {}
    for highlight in report.highlights:
        kinds.setdefault(highlight.kind, []).append(highlight)
    pages.write("replays.html", "replays.html", kinds=kinds)


def _write_bots(pages: Pages, report: Report, dossiers: Dossiers) -> None:
    axis = rating_axis([bot.rating for bot in report.bots], WIDE_WHISKER)
    history = HistoryChart(report.bots, *HISTORY)
    for bot in report.bots:
        watched = [each for each in report.highlights if each.match.has(bot.number)]
        pages.write(
            f"bots/{bot.number}.html",
            "bot.html",
            bot=bot,
            dossier=dossiers[bot.number],
            axis=axis,
            whisker=whisker(bot.rating, axis),
            history=history,
            line=history.line(bot),
            highlights=watched[:SHOWN_OF_BOT],
        )
