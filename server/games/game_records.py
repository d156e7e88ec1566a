"""The replays of games of people that are over, as everybody may have them: made once, and kept."""

import tempfile
from hashlib import sha256
from pathlib import Path

from engine.replays.decisions import encode
from engine.replays.public_copy import original_fingerprint, write_public_copy
from engine.replays.reading import Replay
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver, GameSession
from server.http.errors import ActionRefused
from server.http.file_cache import FOLDER, FileCache
from visualizer.model.story import TurningPoints, turning_points

VERSION = 1
"""To be raised where the same game would be published in another way."""
LETTERS = 16


class GameRecords(GameObserver):
    """The replays of games. All methods may be called from any thread."""

    def __init__(self, out: Path) -> None:
        """`out`: the folder of results."""
        self._files = FileCache(out / FOLDER / "games")

    def replay(self, session: GameSession) -> Path:
        """Return the public copy of a game, whose session must be held.

        Raises: ActionRefused for a game that is not over; EngineFailure.
        """
        if session.outcome is None:
            raise ActionRefused("the game is not over: its replay would tell what is hidden")
        return self._files.path(_replay_name(session), lambda path: _publish(session, path))

    def compute_fingerprint(self, session: GameSession) -> str:
        """Return the fingerprint of a game. Raises: ActionRefused, EngineFailure."""
        return original_fingerprint(Replay(self.replay(session)))

    def on_game_invalidated(self, game_id: str) -> None:
        """Remove what is kept of a game: the name of somebody is in it, who has left."""
        self._files.forget(f"{game_id}-")


def game_turning_points(
    game_service: GameService, records: GameRecords, game_id: str
) -> TurningPoints:
    """Return how a game turned. Raises: NoSuchGame; ActionRefused for one that is not over."""
    with game_service.open_session(game_id) as session:
        replay, outcome = records.replay(session), session.outcome
    assert outcome is not None
    return turning_points(replay, outcome.winners)


def _replay_name(session: GameSession) -> str:
    """Return a name that changes with whatever is in the replay: a move may be taken back."""
    content = encode(
        (VERSION, session.stored.seats, len(session.log), session.stored.spec.to_fields())
    )
    return f"{session.stored.id}-{sha256(content).hexdigest()[:LETTERS]}.jsonl.gz"


def _publish(session: GameSession, path: Path) -> None:
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "replay"
        session.record(whole)
        write_public_copy(Replay(whole), path)
