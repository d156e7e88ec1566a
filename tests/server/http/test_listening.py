"""Sockets of servers, and how their addresses are written."""

import socket
from contextlib import closing

import pytest

from engine.errors import UsageError
from server.http.listening import LOOPBACK, client_host, listen, local_host, plain_host, url_host
from tests import needs


@pytest.mark.parametrize("host", [LOOPBACK, pytest.param("::1", marks=needs.IPV6)])
def test_a_port_that_is_taken_is_refused(host: str) -> None:
    with closing(listen(host, 0)) as listener:
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(UsageError, match=rf"port {port} of {host} .* another one with --port"):
            listen(host, port)


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "no such name", "a..b", "x" * 70])
def test_an_address_of_another_machine_is_refused_and_no_port_is_blamed(host: str) -> None:
    with pytest.raises(UsageError, match="choose an address of this machine with --host"):
        listen(host, 0)


@needs.IPV6
def test_all_addresses_are_those_of_ipv4_too_whose_clients_are_known_by_them() -> None:
    with closing(listen("::", 0)) as listener:
        listener.listen()
        with socket.create_connection((LOOPBACK, listener.getsockname()[1])):
            peer = listener.accept()[1][0]
    assert (peer, client_host(peer)) == (f"::ffff:{LOOPBACK}", LOOPBACK)


@pytest.mark.parametrize(
    ("host", "plain", "in_url"),
    [
        ("[::1]", "::1", "[::1]"),
        ("2001:DB8:0:0::7", "2001:db8::7", "[2001:db8::7]"),
        ("127.0.0.1", "127.0.0.1", "127.0.0.1"),
        ("Arena.test", "arena.test", "arena.test"),
    ],
)
def test_a_host_is_written_as_browsers_write_it(host: str, plain: str, in_url: str) -> None:
    assert (plain_host(host), url_host(plain_host(host))) == (plain, in_url)


def test_what_listens_everywhere_is_reached_by_the_loopback() -> None:
    assert [local_host(host) for host in ("0.0.0.0", "::", "::1")] == ["127.0.0.1", "::1", "::1"]


@pytest.mark.parametrize("address", ["203.0.113.9", "2001:db8::7", "unix", ""])
def test_other_addresses_of_clients_stay_as_they_are(address: str) -> None:
    assert client_host(address) == address
