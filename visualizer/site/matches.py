"""Lists of matches, written as the matches come: they are never held together."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from visualizer.site.dossier import Dossier
from visualizer.site.files import TableFile
from visualizer.site.pages import Pages
from visualizer.site.report import Match, Report
from visualizer.site.rows import match_row, team_rows

ON_A_PAGE = 250


class MatchLists:
    """Writes pages and files of all matches, and knows afterwards what is worth keeping."""

    def __init__(self, report: Report, pages: Pages, files: Path) -> None:
        self._report = report
        self._pages = pages
        self._files = files
        self._names = {bot.number: bot.name for bot in report.bots}
        self.dossiers = {bot.number: Dossier() for bot in report.bots}
        self.links: dict[tuple[int, int], str] = {}
        """Where the matches of each pairing are listed."""

    def write(self, matches: Iterable[Match]) -> None:
        """In the order of the schedule, those of a pairing together."""
        with (
            TableFile(self._files, "matches") as by_match,
            TableFile(self._files, "teams") as by_team,
        ):
            remaining = self._filed(matches, by_match, by_team)
            number = 1
            self._write_page(number, list(islice(remaining, ON_A_PAGE)))
            while listed := list(islice(remaining, ON_A_PAGE)):
                number += 1
                self._write_page(number, listed)

    def _filed(
        self, matches: Iterable[Match], by_match: TableFile, by_team: TableFile
    ) -> Iterator[Match]:
        """All of them, each noted on its way."""
        for number, match in enumerate(matches):
            link = f"matches/{number // ON_A_PAGE + 1}.html#{anchor(match)}"
            self.links.setdefault(match.place, link)
            for seat, team in enumerate(match.teams):
                self.dossiers[team.bot].add(match, seat, link)
            by_match.add(match_row(match))
            for row in team_rows(match, self._names):
                by_team.add(row)
            yield match

    def _write_page(self, number: int, matches: list[Match]) -> None:
        """While it is being played there may be more by now than were counted."""
        self._pages.write(
            f"matches/{number}.html",
            "matches.html",
            number=number,
            count=max(number, -(-self._report.matches // ON_A_PAGE)),
            first=(number - 1) * ON_A_PAGE + 1,
            matches=matches,
            anchor=anchor,
        )


def anchor(match: Match) -> str:
    """Where on its page a match stands."""
    return f"r{match.round}-{match.pairing}-{match.match_number}"
