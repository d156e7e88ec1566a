"""Attacks that are made of whole requests, each an endless stream of them."""

from collections.abc import Callable
from functools import cache
from itertools import count
from random import Random
from urllib.parse import quote

import msgspec

from tests.hostile_clients.long_names import (
    MANY_ADDRESSES,
    Requests,
    ever_new_names,
    quadratic_names,
)
from tests.hostile_clients.requests import FORM, JSON, Request, make_address
from tests.hostile_clients.targets import Targets

DEPTH = 100_000


class Flood(msgspec.Struct, frozen=True, kw_only=True):
    """An attack, and how often its requests are sent."""

    requests: Callable[[Targets, Random], Requests]
    per_second: float


def broken_bodies(targets: Targets, chance: Random) -> Requests:
    """Send what is no JSON, or nested too deeply, to all that reads JSON about games."""
    operations = (
        ("POST", "orders"),
        ("DELETE", "orders"),
        ("PUT", "draft"),
        ("POST", "acts"),
        ("POST", "messages"),
        ("POST", "rematch"),
        ("POST", "continue"),
    )
    for number in count():
        method, name = chance.choice(operations)
        game, headers = chance.choice(
            ((targets.running, ()), (targets.own_game, (targets.cookie,)))
        )
        yield Request(
            method=method,
            path=f"/api/v1/games/{game}/{name}",
            body=chance.choice(_broken()),
            content_type=JSON,
            headers=headers,
            address=make_address(3, number % MANY_ADDRESSES),
        )


def wrong_passwords(targets: Targets, chance: Random) -> Requests:
    """Guess the passwords of people, from many addresses."""
    for number in count():
        body = f"name={quote(chance.choice(targets.names))}&password=guess {number}"
        yield Request(
            method="POST",
            path="/sign-in",
            body=body.encode(),
            headers=(targets.origin,),
            address=make_address(4, number % MANY_ADDRESSES),
        )


def send_refused(targets: Targets, chance: Random) -> Requests:
    """Send what is refused, of each kind."""
    ours = (targets.origin,)
    other = ("Origin: http://evil.test", "Sec-Fetch-Site: cross-site")
    for number in count():
        word = f"{chance.getrandbits(64):016x}"
        refused = chance.choice(
            (
                Request(host="evil.test"),
                Request(path=f"/welcome/{word}"),
                Request(path=f"/device/{word}"),
                Request(method="POST", path=f"/welcome/{word}", body=b"name=x", headers=ours),
                Request(path=f"/seats/{targets.running}/1/{word}"),
                Request(path=f"/join/{word}"),
                Request(path=f"/feeds/{word}.atom"),
                Request(path=f"/{word}"),
                Request(path=f"/games/{word}"),
                Request(path=f"/{word * 100}"),
                Request(path="/admin", headers=(targets.cookie,)),
                Request(path=f"/admin/matches/{word}", headers=(targets.cookie,)),
                Request(method="POST", path="/sign-in", body=b"name=x", headers=other),
                Request(method="POST", path="/api/v1/bots", body=b"{}", content_type=FORM),
                Request(method="POST", path="/api/v1/bots", body=b"{}", content_type=JSON),
                Request(method="POST", path="/sign-in", body=b"x" * 300_000, headers=ours),
                Request(method="BREW", path="/"),
            )
        )
        yield msgspec.structs.replace(refused, address=make_address(5, number % 4))


def play_on(targets: Targets, chance: Random) -> Requests:
    """Play on from a game that is over, without an account, and have its replay made."""
    for number in count():
        address = make_address(8, number % MANY_ADDRESSES)
        if number % 2:
            yield Request(path=f"/games/{targets.finished}/replay", address=address)
            continue
        body = {"step": chance.randrange(10), "team": chance.choice((1, 2))}
        yield Request(
            method="POST",
            path=f"/api/v1/games/{targets.finished}/continue",
            body=msgspec.json.encode(body),
            content_type=JSON,
            address=address,
        )


def ever_new_guests(targets: Targets, chance: Random) -> Requests:
    """Write and run bots without an account, with another cookie in each request."""
    for number in count():
        draft, cookie = chance.choice(targets.drafts)
        path, body = chance.choice(
            (
                ("/api/v1/drafts", {"game": "smack", "template": "simple", "name": "Mine"}),
                (f"/api/v1/drafts/{draft}/runs", {"opponent": "player_two"}),
                (f"/api/v1/drafts/{draft}/versus", {"against": "player_two", "games": 200}),
            )
        )
        if path == "/api/v1/drafts":
            cookie = f"new-{number}"
        yield Request(
            method="POST",
            path=path,
            body=msgspec.json.encode(body),
            content_type=JSON,
            headers=(f"Cookie: writer={cookie}",),
            address=make_address(9, 0),
        )


FLOODS = {
    "1 quadratic names": Flood(requests=quadratic_names, per_second=20),
    "2 ever new names": Flood(requests=ever_new_names, per_second=20),
    "3 broken bodies": Flood(requests=broken_bodies, per_second=30),
    "4 wrong passwords": Flood(requests=wrong_passwords, per_second=20),
    "5 refused requests": Flood(requests=send_refused, per_second=50),
    "8 played on": Flood(requests=play_on, per_second=20),
    "9 ever new guests": Flood(requests=ever_new_guests, per_second=20),
}


@cache
def _broken() -> tuple[bytes, ...]:
    """Return bodies that are no JSON, or far too deep."""
    deep = b"[" * DEPTH + b"]" * DEPTH
    boxes = b'{"a":' * (DEPTH // 3)
    common = b'{"step": 0, "team": 1, "piece": 1, '
    return (
        b"",
        b"\xff",
        deep,
        boxes,
        b'{"text": "\xff"}',
        b'{"text": ' + deep + b"}",
        common + b'"order": ' + deep + b"}",
        common + b'"order": ' + boxes,
        common + b'"order": "\xff"}',
        common + b'"order": "\\ud800"}',
        common + b'"order": 1e99999}',
        common + b'"lines": ' + deep + b"}",
        common + b'"lines": ["\xff"]}',
        common + b'"name": "\xff"}',
        b'{"step": %s, "team": 1}' % (b"9" * 5_000),
    )
