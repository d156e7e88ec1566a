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
from server.games.errors import ActionRefused
from server.games.game_records import GameRecords
from server.games.game_service import Lobby
from server.games.game_sessions import Room
from server.http.file_cache import FileCache
from tests.server.members import Server
from tests.server.playing import begin


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Return how often each game was played again to be recorded."""
    counted, record = Counter[str](), Room.record

    def recording(room: Room, path: Path) -> str:
        counted[room.stored.id] += 1
        return record(room, path)

    monkeypatch.setattr(Room, "record", recording)
    return counted


def resign(lobby: Lobby, game: str) -> None:
    for half in (1, 2):
        lobby.act(game, Act(1, half, "resign"))


def test_a_replay_is_made_once_by_whatever_process(
    lobby: Lobby, tmp_path: Path, recorded: Counter[str]
) -> None:
    game = begin(lobby)
    resign(lobby, game)
    with lobby.room(game) as room:
        contents = {
            GameRecords(tmp_path).replay(room).read_bytes() for _ in ("one process", "another")
        }
        fingerprint = room.record(tmp_path / "whole")
        assert GameRecords(tmp_path).fingerprint(room) == fingerprint
    assert len(contents) == 1
    assert recorded[game] == 2  # the second time by this test


def test_there_is_none_of_a_game_that_is_not_over(lobby: Lobby, tmp_path: Path) -> None:
    with lobby.room(begin(lobby)) as room, pytest.raises(ActionRefused, match="not over"):
        GameRecords(tmp_path).replay(room)


def test_all_that_is_asked_of_a_game_that_is_over_plays_it_again_once(
    server: Server, recorded: Counter[str]
) -> None:
    game = begin(server.lobby, who="pb")
    resign(server.lobby, game)
    visitor = server.browser()
    assert visitor.get(f"/games/{game}/replay").status_code == 200
    assert visitor.get(f"/api/v1/games/{game}/scene").status_code == 200
    body = {"step": 0, "team": 1}
    answer = visitor.client.post(f"/api/v1/games/{game}/continue", json=body)
    assert answer.status_code == 200
    assert visitor.get(f"/games/{game}/replay").status_code == 200
    assert recorded == {game: 1}


def test_whoever_has_left_is_in_no_replay(server: Server, tmp_path: Path) -> None:
    game = begin(server.lobby)
    resign(server.lobby, game)
    before = server.browser().get(f"/games/{game}/replay").content
    rename(server.storage.database, game)
    server.lobby.forget(game)
    after = server.browser().get(f"/games/{game}/replay").content
    names = [names_in(content, tmp_path / "replay") for content in (before, after)]
    assert names == [["Ann 1", "Ann 2"], ["deleted", "deleted"]]
    assert len([*tmp_path.glob(f".public/games/{game}-*")]) == 1
    assert "Ann 1" not in server.browser().get(f"/api/v1/games/{game}/scene").text


def rename(database: Database, game: str) -> None:
    """Take all names off a game, as for people who delete their accounts."""
    with database.writing() as connection:
        text = connection.execute(select(games.c.seats).where(games.c.id == game)).scalar_one()
        seats = [{**one, "name": "deleted"} for one in msgspec.json.decode(text)]
        values = {"seats": msgspec.json.encode(seats).decode()}
        connection.execute(update(games).where(games.c.id == game).values(values))


def names_in(content: bytes, path: Path) -> list[str]:
    path.write_bytes(content)
    return [bot.name for bot in Replay(path).bots]


def test_the_files_that_nobody_asks_for_go_first(tmp_path: Path) -> None:
    kept = FileCache(tmp_path / "kept", most_bytes=25)
    for name in ("one", "two"):
        kept.path(name, lambda path: path.write_bytes(b"0123456789"))
    kept.path("one", lambda path: pytest.fail("it is there"))
    kept.path("three", lambda path: path.write_bytes(b"0123456789"))
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == ["one", "three"]


def test_a_file_that_cannot_be_made_leaves_nothing(tmp_path: Path) -> None:
    def broken(path: Path) -> None:
        path.write_bytes(b"half")
        raise ActionRefused("why not")

    kept = FileCache(tmp_path / "kept")
    with pytest.raises(ActionRefused):
        kept.path("one", broken)
    assert [*(tmp_path / "kept").iterdir()] == []
