"""The oldest matches of ladders have no replays any more."""

from pathlib import Path

import pytest

from engine.result_folder import ResultFolder
from server.arena import retention
from server.arena.retention import Retention
from server.database import Database
from tests.server.arena.field import (
    dispatching,
    enter_all,
    real_bot_in,
    results_in,
    tiny_ladder_in,
)
from tests.shell import eventually


def test_the_newest_matches_keep_their_folders_and_all_their_results(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder = tiny_ladder_in(database)
    enter_all(database, ladder, [real_bot_in(database, tmp_path, name) for name in ("a b", "c")])
    with dispatching(database, tmp_path):
        assert eventually(lambda: len(results_in(database, ladder)) >= 6)
    rows = results_in(database, ladder)
    folders = [tmp_path / ResultFolder.MATCHES / row.key for row in rows]
    keeper = Retention(database, tmp_path)
    keeper.clear(ladder.id)
    assert all(folder.is_dir() for folder in folders)
    monkeypatch.setattr(retention, "MOST_KEPT", 4)
    keeper.clear(ladder.id)
    keeper.clear(ladder.id)
    assert [folder.is_dir() for folder in folders] == [False] * (len(rows) - 4) + [True] * 4
    assert len(results_in(database, ladder)) == len(rows)


def test_it_looks_now_and_then(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cleared: list[str] = []
    monkeypatch.setattr(Retention, "clear", lambda self, ladder_id: cleared.append(ladder_id))
    keeper = Retention(database, tmp_path)
    for number in range(2 * retention.CLEARED_EVERY):
        keeper.played("one")
        if number % 2:
            keeper.played("other")
    assert cleared == ["one", "one", "other"]
