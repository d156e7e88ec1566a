"""What the commands share that keep their results in a database, or play on a cluster."""

import click

from engine.bots.sandbox import Level
from runners.cores import available_cores
from runners.database import without_password
from runners.options import Options
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


def results_shown(options: Options) -> str | None:
    """The URL that was given for them, as it can be printed; None if none was."""
    return None if options["results"] is None else without_password(options["results"])
