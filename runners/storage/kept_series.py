"""Series whose secret is stored with their results, and which one process plays at a time."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager

import msgspec

from engine.errors import UsageError
from engine.replays.writing import Contestant
from runners.series import Series
from runners.storage.locks import LockHeld
from runners.storage.store import Store, open_store


def with_saved_secret(
    series: Series, store: Store, bots: Sequence[Contestant] | None = None
) -> Series:
    """Return the series with the secret it was begun with, or with its own, which is kept.

    It is kept for what was said of the series and for its bots' contents (or those of `bots`):
    a bot that somebody wrote who had seen the maps has another secret, and plays other maps.
    """
    if series.is_secret_said:
        return series
    digests = tuple(bot.digest for bot in bots or series.contestants)
    kept_for = msgspec.structs.replace(series.spec, bots=digests).key
    return msgspec.structs.replace(
        series, secret=store.get_or_create_secret(kept_for, series.secret)
    )


@contextmanager
def lock_series(series: Series, url: str) -> Iterator[Series]:
    """Yield the series with its secret, to be played by nobody else meanwhile.

    Raises: UsageError if somebody else plays it, or for a database that will not do.
    """
    with closing(open_store(url)) as store, ExitStack() as stack:
        # What nobody judges is no result, and is played every time.
        if not series.run.play.in_process:
            try:
                stack.enter_context(store.hold_lease(f"series {series.spec.key}"))
            except LockHeld as held:
                raise UsageError(
                    f"this series is being played by {held}; wait for it, or play another one with "
                    "another --seed"
                ) from held
        yield with_saved_secret(series, store)
