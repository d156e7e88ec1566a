"""Play what is played without a command: one match, a series, or with -r a tournament."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import click
from msgspec.structs import replace

from cli.fault_lines import FaultPlaces
from cli.logs import bot_logs
from cli.match_summary import as_json, match_summary
from cli.options import FOR_SERIES, OF_A_RECORD, MatchOptions, Runner, is_said, refuse
from cli.seats import PLAYERS, parse_players, save_own_sprites, sprites_for
from cli.series_summary import series_as_json, series_summary
from engine.catalog import find_game
from engine.errors import UsageError
from engine.referee import Job
from engine.replays.interrupted import recover
from engine.replays.writing import Contestant
from engine.result import MatchResult
from engine.support.signals import INTERRUPTED_EXIT_CODE, deferring_signals
from engine.support.typed_commands import detect_commands
from runners.commands import Commands, commands_for
from runners.configuration import read_configuration
from runners.multi_match import play_series
from runners.planning import MatchPlan
from runners.series import USUAL_SEED, maps_for
from runners.single_match import play_single_match
from visualizer.drawing.custom_sprites import (
    CustomSprites,
    one_picture,
    save_match_sprites,
)
from visualizer.watching.render import Render
from visualizer.watching.viewer_process import viewer_for


def play(context: click.Context, options: MatchOptions) -> int:
    """Play what was asked for, and return the exit code. Raises: UsageError."""
    if options.runner is Runner.TOURNAMENT and not options.request.plays_a_record:
        return _play_tournament(context)
    refuse_ignored_options(context, options)
    refuse_turn_alone(options)
    refuse_to_show(context, options)
    request = replace(options.request, players=select_players(context, options))
    return play_matches(replace(options, request=request, render=choose_render(context, options)))


def _play_tournament(context: click.Context) -> int:
    """Run the command `tournament`, which ends with the exit code of its own."""
    assert isinstance(context.command, click.Group)
    command = context.command.commands[Runner.TOURNAMENT]
    with command.make_context(str(Runner.TOURNAMENT), [], parent=context) as inner:
        command.invoke(inner)
    return 0


def play_matches(options: MatchOptions) -> int:
    """Play a match or a series, and return the exit code."""
    request = options.request
    if options.plays_many and request.seed is None:
        request = replace(request, seed=USUAL_SEED)
    plan = MatchPlan(request, read_configuration())
    if options.shows_progress and request.past is None:
        notify_interrupted(options)
    if not request.plays_a_record:
        load_pictures(plan, options)  # a wrong one is told before anything is kept
        save_own_sprites(plan.bots, options.out)
    return play_many(plan, options) if options.plays_many else play_one(plan, options)


def play_one(plan: MatchPlan, options: MatchOptions) -> int:
    """Play a match with whoever watches it; it never waits for them, but its end does."""
    job = plan.make_job()
    if not options.request.plays_a_record:
        save_match_sprites(load_pictures(plan, options), options.out, job.spec.key)
    if not options.quiet:
        tell_beforehand(plan, job, options)
    with viewer_for(options.render, options.out, tell) as viewer:
        result = play_single_match(
            job,
            options.out,
            shows_progress=options.shows_progress and not viewer.has_our_output,
            live=viewer.live,
        )
        if viewer.has_our_output:
            was_stopped = viewer.wait()
            show_result(result, options, job.own_files)
        else:
            show_result(result, options, job.own_files)
            was_stopped = viewer.wait()
    if viewer.complaint:
        tell(viewer.complaint)
    return INTERRUPTED_EXIT_CODE if was_stopped else 0


def tell_beforehand(plan: MatchPlan, job: Job, options: MatchOptions) -> None:
    """Tell what there is to know of a match that is played."""
    for note in plan.notes:
        tell(note)
    game = find_game(job.spec.game)
    if options.render is Render.WEB and game.public_is_late:
        tell(f"{game.title} is shown once it is over: the public must not know more than its bots")


def play_many(plan: MatchPlan, options: MatchOptions) -> int:
    """Play what is missing of a series; return 1 if a match, or a bot, could not be played."""
    with deferring_signals():  # where secrets are kept takes a while to import
        from runners.storage.kept_series import lock_series
        from runners.storage.store import default_url
    series = plan.series(maps_for(options.matches, len(plan.bots)))
    with lock_series(series, default_url(options.out, options.game)) as saved:
        pictures = load_pictures(plan, options)
        result = play_series(saved, shows_progress=options.shows_progress)
    for played in result.played:
        seated = [pictures[player] for player in played.fixture.seats]
        save_match_sprites(seated, options.out, played.result.key)
    json = options.prints_json
    click.echo(
        series_as_json(result)
        if json
        else series_summary(
            result,
            commands(options),
            is_verbose=options.verbose,
            warns_of_root=options.warns_of_root,
        )
    )
    show_logs([match.result for match in result.played], options)
    if result.was_stopped:
        return INTERRUPTED_EXIT_CODE
    return 1 if result.failures or result.hopeless else 0


def tell(message: str) -> None:
    """Print beside the result, which scripts read from stdout."""
    click.echo(message, err=True)


def notify_interrupted(options: MatchOptions) -> None:
    """Tell once of every match whose process was killed."""
    for found in recover(options.out):
        how = commands(options).resume_match(found.key)
        tell(f"a match was interrupted in turn {found.turn}; to resume it: {how}")


def show_result(
    result: MatchResult, options: MatchOptions, files: Mapping[Contestant, Path]
) -> None:
    """Print the result of a match, and what its bots printed where that is wanted.

    `files` are the bots' own ones.
    """
    places = FaultPlaces(commands=commands(options), game=result.spec.game, files=files)
    text = (
        ""
        if options.prints_json
        else match_summary(
            result, places, is_verbose=options.verbose, warns_of_root=options.warns_of_root
        )
    )
    click.echo(as_json(result) if options.prints_json else text)
    show_logs([result], options)


def show_logs(results: Sequence[MatchResult], options: MatchOptions) -> None:
    """Print logs on stderr, so that stdout holds the result alone."""
    if options.shows_logs:
        for result in results:
            click.echo(bot_logs(result), err=True)


def load_pictures(plan: MatchPlan, options: MatchOptions) -> list[CustomSprites | None]:
    """Return the picture that --sprite-N gives each bot, None where it gives none.

    Raises: BadSprite.
    """
    files = sprites_for(options.sprites, len(plan.bots))
    return [None if file is None else one_picture(file) for file in files]


def commands(options: MatchOptions) -> Commands:
    """Return how we were called, for the commands we print."""
    return commands_for(sys.argv[0], options.out, game=options.game_to_type)


def refuse_ignored_options(context: click.Context, options: MatchOptions) -> None:
    """Raises: UsageError for an option that has no effect on what is played."""
    request = options.request
    if request.past is not None:
        # An author who tries a bot out may name another one.
        recorded = set(OF_A_RECORD) - set(PLAYERS if request.run.play.in_process else ())
        refuse(
            context, (*recorded, "key", "runner"), "--continue resumes a match as it was recorded"
        )
    elif request.key is not None:
        refuse(context, OF_A_RECORD, "--match plays a match as it was recorded")
    elif options.runner is Runner.SINGLE_MATCH:
        refuse(context, FOR_SERIES, "one match is played; for many say -r multi_match")


def refuse_turn_alone(options: MatchOptions) -> None:
    """Raises: UsageError for a --turn that would change a result, or has no effect."""
    request = options.request
    resumes_in_process = request.past is not None and request.run.play.in_process
    if request.past_before is not None and not resumes_in_process:
        raise UsageError("--turn is for a bot's author, and needs --continue and --in-process")


def select_players(context: click.Context, options: MatchOptions) -> tuple[str | None, ...]:
    """Return the players; a record has its own, but where others are named by hand."""
    if not options.request.plays_a_record:
        return options.request.players
    unsaid: dict[str, object] = {**dict.fromkeys(PLAYERS), "players": ()}
    said = {name: context.params[name] for name in PLAYERS if is_said(context, name)}
    return parse_players(unsaid | said)


def choose_render(context: click.Context, options: MatchOptions) -> Render:
    """Return how the match is shown: for scripts, debuggers and many matches only if said."""
    if is_said(context, "render") and options.render is not Render.AUTO:
        return options.render
    is_shown = options.shows_progress and not options.plays_many
    return options.render if is_shown else Render.NONE


def refuse_to_show(context: click.Context, options: MatchOptions) -> None:
    """Raises: UsageError for what cannot be shown as it was said."""
    render = options.render
    if not is_said(context, "render") or render in (Render.AUTO, Render.NONE):
        return
    if options.plays_many:
        raise UsageError(
            f"--render {render}: only a single match is shown; "
            f"play many without it, and watch one of them with {detect_commands().replay}"
        )
    for option, is_set in (
        ("--json", options.prints_json),
        ("--in-process", options.run.play.in_process),
    ):
        if render is Render.TERMINAL and is_set:
            raise UsageError(f"--render terminal: {option} needs the terminal for itself")
