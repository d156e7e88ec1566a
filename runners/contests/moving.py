"""Copies a tournament to another database and folder: begun at home, it goes on at a server."""

import shutil
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

from engine.bots.finding import Copies
from engine.errors import EngineFailure, UsageError
from engine.result_folder import ResultFolder
from engine.support.staging import StagingFolder
from runners.contests.ledger import State
from runners.contests.organizer import playing_alone
from runners.contests.persistence import found_tournament, keep
from runners.contests.registration import require_current_rules
from runners.contests.tournament import Tournament
from runners.storage.database import Stale
from runners.storage.store import Store


class Location(NamedTuple):
    """A database of tournaments, and the folder of their bots and matches."""

    store: Store
    out: Path
    """The folder of bots' copies and matches."""


class Copied(NamedTuple):
    """What was copied of a tournament."""

    bots: int
    results: int
    open: int
    """Matches that are known, and remain to be played."""


def copy_tournament(name: str, source: Location, target: Location, *, new_of: str | None) -> Copied:
    """Copy a tournament, which nobody plays meanwhile, with its bots, results and replays.

    `new_of`: the ladder of a server to which it belongs there. It is there last, whole: whoever
    plays what is there plays nothing twice. Raises: UsageError, where there is one of this name;
    BadBot, EngineFailure, BadResult.
    """
    tournament = found_tournament(source.store, name)
    if target.store.plan(name) is not None:
        raise UsageError(f"{target.store.shown}: there is a tournament '{name}' already")
    is_over = all(entry.state is not State.OPEN for entry in tournament.ledger())
    if not is_over:
        require_current_rules(tournament.field.plan)
    is_quiet = is_over or source.store.is_of_server(name)  # whose organizer has paused it
    with nullcontext() if is_quiet else playing_alone(source.store, name):
        bots = _copy_bots(tournament, source.out, target.out)
        results, waiting = _copy_results(tournament, source, target)
    try:
        keep(target.store, tournament.field, new_of=new_of)
    except Stale as error:
        raise UsageError(f"there is a tournament '{name}' already") from error
    return Copied(bots, results, waiting)


def _copy_bots(tournament: Tournament, source: Path, target: Path) -> int:
    here, there = Copies(source / "bots"), Copies(target / "bots")
    digests = {entrant.bot.digest for entrant in tournament.field.entrants}
    for digest in sorted(digests):
        there.unpack(digest, here.pack(digest))
    return len(digests)


def _copy_results(tournament: Tournament, source: Location, target: Location) -> tuple[int, int]:
    """Copy what was played; return how many results there are, and how many are missing."""
    known, waiting = set[str](), 0
    here, there = source.out / ResultFolder.MATCHES, target.out / ResultFolder.MATCHES
    for entry in tournament.ledger():
        waiting += entry.state is State.OPEN
        if entry.result is not None and entry.key not in known:
            known.add(entry.key)
            target.store.add_kept(tournament.field.plan.game, entry.result)
            _copy_match(here, there, entry.key)
    return len(known), waiting


def _copy_match(source: Path, target: Path, key: str) -> None:
    """Copy the folder of a match, where its replay is kept. Raises: EngineFailure."""
    if not (source / key).is_dir() or (target / key).exists():
        return
    staging_folder = StagingFolder(target / key)
    try:
        staging_folder.make()
        shutil.copytree(source / key, staging_folder.path, dirs_exist_ok=True)
        staging_folder.path.rename(target / key)
    except OSError as error:
        words = error.strerror or error
        raise EngineFailure(f"{target / key}: cannot be written: {words}") from error
    finally:
        staging_folder.drop()
