"""The pages and files of a report; lists of matches are written as matches are read."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from report.charts import HistoryChart, make_whisker, rating_axis
from report.dossier import Dossier
from report.drawing import draw_bracket, draw_rounds
from report.files import TableFile, write_table
from report.rendering import Pages
from report.report import Report
from report.rows import crosstable_row, left_out_row, match_row, standings_row, team_rows
from runners.contests.highlights import Highlight, HighlightKind, one_of_each_pairing
from runners.contests.ledger import LedgerEntry

MAX_ROWS_WITH_LINKS = 60
"""Bots, up to which each cell of the crosstable links to its matches: a page must stay light."""
SHOWN_FIRST = 6
"""Matches worth watching, on the first page."""
MATCHES_OF_BOT = 12
WHISKER, WIDE_WHISKER = 190, 320
"""Lengths of axes of ratings, pixels."""
SPARK_SIZE = (92, 24)
HISTORY_SIZE = (560, 200)

Dossiers = dict[int, Dossier]
ON_A_PAGE = 250


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
        whiskers=[make_whisker(rating, axis) for rating in report.ratings],
        history=HistoryChart(report.histories, *SPARK_SIZE),
        highlights=one_of_each_pairing(report.highlights, SHOWN_FIRST),
    )


def _write_crosstable(pages: Pages, report: Report, dossiers: Dossiers) -> None:
    pages.write(
        "crosstable.html",
        "crosstable.html",
        dossiers=dossiers,
        has_links=len(report.rows) <= MAX_ROWS_WITH_LINKS,
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
    history = HistoryChart(report.histories, *HISTORY_SIZE)
    for row in report.rows:
        own = [each for each in report.highlights if row.number in each.entry.fixture.seats]
        pages.write(
            f"bots/{row.number + 1}.html",
            "bot.html",
            row=row,
            dossier=dossiers[row.number],
            axis=axis,
            whisker=make_whisker(report.ratings[row.number], axis),
            history=history,
            line=history.make_line(row.number),
            highlights=one_of_each_pairing(own, MATCHES_OF_BOT),
        )


class MatchLists:
    """Writes the pages and files of all matches, and sums up what each bot did in them."""

    def __init__(self, report: Report, pages: Pages, files: Path) -> None:
        self._report = report
        self._pages = pages
        self._files = files
        self._entrants = {row.number: row for row in report.rows}
        self.dossiers = {number: Dossier() for number in self._entrants}
        self.links: dict[tuple[int, int], str] = {}
        """Where the matches of each pairing are listed."""

    def write(self, entries: Iterable[LedgerEntry]) -> None:
        """Write entries in the order of the schedule, those of a pairing together."""
        with (
            TableFile(self._files, "matches") as by_match,
            TableFile(self._files, "teams") as by_team,
        ):
            remaining = self._write_entries(entries, by_match, by_team)
            number = 1
            self._write_page(number, list(islice(remaining, ON_A_PAGE)))
            while listed := list(islice(remaining, ON_A_PAGE)):
                number += 1
                self._write_page(number, listed)

    def _write_entries(
        self, entries: Iterable[LedgerEntry], by_match: TableFile, by_team: TableFile
    ) -> Iterator[LedgerEntry]:
        """Yield all entries, after their rows were written and their bots' dossiers told."""
        for position, entry in enumerate(entries):
            link = f"matches/{position // ON_A_PAGE + 1}.html#{anchor(entry)}"
            self.links.setdefault(entry.pairing.place, link)
            for seat, number in enumerate(entry.fixture.seats):
                self.dossiers[number].add(entry, seat, link)
            by_match.add(match_row(entry, self._report))
            for row in team_rows(entry, self._entrants):
                by_team.add(row)
            yield entry

    def _write_page(self, number: int, entries: list[LedgerEntry]) -> None:
        """Write a page; while a tournament is played there may be more than were counted."""
        self._pages.write(
            f"matches/{number}.html",
            "matches.html",
            number=number,
            count=max(number, -(-self._report.matches // ON_A_PAGE)),
            first=(number - 1) * ON_A_PAGE + 1,
            entries=entries,
            anchor=anchor,
        )


def anchor(entry: LedgerEntry) -> str:
    """Return the id that a match has on its page."""
    return f"r{entry.pairing.round}-{entry.pairing.number}-{entry.fixture.number + 1}"
