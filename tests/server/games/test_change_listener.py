"""What other processes change is told, though nobody listened when it was changed."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import count
from typing import Any, cast

import pytest

from engine.errors import EngineFailure
from server.games import change_listener as changes
from server.games.change_listener import ChangeListener
from server.games.game_storage import Change, GameStorage
from server.http.parts import ignore_report
from tests.postgresql import PostgreSQL
from tests.server.playing import game_service_on, start_game
from tests.shell import eventually


class Lost:
    """A storage whose database goes away once, and has a game changed when it is back."""

    database: Any = None

    def __init__(self) -> None:
        self.number = 1
        self.times = 0

    def load_versions(self, also: Iterable[str] = ()) -> dict[str, int]:
        return {"a game": self.number}

    def is_own_change(self, game_id: str, version: int) -> bool:
        return False

    def follow_changes(self, pause_s: float) -> Generator[Change | None, None, None]:
        self.times += 1
        if self.times == 1:
            yield None
            self.number += 1
            raise EngineFailure("the database is away")
        while True:
            yield None


class Told:
    """Notes what it is told."""

    def __init__(self) -> None:
        self.games: list[str] = []

    def on_external_change(self, game_id: str) -> None:
        self.games.append(game_id)

    def begin_asking(self) -> None:
        """Ask nobody."""

    def end_asking(self) -> None:
        """Ask nobody."""


def test_what_was_changed_while_nobody_listened_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "TROUBLE_S", 0.01)
    monkeypatch.setattr(changes, "Lease", lambda database, work: None)
    monkeypatch.setattr(ChangeListener, "_ask", lambda self: self._is_closed.wait())
    received = Told()
    listening = ChangeListener(cast(GameStorage, Lost()), received, ignore_report)
    with closing(listening):
        listening.start()
        assert eventually(lambda: received.games == ["a game"])


@pytest.fixture
def storages(postgresql: PostgreSQL) -> Iterator[tuple[GameStorage, GameStorage]]:
    """Return the storages of two processes that serve one database."""
    url = postgresql.new_url()
    with closing(GameStorage(url)) as one, closing(GameStorage(url)) as other:
        yield one, other


def test_each_change_of_another_process_is_told_once_and_ours_never(
    storages: tuple[GameStorage, GameStorage], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changes, "POLL_S", 0.02)
    ours, other = storages
    game_service, received, looks = game_service_on(other), Told(), count()
    looked = [0]

    def versions(also: Iterable[str] = ()) -> dict[str, int]:
        looked.append(next(looks))
        return GameStorage.load_versions(ours, also)

    monkeypatch.setattr(ours, "load_versions", versions)

    def looks_again() -> bool:
        """Return whether it was looked at the games once more, from the beginning to the end."""
        before = looked[-1]
        return eventually(lambda: looked[-1] > before + 1)

    games = [start_game(game_service) for _ in range(2)]
    listening = ChangeListener(ours, received, ignore_report)
    with closing(listening):
        listening.start()
        assert looks_again()
        expected: list[str] = []
        for number in range(10):
            game_id = games[number % 2]
            ours.note_change(game_id)
            game_service.conversations.say(game_id, 1, f"hello {number}")
            expected.append(game_id)
            assert eventually(lambda: len(received.games) >= len(expected))
            assert looks_again()
        other.remove_game(games[0])  # of which there is no notice
        assert eventually(lambda: len(received.games) > len(expected))
    assert received.games == [*expected, games[0]]
