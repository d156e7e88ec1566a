"""Serve games to a group of people who have accounts: the command `serve`."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from cli.choices import TIMEZONE, Choice, option
from cli.options import MatchOptions, refuse, warn
from cli.seats import SEAT_OPTIONS
from cli.store_options import CLUSTER, KEEP_REPLAYS
from engine.errors import Stopped, UsageError
from engine.support.files import make_folder, make_private, set_private_umask
from engine.support.lazy_import import lazy_imports
from runners.commands import format_command
from server.site.site_options import SiteOptions

with lazy_imports():  # they take a while, and --help needs none of them
    from cli import server_address
    from engine.bots import launching
    from engine.bots.programs import languages
    from runners import match_request
    from runners.storage import schema
    from server.bots import bots
    from server.games import bot_seats, game_service, game_storage, new_games
    from server.http import limits, metrics, request_log, serving
    from server.http import public_path as public_paths
    from server.identity import people as accounts
    from server.operations import server_lock
    from server.site import application, site
    from server.writing import writers


NOT_FOR_SERVERS = (
    *(
        "game",
        *SEAT_OPTIONS,
        "packages",
        "http_origins",
        "runner",
        "matches",
        "seed",
        "secret",
        "key",
    ),
    *("past", "past_before", "config", "preset", "settings_file", "words", "limits"),
    *("jobs", "in_process", "render", "shows_logs", "prints_json"),
)
PRIVATE = ("bots", "built")
"""Folders of strangers' sources, and of what was built of them; older versions let others look."""
SECOND = (
    "end that process first, or serve another folder with --out; several processes serve one "
    "PostgreSQL database (docs/operating.md)"
)
"""What to do where a second server was about to serve a file."""


@click.command(
    epilog="Exit codes: 0 stopped, 1 it could not be served, 2 wrong usage, 130 stopped by Ctrl-C."
)
@option(
    "--host",
    default="127.0.0.1",
    metavar="HOST",
    help="The address to listen at, of IPv4 or IPv6; 0.0.0.0 for all of this machine's of IPv4, "
    ":: for all.",
)
@option(
    "--port",
    type=click.IntRange(0, 65_535),
    default=8000,
    help="The port; 0 for one that is free.",
)
@option(
    "--unix-socket",
    type=click.Path(path_type=Path),
    help="Listen at a unix socket, for a proxy of this machine, in place of --host and --port; "
    "needs --public-name.",
)
@option(
    "--public-name",
    "public_names",
    multiple=True,
    metavar="NAME",
    help="A name by which browsers reach the server, such as example.org; may be repeated.",
)
@option(
    "--public-path",
    default="",
    metavar="/NAME",
    help="The path below which a proxy shows the server, such as /arena; default: none, as it has "
    "a name of its own.",
)
@TIMEZONE
@option(
    "--guests/--no-guests",
    "has_guests",
    default=True,
    help="Whether visitors play people's games without an account.",
)
@option(
    "--guests-write/--no-guests-write",
    default=False,
    help="Whether visitors write and run bots without an account, on the page /write; needs "
    "--sandbox strict.",
)
@option(
    "--remote-bots/--no-remote-bots",
    "has_remote_bots",
    default=True,
    help="Whether bots play people's games from their authors' machines, with a token.",
)
@option(
    "--registration",
    type=click.Choice(["invitation", "open"]),
    default="invitation",
    help="How accounts are made: by invitation, or besides by asking for one. Who asks waits until "
    "an organizer approves.",
)
@option(
    "--exhibitions/--no-exhibitions",
    "has_exhibitions",
    default=True,
    help="Whether starter bots play for whoever looks on, now and then, when nobody else plays; "
    "not with --jobs 0.",
)
@option(
    "--framed-by",
    multiple=True,
    metavar="SITE",
    help="A site, such as https://example.org, whose pages may show matches in a frame; may be "
    "repeated.",
)
@option(
    "--metrics-from",
    envvar="SLIME_MIND_METRICS_FROM",
    multiple=True,
    metavar="NETWORK",
    help="A network, such as 10.1.2.0/24, whose Prometheus may read /metrics, as this machine's "
    "may; may be repeated.",
)
@option(
    "--rate-limits",
    type=click.Path(path_type=Path),
    help="A TOML file that says how often something may be done, in lines such as "
    "sign_in.address = 200; deploy/rate-limits.toml lists the limits.",
)
@option(
    "--database",
    envvar="SLIME_MIND_DATABASE",
    metavar="URL",
    help="The database of games and accounts; default: an SQLite file in the folder of --out. For "
    "PostgreSQL: postgresql+psycopg://USER@HOST/NAME. $SLIME_MIND_DATABASE keeps a password out of "
    "the list of processes.",
)
@option(
    "--role",
    type=click.Choice(["all", "web"]),
    default="all",
    help="Of several servers of one PostgreSQL database one does all; the others serve pages and "
    "streams, and leave ladders, checks of bots and tournaments to it.",
)
@option(
    "-j",
    "--jobs",
    "workers",
    type=click.IntRange(0, 1_000),
    help="Matches of ladders that are played side by side; 0 for none; default: one for each core "
    "but one.",
)
@CLUSTER
@KEEP_REPLAYS
@option(
    "--sign-in",
    "signs_in",
    metavar="NAME",
    help="Also print a link that signs in somebody who has lost every device.",
)
@option(
    "--log-format",
    type=Choice(("text", "json")),
    default="text",
    help="json: a line of JSON for each request, warning and error, on stderr.",
)
@click.pass_context
def serve(context: click.Context, /, **values: Any) -> None:
    """Serve games and contests to people with accounts.

    The first start prints a link for the organizer, who invites the others. Games and accounts are
    kept in the folder of --out. Behind a proxy that speaks HTTPS the server listens on 127.0.0.1.
    """
    assert context.parent is not None
    refuse(context.parent, NOT_FOR_SERVERS, "each game is chosen on the server's pages")
    if sys.stderr.isatty():  # what is imported takes seconds
        click.echo("starting the server ...", err=True)
    serve_here(context, ServeOptions(**values))


class ServeOptions(SiteOptions, frozen=True, kw_only=True):
    """The options of the command, by the names of its parameters."""

    host: str
    port: int
    unix_socket: Path | None = None
    """Where to listen in place of an address."""
    public_names: tuple[str, ...] = ()
    framed_by: tuple[str, ...] = ()
    """Sites whose pages may show matches in a frame."""
    metrics_from: tuple[str, ...] = ()
    """Networks that may read figures, besides this machine."""
    rate_limits: Path | None = None
    """A file of limits that are not as usual, see server/http/limits.py."""
    database: str | None = None
    """The URL of the database; None: a file in the folder of --out."""
    role: str = "all"
    """`web`: another server of the database plays ladders, checks bots and plays tournaments."""
    workers: int | None = None
    """Matches of ladders at once; None: as many as leave a core to the web."""
    cluster: str | None = None
    """The cluster that plays ladders and tournaments, as --cluster names it."""
    kept_replays: str | None = None
    """The replays that are kept of a ladder or tournament, such as `90d`."""
    signs_in: str | None = None
    """Whom to print a link for, with which they sign in."""
    page: str = ""
    """The page that whoever typed `play` wants to see; its address is printed."""
    opens_browser: bool = False
    log_format: str = "text"
    """`json`: requests and warnings are logged as lines of JSON."""

    @property
    def is_web_only(self) -> bool:
        return self.role == "web"

    @property
    def logs_json(self) -> bool:
        return self.log_format == "json"


def serve_here(context: click.Context, options: ServeOptions) -> None:
    """Serve until a signal comes. Raises: Stopped, UsageError."""
    match_options: MatchOptions = context.obj
    if options.is_web_only and options.database is None:
        raise UsageError("--role web: serves beside another server: say its --database, too")
    if options.unix_socket is not None:
        server_address.require_proxy(context, options)
    if options.is_web_only and options.cluster is not None:
        raise UsageError("--role web plays no matches: --cluster is for the server that does all")
    run = server_address.server_run(match_options.run, options.workers, options.cluster)
    run = replace(run, kept_replays=match_request.read_kept_replays(options.kept_replays))
    for name in options.public_names:
        server_address.require_name(name)
    options = replace(
        options,
        public_path=public_paths.read_public_path(options.public_path),
        has_exhibitions=options.has_exhibitions and run.workers > 0,
    )
    networks = _parse_networks(options.metrics_from)
    for one in options.framed_by:
        server_address.require_site(one)
    tries = None if options.rate_limits is None else limits.read_limits(options.rate_limits)
    if options.guests_write:  # what is missing here is reported now, and not to guests
        writers.require_strict(run.play.sandbox)
        launching.require(run.play.sandbox)
    if languages.are_named():
        languages.load_allowed_languages()  # what is wrong there is said now, and not to authors
    out = match_options.out
    if options.logs_json:
        request_log.log_json_lines()
    set_private_umask(out)
    make_folder(out)  # PostgreSQL makes none, and the disk below it is looked at
    for name in PRIVATE:
        make_private(out / name)
    where = options.database or out / schema.DATABASE
    with (
        server_lock.server_lock(where, SECOND),
        closing(game_storage.GameStorage(where)) as storage,
    ):
        seats_of_bots = bot_seats.BotSeats(out, match_options.run.play.sandbox, processes=1)
        with closing(seats_of_bots):
            report = partial(request_log.LOGGER.warning, "%s") if options.logs_json else warn
            games = game_service.GameService(storage, seats_of_bots, report=report)
            opponents = new_games.Opponents(out, partial(bots.open_bots, storage.database))
            whole_site = site.Site(
                games, storage, opponents, run, options, limits.RateLimits(tries)
            )
            with closing(whole_site):
                _serve(whole_site, games, options, out, networks, where)


def _parse_networks(texts: Sequence[str]) -> list[metrics.Network]:
    """Raises: UsageError for what is not a network."""
    try:
        return [ip_network(text) for text in texts]
    except ValueError as error:
        raise UsageError(f"--metrics-from: expected 10.1.2.0/24 or the like: {error}") from error


def _serve(
    whole_site: site.Site,
    games: game_service.GameService,
    options: ServeOptions,
    out: Path,
    networks: Sequence[metrics.Network],
    where: Path | str,
) -> None:
    key = whole_site.start(is_web_only=options.is_web_only)
    link_path = (
        None if options.signs_in is None else _sign_in_path(whole_site.people, options.signs_in)
    )
    with (
        server_address.open_listener(options) as address,
        server_lock.publish_address(where, address.base),
    ):
        web = application.Application(
            games,
            address.hosts,
            whole_site,
            out=out,
            metrics_from=networks,
            framed_by=options.framed_by,
        )
        lines = [*address.lines]
        if options.page:
            lines.append(f"your army:     {address.base}{options.page}")
        if key is not None:
            lines.append(f"the organizer's link, good for once: {address.base}/welcome/{key}")
        if link_path is not None:
            lines.append(f"the link for {options.signs_in}: {address.base}{link_path}")
        lines.append("Ctrl-C ends the server; games and accounts are kept")

        def on_ready() -> None:
            click.echo("\n".join(lines))
            if options.opens_browser:
                webbrowser.open(address.base + options.page)

        serving.serve(web, address.listener, on_ready)
    raise Stopped(
        "stopped; games, accounts and bots are kept, and checks and matches that were under way "
        f"begin again: {format_command(sys.argv)}"
    )


def _sign_in_path(people: accounts.People, name: str) -> str:
    """Return the path of a new link that signs somebody in. Raises: UsageError."""
    person = people.find_person_by_name(name)
    if person is None:
        raise UsageError(f"--sign-in {name}: nobody has this name")
    minutes = timedelta(minutes=accounts.DEVICE_MINUTES)
    return f"/device/{people.new_link(accounts.Kind.DEVICE, made_by=person.id, good_for=minutes)}"
