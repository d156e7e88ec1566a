"""The oldest matches of ladders have no replays any more."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from engine.result_folder import ResultFolder
from runners.contests import retention
from runners.contests.retention import LadderRetention
from runners.storage.database import Database, now
from runners.storage.ladder_tables import VersionState, versions
from server.operations.cleaning import REFUSED_RETENTION, remove_refused
from tests.server.contests.field import (
    Made,
    add_match,
    ladder_in,
    person_in,
    real_bot_in,
    results_in,
    version_in,
)


def test_the_newest_matches_keep_their_folders_and_all_their_results(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = ladder_in(database)
    folders = [tmp_path / ResultFolder.MATCHES / f"match {number}" for number in range(6)]
    for folder in folders:
        folder.mkdir(parents=True)
        add_match(database, ladder.id, key=folder.name)
    keeper = LadderRetention(database, tmp_path)
    keeper.clear(ladder.id)
    assert all(folder.is_dir() for folder in folders)
    monkeypatch.setattr(retention, "MAX_KEPT_MATCHES", 4)
    keeper.clear(ladder.id)
    keeper.clear(ladder.id)
    assert [folder.is_dir() for folder in folders] == [False] * 2 + [True] * 4
    assert len(results_in(database, ladder)) == 6


def test_it_looks_now_and_then(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared: list[str] = []
    monkeypatch.setattr(LadderRetention, "clear", lambda self, ladder_id: cleared.append(ladder_id))
    keeper = LadderRetention(database, tmp_path)
    for number in range(2 * retention.LADDER_CLEARED_EVERY):
        keeper.on_match_played("one")
        if number % 2:
            keeper.on_match_played("other")
    assert cleared == ["one", "one", "other"]


def test_the_files_of_a_version_that_was_refused_go_after_a_week_and_no_others(
    database: Database, tmp_path: Path
) -> None:
    author = person_in(database, "Ann")
    bots = {
        name: real_bot_in(database, tmp_path, name, f"return {name!r}", person=author)
        for name in ("refused", "new", "shared", "good")
    }
    copies = {name: tmp_path / "bots" / find_digest(database, bot) for name, bot in bots.items()}
    version_in(database, bots["good"], "again", number=2, digest=copies["shared"].name)
    week_ago = now() - REFUSED_RETENTION - timedelta(minutes=1)
    for name in ("refused", "new", "shared"):
        own = update(versions).where(versions.c.id == bots[name].version)
        values = {"state": VersionState.REFUSED, "first_match": f"match of {name}"}
        when = {} if name == "new" else {"handed_in_at": week_ago}
        database.write(own.values(**values, **when))
    (tmp_path / ResultFolder.MATCHES / "match of refused").mkdir(parents=True)
    assert remove_refused(database, tmp_path, now()) == 1
    assert [name for name, copy in copies.items() if copy.is_dir()] == ["new", "shared", "good"]
    assert not (tmp_path / ResultFolder.MATCHES / "match of refused").exists()
    assert remove_refused(database, tmp_path, now()) == 0


def test_a_copy_that_was_there_before_it_was_refused_stays(
    database: Database, tmp_path: Path
) -> None:
    bot = real_bot_in(database, tmp_path, "starter")
    copy = tmp_path / "bots" / find_digest(database, bot)
    long_ago = (now() - 2 * REFUSED_RETENTION).timestamp()
    os.utime(copy, (long_ago, long_ago))
    values = {"state": VersionState.REFUSED, "handed_in_at": now() - REFUSED_RETENTION * 1.5}
    database.write(update(versions).values(values))
    assert remove_refused(database, tmp_path, now()) == 0
    assert copy.is_dir()


def find_digest(database: Database, bot: Made) -> str:
    query = select(versions.c.digest).where(versions.c.id == bot.version)
    return str(database.fetch_value(query))
