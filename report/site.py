"""The pages and files of a report."""

from collections.abc import Iterable
from pathlib import Path

from report.charts import HistoryChart, rating_axis, whisker
from report.dossier import Dossier
from report.drawing import draw_bracket, draw_rounds
from report.files import write_table
from report.matches import MatchLists
from report.pages import Pages
from report.report import Report
from report.rows import crosstable_row, left_out_row, standings_row
from runners.contests.highlights import Highlight, HighlightKind, one_of_each_pairing
from runners.contests.ledger import LedgerEntry

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


def write_site(folder: Path, report: Report, entries: Iterable[LedgerEntry]) -> None:
    """Fill a new folder. `entries` in the order of the schedule, those of a pairing together."""
    files = folder / "files"
    files.mkdir()
    pages = Pages(folder, report)
    lists = MatchLists(report, pages, files)
    lists.write(entries)
    pages.write_style()
    _write_leaderboard(pages, report)
    _write_crosstable(pages, report, lists.dossiers)
    _write_drawing(pages, report, lists.links)
    _write_replays(pages, report)
    _write_bots(pages, report, lists.dossiers)
    _write_tables(files, report, lists.dossiers)


def _write_tables(files: Path, report: Report, dossiers: Dossiers) -> None:
    standings = (standings_row(row, report.ratings[row.number]) for row in report.rows)
    write_table(files, "standings", standings)
    if report.field.left_out:
        write_table(files, "left_out", map(left_out_row, report.field.left_out))
    met = ((row, dossiers[row.number].opponents) for row in report.rows)
    rows = (crosstable_row(row, opponents, report.rows) for row, opponents in met)
    write_table(files, "crosstable", rows)


def _write_leaderboard(pages: Pages, report: Report) -> None:
    axis = rating_axis(report.ratings, WHISKER)
    pages.write(
        "index.html",
        "index.html",
        axis=axis,
        whiskers=[whisker(rating, axis) for rating in report.ratings],
        history=HistoryChart(report.histories, *SPARK),
        highlights=one_of_each_pairing(report.highlights, SHOWN_FIRST),
    )


def _write_crosstable(pages: Pages, report: Report, dossiers: Dossiers) -> None:
    pages.write(
        "crosstable.html",
        "crosstable.html",
        dossiers=dossiers,
        has_links=len(report.rows) <= MOST_WITH_LINKS,
    )


def _write_drawing(pages: Pages, report: Report, links: dict[tuple[int, int], str]) -> None:
    if pages.has_drawing:
        drawing = draw_bracket(report.bracket) if report.bracket else draw_rounds(report.rounds)
        pages.write(
            "rounds.html",
            "rounds.html",
            drawing=drawing,
            is_bracket=bool(report.bracket),
            links=links,
            notes={},
        )


def _write_replays(pages: Pages, report: Report) -> None:
    kinds: dict[HighlightKind, list[Highlight]] = {}
    for highlight in report.highlights:
        kinds.setdefault(highlight.kind, []).append(highlight)
    pages.write("replays.html", "replays.html", kinds=kinds)


def _write_bots(pages: Pages, report: Report, dossiers: Dossiers) -> None:
    axis = rating_axis(report.ratings, WIDE_WHISKER)
    history = HistoryChart(report.histories, *HISTORY)
    for row in report.rows:
        own = [each for each in report.highlights if row.number in each.entry.fixture.seats]
        pages.write(
            f"bots/{row.number + 1}.html",
            "bot.html",
            row=row,
            dossier=dossiers[row.number],
            axis=axis,
            whisker=whisker(report.ratings[row.number], axis),
            history=history,
            line=history.line(row.number),
            highlights=one_of_each_pairing(own, SHOWN_OF_BOT),
        )
