"""Attacks by long names: some take long to normalize, others are all kept."""

from collections.abc import Iterator
from functools import cache
from itertools import count
from random import Random

from tests.hostile_clients.requests import JSON, Request, make_address
from tests.hostile_clients.targets import Targets

Requests = Iterator[Request]
MARKS = ("\u0300", "\u0316")
"""Marks above and below a letter: normalizing sorts a run of them, which takes quadratic time."""
FORM_SIZES = (64_000, 128_000, 250_000, 64_000, 1_000_000)
UPLOAD_SIZES = (64_000, 250_000, 1_000_000, 64_000, 250_000, 64_000, 40_000_000)
LIGATURE = "\ufdfa"
"""One letter that becomes 18 when it is normalized."""
MAX_FORM_BYTES = 240_000
"""Bytes of a form that is still let through."""
MANY_ADDRESSES = 40


def quadratic_names(targets: Targets, chance: Random) -> Requests:
    """Type names that take long to normalize, wherever a name is read."""
    own = (targets.origin, targets.cookie)
    forms = (
        ("/sign-in", (targets.origin,)),
        (f"/welcome/{targets.invitation}", (targets.origin,)),
        (targets.seat, (targets.origin,)),
        ("/me/delete", own),
        ("/me/password", own),
        ("/lobby/new", own),
    )
    for number in count():
        address = make_address(1, number % MANY_ADDRESSES)
        if number % 6 == 5:
            yield _upload(targets, chance, UPLOAD_SIZES[number // 6 % len(UPLOAD_SIZES)], address)
            continue
        path, headers = chance.choice(forms)
        name = _make_marked_letter(FORM_SIZES[number % len(FORM_SIZES)])
        body = b"name=" + name + b"&password=x"
        if path == "/me/password":
            body = b"old=" + name + b"&password=" + name
        elif path == "/lobby/new":
            body = b"game=smack&seats=2&mine=1&other-1=bot:" + name
        yield Request(method="POST", path=path, body=body, headers=headers, address=address)


def ever_new_names(targets: Targets, chance: Random) -> Requests:
    """Try to sign in with long names, each another one."""
    for number in count():
        letters = chance.choice((LIGATURE * (MAX_FORM_BYTES // 3), "x" * MAX_FORM_BYTES))
        yield Request(
            method="POST",
            path="/sign-in",
            body=f"name={number}{letters}&password=x".encode(),
            headers=(targets.origin,),
            address=make_address(2, number % MANY_ADDRESSES),
        )


def _upload(targets: Targets, chance: Random, size: int, address: str) -> Request:
    """Return a bot that is handed in, one of whose texts takes long to normalize."""
    field = chance.choice(("name", "ladder", "game", "file"))
    named = b"player_mine.py" if field != "file" else _make_marked_letter(size)
    texts = b"".join(
        b', "%s": "%s"' % (name.encode(), _make_marked_letter(size) if name == field else b"")
        for name in ("name", "ladder", "game")
    )
    return Request(
        method="POST",
        path="/api/v1/bots",
        body=b'{"files": {"%s": "cGFzcw=="}%s}' % (named, texts),
        content_type=JSON,
        headers=(f"Authorization: Bearer {targets.token}",),
        address=address,
    )


@cache
def _make_marked_letter(size: int) -> bytes:
    """Return a letter with so many bytes of marks."""
    return ("a" + "".join(mark * (size // 4) for mark in MARKS)).encode()
