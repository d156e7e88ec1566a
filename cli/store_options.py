"""Declare the options of commands whose results are in a database, or that play on a cluster."""

import sys

import click
import msgspec
from msgspec.structs import replace

from cli.choices import option
from cli.options import MatchOptions, refuse
from engine.errors import UsageError
from runners.commands import Commands, commands_for
from runners.configuration import Configuration

RESULTS = option(
    "--results",
    metavar="URL",
    help="The database of results; default: an SQLite file in the folder of --out. For "
    "PostgreSQL: postgresql+psycopg://USER@HOST/NAME.",
)
CLUSTER = option(
    "--cluster",
    metavar="ADDRESS",
    help="Play on a Dask cluster: its scheduler's address, such as tcp://host:8786, or "
    "local:4 for 4 workers on this machine.",
)
KEEP_REPLAYS = option(
    "--keep-replays",
    "kept_replays",
    metavar="N|Nd",
    help="Keep the replays and logs of the newest N matches of each ladder and tournament, also of "
    "those that have ended, or those of the last N days (such as 90d); default: 20000 of a ladder, "
    "all of a tournament.",
)


class StoreOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of a command that reads results of a database."""

    match: MatchOptions
    results: str | None = None
    """The URL that was given for them."""

    @property
    def url(self) -> str:
        """The database of results."""
        from runners.storage.store import default_url  # SQLAlchemy takes a while to import

        return self.results or default_url(self.match.out, self.match.game)

    @property
    def commands(self) -> Commands:
        """The commands to type next: as they called us, of this game and with these results."""
        from runners.storage.database import without_password

        results = None if self.results is None else without_password(self.results)
        return commands_for(sys.argv[0], self.match.out, results, self.match.game_to_type)


def build_store_options(context: click.Context) -> StoreOptions:
    """Return the options of a command and of its group. Raises: UsageError for idle --jobs."""
    cluster = context.params.get("cluster")
    match: MatchOptions = context.obj
    if cluster is not None:
        refuse_idle_jobs(context, match.request.configured)
        run = replace(match.run, cluster=cluster)
        match = replace(match, request=replace(match.request, run=run))
    return StoreOptions(match=match, results=context.params["results"])


def refuse_idle_jobs(context: click.Context, file: Configuration | None) -> None:
    """Raises: UsageError for --jobs beside --cluster, on the command line or in one file."""
    assert context.parent is not None
    why = "--cluster plays as many matches at a time as it has workers"
    refuse(context.parent, ("jobs",), why)
    if file is not None and {"jobs", "cluster"} <= file.options.keys():
        raise UsageError(f"{file.path}: [options] jobs would have no effect: {why}")


def sandbox_lines(options: StoreOptions) -> list[str]:
    """Return lines on bots that this machine did not confine; of a cluster results tell."""
    from cli.sandbox_warnings import level_warnings  # results take a while to import
    from engine.bots.sandbox import is_root

    run = options.match.run
    if run.cluster is not None:
        return []
    warnings = level_warnings(
        run.play.sandbox, as_root=is_root(), warns_of_root=options.match.warns_of_root
    )
    return [f"  sandbox  {line}" for line in warnings]
