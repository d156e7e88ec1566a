"""What spectators are shown of games: the public's own fold, and in the end all of it."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from engine.game import Event
from engine.replays.decisions import Decision, encode
from engine.replays.public_replay import PublicReplay
from engine.replays.reading import Replay
from engine.streams import seed_text
from server.games.game_records import GameRecords
from server.games.game_sessions import GameSession
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites, sprites_of
from visualizer.model.timeline import ReplayTimeline

MOMENT_LETTERS = 16
MOST_STORIES = 50
"""SpectatorScenes that are kept in memory; any other is made again from its game."""


class Story:
    """A game that is watched: what the public has observed of it, as a page draws that."""

    def __init__(self, session: GameSession, sprites: Sprites) -> None:
        self._sprites = sprites
        self._begin(session)

    def _begin(self, session: GameSession) -> None:
        self._replay = PublicReplay(
            session.stored.spec, [one.contestant for one in session.stored.seats]
        )
        self._page = GrowingPage(ReplayTimeline(self._replay), self._sprites)
        self._hash = sha256()
        self._moments: list[str] = []

    def catch_up(self, session: GameSession) -> str:
        """Take in what was decided meanwhile; return what stands for all that was sent so far."""
        if not self._is_of(session):
            self._begin(session)  # a move was taken back
        observed = session.observed[None]
        for number in range(len(self._moments), len(observed)):
            # Who watches a game without secrets sees the orders, too.
            decided = session.log[number - 1] if number else None
            is_shown = session.game.open_information and observed[number]
            orders = [decided] if is_shown and isinstance(decided, Decision) else []
            self._replay.add([*orders, *observed[number]])
            if session.outcome is not None and number == len(observed) - 1:
                self._replay.end(session.outcome)
            self._page.grow()
            self._moments.append(self._next(observed[number]))
        return self._moments[-1]

    def message(self, since: str | None, about: Mapping[str, object]) -> bytes:
        """Return what a page needs that knows the game up to a moment; None: nothing.

        Who knows of another past, which does not count any more, gets everything anew.
        """
        known = None
        if since is not None and since in self._moments:
            known = self._moments.index(since)
        return self._page.message(known, about)

    def _is_of(self, session: GameSession) -> bool:
        """Return whether the game still begins as it was sent."""
        # The hash starts anew, and is in the end where the next moment continues it.
        observed, self._hash = session.observed[None][: len(self._moments)], sha256()
        return self._moments == [self._next(events) for events in observed]

    def _next(self, events: Sequence[Event]) -> str:
        # Of all events so far: after a move was taken back, the same turn is another moment.
        self._hash.update(encode(events))
        return self._hash.hexdigest()[:MOMENT_LETTERS]


class SpectatorScenes:
    """The stories of those games that are watched. All methods may be called from any thread."""

    def __init__(self, out: Path, records: GameRecords) -> None:
        """`out` is where the pictures of bots are kept."""
        self._out = out
        self._records = records
        self._lock = threading.Lock()
        self._scenes = OrderedDict[str, Story]()
        self._whole = OrderedDict[str, bytes]()
        """By the name of a game's record, which is another one where a player's name is gone."""

    def message_since(self, session: GameSession, since: str | None) -> tuple[str, bytes]:
        """Return what stands for all that was sent so far, and what is to be sent of it.

        The session must be held: nothing but what `observed_event` gives the public is looked at.
        """
        with self._lock:
            story = self._scenes.get(session.stored.id)
            if story is None:
                story = self._scenes[session.stored.id] = Story(session, self._sprites(session))
            self._scenes.move_to_end(session.stored.id)
            while len(self._scenes) > MOST_STORIES:
                self._scenes.popitem(last=False)
        # Outside of the lock, which is for all games: the session is held, so the story is ours.
        moment = story.catch_up(session)
        return moment, story.message(since, about(session, is_whole=False))

    def whole(self, session: GameSession) -> bytes:
        """Return all that may be published of a game that is over. The session must be held."""
        replay = self._records.replay(session)
        key = replay.name  # another one where a name on it was taken off
        with self._lock:
            content = self._whole.get(key)
        if content is None:
            content = self._all_of(session, Replay(replay))
        with self._lock:
            self._scenes.pop(session.stored.id, None)  # from now on it is shown as a whole
            self._whole[key] = content
            self._whole.move_to_end(key)
            while len(self._whole) > MOST_STORIES:
                self._whole.popitem(last=False)
        return content

    def _all_of(self, session: GameSession, replay: Replay) -> bytes:
        page = GrowingPage(ReplayTimeline(replay), self._sprites(session))
        page.grow()
        return page.message(None, about(session, is_whole=True))

    def _sprites(self, session: GameSession) -> Sprites:
        digests = [seated.digest for seated in session.stored.seats]
        return sprites_of(session.game.name, digests, self._out)


def decided(session: GameSession, number: int) -> list[Decision]:
    """Return what spectators see of decision `number`, from 1: all, if the game has no secrets.

    Nothing of what does not count any more, and of a change of who sits: nothing came of it.
    """
    if not (number and session.game.open_information and session.observed[None][number]):
        return []
    decision = session.log[number - 1]
    return [decision] if isinstance(decision, Decision) else []


def about(session: GameSession, *, is_whole: bool) -> dict[str, object]:
    """Return what a page says of a game besides what happens in it."""
    is_over = session.outcome is not None
    return {
        "isGrowing": not is_over,
        "isWhole": is_whole,
        "isContinuable": is_whole and len(session.decisions) > 0,
        "follows": True,
        "seats": [seated.name for seated in session.stored.seats],
        "seed": seed_text(session.stored.spec.seed) if is_over else None,
        "seedHash": session.seed_hash,
    }
