"""Replays of games that are over: made once, kept, and without the names of those who have left."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import select, update

from engine.game import Act
from engine.replays.reading import Replay
from runners.storage.database import Database
from runners.storage.game_tables import games
from server.games.game_records import GameRecords
from server.games.game_service import GameService
from server.games.game_sessions import GameSession
from server.http.errors import ActionRefused
from server.http.file_cache import FileCache
from tests.server.members import Server
from tests.server.playing import start_game


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each game was played again to be recorded."""
    counted, record = Counter[str](), GameSession.record

    def recording(session: GameSession, path: Path) -> str:
        counted[session.stored.id] += 1
        return record(session, path)

    monkeypatch.setattr(GameSession, "record", recording)
    return counted


def resign(game_service: GameService, game: str) -> None:
    for half in (1, 2):
        game_service.perform_act(game, Act(1, half, "resign"))


def test_a_replay_is_made_once_by_whatever_process(
    game_service: GameService, tmp_path: Path, recorded: Counter[str]
) -> None:
    game = start_game(game_service)
    resign(game_service, game)
    with game_service.open_session(game) as session:
        contents = {
            GameRecords(tmp_path).replay(session).read_bytes() for _ in ("one process", "another")
        }
        fingerprint = session.record(tmp_path / "whole")
        assert GameRecords(tmp_path).compute_fingerprint(session) == fingerprint
    assert len(contents) == 1
    assert recorded[game] == 2  # the second time by this test


def test_there_is_none_of_a_game_that_is_not_over(
    game_service: GameService, tmp_path: Path
) -> None:
    with (
        game_service.open_session(start_game(game_service)) as session,
        pytest.raises(ActionRefused, match="not over"),
    ):
        GameRecords(tmp_path).replay(session)


def test_all_that_is_asked_of_a_game_that_is_over_plays_it_again_once(
    server: Server, recorded: Counter[str]
) -> None:
    game = start_game(server.game_service, who="pb")
    resign(server.game_service, game)
    visitor = server.browser()
    assert visitor.get(f"/games/{game}/replay").status_code == 200
    assert visitor.get(f"/api/v1/games/{game}/scene").status_code == 200
    body = {"step": 0, "team": 1}
    answer = visitor.client.post(f"/api/v1/games/{game}/continue", json=body)
    assert answer.status_code == 200
    assert visitor.get(f"/games/{game}/replay").status_code == 200
    assert recorded == {game: 1}


def test_whoever_has_left_is_in_no_replay(server: Server, tmp_path: Path) -> None:
    game = start_game(server.game_service)
    resign(server.game_service, game)
    before = server.browser().get(f"/games/{game}/replay").content
    rename(server.storage.database, game)
    server.game_service.forget(game)
    after = server.browser().get(f"/games/{game}/replay").content
    names = [names_in(content, tmp_path / "replay") for content in (before, after)]
    assert names == [["Ann 1", "Ann 2"], ["deleted", "deleted"]]
    assert len([*tmp_path.glob(f".public/games/{game}-*")]) == 1
    assert "Ann 1" not in server.browser().get(f"/api/v1/games/{game}/scene").text


def rename(database: Database, game: str) -> None:
    """Take all names off a game, as for people who delete their accounts."""
    with database.transaction() as connection:
        text = connection.execute(select(games.c.seats).where(games.c.id == game)).scalar_one()
        seats = [{**one, "name": "deleted"} for one in msgspec.json.decode(text)]
        values = {"seats": msgspec.json.encode(seats).decode()}
        connection.execute(update(games).where(games.c.id == game).values(values))


def names_in(content: bytes, path: Path) -> list[str]:
    path.write_bytes(content)
    return [bot.name for bot in Replay(path).bots]


def test_the_files_that_nobody_asks_for_go_first(tmp_path: Path) -> None:
    saved = FileCache(tmp_path / "kept", most_bytes=25)
    for name in ("one", "two"):
        saved.path(name, lambda path: path.write_bytes(b"0123456789"))
    saved.path("one", lambda path: pytest.fail("it is there"))
    saved.path("three", lambda path: path.write_bytes(b"0123456789"))
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["one", "three"]


def test_a_file_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def broken(path: Path) -> None:
        path.write_bytes(b"half")
        raise ActionRefused("why not")

    saved = FileCache(tmp_path / "kept")
    with pytest.raises(ActionRefused):
        saved.path("one", broken)
    assert [*(tmp_path / "kept").iterdir()] == []
