"""Play a tournament, or resume one: the command `tournament`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import click
import msgspec
from click.core import ParameterSource

from cli import seats
from cli.options import NOT_FOR_TOURNAMENTS, explicit_options, refuse
from cli.seats import PLAYERS
from cli.store_options import build_store_options, sandbox_lines
from cli.tournament_options import TournamentOptions, tournament_options
from engine.errors import BadBot, Stopped
from engine.support.lazy_import import lazy_imports
from engine.support.signals import INTERRUPTED_EXIT_CODE
from engine.support.wording import pluralize
from runners.commands import format_command
from runners.configuration import read_configuration
from runners.match_request import RunOptions

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import fault_lines, kept_tournament
    from cli import report as report_pages
    from runners import observers as run_observers
    from runners.contests import forecast, retention, standings_table
    from runners.contests import observers as contest_observers
    from runners.contests import organizer as organizers
    from runners.contests import standings as contest_standings
    from runners.contests import tournament as tournaments


LOG = "log.txt"


@click.command()
@tournament_options
@click.pass_context
def tournament(context: click.Context, /, **values: Any) -> None:
    """Play a tournament, or resume one.

    The same as -r tournament. It is played by the BOTS named (a folder stands for those in it);
    without any, by all in playerCode but the template, or by those that play it already. Stop it
    whenever you like: the same command resumes.
    """
    assert context.parent is not None
    refuse(context.parent, PLAYERS, "the bots of a tournament are named without an option")
    refuse(context.parent, NOT_FOR_TOURNAMENTS, "a tournament is played")
    match, said = build_store_options(context).match, explicit_options(context)
    context.exit(run_tournament(context, TournamentOptions(match=match, said=said, **values)))


def run_tournament(context: click.Context, options: TournamentOptions) -> int:
    """Play a tournament, or resume one, and return the exit code."""
    with name_file_in_errors(context, options):
        organizer = organizers.Organizer(options.request, read_configuration(), options.url)
    if options.is_dry_run:
        click.echo(describe_plan(organizer, options.run))
        return 0
    seats.save_own_sprites(organizer.entries.bots, options.run.out)
    with ExitStack() as stack:
        with print_restart_hint(organizer):
            tournament = stack.enter_context(organizer.open(options.run))
        say_who_plays(organizer, tournament, options)
        was_stopped = play(tournament, options)
        code = print_outcome(tournament, options, was_stopped=was_stopped)
        if options.writes_report and not was_stopped:
            page = report_pages.write_tournament_report(tournament, options, options.pages)
            if not options.prints_json:
                click.echo(f"the report:    {page}")
        return code


@contextmanager
def name_file_in_errors(context: click.Context, options: TournamentOptions) -> Iterator[None]:
    """Name the file in what is wrong with bots that stand in one. Raises: BadBot."""
    try:
        yield
    except BadBot as error:
        if context.get_parameter_source("bots") is not ParameterSource.DEFAULT_MAP:
            raise
        file = options.request.match.configured or read_configuration()
        raise BadBot(f"{file.path}: [options] bots: {error}") from error


@contextmanager
def print_restart_hint(organizer: organizers.Organizer) -> Iterator[None]:
    """Say what is kept where somebody stops it while its bots are checked. Raises: Stopped."""
    try:
        yield
    except KeyboardInterrupt:
        is_new = organizer.entries.before is None
        note = "nothing is kept of it yet" if is_new else "all that it has played before is kept"
        verb = "begin" if is_new else "resume"
        raise Stopped(
            f"stopped while its bots were checked; {note}; {verb} with:  {format_command(sys.argv)}"
        ) from None


def describe_plan(organizer: organizers.Organizer, run_options: RunOptions) -> str:
    """Return what --dry-run prints."""
    organizer.try_bots(run_options)
    with organizer.ledger() as ledger:
        standings = contest_standings.compute_standings(ledger)
    trial = forecast.try_out(organizer.entries, run_options)
    text = forecast.in_words(
        trial,
        ledger.field,
        matches=forecast.count_expected_fixtures(ledger),
        done=standings.played + standings.forfeited,
        workers=None if run_options.cluster else run_options.workers,
    )
    return "\n".join([*organizer.entries.notes, text])


def say_who_plays(
    organizer: organizers.Organizer, tournament: tournaments.Tournament, options: TournamentOptions
) -> None:
    """Tell who joins and who cannot play."""
    if options.prints_json:
        for member in tournament.field.left_out:
            left_out = standings_table.exclusion_to_dict(member)
            click.echo(msgspec.json.encode({"left_out": left_out}).decode())
    elif not options.match.quiet:  # who is left out stands in the table, too
        for note in organizer.entries.notes:
            run_observers.say(note)


def play(tournament: tournaments.Tournament, options: TournamentOptions) -> bool:
    """Play to the end, telling whoever wants to know; return whether it was stopped before."""
    with ExitStack() as stack:
        log = contest_observers.Log(options.run.out / options.request.name / LOG)
        observers: list[contest_observers.Observer] = [log, *_make_observers(tournament, options)]
        if options.kept_replays is not None:
            observers.append(
                retention.TournamentRetention(tournament, options.run.out, options.kept_replays)
            )
        for observer in observers:
            stack.callback(observer.close)

        def tell(progress: tournaments.Progress) -> None:
            for observer in observers:
                observer.on_progress(progress)

        log.write("\n".join(kept_tournament.short_table(tournament)))
        try:
            tournament.play(options.run, tell)
            return False
        except KeyboardInterrupt:
            return True
        finally:
            log.write("\n".join(kept_tournament.short_table(tournament)))


def _make_observers(
    tournament: tournaments.Tournament, options: TournamentOptions
) -> list[contest_observers.Observer]:
    if options.prints_json:
        return [contest_observers.JsonLines()]
    if options.match.quiet:
        return []
    ledger = tournament.ledger()
    standings = contest_standings.compute_standings(ledger)
    done = standings.played + standings.forfeited
    total = forecast.count_expected_fixtures(ledger)
    bar = contest_observers.Bar(tournament, done=done, total=total)
    places = fault_lines.FaultPlaces(commands=options.commands, game=tournament.field.plan.game)
    faults = contest_observers.FaultLines(run_observers.say, places.fault_command)
    if options.run.cluster is not None:
        return [faults, bar]
    return [faults, contest_observers.TimeForecast(total - done, options.run.workers), bar]


def print_outcome(
    tournament: tournaments.Tournament, options: TournamentOptions, *, was_stopped: bool
) -> int:
    """Print the standings, what could not be played and what to do next; return the exit code."""
    commands, shows_text = options.commands, not options.prints_json
    if shows_text:
        table = kept_tournament.whole_table(tournament, is_verbose=options.match.verbose)
        click.echo("\n".join([table, *sandbox_lines(options)]))
    for key, messages in tournament.given_up.items():
        run_observers.say(f"not played: match {key}: {messages}")
    if was_stopped:
        played = contest_standings.compute_standings(tournament.ledger()).played
        count = pluralize(played, "match")
        run_observers.say(
            f"stopped after {count}; resume with:  {commands.resume(options.request.name)}"
        )
        return INTERRUPTED_EXIT_CODE
    if shows_text:
        click.echo(f"\nshow it again: {commands.standings(options.request.name)}")
        if options.match.verbose:
            click.echo(f"every match:   {options.run.out / options.request.name / LOG}")
    return 1 if tournament.given_up else 0
