"""Addresses of bots that are asked over HTTP, and which machines they may lead to."""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

import msgspec

from engine.errors import UsageError
from engine.support.sanitizing import one_line

PORT_OF = {"http": 80, "https": 443}
PRINTABLE_ASCII = re.compile(r"[!-~]+")
"""ASCII without blanks: nothing that could end a line of a request."""
HOST_NAME_PATTERN = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*")
Number = IPv4Address | IPv6Address
IPV4_AT_THE_END = tuple(
    IPv6Network(network)
    for network in ("::/96", "::ffff:0:0/96", "::ffff:0:0:0/96", "64:ff9b::/96")
)
"""IPv4-compatible and IPv4-mapped (RFC 4291), IPv4-translated (RFC 2765), NAT64 (RFC 6052)."""
LOCAL_NAT64, THIS_NETWORK = IPv6Network("64:ff9b:1::/48"), IPv4Address(0)
"""A NAT64 of one's own network, which may have the number of IPv4 anywhere (RFC 8215)."""
ISATAP = 0x0000_5EFE
"""What stands before a number of IPv4 in one of ISATAP, whatever its bit `u` is (RFC 5214)."""
THIS_MACHINE = "localhost"
ADDRESS_EXAMPLES = "https://bots.example.org or http://127.0.0.1:8000"


class BadAddress(ValueError):
    """Why a text is no address of a bot, in a phrase."""


class Address(msgspec.Struct, frozen=True):
    """The address at which a bot is asked."""

    scheme: str
    host: str
    """In small letters; a number of IPv6 without brackets."""
    port: int
    path: str

    @property
    def host_and_port(self) -> str:
        """Return what the header `Host` has: the port only where it is not the usual one."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORT_OF[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Return what is allowed, and named in records: the address without its path."""
        return f"{self.scheme}://{self.host_and_port}"

    def may_resolve_to(self, number: str) -> bool:
        """Return whether what the host's name stands for may be asked.

        In plain HTTP whoever owns a name could send us to any machine of our own network, which is
        then named by its number. With TLS a machine has to prove that it has the name.
        """
        if self.scheme == "https" or self.host == THIS_MACHINE or _parse_ip(self.host) is not None:
            return True
        found = _parse_ip(number)
        return found is not None and all(
            machine.is_global and not machine.is_multicast
            for machine in _list_numbers_to_check(found)
        )


def parse_address(url: str) -> Address:
    """Raises: BadAddress."""
    if not PRINTABLE_ASCII.fullmatch(url):
        raise BadAddress(f"{url!r} has blanks or letters beyond ASCII in it, or nothing")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BadAddress(f"{url!r}: {error}") from error
    if parts.scheme not in PORT_OF or not parts.hostname:
        raise BadAddress(f"{url!r}: expected an address such as {ADDRESS_EXAMPLES}")
    if parts.username is not None or parts.password is not None:
        raise BadAddress(f"{parts.hostname}: an address has no name and password in it")
    if parts.query or parts.fragment:
        raise BadAddress(f"{url!r}: an address has nothing behind its path")
    if port == 0 or not (_parse_ip(parts.hostname) or HOST_NAME_PATTERN.fullmatch(parts.hostname)):
        raise BadAddress(f"{url!r}: {parts.netloc!r} is no host")
    return Address(parts.scheme, parts.hostname, port or PORT_OF[parts.scheme], parts.path or "/")


def parse_origin(text: str) -> str:
    """Return the origin that somebody allows. Raises: UsageError."""
    try:
        address = parse_address(text)
    except BadAddress as error:
        raise UsageError(f"--allow-http {one_line(error)}") from error
    if address.path != "/":
        raise UsageError(f"--allow-http {text}: expected {address.origin}, without a path")
    return address.origin


def _list_numbers_to_check(number: Number) -> list[Number]:
    """Return which numbers have to be those of public machines for this one to be.

    Gateways read a number of IPv4 out of many of IPv6, and send what comes for it there.
    """
    if isinstance(number, IPv4Address):
        return [number]
    last = IPv4Address(int(number) & 0xFFFF_FFFF)
    if any(number in network for network in IPV4_AT_THE_END):
        return [last]
    if number.sixtofour is not None:
        return [number.sixtofour]
    if number in LOCAL_NAT64:
        return [THIS_NETWORK]
    is_isatap = int(number) >> 32 & 0xFDFF_FFFF == ISATAP
    return [number, *(number.teredo or ()), *([last] if is_isatap else [])]


def _parse_ip(host: str) -> Number | None:
    try:
        return ip_address(host)
    except ValueError:
        return None
