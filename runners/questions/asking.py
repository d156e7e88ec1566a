"""What the commands that ask share: options, the store, a bar."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click
from tqdm import tqdm

from engine.bots.launching import require
from runners.crews import crew_for
from runners.observers import is_off
from runners.options import FOR_ONE_MATCH, Options, all_options, refuse, shows_progress
from runners.pool import Pool
from runners.store import Store
from runners.store_options import conditions_from, refuse_idle_jobs, results_url

USUAL_SEED = 0
"""So that the same command goes on where it stopped."""


def options_of(context: click.Context) -> Options:
    """Those of the command and its group. Raises: UsageError for one without effect."""
    assert context.parent is not None
    refuse(context.parent, FOR_ONE_MATCH, f"{context.info_name} plays as many matches as it needs")
    refuse_idle_jobs(context)
    options = all_options(context)
    if options["seed"] is None:
        options["seed"] = USUAL_SEED
    return options


@contextmanager
def opened(options: Options) -> Iterator[tuple[Store, Pool]]:
    """What was played, and what plays. Raises: SandboxMissing, UsageError, EngineFailure."""
    conditions = conditions_from(options)
    if conditions.cluster is None:
        require(conditions.sandbox)
    crew = crew_for(conditions.out, workers=conditions.workers, cluster=conditions.cluster)
    store = Store(results_url(options))
    try:
        with Pool(crew) as pool:
            yield store, pool
    finally:
        store.close()


def new_bar(options: Options, *, total: int, unit: str) -> "tqdm[Any]":
    """Only where there is a terminal."""
    off = is_off(is_wanted=shows_progress(options))
    return tqdm(total=total, unit=unit, leave=False, dynamic_ncols=True, disable=off)
