"""Looks at the clocks: one task that sleeps until the next of them runs out, and tidies up."""

import asyncio
from contextlib import suppress

from starlette.concurrency import run_in_threadpool

from engine.errors import EngineFailure
from server.games.game_service import GameService
from server.games.game_sessions import GameObserver

HEARTBEAT_S = 5.0
"""It is noted so often that the server runs: at most that much is given back after a kill."""
MIN_SLEEP_S = 0.02
"""The shortest sleep."""


class Timekeeper(GameObserver):
    """Calls time on all games of a server. Made and run on the event loop."""

    def __init__(self, game_service: GameService) -> None:
        self._game_service = game_service
        self._woken = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        game_service.add_observer(self)

    def on_clock_set(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._woken.set)

    async def run(self) -> None:
        """Run until cancelled."""
        while True:
            self._woken.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(
                    max(MIN_SLEEP_S, self._game_service.until_deadline(HEARTBEAT_S))
                ):
                    await self._woken.wait()
            try:
                await run_in_threadpool(self._game_service.call_time)
                await run_in_threadpool(self._game_service.keep_alive)
                await run_in_threadpool(self._game_service.tidy)
            except EngineFailure as failure:
                self._game_service.report(str(failure))
                await asyncio.sleep(HEARTBEAT_S)
