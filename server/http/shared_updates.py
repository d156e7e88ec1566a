"""What the streams of a game are sent: made once for all who see the same.

Spectators come in hundreds, and what they see is the same for each of them.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool

from server.http.event_streams import Followers
from server.http.server_sent_events import StreamEvent

SHARED_S = 0.5
"""What was made is good for so long: the clocks of a position go on."""


class Update(NamedTuple):
    """What a follower is sent, and up to which step."""

    step: int
    event: StreamEvent


Make = Callable[[str, tuple[int, ...], int | None], Update]
"""Makes what whoever plays these teams of a game is sent who knows it up to a step."""
_Wanted = tuple[tuple[int, ...], int | None]


class _Shared(NamedTuple):
    made_at: float
    update: "asyncio.Task[Update]"


class SharedUpdates(Followers):
    """Wakes those who follow a game, and tells them of it. Used on the event loop."""

    def __init__(self, make: Make) -> None:
        """`make` is called on a thread."""
        super().__init__()
        self._make = make
        self._shared = defaultdict[str, dict[_Wanted, _Shared]](dict)
        """What was made of each game that is followed since its last change."""

    async def update_since(self, game_id: str, teams: tuple[int, ...], since: int | None) -> Update:
        """Return what a follower is sent. Raises whatever making it does."""
        loop, made = asyncio.get_running_loop(), self._shared[game_id]
        found = made.get((teams, since))
        if found is None or loop.time() > found.made_at + SHARED_S:
            # The task is shared, not its result: who asks while it runs waits for the same one.
            task = loop.create_task(run_in_threadpool(self._make, game_id, teams, since))
            found = made[teams, since] = _Shared(loop.time(), task)
        return await asyncio.shield(found.update)  # one who leaves does not end it for the others

    @contextmanager
    def followed(self, game_id: str) -> Iterator[asyncio.Event | None]:
        with super().followed(game_id) as woken:
            try:
                yield woken
            finally:
                # This follower still counts: it is taken off after this, by what is above.
                if len(self._followers.get(game_id, ())) <= 1:
                    self._shared.pop(game_id, None)

    def _wake(self, game_id: str) -> None:
        # First, so that nobody who is woken is given what was made before the change.
        self._shared.pop(game_id, None)
        super()._wake(game_id)
