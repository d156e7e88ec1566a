"""What other processes change is told, though nobody listened when it was changed."""

from collections.abc import Generator
from contextlib import closing
from typing import Any, cast

import pytest

from engine.errors import EngineFailure
from server import changes
from server.changes import Changes
from server.storage import Storage
from tests.shell import eventually


class Lost:
    """A storage whose database goes away once, and has a game changed when it is back."""

    database: Any = None

    def __init__(self) -> None:
        self.number = 1
        self.times = 0

    def versions(self) -> dict[str, int]:
        return {"a game": self.number}

    def notices(self, pause_s: float) -> Generator[str | None, None, None]:
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

    def changed_elsewhere(self, game_id: str) -> None:
        self.games.append(game_id)

    def begin_asking(self) -> None:
        """Ask nobody."""

    def end_asking(self) -> None:
        """Ask nobody."""


def test_what_was_changed_while_nobody_listened_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changes, "TROUBLE_S", 0.01)
    monkeypatch.setattr(changes, "Lease", lambda database, work: None)
    monkeypatch.setattr(Changes, "_ask", lambda self: self._is_closed.wait())
    told = Told()
    listening = Changes(cast(Storage, Lost()), told)
    with closing(listening):
        listening.begin()
        assert eventually(lambda: told.games == ["a game"])
