"""Where a server listens: its socket, and how its addresses are written."""

import contextlib
import errno
import os
import socket
import stat
import sys
from collections.abc import Iterator, Sequence
from ipaddress import IPv6Address, ip_address
from pathlib import Path

from engine.errors import UsageError

LOOPBACK, LOOPBACK_6 = "127.0.0.1", "::1"
ANY, ANY_6 = "0.0.0.0", "::"
"""All addresses of this machine: of IPv4; of both."""
UNUSED_ADDRESSES = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses that nobody has (RFC 5737, RFC 3849): the way to them is the way out."""
UNIX = "unix"
"""Stands for the address of whoever is connected to a unix socket."""
OURS_AND_GROUPS = 0o660
PORT_TAKEN = (errno.EADDRINUSE, errno.EACCES)
"""Errors that another port does not have."""


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that is bound; port 0 is one that is free. Raises: UsageError."""
    try:
        family, address = _resolve_address(host, port)
        # asyncio sends at once (TCP_NODELAY) only where the protocol is named: 40 ms an answer.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except (OSError, UnicodeError) as error:
        raise UsageError(_why_not_listening(host, port, error)) from error
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # :: is for IPv4, too, whatever the system's own choice is
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, host != ANY_6)
        listener.bind(address)
    except OSError as error:
        listener.close()
        raise UsageError(_why_not_listening(host, port, error)) from error
    return listener


@contextlib.contextmanager
def unix_listener(path: Path) -> Iterator[socket.socket]:
    """Give a unix socket at a path, for this user and its group; its file goes at the end.

    A socket that is left over, at which nobody listens, is replaced. Raises: UsageError.
    """
    if sys.platform == "win32":
        raise UsageError("--unix-socket: Windows has no unix sockets; serve at --host and --port")
    else:
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as listener:
            try:
                _remove_left_over(path)
                listener.bind(os.fspath(path))
                path.chmod(OURS_AND_GROUPS)
                listener.listen()
                made = path.lstat()
            except OSError as error:
                why = error.strerror or str(error)
                raise UsageError(
                    f"--unix-socket: {path} cannot be listened at ({why}): choose another path"
                ) from error
            try:
                yield listener
            finally:
                with contextlib.suppress(OSError):
                    if os.path.samestat(path.lstat(), made):
                        path.unlink()


def _remove_left_over(path: Path) -> None:
    """Remove a socket at which nobody listens. Raises: OSError; UsageError for what must stay."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(mode):
        raise UsageError(f"--unix-socket: {path} is there, and no socket: choose another path")
    if sys.platform != "win32":
        with (
            contextlib.closing(socket.socket(socket.AF_UNIX)) as probe,
            contextlib.suppress(ConnectionRefusedError),
        ):
            probe.connect(os.fspath(path))
            raise UsageError(
                f"--unix-socket: a process listens at {path}: end it, or choose another path"
            )
    path.unlink()


def _resolve_address(host: str, port: int) -> tuple[socket.AddressFamily, tuple[object, ...]]:
    """Return where to bind; of a name that has both, the IPv4 address. Raises: OSError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, *_, address = min(found, key=lambda one: one[0] != socket.AF_INET)
    return family, address


def _why_not_listening(host: str, port: int, error: Exception) -> str:
    reason = getattr(error, "strerror", None) or str(error)
    if isinstance(error, OSError) and error.errno in PORT_TAKEN:
        return f"port {port} of {host} cannot be used ({reason}): choose another one with --port"
    return f"{host} cannot be listened at ({reason}): choose an address of this machine with --host"


def plain_host(host: str) -> str:
    """Return a host as it is bound: in small letters, an IPv6 address without brackets, short."""
    host = host.lower()
    with contextlib.suppress(ValueError):
        return str(ip_address(host.removeprefix("[").removesuffix("]")))
    return host


def url_host(host: str) -> str:
    """Return a host as it stands in a URL: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def host_headers(names: Sequence[str], port: int) -> list[str]:
    """Return what a browser may put into its Host header."""
    return [f"{url_host(name)}:{port}" for name in names]


def local_host(host: str) -> str:
    """Return the host at which this machine reaches what listens at `host`."""
    return {ANY: LOOPBACK, ANY_6: LOOPBACK_6}.get(host, host)


def lan_hosts(host: str) -> list[str]:
    """Return the hosts at which its network reaches what listens at all addresses; else none."""
    families = {ANY: [socket.AF_INET], ANY_6: [socket.AF_INET, socket.AF_INET6]}
    found = [_way_out(family) for family in families.get(host, [])]
    return [one for one in found if one]


def lan_address() -> str:
    """Return this machine's IPv4 address in its network, or the loopback where it has none."""
    return _way_out(socket.AF_INET) or LOOPBACK


def _way_out(family: socket.AddressFamily) -> str:
    """Return this machine's address in its network; '' where it has none."""
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((UNUSED_ADDRESSES[family], 9))  # nothing is sent: this only chooses the route
        return str(probe.getsockname()[0])
    return ""


def client_host(address: str) -> str:
    """Return the address of a client: IPv4 as such, where a socket of IPv6 has taken it."""
    with contextlib.suppress(ValueError):
        known = ip_address(address)
        if isinstance(known, IPv6Address) and known.ipv4_mapped is not None:
            return str(known.ipv4_mapped)
    return address
