"""Find the address of a server, and that at which browsers reach it, and choose how it plays."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, NamedTuple

import click
from msgspec.structs import replace

from cli.options import refuse
from engine.errors import UsageError
from runners.execution.cores import available_cores
from runners.execution.pool import require_cluster
from runners.match_request import RunOptions
from server.http.listening import (
    LOOPBACK,
    LOOPBACK_6,
    host_headers,
    lan_hosts,
    listen,
    local_host,
    plain_host,
    unix_listener,
    url_host,
)

if TYPE_CHECKING:
    from cli.serve import ServeOptions


def require_proxy(context: click.Context, options: ServeOptions) -> None:
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
def open_listener(options: ServeOptions) -> Iterator[Address]:
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
        base = f"http://{url_host(local_host(host))}:{port}{options.public_path}"
        lines = [f"serving at:    {base}/"]
        lines += [
            f"in this network: http://{name}{options.public_path}/"
            for name in host_headers(lan_hosts(host), port)
        ]
        yield Address(listener, base, allowed_hosts(options, port), lines)


def allowed_hosts(options: ServeOptions, port: int) -> list[str]:
    """Return what browsers may put into the Host header of a server that listens at an address.

    A public name is reached with our port, or, through a proxy, with the usual one, which
    browsers leave out.
    """
    host = plain_host(options.host)
    names = {LOOPBACK, "localhost", local_host(host), *lan_hosts(host)}
    if ":" in host:
        names.add(LOOPBACK_6)
    public = [plain_host(name) for name in options.public_names]
    without_port = [*public, *(names if port == 80 else ())]
    return [
        *host_headers(sorted({*names, *public}), port),
        *map(url_host, without_port),
    ]


SITE = re.compile(r"https?://[a-zA-Z0-9.-]+(:[0-9]{1,5})?")
"""A site whose pages may show matches in a frame."""


def require_name(name: str) -> None:
    """Raises: UsageError for what is neither a name nor an address."""
    with suppress(ValueError):
        ip_address(plain_host(name))
        return
    if not name or not all(letter.isalnum() or letter in "-." for letter in name):
        raise UsageError(
            f"--public-name {name!r}: expected a name such as example.org, without https:// "
            "and without a port"
        )


def require_site(site: str) -> None:
    """Raises: UsageError for what is not a site, such as `https://example.org:8443`."""
    if not SITE.fullmatch(site):
        raise UsageError(
            f"--framed-by {site!r}: expected a site such as https://example.org, without a path"
        )


def server_run(run: RunOptions, workers: int | None, cluster: str | None) -> RunOptions:
    """Return how its matches are played; by default on each core but one, which the web has.

    Raises: UsageError for both, and for a cluster that cannot be used.
    """
    if cluster is not None:
        if workers is not None:
            raise UsageError("--jobs: --cluster plays as many matches at a time as it has workers")
        require_cluster(cluster)
    usual = max(1, len(available_cores()) - 1)
    return replace(run, workers=usual if workers is None else workers, cluster=cluster)
