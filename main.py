"""The command line: parse, call, print."""

import bootstrap

bootstrap.ensure()

import random
import signal
import sys
from pathlib import Path
from typing import Any, NoReturn

import click

from engine import ENGINE_VERSION
from engine.catalogue import GAMES
from engine.errors import SlimeMindError, UsageError
from runners.configuration import DEFAULT_OUT, Choices, read_configuration
from runners.cores import available_cores
from runners.planning import Plan, Wishes, found_bots
from runners.multi_match import play_series
from runners.single_match import play_single_match
from runners.summaries import (
    as_json,
    bot_logs,
    bots_table,
    match_summary,
    series_as_json,
    series_summary,
)

EXAMPLES = """
\b
Examples:
  python3 main.py                                  two bots of playerCode, drawn at random
  python3 main.py -1 player_six -2 my_bot.py       these two; a path works as well
  python3 main.py -r multi_match -m 100 -1 player_four.py -2 player_three.py
  python3 main.py --preset small --set max_turns=200 --seed 7
  python3 main.py --match 3f9a                     play a match of results/ once more
  python3 main.py bots                             what there is to play with
"""

INTERRUPTED = 130


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
    subcommand_metavar="[COMMAND]",
)
@click.version_option(ENGINE_VERSION, prog_name="Slime Mind")
@click.option(
    "-g", "--game", type=click.Choice(list(GAMES)), default="slime_mind", show_default=True
)
@click.option(
    "-r",
    "--runner",
    type=click.Choice(["single_match", "multi_match"]),
    default="single_match",
    show_default=True,
    help="One match, or many between the same two bots.",
)
@click.option("-1", "--player-1", metavar="BOT", help="Name, file or path; default: at random.")
@click.option("-2", "--player-2", metavar="BOT", help="Name, file or path; default: at random.")
@click.option(
    "-m",
    "--matches",
    type=click.IntRange(1),
    default=100,
    show_default=True,
    help="How many matches multi_match plays; every map twice, with sides exchanged.",
)
@click.option("--seed", type=click.IntRange(0), help="The match's chance; default: a new one.")
@click.option("--match", "key", metavar="KEY", help="Play a recorded match again.")
@click.option("--preset", metavar="NAME", help="Settings by name: standard, small, large.")
@click.option(
    "--settings",
    "settings_file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Settings from a TOML file.",
)
@click.option("--set", "words", multiple=True, metavar="K=V", help="One setting; may be repeated.")
@click.option("--limit", "limits", multiple=True, metavar="K=V", help="One limit of the bots.")
@click.option(
    "--allow-package",
    "packages",
    multiple=True,
    metavar="NAME",
    help="An installed package the bots may import.",
)
@click.option(
    "-j",
    "--jobs",
    type=click.IntRange(1),
    help="Matches played side by side; default: one per core.",
)
@click.option("--replay/--no-replay", default=True, show_default=True, help="Keep replays.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=DEFAULT_OUT,
    show_default=True,
    help="Where results go.",
)
@click.option("--in-process", is_flag=True, help="Trusted bots without a process: pdb, profilers.")
@click.option("--bot-logs", "shows_logs", is_flag=True, help="Show what the bots printed.")
@click.option("--json", "prints_json", is_flag=True, help="Print the result as JSON, nothing else.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
@click.pass_context
def cli(context: click.Context, /, **options: Any) -> None:
    """Slime Mind: bots play each other, each in a process of its own.

    Without a command a match is played: of two bots drawn from playerCode, or of those
    you name. Results, replays and the bots' logs go to results/.
    """
    context.obj = options
    if context.invoked_subcommand is None:
        context.exit(play(**options))


@cli.command()
@click.pass_obj
def bots(options: dict[str, Any]) -> None:
    """List the bots found, and why a file is none."""
    folder, listed = found_bots(options["game"])
    click.echo(bots_table(folder, listed))


@cli.command()
@click.pass_obj
def settings(options: dict[str, Any]) -> None:
    """List the settings and limits a match would be played with."""
    click.echo(plan_from(options).settings_text())


def play(**options: Any) -> int:
    """Play what was asked for; the exit code."""
    plan = plan_from(options)
    if options["runner"] == "multi_match" and options["key"] is None:
        return play_many(plan, options)
    result = play_single_match(plan.job(), options["out"], shows_progress=shows_progress(options))
    click.echo(as_json(result) if options["prints_json"] else match_summary(result, options["out"]))
    if options["shows_logs"]:
        click.echo(bot_logs(options["out"] / "matches" / result.key), err=True)
    return 0


def play_many(plan: Plan, options: dict[str, Any]) -> int:
    """A series; 1 if a match could not be played."""
    result = play_series(
        plan.series(options["matches"]),
        options["out"],
        workers=options["jobs"] or len(available_cores()),
        shows_progress=shows_progress(options),
    )
    click.echo(
        series_as_json(result) if options["prints_json"] else series_summary(result, options["out"])
    )
    if result.was_stopped:
        return INTERRUPTED
    return 1 if result.failures else 0


def plan_from(options: dict[str, Any]) -> Plan:
    """What is to be played, from the words of the command line."""
    if options["seed"] is None:
        options["seed"] = random.SystemRandom().getrandbits(32)
    return Plan(
        Wishes(
            game=options["game"],
            players=(options["player_1"], options["player_2"]),
            seed=options["seed"],
            key=options["key"],
            choices=Choices(
                preset=options["preset"],
                settings_file=options["settings_file"],
                settings=options["words"],
                limits=options["limits"],
            ),
            packages=options["packages"],
            out=options["out"],
            keep_replays=options["replay"],
            in_process=options["in_process"],
        ),
        read_configuration(),
    )


def shows_progress(options: dict[str, Any]) -> bool:
    """Nothing but the result for scripts; no bar under a debugger's prompt."""
    return not (options["quiet"] or options["prints_json"] or options["in_process"])


def defaults() -> dict[str, Any]:
    """The [options] of config.toml. Raises: UsageError for one that does not exist."""
    configuration = read_configuration()
    names = {name: option.name for option in cli.params for name in long_names(option)}
    for name in configuration.options:
        if name not in names:
            raise UsageError(
                f"{configuration.path}: unknown option '{name}'; possible are: {', '.join(names)}"
            )
    return {str(names[name]): value for name, value in configuration.options.items()}


def long_names(option: click.Parameter) -> list[str]:
    """`--player-1` -> `player_1`: an option as config.toml spells it."""
    spelled = [*option.opts, *option.secondary_opts]
    return [name[2:].replace("-", "_") for name in spelled if name.startswith("--")]


def run(command: click.Command, default_map: Any) -> int:
    """Run a command line: 0 fine, 1 a match could not be played, 2 wrong usage."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        code = command.main(standalone_mode=False, default_map=default_map())
        return code if isinstance(code, int) else 0
    except click.ClickException as problem:
        problem.show()
        return problem.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        return INTERRUPTED
    except SlimeMindError as problem:
        click.echo(f"error: {problem}", err=True)
        return 2 if isinstance(problem, UsageError) else 1


def main() -> NoReturn:
    """The console script."""
    sys.exit(run(cli, defaults))


if __name__ == "__main__":
    main()
