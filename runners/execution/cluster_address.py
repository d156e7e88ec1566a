"""The address of a cluster, as --cluster names it: checked before anybody is called there."""

from typing import Any

from distributed.comm.addressing import parse_address, parse_host_port
from distributed.security import Security

from engine.errors import UsageError

LOCAL = "local:"
"""Begins what stands for workers of this machine; their number follows."""
SCHEMES = ("tcp", "tls")
LARGEST_PORT = 65_535
TLS_FILES = tuple(f"DASK_DISTRIBUTED__COMM__TLS__{file}" for file in ("CA_FILE", "CLIENT__CERT"))
"""The variables that Dask's TLS needs; there is one for a key, too, unless the cert holds it."""


def require_address(where: str) -> None:
    """Raises: UsageError for what names no cluster, and for TLS that is not set up."""
    if where.startswith(LOCAL):
        count = where.removeprefix(LOCAL)
        if not count.isdigit() or int(count) < 1:
            raise UsageError(f"--cluster {where}: expected a number of processes, as in local:4")
        return
    try:
        scheme, place = parse_address(where)
        host, port = parse_host_port(place)
    except ValueError:
        scheme, host, port = "", "", 0
    if scheme not in SCHEMES or not host or not 0 < port <= LARGEST_PORT:
        raise UsageError(
            f"--cluster {where}: expected a scheduler's address, as in tcp://host:8786 or "
            "tls://host:8786, or local:4 for workers of this machine"
        )
    if scheme == "tls":
        _require_tls(where)


def _require_tls(where: str) -> None:
    try:
        security: Any = Security()  # type: ignore[no-untyped-call]
        context = security.get_connection_args("client").get("ssl_context")
    except OSError as error:  # a file that is not there, or holds something else
        raise UsageError(
            f"--cluster {where}: Dask's files for TLS cannot be used: {error}; they are named by "
            f"{', '.join(TLS_FILES)} and so on"
        ) from error
    if context is None:
        raise UsageError(
            f"--cluster {where}: TLS is not set up for Dask: name its files by "
            f"{' and '.join(TLS_FILES)} (see 'Clusters' in docs/tournaments.md)"
        )
