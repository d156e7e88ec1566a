"""A web server in a process of its own, to be measured from outside.

`python3 -m benchmarks.web_program DATABASE ROOMS [WORKERS | runs]` serves the games of a database,
of which it keeps so many in memory, and plays its ladders by so many workers, or what authors of
bots run; without arguments, one route that returns JSON and nothing else. It prints its port once
it listens, and runs until its standard input ends.
"""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

HOST = "127.0.0.1"
READY_S = 0.01
"""Time between two looks at whether the server has begun."""


class NoBotSeats:
    """Stands where bots of people's games would be: there are none."""

    def end_idle(self) -> None:
        """Do nothing."""


def bare() -> Any:
    """Return an application that only answers JSON."""
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import JSONResponse, Response
    from starlette.routing import Route

    async def answer(request: Request) -> Response:
        return JSONResponse({"step": 1})

    return Starlette(routes=[Route("/", answer)])


def main(arguments: list[str]) -> None:
    from server.http.listening import listen

    listener = listen(HOST, 0)
    port = listener.getsockname()[1]
    application, end = bare(), lambda: None
    if arguments:
        from server.games import game_service as game_service, session_cache
        from server.site.application import Application
        from server.games.game_storage import GameStorage

        session_cache.MAX_SESSIONS = int(arguments[1])
        no_bots: Any = NoBotSeats()
        web = Application(
            game_service.GameService(GameStorage(Path(arguments[0])), no_bots), [f"{HOST}:{port}"]
        )
        application, end = web.app, web.end_streams
    with beside(Path(arguments[0]).parent, arguments[2]) if len(arguments) > 2 else nullcontext():
        asyncio.run(_serve(application, end, listener))


def beside(folder: Path, text: str) -> AbstractContextManager[None]:
    """Return what is played meanwhile."""
    return running(folder) if text == "runs" else playing(folder, int(text))


@contextmanager
def running(folder: Path) -> Iterator[None]:
    """Let authors of bots run one match after the other meanwhile."""
    from benchmarks.authors import all_running

    with all_running(folder):
        yield


@contextmanager
def playing(folder: Path, workers: int) -> Iterator[None]:
    """Play the ladders of a site meanwhile; without any, none of that is imported."""
    from benchmarks.harness import Site

    with Site(folder) as site, site.playing(workers=workers):
        yield


async def _serve(application: Any, end: Any, listener: Any) -> None:
    import uvicorn

    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
    )
    server, loop = uvicorn.Server(config), asyncio.get_running_loop()

    def leave() -> None:
        end()
        server.should_exit = True

    def wait() -> None:
        sys.stdin.read()
        loop.call_soon_threadsafe(leave)

    threading.Thread(target=wait, daemon=True).start()
    serving = asyncio.ensure_future(server.serve([listener]))
    while not server.started:
        await asyncio.sleep(READY_S)
    print(listener.getsockname()[1], flush=True)
    await serving


if __name__ == "__main__":
    main(sys.argv[1:])
