"""What `serve` does: open the database, and serve it until Ctrl-C."""

import socket
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import timedelta
from functools import partial
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import NamedTuple

import click
import msgspec
from msgspec.structs import replace

from cli.options import MatchOptions, refuse
from cli.seats import SEAT_OPTIONS
from cli.server_workers import server_run
from engine.errors import Stopped, UsageError
from engine.support.files import make_folder
from engine.support.private_files import make_private, private_from_now_on
from runners.commands import as_typed
from runners.storage.database_files import DATABASE
from server.bots.challenges import open_bots
from server.games.bot_seats import BotSeats
from server.games.game_service import GameService
from server.games.game_storage import GameStorage
from server.games.new_games import Opponents
from server.http.listening import (
    LOOPBACK,
    LOOPBACK_6,
    addresses,
    here,
    lan_hosts,
    listen,
    plain_host,
    unix_listener,
    url_host,
)
from server.http.metrics import Network
from server.http.public_path import read_public_path
from server.http.request_log import LOGGER, log_json_lines
from server.http.serving import serve
from server.identity.people import DEVICE_MINUTES, Kind, People
from server.identity.rate_limits import read_address_limits
from server.operations.server_lock import server_lock
from server.site.application import Application
from server.site.site import Site

NOT_FOR_SERVERS = (
    *("game", *SEAT_OPTIONS, "packages", "runner", "matches", "seed", "secret", "key"),
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


class ServeOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The options of the command."""

    host: str
    port: int
    unix_socket: Path | None = None
    """Where to listen in place of an address."""
    public_names: tuple[str, ...]
    public_path: str = ""
    """The path below which a proxy shows the server, without its last slash."""
    metrics_from: tuple[str, ...] = ()
    """Networks that may read figures, besides this machine."""
    limits_per_address: tuple[str, ...] = ()
    """Limits that are not as usual, such as `wrong_links=200`."""
    database: str | None = None
    """The URL of the database; None: a file in the folder of --out."""
    is_web_only: bool = False
    """Whether another server of the database plays ladders, checks bots and plays tournaments."""
    workers: int | None
    """Matches of ladders at once; None: as many as leave a core to the web."""
    cluster: str | None = None
    """The cluster that plays ladders and tournaments, as --cluster names it."""
    signs_in: str | None
    logs_json: bool = False
    """Whether requests and warnings are logged as lines of JSON."""


def serve_here(context: click.Context, options: ServeOptions) -> None:
    """Serve until a signal comes. Raises: Stopped, UsageError."""
    group = context.parent
    assert group is not None
    refuse(group, NOT_FOR_SERVERS, "each game is chosen on the server's pages")
    match_options: MatchOptions = context.obj
    if options.is_web_only and options.database is None:
        raise UsageError("--role web: serves beside another server: say its --database, too")
    if options.unix_socket is not None:
        _require_proxy(context, options)
    if options.is_web_only and options.cluster is not None:
        raise UsageError("--role web plays no matches: --cluster is for the server that does all")
    run = server_run(match_options.run, options.workers, options.cluster)
    for name in options.public_names:
        _require_name(name)
    options = replace(options, public_path=read_public_path(options.public_path))
    networks = _networks(options.metrics_from)
    address_limits = read_address_limits(options.limits_per_address)
    out = match_options.out
    if options.logs_json:
        log_json_lines()
    private_from_now_on(out)
    make_folder(out)  # PostgreSQL makes none, and the disk below it is looked at
    for name in PRIVATE:
        make_private(out / name)
    where = options.database or out / DATABASE
    with server_lock(where, SECOND), closing(GameStorage(where)) as storage:
        bot_seats = BotSeats(out, match_options.run.play.sandbox, processes=1)
        with closing(bot_seats):
            game_service = GameService(
                storage, bot_seats, report=_warn_json if options.logs_json else _warn
            )
            opponents = Opponents(out, partial(open_bots, storage.database))
            site = Site(game_service, storage, opponents, run, address_limits, options.public_path)
            with closing(site):
                _serve(site, game_service, options, out, networks)


def _warn(words: str) -> None:
    click.echo(f"warning: {words}", err=True)


def _warn_json(words: str) -> None:
    LOGGER.warning("%s", words)


def _require_proxy(context: click.Context, options: ServeOptions) -> None:
    """Raises: UsageError for a unix socket beside an address, or without a name for links."""
    refuse(context, ("host", "port"), "--unix-socket says where to listen")
    if not options.public_names:
        raise UsageError(
            "--unix-socket needs --public-name: the name by which browsers reach the proxy"
        )


class Address(NamedTuple):
    """The address at which a server listens, and those at which browsers find it."""

    listener: socket.socket
    base: str
    """The address of its first page, without the last slash."""
    hosts: list[str]
    """What browsers may put into the Host header."""
    lines: list[str]
    """What is said of it when it serves."""


@contextmanager
def _address(options: ServeOptions) -> Iterator[Address]:
    """Give where to serve. Raises: UsageError."""
    if options.unix_socket is not None:
        hosts = [url_host(plain_host(name)) for name in options.public_names]
        base, path = f"https://{hosts[0]}{options.public_path}", options.unix_socket
        with unix_listener(path) as listener:
            lines = [f"serving at:    {path}, for a proxy that is reached at {base}/"]
            yield Address(listener, base, hosts, lines)
        return
    host = plain_host(options.host)
    with closing(listen(host, options.port)) as listener:
        port = listener.getsockname()[1]
        base = f"http://{url_host(here(host))}:{port}{options.public_path}"
        lines = [f"serving at:    {base}/"]
        lines += [
            f"in this network: http://{name}{options.public_path}/"
            for name in addresses(lan_hosts(host), port)
        ]
        yield Address(listener, base, hosts_of(options, port), lines)


def hosts_of(options: ServeOptions, port: int) -> list[str]:
    """Return what browsers may put into the Host header of a server that listens at an address.

    A public name is reached with our port, or, through a proxy, with the usual one, which
    browsers leave out.
    """
    host = plain_host(options.host)
    names = {LOOPBACK, "localhost", here(host), *lan_hosts(host)}
    if ":" in host:
        names.add(LOOPBACK_6)
    public = [plain_host(name) for name in options.public_names]
    without_port = [*public, *(names if port == 80 else ())]
    return [*addresses(sorted({*names, *public}), port), *map(url_host, without_port)]


def _require_name(name: str) -> None:
    """Raises: UsageError for what is neither a name nor an address."""
    with suppress(ValueError):
        ip_address(plain_host(name))
        return
    if not name or not all(letter.isalnum() or letter in "-." for letter in name):
        raise UsageError(
            f"--public-name {name!r}: expected a name such as example.org, without https:// "
            "and without a port"
        )


def _networks(texts: Sequence[str]) -> list[Network]:
    """Raises: UsageError for what is not a network."""
    try:
        return [ip_network(text) for text in texts]
    except ValueError as error:
        raise UsageError(f"--metrics-from: expected 10.1.2.0/24 or the like: {error}") from error


def _serve(
    site: Site,
    game_service: GameService,
    options: ServeOptions,
    out: Path,
    networks: Sequence[Network],
) -> None:
    key = site.begin(is_web_only=options.is_web_only)
    link_path = None if options.signs_in is None else _sign_in_path(site.people, options.signs_in)
    with _address(options) as address:
        web = Application(
            game_service,
            address.hosts,
            site,
            out=out,
            metrics_from=networks,
            address_limits=site.address_limits,
        )
        lines = [*address.lines]
        if key is not None:
            lines.append(f"the organizer's link, good for once: {address.base}/welcome/{key}")
        if link_path is not None:
            lines.append(f"the link for {options.signs_in}: {address.base}{link_path}")
        lines.append("Ctrl-C ends the server; games and accounts are kept")
        serve(web, address.listener, lambda: click.echo("\n".join(lines)))
    raise Stopped(
        "stopped; games, accounts and bots are kept, and checks and matches that were under way "
        f"begin again: {as_typed(sys.argv)}"
    )


def _sign_in_path(people: People, name: str) -> str:
    """Return the path of a new link that signs somebody in. Raises: UsageError."""
    person = people.person_named(name)
    if person is None:
        raise UsageError(f"--sign-in {name}: nobody has this name")
    minutes = timedelta(minutes=DEVICE_MINUTES)
    return f"/device/{people.new_link(Kind.DEVICE, made_by=person.id, good_for=minutes)}"
