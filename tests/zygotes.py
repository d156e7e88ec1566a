"""One zygote for all bots of a process of tests: each would import the same for a while."""

import os
from functools import cache

from engine.bots.forking import ForkLauncher
from engine.bots.launching import Launcher, new_launcher
from engine.bots.sandbox import Level
from engine.bots.zygote import Request
from engine.errors import EngineFailure


class SharedLauncher(ForkLauncher):
    """A launcher that is left to whoever needs one next, unless its zygote was killed."""

    is_lost = False

    def close(self) -> None:
        if self.is_lost or self._zygote.poll() is not None:
            cached_launcher.cache_clear()
            super().close()

    def _ask(self, request: Request, descriptors: list[int] | None = None) -> int | str:
        try:
            return super()._ask(request, descriptors)
        except EngineFailure:
            self.is_lost = True
            raise


def shared_launcher(level: Level = Level.DEFAULT) -> Launcher:
    """Return a launcher as `new_launcher` does; where nothing else is asked for, the shared one."""
    if level is not Level.DEFAULT or os.name != "posix" or "SLIME_MIND_LAUNCHER" in os.environ:
        return new_launcher(level)
    return cached_launcher()


@cache
def cached_launcher() -> SharedLauncher:
    return SharedLauncher()
