"""The folder of a report: written beside the one before, and then put in its place."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from engine.errors import EngineFailure
from engine.result_folder import REPLAY, ResultFolder
from engine.support.files import make_folder
from engine.support.staging import StagingFolder, clear_staging_folders
from report.boxes import bracket_boxes, round_boxes
from report.replays import Recording, write_pages
from report.report import Report
from report.site import write_site
from runners.commands import Commands
from runners.contests.highlights import Highlight, find_highlights
from runners.contests.ledger import LedgerEntry
from runners.contests.standings import overview_of
from runners.contests.tournament import Tournament
from runners.execution.cores import available_cores

FOLDER = "report"
"""The report's folder in that of a tournament."""
REPLAYS = "replays"
"""The folder of watchable matches in the report's."""
PUBLIC_MARK_FILE = ".public-2"
"""A file in a report that is public; to be renamed where one of before must not be shown."""


def write_report(
    tournament: Tournament,
    out: Path,
    commands: Commands,
    pages: int,
    *,
    is_public: bool = False,
) -> Path:
    """Write a report, and return its first page; at most so many matches get pages to watch them.

    The whole folder takes the place of the one before when it is done. One that is public has
    neither source nor the words of faults nor what bots printed: those are their authors'.
    Raises: EngineFailure if it cannot be written.
    """
    home = out / tournament.field.plan.name / FOLDER
    make_folder(home.parent)
    clear_staging_folders(home.parent)
    staging_folder = StagingFolder(home)
    try:
        staging_folder.make()
        writer = _Writer(tournament, out, commands, is_public=is_public)
        report = writer.report(staging_folder.path, pages)
        entries = tournament.ledger()
        write_site(
            staging_folder.path, report, map(without_words, entries) if is_public else entries
        )
        if is_public:
            (staging_folder.path / PUBLIC_MARK_FILE).touch()
        _put_in_place(staging_folder.path, home)
    except OSError as error:
        raise EngineFailure(f"{home}: cannot be written: {error.strerror}") from error
    finally:
        staging_folder.drop()
    return home / "index.html"


class _Writer:
    """Reads a tournament through, once for each question: matches are never held together."""

    def __init__(
        self, tournament: Tournament, out: Path, commands: Commands, *, is_public: bool
    ) -> None:
        self._tournament = tournament
        self._out = out
        self._commands = commands
        self._is_public = is_public

    def report(self, folder: Path, pages: int) -> Report:
        """Return all but the matches. Pages to watch some of those are written into the folder."""
        ledger = self._tournament.ledger()
        overview = overview_of(ledger)
        elo = {rating.entrant: rating.elo for rating in overview.ratings}
        highlights = find_highlights(self._tournament.ledger(), ledger.ranking(), elo, pages)
        return Report(
            field=self._tournament.field,
            overview=overview,
            begun_at=self._tournament.begun_at(),
            bracket=tuple(bracket_boxes(ledger)),
            rounds=tuple(round_boxes(ledger)),
            highlights=highlights,
            replays=self._write_replays(highlights, folder),
            commands=self._commands,
        )

    def _write_replays(self, highlights: Sequence[Highlight], folder: Path) -> Mapping[str, str]:
        """Write the pages of those whose replays are kept, and return the pages by match key."""
        (folder / REPLAYS).mkdir()
        recordings = [self._make_recording(highlight) for highlight in highlights]
        before = self._out / self._tournament.field.plan.name / FOLDER / REPLAYS
        written = write_pages(folder / REPLAYS, before, recordings, len(available_cores()))
        return {one.key: f"{REPLAYS}/{one.page}" for one in recordings if one.page in written}

    def _make_recording(self, highlight: Highlight) -> Recording:
        key = highlight.entry.key
        return Recording(
            key=key,
            replay=self._out / ResultFolder.MATCHES / key / REPLAY,
            out=self._out,
            bots=self._tournament.field.spec(highlight.entry.fixture).bots,
            again=self._commands.play_again_command(key),
            is_public=self._is_public,
        )


def without_words(entry: LedgerEntry) -> LedgerEntry:
    """Return a match without the words of its faults; their causes stay."""
    if entry.result is None:
        return entry
    teams = tuple(
        replace(team, details={}, out=None if team.out is None else team.out.partition(":")[0])
        for team in entry.result.teams
    )
    return replace(entry, result=replace(entry.result, teams=teams))


def _put_in_place(folder: Path, home: Path) -> None:
    """Move a folder to where another one may be, which is removed."""
    older = StagingFolder(home)
    if home.exists():
        home.rename(older.path)
    folder.rename(home)
    older.drop()
