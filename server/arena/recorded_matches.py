"""Matches of the archive, as the replay page of the server shows them."""

import threading
import zlib
from collections import OrderedDict
from pathlib import Path

import msgspec
from starlette.responses import Response

from engine.errors import BadReplay
from engine.fault import Fault
from engine.record import LEVEL, FaultAside
from engine.replay import Replay
from engine.result_folder import REPLAY, ResultFolder
from engine.stored_lines import GZIP, PackedText, TooLarge
from engine.streams import seed_text
from server.boards import has_board
from server.continuing import ContinueBody, Continuing, continued
from server.lobby import Lobby
from server.open_games import OpenGames
from server.watching import SCRIPT, STYLES, scene
from visualizer.backends.page.document import live_document
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import sprites_of
from visualizer.model.timeline import ReplayTimeline

MOST_KEPT = 50
"""Matches whose pages are kept in memory."""


class RecordedMatches:
    """The matches in a folder of results. All methods may be called from any thread."""

    def __init__(self, out: Path, lobby: Lobby, open_games: OpenGames) -> None:
        """`lobby` and `open_games` take the games that people play on from these matches."""
        self._out = out
        self._lobby = lobby
        self._open_games = open_games
        self._continuing = Continuing(lobby, out)
        self._lock = threading.Lock()
        self._events = OrderedDict[str, bytes]()

    def page(self, key: str) -> bytes:
        """Return the page of a match, to be sent for an address that ends in `/watch`.

        Its program asks for the event at `/api/v1/.../scene`. Raises: BadReplay.
        """
        replay = self._replay(key)
        title = " : ".join(bot.name for bot in replay.bots)
        return live_document(title, replay.game.title, STYLES, SCRIPT)

    def file(self, key: str) -> bytes:
        """Return the replay of a match as everybody may have it. Raises: BadReplay.

        The words of faults are left out, which are for the authors; nothing is verified by them.
        """
        path = self._path(key)
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
        try:
            content = PackedText(path.read_bytes())
            packed = [packer.compress(_public(line) + b"\n") for _, line in content.lines()]
        except (OSError, TooLarge, zlib.error, msgspec.MsgspecError) as error:
            raise BadReplay(f"{path}: cannot be read: {error}") from error
        return b"".join([*packed, packer.flush()])

    def scene(self, key: str) -> bytes:
        """Return the event that holds the whole match. Raises: BadReplay."""
        with self._lock:
            content = self._events.get(key)
        if content is None:
            content = self._made(key)
        with self._lock:
            self._events[key] = content
            self._events.move_to_end(key)
            while len(self._events) > MOST_KEPT:
                self._events.popitem(last=False)
        return content

    def play_on(self, key: str, body: ContinueBody, person_id: str) -> Response:
        """Begin a game of somebody with the first decisions of a match, and lead there.

        Raises: BadReplay, Refused.
        """
        replay = self._replay(key)
        game_id = self._continuing.play_on_replay(replay, body.step, body.team)
        self._open_games.own(game_id, body.team, person_id)
        return continued(self._lobby, game_id, body.team)

    def _made(self, key: str) -> bytes:
        replay = self._replay(key)
        digests = [bot.digest for bot in replay.bots]
        page = GrowingPage(ReplayTimeline(replay), sprites_of(replay.game.name, digests, self._out))
        page.grow()
        about = {
            "isGrowing": False,
            "isWhole": True,
            "isContinuable": has_board(replay.game),
            "follows": False,
            "seats": [bot.name for bot in replay.bots],
            "seed": seed_text(replay.spec.seed),
            "seedHash": None,
        }
        return scene(page.message(None, about)).encoded()

    def _replay(self, key: str) -> Replay:
        return Replay(self._path(key))

    def _path(self, key: str) -> Path:
        return self._out / ResultFolder.MATCHES / key / REPLAY


def _public(line: bytes) -> bytes:
    """Return a line of a replay without the words of a fault."""
    if not line.startswith(b'{"aside":"fault"'):
        return line
    fault = msgspec.json.decode(line, type=FaultAside)
    fault.detail = ""
    if fault.out is not None:
        fault.out = Fault(fault.out.cause, "")
    return msgspec.json.encode(fault)
