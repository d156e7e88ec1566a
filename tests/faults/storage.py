"""Faults in keeping results, games and accounts."""

from tests.faults.seeded import SeededFault

STORE = "runners/storage/store.py"
OF_SCHEMA = "tests/runners/storage/test_schema.py"
OF_STORE = "tests/runners/storage/test_store.py"
OF_TOGETHER = "tests/runners/storage/test_together.py"
OF_REFEREE = "tests/engine/test_referee.py"

OLD_ONES = "tests/golden/test_databases.py"
OF_PROCESSES = "tests/server/contests/test_several_processes.py"

FAULTS = (
    SeededFault(
        "A database from before the baseline gets the steps after it.",
        "runners/storage/schema.py",
        "    if revision < BASELINE:\n",
        "    if revision < 0:\n",
        (f"{OF_SCHEMA}::test_older_ones_are_refused_with_what_upgrades_them_and_lose_nothing",),
    ),
    SeededFault(
        "An upgrade leaves the tables of noticed copies.",
        "runners/storage/migrations/without_copies.py",
        '    op.drop_table("fingerprints")\n',
        "",
        ("tests/server/test_schema.py",),
    ),
    SeededFault(
        "The maps of rounds are others than those of release 1.0.0.",
        "runners/contests/plan.py",
        'when = [] if is_only else [f"round {pairing.round}"]',
        'when = [] if is_only else [f"Round {pairing.round}"]',
        (f"{OLD_ONES}::test_results_give_the_tables_they_gave_also_when_played_to_their_end",),
    ),
    SeededFault(
        "A later result replaces the first one.",
        STORE,
        "return stored if is_first else self.load_results([stored.key])[stored.key]",
        "return stored",
        (f"{OF_STORE}::test_the_first_result_stays_and_is_what_a_later_one_comes_to",),
    ),
    SeededFault(
        "Of many results only the first batch is found.",
        STORE,
        "            while batch := list(islice(remaining, BATCH_SIZE)):\n                rows =",
        "            if batch := list(islice(remaining, BATCH_SIZE)):\n                rows =",
        (f"{OF_STORE}::test_results_are_found_among_thousands",),
    ),
    SeededFault(
        "The failures of other matches are told, too.",
        STORE,
        "            if row.key in wanted:\n                found.setdefault",
        "            if wanted:\n                found.setdefault",
        (f"{OF_STORE}::test_failures_are_counted_apart_from_results",),
    ),
    SeededFault(
        "The secret of a series is its own last one, whatever is kept.",
        STORE,
        "                stored = connection.execute(chosen).scalar_one()\n",
        '                stored = row["secret"]\n',
        (f"{OF_STORE}::test_of_two_that_begin_a_series_at_once_both_get_one_secret",),
    ),
    SeededFault(
        "A result that cannot be understood ends in a traceback.",
        STORE,
        "except (msgspec.MsgspecError, ValueError, TypeError, RecursionError, UnknownGame) as",
        "except UnknownGame as",
        (f"{OF_STORE}::test_a_result_that_cannot_be_understood_is_told",),
    ),
    SeededFault(
        "Entrants come back in any order.",
        STORE,
        ".order_by(entrants.c.number)",
        ".order_by(entrants.c.number.desc())",
        (f"{OF_STORE}::test_a_tournament_comes_back_with_its_entrants_in_the_order_of_entry",),
    ),
    SeededFault(
        "A connection that has ended in the pool is used again.",
        "runners/storage/database.py",
        "            if not _has_lost_its_session(error):\n                raise\n        return",
        "            raise\n        return",
        (f"{OF_TOGETHER}::test_connections_that_have_ended_in_the_pool_are_replaced",),
    ),
    SeededFault(
        "Queries that are sent together are waited for one by one.",
        "runners/storage/together.py",
        "        with driver.pipeline():\n            cursors",
        "        if driver:\n            cursors",
        (f"{OF_TOGETHER}::test_the_server_is_waited_for_once",),
    ),
    SeededFault(
        "A lock file keeps nobody out.",
        "runners/storage/locks.py",
        "                flock(file, LOCK_EX | LOCK_NB)\n",
        "                pass\n",
        (
            f"{OF_STORE}::test_one_process_plays_a_tournament_and_others_are_told_who",
            "tests/runners/storage/test_kept_series.py",
        ),
    ),
    SeededFault(
        "A password is shown with the URL of a database.",
        "runners/storage/database.py",
        "return url._replace(password=None).set(query=query).render_as_string()",
        "return url.set(query=query).render_as_string(hide_password=False)",
        (f"{OF_STORE}::test_commands_to_type_hold_no_password",),
    ),
    SeededFault(
        "A lock file stays.",
        "runners/storage/locks.py",
        "            finally:\n                path.unlink(missing_ok=True)\n",
        "            finally:\n                path.touch()\n",
        (f"{OF_STORE}::test_nothing_of_a_lock_is_left",),
    ),
    SeededFault(
        "Work of a living process is cleared.",
        "engine/support/staging.py",
        "                    if nobody_holds_it:\n",
        "                    if nobody_makes_one:\n",
        ("tests/engine/test_staging.py",),
    ),
    SeededFault(
        "A replay is closed before it is on the disk.",
        "engine/support/background_sync.py",
        "                os.fsync(file.fileno())\n",
        "                file.fileno()\n",
        ("tests/engine/test_background_sync.py",),
    ),
    SeededFault(
        "A failure to write to the disk is not told.",
        "engine/support/background_sync.py",
        "            failure, self._failure = self._failure, None\n            raise failure",
        "            self._failure = None",
        ("tests/engine/test_background_sync.py",),
    ),
    SeededFault(
        "What was being written takes its place though it failed.",
        "engine/support/files.py",
        "            if beside is not None:\n                beside.unlink(missing_ok=True)",
        "            if beside is not None:\n                beside.replace(path)",
        ("tests/engine/test_files.py",),
    ),
    SeededFault(
        "A later playing takes the place of a match's result.",
        "engine/replays/archive.py",
        "ResultFolder.MATCHES if first is None else ResultFolder.AGAIN",
        "ResultFolder.AGAIN if first is None else ResultFolder.MATCHES",
        (f"{OF_REFEREE}::test_the_first_playing_stays_and_the_last_of_the_others_stands_apart",),
    ),
    SeededFault(
        "The result of another match is taken for this one's.",
        "engine/replays/archive.py",
        "if key != result.key or key != spec.key:",
        "if not key:",
        (f"{OF_REFEREE}::test_the_result_of_another_match_is_not_taken_for_it",),
    ),
    SeededFault(
        "An empty file that a power cut left counts as a result.",
        "engine/replays/archive.py",
        "return (home / RESULT).stat().st_size > 0",
        "return (home / RESULT).stat().st_size >= 0",
        (f"{OF_REFEREE}::test_what_a_power_cut_left_of_a_result_gives_way",),
    ),
    SeededFault(
        "Who plays a tournament writes without looking whether another has taken over.",
        "runners/storage/store.py",
        "yield Store(lease.database)",
        "yield self",
        (f"{OF_STORE}::test_who_was_silent_for_long_writes_nothing_more",),
    ),
    SeededFault(
        "The command line plays a tournament of a server beside it.",
        "runners/contests/organizer.py",
        "OF_SERVERS if store.is_of_server(name) else",
        "OF_SERVERS if not name else",
        (f"{OF_STORE}::test_the_tournaments_of_a_server_are_played_by_it_or_by_the_command_line",),
    ),
    SeededFault(
        "Of two moves at once on the two boards of a game one is refused.",
        "server/games/game_service.py",
        "MAX_RACES = 2",
        "MAX_RACES = 0",
        (f"{OF_PROCESSES}::test_two_moves_at_once_on_the_two_boards_of_a_game_both_count",),
    ),
)
