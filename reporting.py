"""The report of a tournament: what runners know of it, in the words of the site."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from engine.catalogue import game_named
from engine.errors import EngineFailure
from engine.files import make_folder
from engine.shelves import REPLAY, Shelf
from engine.unfinished import Unfinished, clear_unfinished
from runners.commands import Commands
from runners.cores import available_cores
from runners.formats.bracket import Bracket, Sides, Source, winner_first
from runners.formats.bracket import Place as BracketPlace
from runners.formats.pairing import Pairing
from runners.formats.round_robin import RoundRobin
from runners.formats.scoring import Scoresheet
from runners.store import KeptTeam
from runners.tournament.interest import Interesting, most_interesting
from runners.tournament.ledger import Entry, Ledger
from runners.tournament.overview import Overview, overview_of
from runners.tournament.playing import Tournament
from runners.tournament.standings import Row
from visualizer.scene import scene_class
from visualizer.site import write_site
from visualizer.site.replays import Recording, write_pages
from visualizer.site.report import Bot, Box, Highlight, Match, Rating, Report, Slot, Team

FOLDER = "report"
"""Of a tournament's own folder."""
REPLAYS = "replays"
"""Of the report's."""


def write_report(tournament: Tournament, out: Path, commands: Commands, pages: int) -> Path:
    """Its first page. The whole folder takes the place of the one before when it is done.

    Raises: EngineFailure if it cannot be written.
    """
    home = out / tournament.field.plan.name / FOLDER
    make_folder(home.parent)
    clear_unfinished(home.parent)
    unfinished = Unfinished(home)
    try:
        unfinished.make()
        reporter = Reporter(tournament, out, commands)
        report = reporter.report(unfinished.path, pages)
        write_site(unfinished.path, report, reporter.matches())
        _put(unfinished.path, home)
    except OSError as error:
        raise EngineFailure(f"{home}: cannot be written: {error.strerror}") from error
    finally:
        unfinished.drop()
    return home / "index.html"


class Reporter:
    """Reads a tournament through, once for each question: matches are never held together."""

    def __init__(self, tournament: Tournament, out: Path, commands: Commands) -> None:
        self._tournament = tournament
        self._plan = tournament.field.plan
        self._out = out
        self._commands = commands

    def matches(self) -> Iterator[Match]:
        """All of them, in the order of the schedule."""
        return map(self._match, self._tournament.ledger())

    def report(self, folder: Path, pages: int) -> Report:
        """All but the matches. The pages to watch some of them are written into the folder."""
        ledger = self._tournament.ledger()
        overview = overview_of(ledger)
        standings = overview.standings
        elo = {rating.entrant: rating.elo for rating in overview.ratings}
        interesting = most_interesting(self._tournament.ledger(), ledger.ranking(), elo, pages)
        return Report(
            name=self._plan.name,
            game=game_named(self._plan.game).title,
            format=self._plan.format,
            team_colours=scene_class(self._plan.game).team_colours,
            seed=self._plan.seed,
            games=self._plan.games,
            teams=self._plan.table,
            played=standings.played,
            forfeited=standings.forfeited,
            open=standings.open,
            bots=tuple(_bot(row, overview) for row in standings.rows),
            bracket=tuple(_bracket(ledger)),
            rounds=tuple(_rounds(ledger)),
            highlights=tuple(self._highlights(interesting, folder)),
        )

    def _match(self, entry: Entry) -> Match:
        result = entry.result
        return Match(
            key=entry.key,
            round=entry.pairing.round,
            pairing=entry.pairing.number,
            label=entry.pairing.label,
            match_number=entry.fixture.number + 1,
            seed=entry.fixture.seed,
            state=str(entry.state),
            teams=tuple(_teams(entry)),
            reason="" if result is None else result.reason,
            turns=0 if result is None else result.turns,
            again="" if result is None else self._commands.again(entry.key),
        )

    def _highlights(self, interesting: Sequence[Interesting], folder: Path) -> Iterator[Highlight]:
        """Those whose replays are kept have pages, which are written."""
        (folder / REPLAYS).mkdir()
        recordings = [self._recording(found.entry) for found in interesting]
        before = self._out / self._plan.name / FOLDER / REPLAYS
        written = write_pages(folder / REPLAYS, before, recordings, len(available_cores()))
        for found, recording in zip(interesting, recordings, strict=True):
            page = f"{REPLAYS}/{recording.page}" if recording.page in written else None
            match = self._match(found.entry)
            yield Highlight(kind=str(found.kind), words=found.words, match=match, page=page)

    def _recording(self, entry: Entry) -> Recording:
        return Recording(
            key=entry.key,
            replay=self._out / Shelf.MATCHES / entry.key / REPLAY,
            out=self._out,
            bots=self._tournament.field.spec(entry.fixture).bots,
            again=self._commands.again(entry.key),
        )


def _bot(row: Row, overview: Overview) -> Bot:
    bot, rating = row.member.bot, overview.ratings[row.number]
    return Bot(
        number=row.number + 1,
        name=bot.name,
        digest=bot.digest,
        title=bot.title,
        author=bot.author,
        version=bot.version,
        rank=row.rank,
        points=row.points,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        byes=row.byes,
        forfeits=row.forfeits,
        faults=sum(row.faults.values()),
        mean_score=row.mean_score,
        mean_place=row.mean_place,
        buchholz=row.buchholz,
        sonneborn_berger=row.sonneborn_berger,
        is_quarantined=row.is_quarantined,
        rating=Rating(kind=str(rating.kind), elo=rating.elo, low=rating.low, high=rating.high),
        history=overview.histories.of(row.number),
    )


def _teams(entry: Entry) -> Iterator[Team]:
    """Open and forfeited matches have no results."""
    for seat, number in enumerate(entry.fixture.seats):
        share = entry.shares[seat] if entry.shares else None
        if entry.result is None:
            yield Team(bot=number + 1, share=share)
        else:
            yield _played_team(number, share, entry.result.teams[seat])


def _played_team(number: int, share: float | None, team: KeptTeam) -> Team:
    return Team(
        bot=number + 1,
        share=share,
        score=team.score,
        faults={str(cause): count for cause, count in team.faults.items()},
        details={str(cause): words for cause, words in team.details.items()},
        out=team.out,
        calls=team.cpu.calls,
        left=team.left,
        median_us=team.cpu.median_us,
        p95_us=team.cpu.p95_us,
        max_us=team.cpu.max_us,
    )


def _bracket(ledger: Ledger) -> Iterator[Box]:
    """The tree of a knockout."""
    if isinstance(ledger.format, Bracket):
        for place, sides in ledger.format.filled(ledger.points):
            yield Box(
                round=place.round,
                pairing=place.number,
                label=place.label,
                slots=tuple(_bracket_slots(place, sides, ledger.points.get(place.place))),
            )


def _bracket_slots(
    place: BracketPlace, sides: Sides, shares: tuple[float, ...] | None
) -> Iterator[Slot]:
    """None for a side on which nobody ever comes."""
    for number, (origin, who) in enumerate(zip(place.sides, sides, strict=True)):
        if who is not None:
            has_won = shares is not None and winner_first(_both(sides), shares)[0] == who
            yield Slot(
                bot=who + 1 if isinstance(who, int) else None,
                points=None if shares is None else shares[number],
                has_won=has_won,
                source=origin.place if isinstance(origin, Source) else None,
                is_winner=not isinstance(origin, Source) or origin.is_winner,
            )


def _both(sides: Sides) -> tuple[int, ...]:
    return tuple(side for side in sides if isinstance(side, int))


def _rounds(ledger: Ledger) -> Iterator[Box]:
    """The rounds of formats in which they follow from results."""
    if isinstance(ledger.format, Bracket | RoundRobin):
        return
    known: list[Pairing] = []
    for _, pairings in groupby(ledger.format.pairings(ledger.points), lambda p: p.round):
        sheet = Scoresheet(known, ledger.points) if ledger.format.ranks_by_strength else None
        for pairing in list(pairings):
            known.append(pairing)
            yield Box(
                round=pairing.round,
                pairing=pairing.number,
                label=pairing.label,
                slots=tuple(_slots(pairing, ledger.points.get(pairing.place))),
                group="" if sheet is None else _group(pairing, sheet),
            )


def _group(pairing: Pairing, sheet: Scoresheet) -> str:
    """What the best in it had before the round."""
    points = max(sheet.total(entrant) for entrant in pairing.entrants)
    return f"{points:.4g} point{'' if points == 1 else 's'}"


def _slots(pairing: Pairing, shares: tuple[float, ...] | None) -> Iterator[Slot]:
    for seat, number in enumerate(pairing.entrants):
        yield Slot(
            bot=number + 1,
            points=None if shares is None else shares[seat],
            has_won=shares is not None and shares[seat] == max(shares) > min(shares),
        )


def _put(folder: Path, home: Path) -> None:
    """In the place of what stands there, which goes."""
    older = Unfinished(home)
    if home.exists():
        home.rename(older.path)
    folder.rename(home)
    older.drop()
