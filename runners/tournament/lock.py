"""One runner per tournament: the others are told who plays it."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from engine.errors import UsageError
from runners.locks import Held
from runners.store import Store


@contextmanager
def playing(store: Store, name: str) -> Iterator[None]:
    """Be the one who plays it. Raises: UsageError if somebody else is."""
    with ExitStack() as stack:
        try:
            stack.enter_context(store.lock(name))
        except Held as held:
            raise UsageError(
                f"tournament '{name}' is being played by {held}; watch it with "
                f"'main.py standings {name}'"
            ) from held
        yield
