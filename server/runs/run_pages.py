"""Watching a run: its page, what came of it, and the stream of what there is to see so far."""

import tempfile
from collections.abc import Mapping, Sequence
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
from engine.support.fair_queue import QueuePlace
from runners.match_request import RunOptions
from runners.storage.database import Database
from server.http.bundles import RUN
from server.http.errors import Denied
from server.http.event_streams import Events, EventStream, Follow, Followers, encode_events
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part, Report
from server.http.permissions import Permission
from server.http.responses import EVENTS
from server.runs.run_rows import OPEN, Run, State
from server.runs.runs import Runs
from server.watching.live_scene import LiveScene, Topics, follow
from server.watching.match_file import MatchFile, has_first_line
from server.watching.scene_messages import (
    STYLES,
    WholeMatches,
    describe_match,
    last_event_id,
    live_page,
    render_whole_match,
)
from server.watching.visibility import Role, VisiblePart
from visualizer.drawing.sprites import Sprites, load_match_sprites

POLL_INTERVAL_S = 0.2
"""A run that is played is looked at so often."""
RUN_GONE = "this match is not kept any more: run it again"
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
    wait_s: int = 0
    """When one that waits is begun, about, in seconds; 0 where that is not known."""
    seed: str
    """With which the same is played again; '' before it is over."""


class RunsPart(Part):
    """Runs, for whoever knows their address."""

    def __init__(self, pages: Pages, database: Database, run: RunOptions, report: Report) -> None:
        """`run`: in which sandbox bots play, and the folder of results."""
        self._pages = pages
        self.runs = Runs(database, run.out, run.play.sandbox, report)
        self._followers = Followers()
        self._topics = Topics(self._followers, POLL_INTERVAL_S)
        self._whole = WholeMatches(MAX_CACHED_SCENES)
        self._posters = WholeMatches()

    @property
    def routes(self) -> Sequence[BaseRoute]:
        return [self._pages.route("/runs/{run}/watch", Permission.ANYBODY, self._watch)]

    @property
    def operations(self) -> Sequence[Operation]:
        return [
            Operation("GET", "/runs/{run}", self._state, RunAnswer),
            Operation("GET", "/runs/{run}/scene", self._scene, str, media_type=EVENTS),
        ]

    @property
    def topics(self) -> Mapping[str, Follow]:
        return {"runs/scene": self._follow}

    def start(self) -> None:
        self.runs.fail_unfinished()

    def close(self) -> None:
        self._followers.close_all_streams()
        self.runs.close()

    def _watch(self, request: PageRequest) -> Response:
        run = self._find_run(request.part("run"))
        poster = self._posters.load_poster(run.id, self._make_events(run).draw_first_board)
        panel = self._pages.templates.get_template("run_panel.html").render(run=run)
        page = live_page(
            run.names,
            find_game(run.game).title,
            self._pages.public_path,
            styles=RUN_STYLES,
            script=RUN,
            panels=panel,
            poster=poster,
        )
        return HTMLResponse(page, headers={"cache-control": "no-store"})

    def _state(self, request: Request) -> RunAnswer:
        """Return how far a run has come."""
        run = self._find_run(request.path_params["run"])
        self.runs.note_viewer(run)
        return make_run_answer(run, self.runs)

    async def _scene(self, request: Request) -> Response:
        """Follow a run as the replay page draws it."""
        run = await run_in_threadpool(self._find_run, request.path_params["run"])
        return EventStream(encode_events(self._follow_run(run, last_event_id(request))))

    async def _follow(self, request: Request, run_id: str, last: str | None) -> Events:
        run = await run_in_threadpool(self._find_run, run_id)
        async for event in self._follow_run(run, last):
            yield event

    def _follow_run(self, run: Run, last: str | None) -> Events:
        return follow(self._topics, run.id, lambda: LiveScene(self._make_events(run)), last)

    def _make_events(self, run: Run) -> "RunEvents":
        return RunEvents(self.runs, run, self._whole)

    def _find_run(self, run_id: str) -> Run:
        """Raises: Denied."""
        run = self.runs.find(run_id)
        if run is None:
            raise Denied(HTTPStatus.NOT_FOUND, RUN_GONE)
        return run


def watch_path(run: Run) -> str:
    return f"/runs/{run.id}/watch"


def make_run_answer(run: Run, runs: Runs) -> RunAnswer:
    place = runs.find_place(run) if run.state is State.WAITING else QueuePlace(0, 0)
    return RunAnswer(
        id=run.id,
        state=run.state,
        words=run.words,
        winner=run.winner,
        path=watch_path(run),
        position=place.number,
        wait_s=place.wait_s,
        seed="" if run.state in OPEN else run.seed,
    )


class RunEvents(MatchFile):
    """A run that is watched: all of it as it is played, or a copy of it once it is over."""

    def __init__(self, runs: Runs, run: Run, whole: WholeMatches) -> None:
        role = Role.PLAYER if run.room else Role.TESTER
        super().__init__(runs.live_replay_path(run), role, self._load_run_sprites)
        self.is_confidential = run.is_confidential
        self._runs = runs
        self._whole = whole
        self._run = run

    def has_news(self) -> bool:
        self._runs.note_viewer(self._run)
        run = self._runs.find(self._run.id)
        return run is None or run.state not in OPEN or super().has_news()

    def read_new_entries(self) -> None:
        """Take in what was played meanwhile. Raises: BadReplay."""
        run = self._runs.find(self._run.id)  # asked first: then nothing more is written
        if run is None:
            self.is_over = True
            return
        self._run = run
        is_played = run.state not in OPEN
        super().read_new_entries()
        self.is_over = is_played or (self.page is not None and self.record.outcome is not None)

    def describe(self) -> dict[str, object]:
        names, seed = self._run.names, self._run.seed
        return describe_match(names, is_over=self.is_over, is_whole=True, seed=seed)

    def render_whole(self) -> bytes | None:
        """Return all there is to see of a run that is over; None where nothing is."""
        run = self._run
        if run.state in OPEN:
            return None
        if self.find_part(find_game(run.game), is_over=True) is VisiblePart.PUBLIC_COPY:
            if not self._runs.replay(run).exists():
                return None
            return self._whole.load(run.id, self._render_public)
        if not has_first_line(self._runs.live_replay_path(run)):
            return None
        return self._whole.load(
            run.id, lambda: self._render(LiveReplay(self._runs.live_replay_path(run)))
        )

    def _render_public(self) -> bytes:
        """Render it with hashes in place of source that is somebody's own."""
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / REPLAY
            write_public_copy(Replay(self._runs.replay(self._run)), copy)
            return self._render(Replay(copy))

    def _render(self, replay: Replay) -> bytes:
        return render_whole_match(replay, self._load_run_sprites(replay), self.describe())

    def _load_run_sprites(self, replay: Replay) -> Sprites:
        folder = self._runs.live_replay_path(self._run).parent
        return load_match_sprites(replay.game.name, self._run.digests, folder)
