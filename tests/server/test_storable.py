"""Values that no database can keep: the same answer on each of them, and no alarm."""

import re
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from starlette.routing import Route

from runners.storage.database import Database, now
from runners.storage.game_tables import audit, people
from runners.storage.ladder_tables import bots, notices
from runners.storage.schema import DATABASE, ensure_schema
from runners.storage.storable import BadValue
from server.identity.people import Kind
from tests.postgresql import PostgreSQL
from tests.server.bots.submitting import GOOD, hand_in
from tests.server.contests.field import ladder_in
from tests.server.members import HOST, Server, serving

NUL, LARGE = "a\0b", str(10**19)
UNFOLDS = "\ufdfa" * 24
"""A name of 24 letters, each of which stands for 18."""
GAME = "GAME"
"""Stands for the id of a game that waits for players."""
FIELDS = (
    *("name", "password", "note", "days", "team", "ladder", "game", "seats", "mine", "other-1"),
    *(
        *("up_to", "reason", "set-rows", "limit-cpu_ms", "clock", "format", "games", "house"),
        "versions",
    ),
)
"""Fields of forms: a page takes those that it knows."""
BODIES: Mapping[str, Mapping[str, object]] = {
    "orders": {"team": 1, "piece": 1, "step": 0, "order": NUL},
    "messages": {"text": NUL},
    "acts": {"team": 1, "piece": 1, "name": NUL},
    "draft": {"team": 1, "piece": 1, "step": 10**18, "lines": [NUL]},
    "bots": {"name": NUL, "ladder": NUL, "game": NUL, "files": {}},
    "continue": {"step": 10**18, "team": 10**18},
}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """Return an empty database of each kind."""
    postgresql: PostgreSQL | None = None
    if request.param == "postgresql":
        postgresql = request.getfixturevalue("postgresql")
    where = tmp_path / DATABASE if postgresql is None else postgresql.new_url()
    with closing(Database(where)) as database:
        ensure_schema(database)
        yield database


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"words": NUL}, "audit.words: has a NUL character in it, which is not allowed"),
        ({"what": "x" * 33}, "audit.what: at most 32 letters; this has 33"),
        ({"number": 1 << 31}, "audit.number: this number is too large"),
        ({"number": -1 << 70}, "audit.number: this number is too large"),
    ],
)
def test_what_cannot_be_kept_is_refused_alike(
    database: Database, changed: dict[str, object], message: str
) -> None:
    row = {"at": now(), "what": "w", "words": "", "address": ""}
    rows = [row | {"number": 1} | changed, row | {"number": 2}]
    with pytest.raises(BadValue) as refused, database.transaction() as connection:
        connection.execute(insert(audit), rows)
    assert str(refused.value) == message
    assert database.fetch_all(select(audit)) == []


def test_what_cannot_be_looked_for_is_refused_alike(database: Database) -> None:
    for value in (NUL, "\ud800"):
        with pytest.raises(BadValue), database.reading() as connection:
            connection.execute(select(people).where(people.c.name_key == value))
    with pytest.raises(BadValue), database.reading() as connection:
        connection.execute(select(notices).where(notices.c.id <= 10**19))


def test_what_can_be_kept_is_kept(database: Database) -> None:
    row = {"what": "w" * 32, "words": "\u2603" * 300, "number": (1 << 31) - 1, "address": ""}
    with database.transaction() as connection:
        connection.execute(insert(audit).values(row | {"at": now()}))
        too_long = select(bots).where(bots.c.name_key == "x" * 61)
        assert connection.execute(too_long).all() == []
    with database.reading() as connection:
        saved = connection.execute(select(audit)).mappings().one()
    assert {name: saved[name] for name in row} == row


def test_whatever_is_sent_is_answered_alike_on_each_database(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    with (
        asking_all(tmp_path / "file") as on_sqlite,
        asking_all(tmp_path, postgresql.new_url()) as on_server,
    ):
        assert on_sqlite == on_server
        assert len(on_sqlite) > 200
        assert {request: status for request, status in on_sqlite.items() if status >= 500} == {}


def test_a_name_that_is_long_once_it_is_folded_is_refused_alike(
    postgresql: PostgreSQL, tmp_path: Path
) -> None:
    answers = []
    for folder, url in ((tmp_path / "file", None), (tmp_path, postgresql.new_url())):
        folder.mkdir(exist_ok=True)
        with serving(folder, url) as server:
            key = server.site.people.new_link(Kind.PERSON, made_by=None)
            joined = server.browser().post(f"/welcome/{key}", {"name": UNFOLDS})
            ann, ladder = server.member("Ann"), ladder_in(server.storage.database)
            handed_in = hand_in(ann, {"ann.py": GOOD}, name=UNFOLDS, ladder=ladder.id)
            answers.append((joined.status_code, handed_in.status_code))
    assert answers[0] == answers[1]
    assert set(answers[0]) <= {400, 422}


@contextmanager
def asking_all(folder: Path, url: str | None = None) -> Iterator[dict[str, int]]:
    """Yield the status of each request to a server that holds what nothing of ours holds."""
    folder.mkdir(exist_ok=True)
    with serving(folder, url) as server:
        olga, visitor = server.organizer("Olga"), server.browser()
        waiting = {"game": "smack", "seats": "2", "mine": "1", "other-1": "open"}
        game = olga.post("/lobby/new", waiting).url.path.rpartition("/")[2]
        yield {
            f"{who} {method} {path}": browser.client.request(
                method,
                path.replace(GAME, game),
                headers={"origin": f"http://{HOST}"},
                follow_redirects=False,
                **make_content(method, path),
            ).status_code
            for who, browser in (("Olga", olga), ("a visitor", visitor))
            for method, path in make_requests(server)
        }
    assert server.said == []


def make_requests(server: Server) -> Iterator[tuple[str, str]]:
    """Yield requests to every page, with a NUL, a large number or a long text in each place."""
    for route in server.web.app.routes:
        if not isinstance(route, Route) or route.path == "/sign-out":
            continue
        for method in sorted((route.methods or set()) - {"HEAD"}):
            numbered = re.sub(r"{\w+:int}", LARGE, route.path)
            values = ("a%00b", LARGE, "x" * 100, GAME)
            paths = dict.fromkeys(re.sub(r"{\w+}", value, numbered) for value in values)
            for path in paths:
                yield method, path
            if method == "GET":
                yield method, path + "?q=%00&page=" + LARGE + "&key=%00&next=%00"


def make_content(method: str, path: str) -> dict[str, Any]:
    """Return what a request is sent with."""
    if path.startswith("/api/"):
        return {"json": BODIES.get(path.rpartition("/")[2], {})} if method != "GET" else {}
    if method != "POST" or path == "/me/delete":
        return {}
    return {"data": dict.fromkeys(FIELDS, NUL)}
