"""The replays of games of people that are over, as everybody may have them: made once, and kept."""

import tempfile
from hashlib import sha256
from pathlib import Path

from engine.replays.decisions import encode
from engine.replays.public_copy import original_of, write_public_copy
from engine.replays.reading import Replay
from server.games.errors import ActionRefused
from server.games.game_observer import GameObserver
from server.games.game_sessions import Room
from server.http.file_cache import FOLDER, FileCache

VERSION = 1
"""To be raised where the same game would be published in another way."""
LETTERS = 16


class GameRecords(GameObserver):
    """The replays of games. All methods may be called from any thread."""

    def __init__(self, out: Path) -> None:
        """`out`: the folder of results."""
        self._kept = FileCache(out / FOLDER / "games")

    def replay(self, room: Room) -> Path:
        """Return the public copy of a game, whose room must be held.

        Raises: ActionRefused for a game that is not over; EngineFailure.
        """
        if room.outcome is None:
            raise ActionRefused("the game is not over: its replay would tell what is hidden")
        return self._kept.path(_name_of(room), lambda path: _publish(room, path))

    def fingerprint(self, room: Room) -> str:
        """Return the fingerprint of a game. Raises: ActionRefused, EngineFailure."""
        return original_of(Replay(self.replay(room)))

    def forgotten(self, game_id: str) -> None:
        """Remove what is kept of a game: the name of somebody is in it, who has left."""
        self._kept.forget(f"{game_id}-")


def _name_of(room: Room) -> str:
    """Return a name that changes with whatever is in the replay: a move may be taken back."""
    content = encode((VERSION, room.stored.seats, len(room.log), room.stored.spec.as_written()))
    return f"{room.stored.id}-{sha256(content).hexdigest()[:LETTERS]}.jsonl.gz"


def _publish(room: Room, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "replay"
        room.record(whole)
        write_public_copy(Replay(whole), path)
