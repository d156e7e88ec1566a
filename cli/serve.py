"""The command `serve`: a server for a group of people, who have accounts."""

from pathlib import Path

import click

from cli.choices import Choice
from cli.store_options import CLUSTER
from engine.support.signals import signals_held


@click.command(
    epilog="Exit codes: 0 stopped, 1 it could not be served, 2 wrong usage, 130 stopped by Ctrl-C."
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    metavar="HOST",
    help="The address to listen at, of IPv4 or IPv6; 0.0.0.0 for all of this machine's of IPv4, "
    ":: for all.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    show_default=True,
    metavar="N",
    help="The port; 0 for one that is free.",
)
@click.option(
    "--unix-socket",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Listen at a unix socket, for a proxy of this machine, in place of --host and --port; "
    "needs --public-name.",
)
@click.option(
    "--public-name",
    "public_names",
    multiple=True,
    metavar="NAME",
    help="A name by which browsers reach the server, such as example.org; may be repeated.",
)
@click.option(
    "--public-path",
    default="",
    metavar="/NAME",
    help="The path below which a proxy shows the server, such as /arena; default: none, as it has "
    "a name of its own.",
)
@click.option(
    "--metrics-from",
    envvar="SLIME_MIND_METRICS_FROM",
    multiple=True,
    metavar="NETWORK",
    help="A network, such as 10.1.2.0/24, whose Prometheus may read /metrics, as this machine's "
    "may; may be repeated.",
)
@click.option(
    "--limit-per-address",
    "limits_per_address",
    multiple=True,
    metavar="NAME=N",
    help="How often one address may do something, such as wrong_passwords=200 where a class shares "
    "one; may be repeated. docs/operating.md lists the limits.",
)
@click.option(
    "--database",
    envvar="SLIME_MIND_DATABASE",
    metavar="URL",
    help="The database of games and accounts; default: an SQLite file in the folder of --out. For "
    "PostgreSQL: postgresql+psycopg://USER@HOST/NAME. $SLIME_MIND_DATABASE keeps a password out of "
    "the list of processes.",
)
@click.option(
    "--role",
    type=click.Choice(["all", "web"]),
    default="all",
    show_default=True,
    help="Of several servers of one PostgreSQL database one does all; the others serve pages and "
    "streams, and leave ladders, checks of bots and tournaments to it.",
)
@click.option(
    "--workers",
    type=click.IntRange(0, 1_000),
    metavar="N",
    help="Matches of ladders that are played side by side; 0 for none; default: one for each core "
    "but one.",
)
@CLUSTER
@click.option(
    "--sign-in",
    "signs_in",
    metavar="NAME",
    help="Also print a link that signs in somebody who has lost every device.",
)
@click.option(
    "--log-format",
    type=Choice(("text", "json")),
    default="text",
    show_default=True,
    help="json: a line of JSON for each request, warning and error, on stderr.",
)
@click.pass_context
def serve(
    context: click.Context,
    /,
    host: str,
    port: int,
    unix_socket: Path | None,
    public_names: tuple[str, ...],
    public_path: str,
    metrics_from: tuple[str, ...],
    limits_per_address: tuple[str, ...],
    database: str | None,
    role: str,
    workers: int | None,
    cluster: str | None,
    signs_in: str | None,
    log_format: str,
) -> None:
    """Serve games to people with accounts: Smack!, SMAC.

    The first start prints a link for the organizer, who invites the others. Games and accounts are
    kept in the folder of --out. Behind a proxy that speaks HTTPS the server listens on 127.0.0.1.
    """
    with signals_held():  # what serves takes a while to import
        from cli.serve_run import ServeOptions, serve_here
    serve_here(
        context,
        ServeOptions(
            host=host,
            port=port,
            unix_socket=unix_socket,
            public_names=public_names,
            public_path=public_path,
            metrics_from=metrics_from,
            limits_per_address=limits_per_address,
            database=database,
            is_web_only=role == "web",
            workers=workers,
            cluster=cluster,
            signs_in=signs_in,
            logs_json=log_format == "json",
        ),
    )
