"""Watching a run: its page, what came of it, and the stream of what there is to see so far."""

import asyncio
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Sequence
from http import HTTPStatus
from pathlib import Path

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from engine.catalog import find_game
from engine.replays.live import LiveReplay
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from engine.result_folder import REPLAY
from runners.run_options import RunOptions
from runners.storage.database import Database
from server.games.watching import STYLES, live_page, scene
from server.http.bundles import RUN
from server.http.errors import Denied
from server.http.event_streams import KEEPALIVE_S, Events, EventStream, encode_events
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part, Report
from server.http.permissions import Permission
from server.http.responses import EVENTS, json_response
from server.runs.run_rows import OPEN, Run, State
from server.runs.runs import Runs
from visualizer.backends.page.growing import GrowingPage
from visualizer.drawing.sprites import load_match_sprites
from visualizer.model.timeline import ReplayTimeline

POLL_INTERVAL_S = 0.2
"""A run that is played is looked at so often."""
GONE = "this match is not kept any more: run it again"
RUN_STYLES = (*STYLES, "designer/run.css")
MAX_CACHED_SCENES = 10
"""Runs that are over, of which what is shown is kept in memory."""


class RunAnswer(Struct, frozen=True, kw_only=True):
    """A run, and what came of it; team 1 is the draft."""

    id: str
    state: State
    words: str
    winner: int | None
    """The team that has won; null for none."""
    path: str
    """Where it is watched."""
    position: int
    """Its place among the runs that wait: 1 is begun next; 0 where it does not wait."""
    seed: str
    """With which the same is played again; '' before it is over."""


class RunsPart(Part):
    """Runs, for whoever knows their address."""

    def __init__(self, pages: Pages, database: Database, run: RunOptions, report: Report) -> None:
        """`run`: in which sandbox bots play, and the folder of results."""
        self._pages = pages
        self.runs = Runs(database, run.out, run.play.sandbox, report)
        self._scenes = RunScenes(self.runs)

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [self._pages.route("/runs/{run}/watch", Permission.ANYBODY, self._watch)]

    @property
    def operations(self) -> Sequence[Operation]:
        return [
            Operation("GET", "/runs/{run}", self._state, RunAnswer),
            Operation("GET", "/runs/{run}/scene", self._scene, str, media_type=EVENTS),
        ]

    def begin(self) -> None:
        self.runs.fail_unfinished()

    def close(self) -> None:
        self.runs.close()

    def _watch(self, request: PageRequest) -> Response:
        run = self._find_run(request.part("run"))
        panel = self._pages.templates.get_template("run_panel.html").render(run=run)
        page = live_page(
            run.names,
            find_game(run.game).title,
            self._pages.public_path,
            styles=RUN_STYLES,
            script=RUN,
            panels=panel,
        )
        return HTMLResponse(page, headers={"cache-control": "no-store"})

    async def _state(self, request: Request) -> Response:
        """Return how far a run has come."""
        run = await run_in_threadpool(self._find_run, request.path_params["run"])
        return json_response(make_run_answer(run, self.runs))

    async def _scene(self, request: Request) -> Response:
        """Follow a run as the replay page draws it."""
        run = await run_in_threadpool(self._find_run, request.path_params["run"])
        return EventStream(encode_events(self._follow(run)))

    async def _follow(self, run: Run) -> Events:
        whole = await run_in_threadpool(self._scenes.whole, run)
        if whole is not None:
            yield scene(whole)
            return
        story, quiet_s = RunStory(self.runs, run.id), 0.0
        while not story.is_over:
            message = await run_in_threadpool(story.next)
            if message is not None:
                quiet_s = 0.0
                yield scene(message)
            elif quiet_s >= KEEPALIVE_S:
                quiet_s = 0.0
                yield None
            if not story.is_over:
                quiet_s += POLL_INTERVAL_S
                await asyncio.sleep(POLL_INTERVAL_S)

    def _find_run(self, run_id: str) -> Run:
        """Raises: Denied."""
        run = self.runs.find(run_id)
        if run is None:
            raise Denied(HTTPStatus.NOT_FOUND, GONE)
        return run


def watch_path(run: Run) -> str:
    return f"/runs/{run.id}/watch"


def make_run_answer(run: Run, runs: Runs) -> RunAnswer:
    return RunAnswer(
        id=run.id,
        state=run.state,
        words=run.words,
        winner=run.winner,
        path=watch_path(run),
        position=runs.queue_position(run) if run.state is State.WAITING else 0,
        seed="" if run.state in OPEN else run.seed,
    )


class RunScenes:
    """What is shown of runs that are over. May be used from any thread."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs
        self._lock = threading.Lock()
        self._whole = OrderedDict[str, bytes]()

    def whole(self, run: Run) -> bytes | None:
        """Return all there is to see of a run; None while it is played."""
        if run.state in OPEN:
            return None
        with self._lock:
            content = self._whole.get(run.id)
        if content is None:
            content = RunStory(self._runs, run.id).next()
        if content is not None:
            with self._lock:
                self._whole[run.id] = content
                self._whole.move_to_end(run.id)
                while len(self._whole) > MAX_CACHED_SCENES:
                    self._whole.popitem(last=False)
        return content


class RunStory:
    """A run as one page is told of it, message by message."""

    def __init__(self, runs: Runs, run_id: str) -> None:
        self._runs = runs
        self._run_id = run_id
        self._replay: LiveReplay | None = None
        self._page: GrowingPage | None = None
        self._is_new = True
        self.is_over = False
        """Whether everything was told."""

    def next(self) -> bytes | None:
        """Return what is new since the last call; None where nothing is."""
        run = self._runs.find(self._run_id)  # asked first: then nothing more is written
        if run is None:
            self.is_over = True
            return None
        is_played = run.state not in OPEN
        if run.is_confidential:
            return self._public(run) if is_played else None
        if self._replay is None and _has_begun(self._runs.live(run)):
            self._replay = LiveReplay(self._runs.live(run))
            self._page = self._new_page(self._replay, run)
        if self._replay is None or self._page is None:
            self.is_over = is_played
            return None
        begun = self._replay.beginnings
        is_longer = self._replay.read_new_entries()
        if self._replay.beginnings != begun:  # the match was void, and is played again
            self._page, self._is_new = self._new_page(self._replay, run), True
        self.is_over = is_played or not self._replay.is_growing
        if not (is_longer or self._is_new or self.is_over):
            return None
        return self._message(self._page, run)

    def _public(self, run: Run) -> bytes | None:
        """Return all there is to see, with hashes in place of source that is somebody's own."""
        self.is_over = True
        if not self._runs.replay(run).exists():
            return None
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / REPLAY
            write_public_copy(Replay(self._runs.replay(run)), copy)
            return self._message(self._new_page(Replay(copy), run), run)

    def _message(self, page: GrowingPage, run: Run) -> bytes:
        since = None if self._is_new else page.moments - 1
        self._is_new = False
        page.grow()
        about = {
            "isGrowing": not self.is_over,
            "isWhole": True,
            "isContinuable": False,
            "follows": False,
            "seats": list(run.names),
            "seed": run.seed if self.is_over else None,
            "seedHash": None,
        }
        return page.message(since, about)

    def _new_page(self, replay: Replay, run: Run) -> GrowingPage:
        sprites = load_match_sprites(replay.game.name, run.digests, self._runs.live(run).parent)
        return GrowingPage(ReplayTimeline(replay), sprites)


def _has_begun(path: Path) -> bool:
    """Return whether there is a line to read; without one, reading would wait."""
    try:
        with path.open("rb") as file:
            return b"\n" in file.read(1 << 16)
    except FileNotFoundError:
        return False
