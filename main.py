"""The command line: parse, call, print."""

import interruption

if __name__ == "__main__":
    interruption.end_quietly()

import bootstrap

bootstrap.ensure()

import os

# numpy's threads would hear a Ctrl-C while we hold it back.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from engine import ENGINE_VERSION
from engine.bots.sandbox import Level
from engine.bots.sandbox.trials import enclosures_here, failings_here
from engine.catalogue import DEFAULT_GAME, GAMES
from engine.cut_off import rescue
from engine.errors import UsageError
from engine.result import MatchResult
from runners.command_group import CommandsByPlace, SectionedGroup
from runners.command_line import INTERRUPTED, merged, option_defaults, run
from runners.commands import Commands, commands_for
from runners.configuration import (
    DEFAULT_OUT,
    Configuration,
    presets_text,
    read_configuration,
    read_named,
)
from runners.cores import available_cores
from runners.multi_match import play_series
from runners.planning import Plan, found_bots
from runners.schedules import SEED_BITS, maps_for
from runners.seats import PLAYERS, SEAT_OPTIONS, pictures_of, seat_options
from runners.series_summaries import series_as_json, series_summary
from runners.single_match import play_single_match
from runners.summaries import (
    as_json,
    bot_logs,
    bots_table,
    match_summary,
    sandbox_table,
)
from runners.options import (
    is_said,
    plan_from,
    refuse,
    shows_progress,
)
from visualizer.custom_sprites import find_custom, keep, one_picture
from visualizer.screen import Render
from visualizer.viewer import viewer_for

EXAMPLES = """
\b
Examples:
  python3 main.py                             two bots drawn from playerCode
  python3 main.py -1 player_six -2 ../my.py   these two
  python3 main.py -p player_six -p ../my.py   the same; more in games for more
  python3 main.py -r multi_match -m 100 -1 player_four.py -2 player_three.py
  python3 main.py --preset small --set max_turns=200 --seed 7
  python3 main.py -r tournament --format swiss --games 2
  python3 main.py standings                   how the latest tournament stands
  python3 main.py report                      the same as pages for a browser
  python3 main.py --match 3f9a                a match of results/ once more
  python3 main.py --continue                  the match that was cut off last
  python3 main.py bots                        what there is to play with
  python3 main.py design FILE                 the army a bot designs
  python3 main.py settings --preset small     what --set and --limit can do
  python3 main.py sandbox                     what holds bots back here

\b
Defaults of all this can stand in config.toml beside main.py.
Exit codes: 0 fine, 1 a match was not played, 2 wrong usage, 130 stopped.
"""

SECTIONS = {
    "game": "Who plays",
    "runner": "What is played",
    "jobs": "How it is played",
    "render": "What is shown and kept",
    "version": "Help",
}
"""The option that stands first below each heading of --help."""

TOURNAMENT = "tournament"
COMMANDS = {
    TOURNAMENT: "tournaments:tournament",
    "design": "designing:design",
    "report": "tournaments:report",
    "standings": "runners.tournament.command:standings",
    "versus": "runners.questions.versus_command:versus",
    "fairness": "runners.questions.fairness_command:fairness",
}
"""Where those commands stand that take a while to import."""

LARGEST_SEED = 2**SEED_BITS - 1
NO_DEFAULTS = ("version", "key", "past", "past_before", "words", "limits", "config")
"""What cannot stand in the [options] of config.toml; it has [settings] and [limits]."""
FOR_SERIES = ("matches", "jobs")
OF_A_RECORD = (
    *("game", *SEAT_OPTIONS, "packages"),
    *("matches", "seed", "preset", "settings_file", "words", "limits"),
)
"""What a recorded match brings along."""


def take_file(
    context: click.Context, option: click.Parameter, path: Path | None
) -> Configuration | None:
    """The file of --config: its options are defaults, over those of config.toml."""
    if path is None:
        return None
    configuration = read_named(path)
    options = option_defaults(configuration, cli, but=NO_DEFAULTS)
    context.default_map = merged(context.default_map or {}, options)
    return configuration


@click.group(
    cls=SectionedGroup,
    sections=SECTIONS,
    commands=CommandsByPlace(COMMANDS),
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "allow_interspersed_args": True,  # options may stand behind a command, too
    },
    epilog=EXAMPLES,
    options_metavar="[OPTIONS]",
    subcommand_metavar="[COMMAND]",
)
@click.option(
    "-g", "--game", type=click.Choice(list(GAMES)), default=DEFAULT_GAME, show_default=True
)
@seat_options
@click.option(
    "--allow-package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="An installed package the bots may import; may be repeated.",
)
@click.option(
    "-r",
    "--runner",
    type=click.Choice(["single_match", "multi_match", "tournament"]),
    default="single_match",
    show_default=True,
    help="One match; many between the same bots; or a tournament of all bots, or of those "
    "named after it (see tournament --help).",
)
@click.option(
    "-m",
    "--matches",
    type=click.IntRange(1, 1_000_000),
    metavar="N",
    default=100,
    show_default=True,
    help="How many matches multi_match plays, or as few more as that takes: every map is played "
    "once in every rotation of the seats, so by two bots twice, with sides exchanged.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, LARGEST_SEED),
    metavar="N",
    help="The same seed, the same map and chance; default: a new one.",
)
@click.option(
    "--match",
    "key",
    metavar="KEY",
    help="Play a recorded match again and compare; its first letters will do. The first playing "
    "stays the result.",
)
@click.option(
    "--continue",
    "past",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="Go on with a match that was cut off, from its replay (or the first letters of its key); "
    "default: the latest.",
)
@click.option(
    "--turn",
    "past_before",
    type=click.IntRange(1),
    metavar="N",
    help="With --continue --in-process: from this turn on the bots decide, in any replay and any "
    "bots (-1, -2); before it breakpoint() is passed over.",
)
@click.option(
    "--config",
    type=click.Path(path_type=Path),
    metavar="FILE",
    is_eager=True,
    callback=take_file,
    help="A file like config.toml, read over it: see resources/tournament.sample.toml.",
)
@click.option("--preset", metavar="NAME", help=f"Settings by name: {presets_text(GAMES)}.")
@click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings from a TOML file.",
)
@click.option(
    "--set", "words", multiple=True, metavar="NAME=VALUE", help="One setting; may be repeated."
)
@click.option(
    "--limit",
    "limits",
    multiple=True,
    metavar="NAME=VALUE",
    help="One limit of the bots, such as cpu_ms; may be repeated.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1, 1_000),
    metavar="N",
    help="Matches multi_match plays side by side; default: one per core.",
)
@click.option(
    "--sandbox",
    type=click.Choice([str(level) for level in Level]),
    default=str(Level.DEFAULT),
    show_default=True,
    help="What confines bots: everything or no match; all this machine offers; that and a "
    "bubblewrap around each bot, or a cgroup by systemd-run, or no match; nothing.",
)
@click.option(
    "--in-process",
    is_flag=True,
    help="Trusted bots in our own process, without limits: for pdb and profilers. It is no result, "
    "and filed apart.",
)
@click.option(
    "--render",
    type=click.Choice([str(render) for render in Render]),
    default=str(Render.AUTO),
    show_default=True,
    help="Watch the match: in a window if there is a screen; in a window; in this terminal; not.",
)
@click.option("--replay/--no-replay", default=True, show_default=True, help="Keep replays.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    metavar="FOLDER",
    help="Where results, replays and logs go.",
)
@click.option("--bot-logs", "shows_logs", is_flag=True, help="Show what the bots printed.")
@click.option("--json", "prints_json", is_flag=True, help="Print the result as JSON, nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
@click.version_option(ENGINE_VERSION, prog_name="Slime Mind")
@click.pass_context
def cli(context: click.Context, /, **options: Any) -> None:
    """Slime Mind: bots play each other, each in a process of its own.

    Without a command a match is played: of bots drawn from playerCode, or of those you
    name. A BOT is a name (player_one), a file of playerCode (player_one.py), or the
    path of a file or folder anywhere (../mine/bot.py).
    """
    context.obj = options
    if context.invoked_subcommand is None:
        if options["runner"] == TOURNAMENT and not plays_a_record(options):
            tournament = cli.commands[TOURNAMENT]
            with tournament.make_context(TOURNAMENT, [], parent=context) as inner:
                tournament.invoke(inner)
        refuse_what_would_be_ignored(context)
        refuse_to_turn_back(context)
        refuse_to_show(context)
        context.exit(play(**{**options, **seats_of(context), "render": render_of(context)}))


@cli.command()
@click.pass_obj
def bots(options: dict[str, Any]) -> None:
    """List the bots found, and why a file is none."""
    folder, listed = found_bots(options["game"])
    click.echo(bots_table(folder, listed))


@cli.command()
def sandbox() -> None:
    """Tell what confines bots on this machine, found out by trying."""
    click.echo(sandbox_table(failings_here(), enclosures_here()))


@cli.command()
@click.pass_obj
def settings(options: dict[str, Any]) -> None:
    """List the settings and limits a match would be played with."""
    click.echo(plan_from(options).settings_text())


def play(**options: Any) -> int:
    """Play what was asked for; the exit code."""
    plan = plan_from(options)
    if shows_progress(options) and options["past"] is None:
        tell_of_cut_off(options)
    if not plays_a_record(options):
        keep_sprites(plan, options)
    if plays_many(options):
        return play_many(plan, options)
    return play_one(plan, options)


def play_one(plan: Plan, options: dict[str, Any]) -> int:
    """A match, and whoever watches it; it never waits for them, but its end does."""
    job = plan.job()
    with viewer_for(options["render"], options["out"], tell) as viewer:
        result = play_single_match(
            job,
            options["out"],
            shows_progress=shows_progress(options) and not viewer.has_our_output,
            live=viewer.live,
        )
        if viewer.has_our_output:
            was_stopped = viewer.wait()
            show_result(result, options)
        else:
            show_result(result, options)
            was_stopped = viewer.wait()
    if viewer.complaint:
        tell(viewer.complaint)
    return INTERRUPTED if was_stopped else 0


def tell(words: str) -> None:
    """Beside the result, which scripts read from stdout."""
    click.echo(words, err=True)


def tell_of_cut_off(options: dict[str, Any]) -> None:
    """Once, of every match whose process was killed."""
    for cut_off in rescue(options["out"]):
        how = commands(options).go_on_with(cut_off.key)
        tell(f"a match was cut off in turn {cut_off.turn}; to go on with it: {how}")


def show_result(result: MatchResult, options: dict[str, Any]) -> None:
    click.echo(
        as_json(result) if options["prints_json"] else match_summary(result, commands(options))
    )
    show_logs([result], options)


def play_many(plan: Plan, options: dict[str, Any]) -> int:
    """A series; 1 if a match could not be played."""
    result = play_series(
        plan.series(maps_for(options["matches"], len(plan.bots))),
        options["out"],
        workers=options["jobs"] or len(available_cores()),
        shows_progress=shows_progress(options),
    )
    click.echo(
        series_as_json(result)
        if options["prints_json"]
        else series_summary(result, commands(options))
    )
    show_logs([match.result for match in result.played], options)
    if result.was_stopped:
        return INTERRUPTED
    return 1 if result.failures else 0


def keep_sprites(plan: Plan, options: dict[str, Any]) -> None:
    """The bots' own pictures, for whoever watches now or later. Raises: BadSprite."""
    files = pictures_of(options, len(plan.bots))
    customs = [
        find_custom(bot.path) if file is None else one_picture(file)
        for bot, file in zip(plan.bots, files, strict=True)
    ]
    for bot, custom in zip(plan.bots, customs, strict=True):
        keep(custom, options["out"], bot.digest)


def show_logs(results: list[MatchResult], options: dict[str, Any]) -> None:
    """On stderr, so that stdout holds the result alone."""
    if options["shows_logs"]:
        for result in results:
            click.echo(bot_logs(Path(result.folder)), err=True)


def commands(options: dict[str, Any]) -> Commands:
    """How we were called, for the commands we print."""
    return commands_for(sys.argv[0], options["out"])


def refuse_what_would_be_ignored(context: click.Context) -> None:
    """Raises: UsageError for an option that has no say in what is played."""
    ignored: tuple[str, ...]
    if context.params["past"] is not None:
        # An author who tries a bot out may name another one.
        brought = set(OF_A_RECORD) - set(PLAYERS if context.params["in_process"] else ())
        ignored = (*brought, "key", "runner")
        why = "--continue goes on with a match as it was recorded"
    elif context.params["key"] is not None:
        ignored, why = OF_A_RECORD, "--match plays a match as it was recorded"
    elif context.params["runner"] == "single_match":
        ignored, why = FOR_SERIES, "one match is played; for many say -r multi_match"
    else:
        return
    refuse(context, ignored, why)


def refuse_to_turn_back(context: click.Context) -> None:
    """Raises: UsageError for a --turn that would change a result, or none."""
    options = context.params
    if options["past_before"] is not None and not (
        options["past"] is not None and options["in_process"]
    ):
        raise UsageError("--turn is for a bot's author, and needs --continue and --in-process")


def seats_of(context: click.Context) -> dict[str, Any]:
    """The players; a record has its own, but where others are named on the command line."""
    options = context.params
    if not plays_a_record(options):
        return {name: options[name] for name in PLAYERS}
    named: dict[str, Any] = {**dict.fromkeys(PLAYERS), "players": ()}
    return named | {name: options[name] for name in PLAYERS if is_said(context, name)}


def render_of(context: click.Context) -> Render:
    """How the match is shown. For scripts, debuggers and many matches only if that was said."""
    render, options = Render(context.params["render"]), context.params
    if is_said(context, "render") and render is not Render.AUTO:
        return render
    return render if shows_progress(options) and not plays_many(options) else Render.NONE


def refuse_to_show(context: click.Context) -> None:
    """Raises: UsageError for what cannot be shown as it was said."""
    render, options = Render(context.params["render"]), context.params
    if not is_said(context, "render") or render not in (Render.WINDOW, Render.TERMINAL):
        return
    if plays_many(options):
        raise UsageError(
            f"--render {render}: only a single match is shown; "
            "play many without, and watch one of them with replay.py"
        )
    for option, name in (("--json", "prints_json"), ("--in-process", "in_process")):
        if render is Render.TERMINAL and options[name]:
            raise UsageError(f"--render terminal: {option} needs the terminal for itself")


def plays_many(options: dict[str, Any]) -> bool:
    return options["runner"] == "multi_match" and not plays_a_record(options)


def plays_a_record(options: dict[str, Any]) -> bool:
    """A match that was played before, whatever the other options say."""
    return options["key"] is not None or options["past"] is not None


def defaults() -> dict[str, Any]:
    """The [options] of config.toml. Raises: UsageError."""
    return option_defaults(read_configuration(), cli, but=NO_DEFAULTS)


def main() -> NoReturn:
    """The console script."""
    sys.exit(run(cli, defaults))


if __name__ == "__main__":
    main()
