"""Open what `versus`, `fairness` and `tune` share: their options, the store, a progress bar."""

from collections.abc import Iterator
from contextlib import contextmanager

import click
from msgspec.structs import replace
from tqdm import tqdm

from cli.options import FOR_ONE_MATCH, refuse
from cli.store_options import StoreOptions, build_store_options
from engine.bots.launching import require
from runners.configuration import read_configuration
from runners.execution.pool import Pool, executor_for
from runners.observers import is_off
from runners.planning import MatchPlan
from runners.series import USUAL_SEED, Series
from runners.storage.store import Store, open_store


def parse_question_options(context: click.Context) -> StoreOptions:
    """Return the options of such a command. Raises: UsageError for one without effect."""
    assert context.parent is not None
    refuse(context.parent, FOR_ONE_MATCH, f"{context.info_name} plays as many matches as it needs")
    return build_store_options(context)


def plan_series(options: StoreOptions, bots: tuple[str, ...], maps: int) -> Series:
    """Return the matches of these bots, with the usual seed unless one was said."""
    request = options.match.request
    seed = USUAL_SEED if request.seed is None else request.seed
    plan = MatchPlan(replace(request, players=bots, seed=seed), read_configuration())
    return plan.series(maps)


@contextmanager
def open_store_and_pool(
    options: StoreOptions, *, is_watched: bool = False
) -> Iterator[tuple[Store, Pool]]:
    """Yield what was played, and what plays; `is_watched`: so that it can be read meanwhile.

    Raises: SandboxMissing, UsageError, EngineFailure.
    """
    run = options.match.run
    if run.cluster is None:
        require(run.play.sandbox)
    executor = executor_for(run, is_watched=is_watched)
    store = open_store(options.url)
    try:
        with Pool(executor) as pool:
            yield store, pool
    finally:
        store.close()


def new_bar(
    options: StoreOptions, *, total: int, unit: str, form: str | None = None
) -> "tqdm[None]":
    """Return a bar, which is shown only where there is a terminal."""
    off = is_off(is_wanted=options.match.shows_progress)
    return tqdm(
        total=total, unit=unit, bar_format=form, leave=False, dynamic_ncols=True, disable=off
    )
