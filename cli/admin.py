"""Organize a server on its own machine, without its pages: the commands `admin ...`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import tzinfo
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cli.choices import TIMEZONE, Choice, option
from cli.command_group import CommandList
from cli.options import FOR_ONE_MATCH, FOR_SERIES, MatchOptions, refuse
from cli.store_options import CLUSTER, KEEP_REPLAYS
from engine.support.files import set_private_umask
from engine.support.lazy_import import lazy_imports
from server.identity.rate_limits import MAX_INVITATION_DAYS

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import server_administration
    from server.operations import backup as backups

if TYPE_CHECKING:
    from cli.server_administration import Administration

SOURCES = ("nobody", "organizers", "everybody after the end", "everybody")
ADDRESS = "http://127.0.0.1:8000"
AUDIT_ROWS = 50


NOT_FOR_SERVERS = (
    *(*FOR_ONE_MATCH, *FOR_SERIES),
    *("runner", "packages", "http_origins", "seed", "replay"),
)
"""What is said of matches, and not of the ladders of a server."""


@click.group(cls=CommandList)
@click.pass_context
def admin(context: click.Context) -> None:
    """Organize a server, and back it up, on its machine.

    The server may run meanwhile. Its folder is that of --out; what is done here is in its audit
    log, too.
    """
    assert context.parent is not None
    why = "admin plays nothing; what a command takes stands in its --help"
    refuse(context.parent, NOT_FOR_SERVERS, why)
    options: MatchOptions = context.obj
    set_private_umask(options.out)


database_option = option(
    "--database",
    envvar="SLIME_MIND_DATABASE",
    metavar="URL",
    help="The server's database where it is not in --out: postgresql+psycopg://USER@HOST/NAME.",
)


def on_server(act: Callable[..., str]) -> Callable[..., None]:
    """Give a command the server that --out and --database name, and print what it returns."""

    @database_option
    @click.pass_obj
    @wraps(act)
    def command(options: MatchOptions, /, database: str | None, **words: Any) -> None:
        with server_administration.open_administration(options.out, database) as server:
            click.echo(act(server, **words))

    return command


results_option = option(
    "--results",
    metavar="URL",
    help="The database of its results where it is not in FOLDER.",
)


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
@click.pass_obj
def backup(options: MatchOptions, /, file: Path, database: str | None) -> None:
    """Write the whole server into one FILE (zip), also while it runs.

    It holds accounts, games, bots, results and replays; restore brings it back, also to another
    kind of database.
    """
    click.echo(f"{file}: {backups.back_up(options.out, file, database)} files")


@admin.command()
@click.argument("file", type=click.Path(path_type=Path))
@database_option
@click.pass_obj
def restore(options: MatchOptions, /, file: Path, database: str | None) -> None:
    """Unpack a backup into the empty folder of --out, and an empty database."""
    count = backups.restore(file, options.out, database)
    click.echo(f"{options.out}: {count} files; serve it with the same --out")


@admin.command()
@click.argument("url")
@click.pass_obj
def copy(options: MatchOptions, /, url: str) -> None:
    """Copy the database in --out into an empty one at URL, such as PostgreSQL.

    End the server before: what it writes meanwhile is not copied.
    """
    click.echo(server_administration.copy_from(options.out, url))


@admin.command("import")
@click.argument("name")
@option(
    "--from",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The folder of results in which it was begun.",
)
@option(
    "--ladder", required=True, metavar="NAME", help="The ladder of its game, to which it belongs."
)
@results_option
@on_server
def import_tournament(server: Administration, /, **asked: Any) -> str:
    """Take in the tournament NAME of the command line, with its bots, results and replays.

    The server plays what it lacks; nobody may play it meanwhile.
    """
    return server.import_tournament(**asked)


@admin.command()
@click.argument("name")
@option(
    "--to",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FOLDER",
    help="The folder of results in which it will be.",
)
@results_option
@on_server
def export(server: Administration, /, **asked: Any) -> str:
    """Copy the tournament NAME out for the command line, with its bots, results and replays.

    Pause it before.
    """
    return server.export_tournament(**asked)


@admin.command("sources")
@click.argument("folder", type=click.Path(path_type=Path))
@option("--ladder", metavar="NAME", help="Only bots that have entered it.")
@on_server
def export_sources(server: Administration, /, folder: Path, ladder: str | None) -> str:
    """Write everybody's sources into a new FOLDER, for programs that look for copies.

    It is as JPlag reads it: a folder for each author, with the newest version of each of their
    bots that passed its checks. Sealed ones are there, too: keep it to yourself.
    """
    return server.export_sources(folder, ladder)


@admin.command()
@click.argument("revision", type=click.IntRange(1))
@database_option
@click.pass_obj
def downgrade(options: MatchOptions, /, revision: int, database: str | None) -> None:
    """Take the tables back to an older REVISION, for an older version of this program.

    End the server and make a backup before: what only newer tables hold is lost.
    """
    click.echo(server_administration.downgrade_to(options.out, database, revision))


@admin.command()
@option("--dry-run", "is_dry_run", is_flag=True, help="Only say what would go.")
@KEEP_REPLAYS
@on_server
def clean(server: Administration, /, is_dry_run: bool, kept_replays: str | None) -> str:
    """Remove what is old: rows, files of refused bots, replays.

    The server does so once a day with its own --keep-replays; say the same here.
    docs/operating.md says how long what is kept.
    """
    return server.clean(kept_replays, is_dry_run=is_dry_run)


@admin.command()
@on_server
def disk(server: Administration, /) -> str:
    """Say what takes how much space."""
    return server.disk_table()


@admin.command()
@on_server
def people(server: Administration, /) -> str:
    """List everybody who has an account."""
    return server_administration.people_table(server)


@admin.command()
@option("--note", default="", metavar="WORDS", help="For whom it is; only organizers see it.")
@option(
    "--days",
    type=click.IntRange(1, MAX_INVITATION_DAYS),
    default=7,
    help="How long it is good.",
)
@option(
    "--count",
    type=click.IntRange(1, 1_000),
    default=1,
    help="How many to make.",
)
@option(
    "--address",
    metavar="URL",
    help="Where browsers reach the server; that of the one which serves the folder on this "
    f"machine without, or {ADDRESS}.",
)
@on_server
def invite(server: Administration, /, count: int, address: str | None, **asked: Any) -> str:
    """Print links that make an account each, good for once."""
    home = (address or server.address or ADDRESS).rstrip("/")
    return "\n".join(home + server.invite(**asked) for _ in range(count))


@admin.command()
@click.argument("name")
@on_server
def ban(server: Administration, /, name: str) -> str:
    """Ban somebody, who is signed out at once."""
    return server.set_banned(name, True)


@admin.command()
@click.argument("name")
@on_server
def unban(server: Administration, /, name: str) -> str:
    """Let somebody in again."""
    return server.set_banned(name, False)


@admin.command()
@on_server
def ladders(server: Administration, /) -> str:
    """List ladders and seasons."""
    return server_administration.ladders_table(server)


@admin.command()
@click.argument("name")
@option("--begins", default="", metavar="TIME", help="Its begin; default: now.")
@TIMEZONE
@option("--freezes", default="", metavar="TIME", help="From then on the public table stands still.")
@option("--ends", default="", metavar="TIME", help="Its end; it is then a season.")
@option("--no-house", is_flag=True, help="The starter bots do not play.")
@option("--approved", is_flag=True, help="Only bots that an organizer approves enter.")
@option(
    "--source",
    type=Choice(SOURCES),
    default=SOURCES[0],
    help="Who reads the bots' sources, beside their authors.",
)
@option("--versions", default="20", metavar="N", help="Versions of a bot per day.")
@option("--cpu", default="3600", metavar="S", help="CPU seconds per author and day.")
@option(
    "--matches",
    "matches_per_day",
    default="400",
    metavar="N",
    help="Matches of a bot per day.",
)
@option("--source-kb", default="1000", metavar="N", help="Size of a bot's source.")
@option("--files-kb", default="32000", metavar="N", help="Size of all its files.")
@database_option
@click.pass_obj
def ladder(
    options: MatchOptions, /, database: str | None, timezone: tzinfo, **fields: str | bool
) -> None:
    """Make a ladder or season, which all of --game, --set, --preset and --limit decide.

    A TIME is such as 2027-05-28T16:00, 2027-05-28T16:00+02:00 or 2027-05-28, which for an end is
    the end of that day.
    """
    with server_administration.open_administration(options.out, database) as server:
        click.echo(server.make_ladder(options.request, fields, timezone))


@admin.command()
@click.argument("ladder")
@on_server
def pause(server: Administration, /, ladder: str) -> str:
    """Begin no more matches of a LADDER until it is resumed."""
    return server.set_paused(ladder, True)


@admin.command()
@click.argument("ladder")
@on_server
def resume(server: Administration, /, ladder: str) -> str:
    """Let a LADDER that was paused go on."""
    return server.set_paused(ladder, False)


@admin.command()
@click.argument("ladder")
@option(
    "-j",
    "--jobs",
    "workers",
    type=click.IntRange(1, 1_000),
    help="Matches that are played side by side; default: one for each core but one.",
)
@CLUSTER
@database_option
@click.pass_obj
def play(options: MatchOptions, /, database: str | None, **asked: Any) -> None:
    """Play a LADDER or season here until its end or Ctrl-C, without the server's pages.

    It goes on from what was played; so does the server, whenever it runs again.
    """
    with server_administration.open_administration(options.out, database) as server:
        click.echo(server.play_ladder(options.run, **asked))


@admin.command()
@click.argument("ladder")
@click.argument("bot")
@option("--why", required=True, metavar="WORDS", help="The reason; everybody reads it.")
@option("--keep-matches", is_flag=True, help="What it has played goes on to count.")
@on_server
def disqualify(server: Administration, /, keep_matches: bool, **asked: Any) -> str:
    """Take a BOT off a LADDER; its matches do not count any more."""
    return server.disqualify(voids=not keep_matches, **asked)


@admin.command()
@option(
    "--rows",
    type=click.IntRange(1, 100_000),
    default=AUDIT_ROWS,
    help="How many rows, the newest first.",
)
@on_server
def audit(server: Administration, /, rows: int) -> str:
    """Print the audit log."""
    return server_administration.audit_table(server, rows)
