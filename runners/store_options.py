"""What the commands share that keep their results in a database, or play on a cluster."""

import sys

import click

from engine.bots.sandbox import Level
from engine.catalogue import DEFAULT_GAME
from engine.errors import UsageError
from runners.commands import Commands, commands_for
from runners.cores import available_cores
from runners.database import without_password
from runners.options import Options, all_options, refuse
from runners.store import default_url
from runners.tournament.playing import Conditions

RESULTS = click.option(
    "--results",
    metavar="URL",
    help="The database of results; default: an SQLite file in the folder of --out. For "
    "PostgreSQL: postgresql+psycopg://USER@HOST/NAME.",
)
CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a cluster of Dask: its scheduler's address, such as tcp://host:8786, or "
    "local:4 for so many workers on this machine.",
)


def refuse_idle_jobs(context: click.Context) -> None:
    """Raises: UsageError for --jobs that --cluster makes idle; said by one line, or in one file."""
    assert context.parent is not None
    options = all_options(context)
    why = "--cluster plays as many matches at a time as it has workers"
    if options["cluster"] is None:
        return
    refuse(context.parent, ("jobs",), why)
    file = options["config"]
    if file is not None and {"jobs", "cluster"} <= file.options.keys():
        raise UsageError(f"{file.path}: [options] jobs would have no effect: {why}")


def conditions_from(options: Options) -> Conditions:
    """How it is played."""
    return Conditions(
        out=options["out"],
        workers=options["jobs"] or len(available_cores()),
        cluster=options["cluster"],
        keep_replays=options["replay"],
        sandbox=Level(options["sandbox"]),
    )


def results_url(options: Options) -> str:
    """Where results are kept."""
    return options["results"] or default_url(options["out"], options["game"])


def commands_to_type(options: Options) -> Commands:
    """For what is kept there: as they called us, of the same game and with the same results."""
    return commands_for(sys.argv[0], options["out"], results_shown(options), game_shown(options))


def game_shown(options: Options) -> str | None:
    """The game, unless it is the one that is meant where none is named."""
    file = options["config"]
    is_usual = options["game"] == DEFAULT_GAME and (file is None or "game" not in file.options)
    return None if is_usual else str(options["game"])


def results_shown(options: Options) -> str | None:
    """The URL that was given for them, as it can be printed; None if none was."""
    return None if options["results"] is None else without_password(options["results"])
