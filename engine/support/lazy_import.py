"""Import modules and values when they are first used, so that a program starts at once."""

import sys
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, SourceFileLoader
from pkgutil import resolve_name
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from engine.support.signals import deferring_signals

if TYPE_CHECKING:
    from importlib.abc import Loader  # imports a dozen modules that nothing here needs

T = TypeVar("T")
BEFORE_OURS = __name__.removesuffix("engine.support.lazy_import")
"""What stands before the names of our packages where they are parts of a library."""


class LazyMapping(MutableMapping[str, T]):
    """A dictionary of which some values are still places in our packages: `module:attribute`."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._values: dict[str, T] = {}

    def __getitem__(self, name: str) -> T:
        if name not in self._values:
            place = self._places[name]
            with deferring_signals():  # an import may swallow what they raise
                self._values[name] = resolve_name(BEFORE_OURS + place)
        return self._values[name]

    def __setitem__(self, name: str, value: T) -> None:
        self._places.setdefault(name, "")  # which keeps the order of names
        self._values[name] = value

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._values.pop(name, None)

    def __contains__(self, name: object) -> bool:
        return name in self._places  # Mapping's own would import it

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


@contextmanager
def lazy_imports() -> Iterator[None]:
    """Have the modules that are imported in this block executed when they are first used.

    It is what `lazy import` of Python 3.15 does (PEP 810). Importing a name out of a module uses
    it: in the block stand `import package.module as name` and `from package import module`.
    Packages themselves are imported at once.
    """
    finder = _LateFinder()
    sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        sys.meta_path.remove(finder)


class _LateFinder:
    """Finds modules as usual, but has them executed later."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        # By all others: modules of a library are found and loaded in a way of their own.
        others = (finder for finder in sys.meta_path if finder is not self)
        specs = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is None or not isinstance(spec.loader, SourceFileLoader) or spec.parent == fullname:
            return None
        spec.loader = cast("Loader", _LateLoader(spec.loader))
        return spec


class _LateLoader:
    """A loader that makes a module at once, and executes it when it is first used.

    importlib.util.LazyLoader holds no signals meanwhile, and before Python 3.11.9 two threads could
    execute one module (python/cpython, issue 114763).
    """

    def __init__(self, loader: "Loader") -> None:
        self._loader = loader
        self._lock = RLock()
        self._is_begun = False

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return _LateModule(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing yet."""

    def execute(self, module: ModuleType) -> None:
        """Execute a module unless that has begun; another thread waits until it is done."""
        with self._lock:
            if self._is_begun:
                return
            self._is_begun = True
            try:
                with deferring_signals():  # an import may swallow what they raise
                    self._loader.exec_module(module)
            except BaseException:
                self._is_begun = False
                raise
            assert module.__spec__ is not None
            module.__spec__.loader = module.__loader__ = self._loader
            module.__class__ = ModuleType


class _LateModule(ModuleType):
    """A module that has none of its names until one is asked for, or set."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):  # by those Python itself describes a module
            self._execute()
        return ModuleType.__getattribute__(self, name)

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("__"):
            self._execute()
        ModuleType.__setattr__(self, name, value)

    def _execute(self) -> None:
        loader: object = self.__spec__ and self.__spec__.loader
        if isinstance(loader, _LateLoader):
            loader.execute(self)
