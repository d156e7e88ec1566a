"""What is shown once: by whichever process is asked, to who made it, and to nobody else."""

import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import func, select

from runners.storage.database import Database, now
from runners.storage.game_tables import shown_once
from runners.storage.schema import DATABASE, ensure_schema
from server.identity import shown_once as module
from server.identity.shown_once import LIFETIME, MAX_TEXTS_PER_SESSION, ShownOnce
from server.operations.backup import back_up, restore
from tests.postgresql import PostgreSQL
from tests.server.members import HOST, Server

SECRET = "slime_a-token-that-nobody-else-reads"
SESSION, OTHER = "the token of a session", "the token of another one"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / DATABASE}"
    postgresql: PostgreSQL = request.getfixturevalue("postgresql")
    return postgresql.new_url()


@pytest.fixture
def two(url: str) -> Iterator[tuple[ShownOnce, ShownOnce]]:
    """Return what two processes have of one database."""
    with closing(Database(url)) as first, closing(Database(url)) as second:
        ensure_schema(first)
        yield ShownOnce(first), ShownOnce(second)


def test_a_text_is_shown_once_by_whichever_process_is_asked(
    two: tuple[ShownOnce, ShownOnce],
) -> None:
    first, second = two
    first.save(SESSION, "/me", SECRET)
    assert second.take(SESSION, "/me") == [SECRET]
    assert first.take(SESSION, "/me") == second.take(SESSION, "/me") == []


def test_texts_wait_for_their_page_and_their_session(two: tuple[ShownOnce, ShownOnce]) -> None:
    first, second = two
    first.save(SESSION, "/me", "a token")
    second.save(SESSION, "/admin", "an invitation")
    first.save(SESSION, "/me", "another token")
    assert second.take(OTHER, "/me") == second.take("", "/me") == []
    assert second.take(SESSION, "/me") == ["a token", "another token"]
    assert first.take(SESSION, "/admin") == ["an invitation"]


def test_of_a_subject_only_the_newest_text_is_shown(two: tuple[ShownOnce, ShownOnce]) -> None:
    first, second = two
    first.save(SESSION, "/me", "a feed", "feed")
    first.save(OTHER, "/me", "somebody else's feed", "feed")
    second.save(SESSION, "/me", "a link", "device")
    second.save(SESSION, "/me", "the new feed", "feed")
    assert first.take(SESSION, "/me") == ["a link", "the new feed"]
    assert first.take(OTHER, "/me") == ["somebody else's feed"]


def test_one_of_those_who_ask_at_once_is_shown_a_text(two: tuple[ShownOnce, ShownOnce]) -> None:
    two[0].save(SESSION, "/me", SECRET)
    shown: list[str] = []
    barrier = threading.Barrier(6)

    def ask(one: ShownOnce) -> None:
        barrier.wait()
        shown.extend(one.take(SESSION, "/me"))

    threads = [threading.Thread(target=ask, args=(two[number % 2],)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shown == [SECRET]


def test_what_nobody_asks_for_is_dropped_after_some_minutes(
    two: tuple[ShownOnce, ShownOnce], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = two
    begun = now()
    first.save(SESSION, "/me", "too old")
    first.save(OTHER, "/me", "never asked for")
    monkeypatch.setattr(module, "now", lambda: begun + LIFETIME + timedelta(seconds=1))
    assert second.take(SESSION, "/me") == []
    second.save(SESSION, "/me", "new")
    assert rows_in(second) == 1
    assert first.take(SESSION, "/me") == ["new"]


def test_no_more_than_so_many_wait_for_a_session(two: tuple[ShownOnce, ShownOnce]) -> None:
    first, second = two
    first.save(OTHER, "/me", "somebody else's")
    for number in range(MAX_TEXTS_PER_SESSION + 2):
        first.save(SESSION, "/me", str(number))
    assert second.take(SESSION, "/me") == [
        str(number) for number in range(2, MAX_TEXTS_PER_SESSION + 2)
    ]
    assert second.take(OTHER, "/me") == ["somebody else's"]


def rows_in(one: ShownOnce) -> int:
    return int(one._database.fetch_value(select(func.count()).select_from(shown_once)))


def test_neither_the_database_nor_a_backup_tells_what_waits(server: Server, tmp_path: Path) -> None:
    ann = server.member("Ann")
    token = ann.client.cookies["session"]
    ShownOnce(server.storage.database).save(token, "/me", SECRET)
    written = b"".join(path.read_bytes() for path in tmp_path.glob(f"{DATABASE}*"))
    assert SECRET.encode() not in written
    assert token.encode() not in written
    (content,) = server.storage.database.fetch_column(select(shown_once.c.content))
    assert content in written
    saved, restored = tmp_path.parent / "saved.zip", tmp_path.parent / "restored"
    back_up(tmp_path, saved)
    restore(saved, restored)
    assert content not in (restored / DATABASE).read_bytes()
    assert SECRET in ann.get("/me").text


def test_an_answer_without_a_body_takes_nothing(server: Server) -> None:
    ann = server.member("Ann")
    ann.client.post(
        "/me/tokens",
        data={"name": "a"},
        headers={"origin": f"http://{HOST}"},
        follow_redirects=False,
    )
    assert ann.client.head("/me").status_code == 200
    assert 'value="slime_' in ann.get("/me").text
    assert 'value="slime_' not in ann.get("/me").text


def test_two_tokens_that_were_made_before_the_page_was_seen_are_both_shown(server: Server) -> None:
    ann = server.member("Ann")
    for name in ("laptop", "desk"):
        ann.client.post(
            "/me/tokens",
            data={"name": name},
            headers={"origin": f"http://{HOST}"},
            follow_redirects=False,
        )
    assert ann.get("/me").text.count('readonly value="slime_') == 2
