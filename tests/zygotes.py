"""One zygote for all bots of a process of tests: each would import the same for a while."""

import os
from functools import cache

from engine.bots.forking import ForkLauncher
from engine.bots.launching import Launcher, new_launcher
from engine.bots.sandbox import Level


class SharedLauncher(ForkLauncher):
    """A launcher that is left to whoever needs one next."""

    def close(self) -> None: ...

    @property
    def has_zygote(self) -> bool:
        return self._zygote.poll() is None


def shared_launcher(level: Level = Level.DEFAULT) -> Launcher:
    """Return a launcher as `new_launcher` does; where nothing else is asked for, the shared one."""
    if level is not Level.DEFAULT or os.name != "posix" or "SLIME_MIND_LAUNCHER" in os.environ:
        return new_launcher(level)
    if not kept_launcher().has_zygote:  # a test has killed it
        kept_launcher.cache_clear()
    return kept_launcher()


@cache
def kept_launcher() -> SharedLauncher:
    return SharedLauncher()
