"""A folder of results that vanishes while the server runs, and comes back."""

from contextlib import closing
from pathlib import Path
from threading import Event

import pytest

from engine.bots.sandbox import Level
from runners.contests.player import ContestObserver, ContestPlayer
from runners.match_request import RunOptions
from runners.storage.database import Database
from runners.storage.ladder_tables import VersionState
from server.bots.checking import Checking
from server.operations.results_folder import MARK_FILE, ResultsFolder
from tests.server.contests.field import (
    bot_in,
    enter_all,
    person_in,
    real_bot_in,
    results_in,
    tiny_ladder_in,
    version_in,
)
from tests.server.members import Server, page_text
from tests.shell import eventually


def unmount(server: Server) -> Path:
    """Leave an empty folder where that of results was, as a mount point is; return the other."""
    elsewhere = server.folder.with_name("elsewhere")
    server.folder.rename(elsewhere)
    server.folder.mkdir()
    return elsewhere


def test_while_it_is_gone_requests_are_refused_in_words_and_afterwards_answered(
    server: Server,
) -> None:
    ann = server.member("Ann")
    elsewhere = unmount(server)
    refused = ann.get("/bots")
    assert (refused.status_code, refused.headers["retry-after"]) == (503, "30")
    assert "folder of results has vanished" in page_text(refused)
    assert "has vanished" in ann.get("/api/v1/ladders").text
    assert ann.get("/healthz/ready").status_code == 503
    assert ann.get("/healthz/live").status_code == 200
    assert list(server.folder.iterdir()) == []
    server.folder.rmdir()
    elsewhere.rename(server.folder)
    assert ann.get("/bots").status_code == 200
    assert ann.get("/healthz/ready").status_code == 200


def test_the_operator_is_told_once_that_it_vanished_and_once_that_it_is_back(
    tmp_path: Path,
) -> None:
    received: list[str] = []
    folder = ResultsFolder(tmp_path / "results", received.append)
    folder.start()
    assert folder.is_there()
    mark = tmp_path / "results" / MARK_FILE
    mark.unlink()
    assert not folder.is_there()
    assert not folder.is_there()
    mark.touch()
    assert folder.is_there()
    assert received == [folder.words, "the folder of results is there again"]


def test_the_page_of_health_says_it(server: Server) -> None:
    olga = server.organizer()
    unmount(server)
    assert f"The folder of results {server.folder} has vanished" in olga.text("/admin/health")


@pytest.mark.slow
def test_nothing_is_played_or_checked_meanwhile_and_the_folder_is_not_made_anew(
    database: Database, tmp_path: Path
) -> None:
    """The folder of the database is another one: with PostgreSQL it outlives this one, too."""
    out = tmp_path / "results"
    is_there = Event()
    ladder = tiny_ladder_in(database)
    author = person_in(database, "Ann")
    enter_all(database, ladder, [real_bot_in(database, out, name) for name in "ab"])
    version_in(database, bot_in(database, author, "c"), "v2", number=2, state=VersionState.CHECKING)
    looks: list[bool] = []

    class Waiting(ContestObserver):
        def is_ready(self) -> bool:
            looks.append(is_there.is_set())
            return is_there.is_set()

    elsewhere = tmp_path / "elsewhere"
    out.rename(elsewhere)
    checking = Checking(database, out, Level.DEFAULT, is_ready=Waiting().is_ready)
    player = ContestPlayer(database, RunOptions(out=out, workers=1), Waiting())
    with closing(checking), closing(player):
        checking.start()
        player.start()
        assert eventually(lambda: len(looks) >= 4)
        assert not results_in(database, ladder)
        assert not out.exists()
        elsewhere.rename(out)
        is_there.set()
        player.wake()
        assert eventually(lambda: bool(results_in(database, ladder)))
