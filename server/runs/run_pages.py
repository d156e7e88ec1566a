"""Watching a run: its page, what came of it, and the stream of what there is to see."""

import asyncio
from collections.abc import Sequence
from http import HTTPStatus

from msgspec import Struct
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import BaseRoute

from engine.catalog import game_named
from runners.run_options import RunOptions
from runners.storage.database import Database
from server.games.watching import STYLES, live_page, scene
from server.http.bundles import RUN
from server.http.errors import Denied
from server.http.event_streams import KEEPALIVE_S, EventStream
from server.http.openapi import Operation
from server.http.page_requests import PageRequest, Pages
from server.http.parts import Part, Report
from server.http.permissions import Permission
from server.http.responses import EVENTS, sent
from server.http.server_sent_events import Events, encoded
from server.runs.run_rows import OPEN, Run, State
from server.runs.run_scenes import RunScenes, RunStory
from server.runs.runs import Runs

LOOK_S = 0.2
"""A run that is played is looked at so often."""
GONE = "this match is not kept any more: run it again"
RUN_STYLES = (*STYLES, "designer/run.css")


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
        self.runs.begin_anew()

    def close(self) -> None:
        self.runs.close()

    def _watch(self, request: PageRequest) -> Response:
        run = self._found(request.part("run"))
        panel = self._pages.templates.get_template("run_panel.html").render(run=run)
        page = live_page(
            run.names,
            game_named(run.game).title,
            self._pages.public_path,
            styles=RUN_STYLES,
            script=RUN,
            panels=panel,
        )
        return HTMLResponse(page, headers={"cache-control": "no-store"})

    async def _state(self, request: Request) -> Response:
        """Return how far a run has come."""
        run = await run_in_threadpool(self._found, request.path_params["run"])
        return sent(answer_of(run, self.runs))

    async def _scene(self, request: Request) -> Response:
        """Follow a run as the replay page draws it."""
        run = await run_in_threadpool(self._found, request.path_params["run"])
        return EventStream(encoded(self._follow(run)))

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
                quiet_s += LOOK_S
                await asyncio.sleep(LOOK_S)

    def _found(self, run_id: str) -> Run:
        """Raises: Denied."""
        run = self.runs.find(run_id)
        if run is None:
            raise Denied(HTTPStatus.NOT_FOUND, GONE)
        return run


def path_of(run: Run) -> str:
    return f"/runs/{run.id}/watch"


def answer_of(run: Run, runs: Runs) -> RunAnswer:
    return RunAnswer(
        id=run.id,
        state=run.state,
        words=run.words,
        winner=run.winner,
        path=path_of(run),
        position=runs.ahead_of(run) if run.state is State.WAITING else 0,
        seed="" if run.state in OPEN else run.seed,
    )
