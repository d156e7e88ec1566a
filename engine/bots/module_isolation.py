"""Isolation of bots in one process: each has modules and random sources of its own."""

import random
import sys
from pathlib import Path
from types import ModuleType, TracebackType

from engine.bot_modules import is_folder, is_own_module
from engine.streams import seed_words


class ModuleIsolation:
    """A context in which a bot finds the modules and the random sources of a worker of its own."""

    def __init__(self, entry: Path, seed: int) -> None:
        """`entry` is the path to load."""
        import numpy  # not above: an engine whose bots have their own processes needs none

        self._entry = entry
        self._folders = [str(entry.parent)] if is_folder(entry) else []
        self._modules: dict[str, ModuleType] = {}
        self._known = _modules_mark()
        self._sources = (
            RandomSource(random, random.Random(seed)),
            RandomSource(numpy.random, numpy.random.RandomState(seed_words(seed))),
        )

    def __enter__(self) -> None:
        sys.modules.update(self._modules)
        sys.path.extend(self._folders)
        self._known = _modules_mark()
        for source in self._sources:
            source.install()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for source in self._sources:
            source.uninstall()
        if _modules_mark() != self._known:
            self._modules = {
                name: module
                for name, module in sys.modules.items()
                if is_own_module(module, self._entry)
            }
        for name in self._modules:
            sys.modules.pop(name, None)
        for folder in self._folders:
            while folder in sys.path:
                sys.path.remove(folder)


def _modules_mark() -> tuple[int, str]:
    """Return what changes when a module is imported, without looking at all of them."""
    return len(sys.modules), next(reversed(sys.modules))


class RandomSource:
    """The functions of a module that all draw from one hidden generator, drawing from another.

    Exchanging the functions takes a microsecond, exchanging the generator's state a hundred.
    """

    def __init__(self, module: ModuleType, generator: object) -> None:
        hidden = module.random.__self__
        self._names = vars(module)
        self._usual = {
            name: function
            for name, function in self._names.items()
            if getattr(function, "__self__", None) is hidden
        }
        self._own = {name: getattr(generator, name) for name in self._usual}

    def install(self) -> None:
        self._names.update(self._own)

    def uninstall(self) -> None:
        self._names.update(self._usual)
