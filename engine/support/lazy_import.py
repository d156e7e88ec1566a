"""Values by name, each imported when it is first used: so that a program starts at once."""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from pkgutil import resolve_name
from typing import Any, TypeVar

from engine.support.signals import signals_held

T = TypeVar("T")


def _itself(found: Any) -> Any:
    return found


class ImportedLate(MutableMapping[str, T]):
    """A dictionary of which some values are still places: `module:attribute`."""

    def __init__(self, places: Mapping[str, str], made: Callable[[Any], T] = _itself) -> None:
        """`made` turns what is found at a place into a value."""
        self._places = dict(places)
        self._values: dict[str, T] = {}
        self._made = made

    def __getitem__(self, name: str) -> T:
        if name not in self._values:
            place = self._places[name]
            with signals_held():  # an import may swallow what they raise
                self._values[name] = self._made(resolve_name(place))
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
