"""The connections of a server: how many there may be, in all and of one address.

A connection that waits for its client, who has sent half a request or none at all, makes room for
a new one where there is none. One that is being answered does not.
"""

import asyncio
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import Protocol

import msgspec
from starlette.requests import Request

from server.http.errors import TooMany
from server.identity.rate_limits import Keys, address_blocks

LOGGER = logging.getLogger("slime_mind.server.connections")
CONNECTION = "connection"
"""Where the state of a request (ASGI) has its connection."""
MAX_ACCEPTED_AT_ONCE = 8
"""Connections that are accepted before any of them is looked at."""
KEPT_FREE = 128
"""Descriptors for everything else: the database, bots' processes, files."""
MAX_CONNECTIONS = 10_000
MAX_CONNECTIONS_PER_ADDRESS = 1_000
"""A school or a company may have a single address."""
OF_LARGER_NETWORK = 2
"""So many times what an address may have may all of a larger network have: that is half of all."""
STREAMS_OF_A_SESSION = 50
"""Event streams of one signed-in browser: its pages share one where they can, else each has one."""
MAX_LONG_BODIES = 8
"""Bodies in memory at once; one has up to 46 MB, and what is made of it as much again."""
MAX_LONG_BODY_S = 300.0
"""The time that a body may take: 34 MB take that long at one megabit a second."""


class ConnectionLimits(msgspec.Struct, frozen=True, kw_only=True):
    """What a connection may take."""

    connections: int
    """In all."""
    of_an_address: int
    """Connections of one address, and requests that a proxy passes on for one."""
    streams: int
    """Event streams in all: what is left answers everything else."""
    streams_of_an_address: int
    streams_of_a_session: int = STREAMS_OF_A_SESSION
    head_s: float = 20.0
    """Until the head of a request is there, since the answer to the one before."""
    body_s: float = 30.0
    """Until its body is there."""
    long_body_s: float = MAX_LONG_BODY_S + 10.0
    """The same for files of bots; server/http/connections.py refuses before, and says why."""
    stalled_s: float = 120.0
    """An answer that is sent has so long to get on by `least_sent`."""
    least_sent: int = 16_384
    """Bytes."""
    closing_s: float = 5.0
    """Until a connection is closed whose request was answered before all of it was there."""


def limits_for(descriptors: int) -> ConnectionLimits:
    """Return the limits where so many descriptors may be open."""
    kept_free = min(descriptors // 2, max(KEPT_FREE, descriptors // 4))
    connections = min(descriptors - kept_free, MAX_CONNECTIONS)
    of_an_address = max(min(connections // 4, MAX_CONNECTIONS_PER_ADDRESS), 1)
    return ConnectionLimits(
        connections=connections,
        of_an_address=of_an_address,
        streams=max(connections // 2, 1),
        streams_of_an_address=max(of_an_address // 2, 1),
    )


class Connection(Protocol):
    """A connection as it is counted."""

    def drop(self) -> None:
        """End it at once."""

    def passes_on_for(self, address: str) -> bool:
        """Count a request as one of an address; return whether there is room for it."""

    def stream(self, address: str, session: str) -> AbstractContextManager[bool]:
        """Count an event stream; gives whether there is room for it."""


class Connections:
    """All connections of a server. Used on the event loop."""

    def __init__(self, limits: ConnectionLimits, is_proxy: Callable[[str], bool]) -> None:
        """`is_proxy` says of an address whether it is believed when it says for whom it asks."""
        self.limits = limits
        self.is_proxy = is_proxy
        self.streams = Streams(limits)
        self._networks_of = dict[Connection, Keys]()
        """The networks that a connection is counted for; none for a proxy's own."""
        self._of = defaultdict[str, set[Connection]](set)
        """The connections of a network."""
        self._waiting = OrderedDict[Connection, None]()
        """Those that wait for their client; who has waited longest first."""

    def __len__(self) -> int:
        return len(self._networks_of)

    def open(self, connection: Connection, peer: str) -> bool:
        """Count a new connection; return whether there is room for it."""
        networks = () if self.is_proxy(peer) else address_blocks(peer)
        if not (self._has_room_for(networks) and self._has_room()):
            return False
        self._count(connection, networks)
        self._waiting[connection] = None
        return True

    def ask_for(self, connection: Connection, address: str) -> bool:
        """Count what a proxy passes on for an address; return whether there is room for it."""
        if self._networks_of.get(connection) != ():
            return True
        networks = address_blocks(address)
        if not self._has_room_for(networks):
            return False
        self._count(connection, networks)
        return True

    def wait(self, connection: Connection, *, for_anybody: bool) -> None:
        """Note that it waits for its client; `for_anybody`: a proxy may pass on what it likes."""
        if connection in self._networks_of:
            self._waiting[connection] = None
            self._waiting.move_to_end(connection)
            if for_anybody:
                self._count_no_more(connection)
                self._networks_of[connection] = ()

    def answer(self, connection: Connection) -> None:
        """Note that its client waits for us."""
        self._waiting.pop(connection, None)

    def close(self, connection: Connection) -> None:
        self._count_no_more(connection)
        self._networks_of.pop(connection, None)
        self._waiting.pop(connection, None)

    def _count(self, connection: Connection, networks: Keys) -> None:
        self._networks_of[connection] = networks
        for network in networks:
            self._of[network].add(connection)

    def _count_no_more(self, connection: Connection) -> None:
        for network in self._networks_of.get(connection, ()):
            self._of[network].discard(connection)
            if not self._of[network]:
                del self._of[network]

    def _has_room_for(self, networks: Keys) -> bool:
        """Return whether an address may have one more; the one of its own that waits longest goes.

        There is no limit for a proxy: it has the connections of everybody.
        """
        return all(
            self._has_room_in(network, self.limits.of_an_address * share)
            for network, share in _network_shares(networks)
        )

    def _has_room_in(self, network: str, most: int) -> bool:
        its_own = self._of.get(network, ())
        if len(its_own) < most:
            return True
        LOGGER.warning(
            "address %s has %d connections or requests, as many as one may have: it must wait",
            network,
            len(its_own),
        )
        return self._drop(next((one for one in self._waiting if one in its_own), None))

    def _has_room(self) -> bool:
        if len(self) < self.limits.connections:
            return True
        LOGGER.warning(
            "there are %d connections, as many as the limit on open files leaves room for "
            "(LimitNOFILE of systemd, ulimit -n): the one that waits longest for its client goes",
            len(self),
        )
        return self._drop(next(iter(self._waiting), None))

    def _drop(self, connection: Connection | None) -> bool:
        if connection is None:
            return False
        self.close(connection)
        connection.drop()
        return True


def _network_shares(networks: Keys) -> list[tuple[str, int]]:
    """Return the networks of an address, and how many times what it may have each may have."""
    return [(one, 1 if one == networks[-1] else OF_LARGER_NETWORK) for one in networks]


class Streams:
    """The event streams that are open. Used on the event loop."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits
        self._open = Counter[str]()

    @contextmanager
    def open_stream(self, networks: Keys, session: str) -> Iterator[bool]:
        """Count a stream as long as the block lasts; yields whether there is room for it.

        `networks`: of whoever follows it; none for one who is not counted. `session`: what tells a
        browser that is signed in; '' for none. A made-up one spares nobody the other limits.
        """
        limits = self._limits
        most = {"all": limits.streams}
        for network, share in _network_shares(networks):
            most[f"network {network}"] = limits.streams_of_an_address * share
        if session:
            most[f"session {session}"] = limits.streams_of_a_session
        if any(self._open[key] >= limit for key, limit in most.items()):
            LOGGER.warning(
                "an event stream was refused: %d are open, %d of its address",
                self._open["all"],
                self._open[f"network {networks[-1]}"] if networks else 0,
            )
            yield False
            return
        self._open.update(dict.fromkeys(most, 1))
        try:
            yield True
        finally:
            self._open.subtract(dict.fromkeys(most, 1))
            self._open = +self._open  # without those that are 0


class LongBodies:
    """Bodies of uploads; used on the event loop only."""

    def __init__(self, most_s: float = MAX_LONG_BODY_S) -> None:
        self._most_s = most_s
        self._senders = set[str]()

    @asynccontextmanager
    async def read(self, request: Request, person_id: str) -> AsyncIterator[bytes]:
        """Read a body, whose place is free again at the end of the block. Raises: TooMany."""
        if person_id in self._senders:
            raise TooMany("another upload of yours is in progress: wait until it is done", 10.0)
        if len(self._senders) >= MAX_LONG_BODIES:
            raise TooMany("too many uploads at once: try again in a minute", 60.0)
        self._senders.add(person_id)
        try:
            yield await self._read_content(request)
        finally:
            self._senders.discard(person_id)

    async def _read_content(self, request: Request) -> bytes:
        """Raises: TooMany."""
        try:
            async with asyncio.timeout(self._most_s):
                return await request.body()
        except TimeoutError as error:
            raise TooMany(f"the upload took more than {self._most_s:.0f} seconds", 0.0) from error
