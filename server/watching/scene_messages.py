"""What pages are sent of a match: their document, its scene, and what else there is to say."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from contextlib import suppress

from msgspec.json import encode
from starlette.requests import Request

from engine.errors import BadReplay
from engine.replays.reading import Replay
from server.http.bundles import WATCH, bundle_path
from server.http.event_streams import StreamEvent
from visualizer.backends.page.document import live_document
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import Sprites
from visualizer.model.timeline import ReplayTimeline

STYLES = ("shared/theme.css", "viewer/details.css", "viewer/page.css", "viewer/live.css")
MAX_EVENT_ID_LENGTH = 64
MAX_CACHED_SCENES = 50
OVER = StreamEvent("over", b"{}")
"""Nothing was shown before the end: the page is to be loaded again."""

CONFIDENTIAL = "This match is shown once it is over: the source of an opponent is its author's."


def live_page(
    names: Iterable[str],
    game: str,
    public_path: str = "",
    *,
    styles: Sequence[str] = STYLES,
    script: str = WATCH,
    panels: str = "",
    how_to_play: str = "",
    foot: str = "",
    preview: str = "",
    poster: str = "",
) -> bytes:
    """Return the page of a match of these players, which is fed by the server.

    `game`: its title; `public_path`: see server/http/public_path.py; `panels` and so
    on: see `live_document`.
    """
    return live_document(
        " : ".join(names),
        game,
        styles=[f"{public_path}/static/{name}" for name in styles],
        script=f"{public_path}/static/{bundle_path(script)}",
        home=f"{public_path}/",
        panels=panels,
        how_to_play=how_to_play,
        foot=foot,
        preview=preview,
        poster=poster,
    )


def last_event_id(request: Request) -> str | None:
    """Return the last moment that a browser saw, if it saw one of ours."""
    return request.headers.get("last-event-id", "")[:MAX_EVENT_ID_LENGTH] or None


def scene_event(message: bytes, moment: str | None = None) -> StreamEvent:
    """Return what there is to see as an event; without a moment it is never asked for again."""
    return StreamEvent("scene", message, moment)


def waiting_event(text: str) -> StreamEvent:
    """Return the event that says why there is nothing to see yet."""
    return StreamEvent("wait", encode({"words": text}))


def late_words(title: str) -> str:
    """Return why a game is not shown before its end."""
    return f"{title} is shown once it is over: its players must not see each other's pieces."


def describe_match(
    seats: Iterable[str],
    *,
    is_over: bool,
    is_whole: bool,
    seed: str | None = None,
    seed_hash: str | None = None,
    is_continuable: bool = False,
    own_team: int | None = None,
    follows: bool = False,
) -> dict[str, object]:
    """Return what a page says of a match besides what happens in it.

    `seed` is told once the match is over; `is_whole`: whether nothing of it is hidden;
    `is_continuable`: whether people can play on from here; `own_team`: of which the reader is the
    author; `follows`: whether the page goes to its newest turn by itself.
    """
    return {
        "isGrowing": not is_over,
        "isWhole": is_whole,
        "isContinuable": is_continuable,
        "ownTeam": own_team,
        "follows": follows,
        "seats": list(seats),
        "seed": seed if is_over else None,
        "seedHash": seed_hash,
    }


def render_whole_match(replay: Replay, sprites: Sprites, about: Mapping[str, object]) -> bytes:
    """Return the message that holds all of a match."""
    page = GrowingPage(ReplayTimeline(replay), sprites)
    page.grow()
    return page.message(None, about)


class WholeMatches:
    """What was rendered of matches, kept for who asks next. May be used from any thread."""

    def __init__(self, most: int = MAX_CACHED_SCENES) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._messages = OrderedDict[Hashable, bytes]()

    def load(self, key: Hashable, render: Callable[[], bytes]) -> bytes:
        """Return what is kept, or is rendered now. Raises whatever `render` does."""
        with self._lock:
            message = self._messages.get(key)
        if message is None:
            message = render()
        with self._lock:
            self._messages[key] = message
            self._messages.move_to_end(key)
            while len(self._messages) > self._most:
                self._messages.popitem(last=False)
        return message

    def load_poster(self, key: Hashable, draw: Callable[[], bytes]) -> str:
        """Return the SVG that stands until a page is loaded; '' where there is no board yet."""
        with suppress(BadReplay):
            return self.load(key, draw).decode()
        return ""
