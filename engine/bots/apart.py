"""What several bots in one process must not share: their modules and their dice."""

import random
import sys
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any


class Apart:
    """As a context: the bot finds the modules and the chance of a worker of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        import numpy  # not above: an engine whose bots have their own processes needs none

        self._folder = str(folder)
        self._modules: dict[str, ModuleType] = {}
        self._known = 0
        self._dice = (
            Dice(random, random.Random(seed)),
            Dice(numpy.random, numpy.random.RandomState(seed % 2**32)),
        )

    def __enter__(self) -> None:
        sys.modules.update(self._modules)
        sys.path.append(self._folder)
        self._known = len(sys.modules)
        for dice in self._dice:
            dice.put_in()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for dice in self._dice:
            dice.take_out()
        if len(sys.modules) != self._known:
            self._modules = {name: m for name, m in sys.modules.items() if self._is_own(m)}
        for name in self._modules:
            sys.modules.pop(name, None)
        while self._folder in sys.path:
            sys.path.remove(self._folder)

    def _is_own(self, module: ModuleType) -> bool:
        return (getattr(module, "__file__", None) or "").startswith(self._folder)


class Dice:
    """The functions of a module that all draw from one hidden generator, drawing from another.

    Exchanging the functions takes a microsecond, exchanging the generator's state a hundred.
    """

    def __init__(self, module: ModuleType, generator: Any) -> None:
        hidden = module.random.__self__
        self._names = vars(module)
        self._usual = {
            name: function
            for name, function in self._names.items()
            if getattr(function, "__self__", None) is hidden
        }
        self._own = {name: getattr(generator, name) for name in self._usual}

    def put_in(self) -> None:
        self._names.update(self._own)

    def take_out(self) -> None:
        self._names.update(self._usual)
