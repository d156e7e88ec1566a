"""Addresses of bots: which are taken, what is allowed by an origin, and where a name may lead."""

import pytest

from engine.bots.over_http.address import BadAddress, parse_address, parse_origin
from engine.errors import UsageError
from tests.cases import for_each


@pytest.mark.parametrize(
    ("url", "origin", "path"),
    [
        ("https://bots.example.org", "https://bots.example.org", "/"),
        ("https://Bots.Example.org:443/ann", "https://bots.example.org", "/ann"),
        ("http://127.0.0.1:8000/", "http://127.0.0.1:8000", "/"),
        ("http://[::1]:80/a/b", "http://[::1]", "/a/b"),
    ],
)
def test_an_address_has_an_origin_and_a_path(url: str, origin: str, path: str) -> None:
    address = parse_address(url)
    assert (address.origin, address.path) == (origin, path)


@for_each(
    "url, why",
    [
        ("", "or nothing"),
        ("file:///etc/passwd", "expected an address such as"),
        ("ftp://bots.example.org/", "expected an address such as"),
        ("bots.example.org", "expected an address such as"),
        ("http://", "expected an address such as"),
        ("https://ann:secret@bots.example.org", "has no name and password in it"),
        ("https://bots.example.org/?a=b", "nothing behind its path"),
        ("https://bots.example.org/#a", "nothing behind its path"),
        ("https://bots.example.org/\r\nX: y", "has blanks"),
        ("https://bots.example.org/a b", "has blanks"),
        ("https://bots.example.org:99999/", "Port out of range"),
        ("https://bots.example.org:0/", "is no host"),
        ("https://b_ts.example.org/", "is no host"),
        ("http://[::1", "Invalid IPv6 URL"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(url: str, why: str) -> None:
    with pytest.raises(BadAddress) as error:
        parse_address(url)
    assert why in str(error.value)
    assert "secret" not in str(error.value)


def test_an_origin_is_allowed_without_a_path() -> None:
    assert parse_origin("https://bots.example.org:443/") == "https://bots.example.org"
    with pytest.raises(UsageError, match=r"--allow-http https://a\.example/b: expected https://a"):
        parse_origin("https://a.example/b")
    with pytest.raises(UsageError, match=r"--allow-http 'a\.example': expected an address"):
        parse_origin("a.example")


@for_each(
    "url, number, may",
    [
        ("http://bots.example.org", "93.184.216.34", True),
        ("http://bots.example.org", "127.0.0.1", False),
        ("http://bots.example.org", "169.254.169.254", False),
        ("http://bots.example.org", "10.0.0.1", False),
        ("http://bots.example.org", "::ffff:10.0.0.1", False),
        ("http://bots.example.org", "fd00::1", False),
        ("http://bots.example.org", "::1", False),
        ("http://bots.example.org", "2606:4700::1111", True),
        ("http://bots.example.org", "::ffff:93.184.216.34", True),
        ("http://bots.example.org", "::10.0.0.1", False),
        ("http://bots.example.org", "::ffff:0:10.0.0.1", False),
        ("http://bots.example.org", "64:ff9b::93.184.216.34", True),
        ("http://bots.example.org", "64:ff9b::10.0.0.1", False),
        ("http://bots.example.org", "64:ff9b::169.254.169.254", False),
        ("http://bots.example.org", "64:ff9b::224.0.0.1", False),
        ("http://bots.example.org", "64:ff9b:1::93.184.216.34", False),
        ("http://bots.example.org", "64:ff9b:1:a00:0:100::", False),
        ("http://bots.example.org", "2002:5db8:d822::1", True),
        ("http://bots.example.org", "2002:7f00:1::1", False),
        ("http://bots.example.org", "2002:a9fe:a9fe::", False),
        ("http://bots.example.org", "2001:0:5db8:d822:0:0:f5ff:fffe", False),
        ("http://bots.example.org", "2606:4700::5efe:10.0.0.1", False),
        ("http://bots.example.org", "2606:4700::200:5efe:10.0.0.1", False),
        ("http://bots.example.org", "2606:4700::5efe:93.184.216.34", True),
        ("http://bots.example.org", "224.0.0.1", False),
        ("http://2130706433", "127.0.0.1", False),
        ("http://127.0.0.1:8000", "127.0.0.1", True),
        ("http://localhost:8000", "127.0.0.1", True),
        ("http://192.168.1.7", "192.168.1.7", True),
        ("https://bots.example.org", "10.0.0.1", True),
    ],
)
def test_a_name_in_plain_http_leads_to_no_machine_of_our_own_network(
    url: str, number: str, may: bool
) -> None:
    assert parse_address(url).may_resolve_to(number) is may
