"""Lists of matches, which are written as matches are read: they are never held together."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from report.dossier import Dossier
from report.files import TableFile
from report.pages import Pages
from report.report import Report
from report.rows import match_row, team_rows
from runners.contests.ledger import LedgerEntry

ON_A_PAGE = 250


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
            remaining = self._filed(entries, by_match, by_team)
            number = 1
            self._write_page(number, list(islice(remaining, ON_A_PAGE)))
            while listed := list(islice(remaining, ON_A_PAGE)):
                number += 1
                self._write_page(number, listed)

    def _filed(
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
