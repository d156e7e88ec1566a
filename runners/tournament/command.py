"""The commands of tournaments: playing them, and asking how they stand."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from engine.bots.finding import Bot
from engine.catalogue import GAMES
from engine.errors import BadBot, UsageError
from runners.command_line import INTERRUPTED
from runners.configuration import read_configuration
from runners.database import is_there, without_password
from runners.observers import say
from runners.options import Options, all_options
from runners.store import default_url, existing_store
from runners.store_options import (
    RESULTS,
    commands_to_type,
    conditions_from,
    refuse_idle_jobs,
    results_url,
)
from runners.tournament.forecast import expected_fixtures, in_words, try_out
from runners.tournament.keeping import found_tournament
from runners.tournament.observers import Bar, FaultLines, JsonLines, Log, Observer
from runners.tournament.options import TournamentName, wanted
from runners.tournament.organiser import Organiser
from runners.tournament.overview import overview_of
from runners.tournament.playing import Conditions, Progress, Tournament
from runners.tournament.retention import Retention
from runners.tournament.standings import standings_of
from runners.tournament.table import heading, remarks, standings_json, standings_table

LOG = "log.txt"

Before = Callable[[Sequence[Bot]], None]
"""What is to be done with bots before they play."""
Report = Callable[[Tournament, Options], Path]
"""Writes a report; the page to begin with."""


def run_tournament(context: click.Context, before: Before, report: Report) -> int:
    """Play one, or go on with it; the exit code."""
    refuse_idle_jobs(context)
    options = all_options(context)
    with naming_the_file(context):
        organiser = Organiser(wanted(context), read_configuration(), results_url(options))
    conditions = conditions_from(options)
    if options["dry_run"]:
        click.echo(foretold(organiser, conditions))
        return 0
    before(organiser.entries.bots)
    with organiser.open(conditions) as tournament:
        for note in () if options["prints_json"] else organiser.entries.notes:
            say(note)
        was_stopped = play(tournament, conditions, options)
        code = say_how_it_ended(tournament, was_stopped=was_stopped, options=options)
        if options["report"] and not was_stopped:
            page = report(tournament, options)
            if not options["prints_json"]:
                click.echo(f"the report:    {page}")
        return code


@contextmanager
def naming_the_file(context: click.Context) -> Iterator[None]:
    """Where bots stand in a file, what is wrong with them says in which. Raises: BadBot."""
    try:
        yield
    except BadBot as error:
        if context.get_parameter_source("bots") is not ParameterSource.DEFAULT_MAP:
            raise
        file = all_options(context)["config"] or read_configuration()
        raise BadBot(f"{file.path}: [options] bots: {error}") from error


def foretold(organiser: Organiser, conditions: Conditions) -> str:
    """What --dry-run tells."""
    with organiser.ledger() as ledger:
        standings = standings_of(ledger)
    trial = try_out(organiser.entries, conditions)
    return in_words(
        trial,
        ledger.field,
        matches=expected_fixtures(ledger),
        done=standings.played + standings.forfeited,
        workers=None if conditions.cluster else conditions.workers,
    )


def play(tournament: Tournament, conditions: Conditions, options: dict[str, Any]) -> bool:
    """Play to the end, telling whoever wants to know; whether it was stopped before."""
    with ExitStack() as stack:
        log = Log(conditions.out / tournament.field.plan.name / LOG)
        observers: list[Observer] = [log, *_shown(tournament, options)]
        if options["kept_replays"] is not None:
            observers.append(Retention(tournament, conditions.out, options["kept_replays"]))
        for observer in observers:
            stack.callback(observer.close)

        def tell(progress: Progress) -> None:
            for observer in observers:
                observer.told(progress)

        log.write("\n".join(short_table(tournament)))
        try:
            tournament.play(conditions, tell)
            return False
        except KeyboardInterrupt:
            return True
        finally:
            log.write("\n".join(short_table(tournament)))


def _shown(tournament: Tournament, options: dict[str, Any]) -> list[Observer]:
    if options["prints_json"]:
        return [JsonLines()]
    if options["quiet"]:
        return []
    ledger = tournament.ledger()
    standings = standings_of(ledger)
    bar = Bar(
        tournament,
        done=standings.played + standings.forfeited,
        total=expected_fixtures(ledger),
    )
    return [FaultLines(say), bar]


def say_how_it_ended(tournament: Tournament, *, was_stopped: bool, options: dict[str, Any]) -> int:
    """How it stands, what could not be played, and what can be done next; the exit code."""
    commands = commands_to_type(options)
    name = tournament.field.plan.name
    if not options["prints_json"]:
        click.echo(whole_table(tournament))
    for key, words in tournament.given_up.items():
        say(f"not played: match {key}: {words}")
    if was_stopped:
        played = standings_of(tournament.ledger()).played
        say(f"stopped after {played} matches; go on with:  {commands.go_on(name)}")
        return INTERRUPTED
    if not options["prints_json"]:
        click.echo(f"\nsee it again:  {commands.standings(name)}")
        click.echo(f"every match:   {options['out'] / name / LOG}")
    return 1 if tournament.given_up else 0


def whole_table(tournament: Tournament) -> str:
    """With ratings, which take a moment."""
    overview, field = overview_of(tournament.ledger()), tournament.field
    lines = heading(overview.standings, field)
    lines += ["", *standings_table(overview.standings, field, overview.ratings)]
    if words := remarks(overview.standings):
        lines += ["", *words]
    return "\n".join(lines)


def short_table(tournament: Tournament) -> list[str]:
    standings, field = standings_of(tournament.ledger()), tournament.field
    return [*heading(standings, field), *standings_table(standings, field), *remarks(standings)]


def _elsewhere(options: Options) -> str:
    """The games of which there are some, in the same folder."""
    if options["results"] is not None:
        return ""
    games = [game for game in GAMES if is_there(default_url(options["out"], game))]
    return f"; there are some of other games: -g {' or -g '.join(games)}" if games else ""


@contextmanager
def as_it_stands(options: Options) -> Iterator[Tournament]:
    """The tournament that was named, or the latest one. Raises: UsageError if there is none."""
    url = results_url(options)
    store = existing_store(url)
    if store is None:
        raise UsageError(f"{without_password(url)}: there are no results{_elsewhere(options)}")
    with closing(store):
        yield found_tournament(store, options["name"])


@click.command()
@click.argument("name", required=False, type=TournamentName())
@RESULTS
@click.pass_context
def standings(context: click.Context, /, **_: Any) -> None:
    """Show how a tournament stands, also while it is played; by default the latest one."""
    options = all_options(context)
    with as_it_stands(options) as tournament:
        if options["prints_json"]:
            overview = overview_of(tournament.ledger())
            click.echo(standings_json(overview.standings, tournament.field, overview.ratings))
        else:
            click.echo(whole_table(tournament))
