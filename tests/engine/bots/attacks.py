"""What bad bots must come to when the sandbox holds, family by family.

Each has the causes its result may name; none (`PLAYS_ON`) where an attack comes to nothing and
the bot is no worse off than an honest one. Bots that only break themselves, and those that are
broken, stand in `test_faults.py`.
"""

from engine.fault import Cause

PLAYS_ON: frozenset[Cause] = frozenset()
FORBIDDEN = frozenset({Cause.FORBIDDEN})
EXCEPTION = frozenset({Cause.EXCEPTION})
ILLEGAL = frozenset({Cause.ILLEGAL})
OUT_OF_MEMORY = frozenset({Cause.OUT_OF_MEMORY})
SIGNAL = frozenset({Cause.SIGNAL})
SLEPT = frozenset({Cause.SLEPT})
TIMEOUT = frozenset({Cause.TIMEOUT})
UNREADABLE = frozenset({Cause.UNREADABLE})

Family = dict[str, frozenset[Cause]]

PROCESSES: Family = {
    "clones_by_hand": PLAYS_ON,
    "daemonises": FORBIDDEN,
    "forks": FORBIDDEN,
    "forks_quietly": PLAYS_ON,
    "import_forks": FORBIDDEN,
    "opens_descriptors": PLAYS_ON,
    "runs_a_program": FORBIDDEN,
    "runs_programs_anyhow": PLAYS_ON,
    "starts_threads": FORBIDDEN,
    "uses_multiprocessing": FORBIDDEN,
}
MEMORY: Family = {
    "eats_its_stack": EXCEPTION,
    "eats_memory_slowly": OUT_OF_MEMORY,
    "eats_shared_memory": OUT_OF_MEMORY,
    "hides_memory_in_files_without_name": PLAYS_ON,
    "hides_memory_in_pipes": PLAYS_ON,
    "hides_memory_in_segments": PLAYS_ON,
    "hides_memory_in_shared_files": FORBIDDEN,
    "import_eats_memory": OUT_OF_MEMORY,
    "import_overflows_the_parser": OUT_OF_MEMORY | {Cause.LOAD_ERROR, Cause.SYNTAX_ERROR},
    "leaves_a_message_queue": PLAYS_ON,
    "nests_too_deeply": OUT_OF_MEMORY | {Cause.LOAD_ERROR, Cause.SYNTAX_ERROR},
    "raises_its_limits": PLAYS_ON,
    "stops_collecting": PLAYS_ON,
}
DISK: Family = {
    "changes_its_own_copy": PLAYS_ON,
    "fills_the_disk": PLAYS_ON,
    "makes_links": PLAYS_ON,
    "makes_many_files": PLAYS_ON,
    "opens_its_log_again": PLAYS_ON,
    "stretches_its_log": PLAYS_ON,
    "uses_tempfile": EXCEPTION,
}
READING: Family = {
    "import_reads_etc": FORBIDDEN,
    "imports_the_opponent": PLAYS_ON,
    "opens_by_handle": PLAYS_ON,
    "opens_pipes_of_others": PLAYS_ON,
    "reads_devices": PLAYS_ON,
    "reads_proc": PLAYS_ON,
    "reads_its_place_off_its_log": PLAYS_ON,
    "reads_secrets": PLAYS_ON,
    "reads_the_clocks_of_others": PLAYS_ON,
    "reads_the_environment": PLAYS_ON,
    "reads_the_opponent": PLAYS_ON,
    "walks_the_frames": PLAYS_ON,
}
CHANGING: Family = {
    "changes_the_engine": PLAYS_ON,
    "changes_the_judge": PLAYS_ON,
    "changes_the_machine": PLAYS_ON,
    "changes_the_results": PLAYS_ON,
}
OTHERS: Family = {
    "aborts_others": PLAYS_ON,
    "kills_others": PLAYS_ON,
    "limits_others": PLAYS_ON,
    "moves_others": PLAYS_ON,
    "reads_the_memory_of_others": PLAYS_ON,
    "renices_others": PLAYS_ON,
    "signals_itself": FORBIDDEN,
    "signals_through_descriptors": PLAYS_ON,
    "stops_others": PLAYS_ON,
    "takes_descriptors_of_others": PLAYS_ON,
    "traces_others": PLAYS_ON,
}
NETWORK: Family = {
    "connects_by_tcp": PLAYS_ON,
    "fetches_a_page": EXCEPTION,
    "import_opens_a_socket": FORBIDDEN,
    "listens": FORBIDDEN,
    "looks_up_names": PLAYS_ON,
    "sends_by_udp": FORBIDDEN,
    "talks_to_services": PLAYS_ON,
    "talks_to_the_kernel": PLAYS_ON,
    "uses_asyncio": FORBIDDEN,
}
KERNEL: Family = {
    "becomes_root": PLAYS_ON,
    "calls_by_the_old_door": SIGNAL | {Cause.EXIT},
    "calls_by_the_side_door": SIGNAL | {Cause.EXIT},
    "locks_files": PLAYS_ON,
    "makes_namespaces": PLAYS_ON,
    "types_into_the_terminal": PLAYS_ON,
    "uses_bpf": PLAYS_ON,
    "uses_io_uring": PLAYS_ON,
    "uses_keys": PLAYS_ON,
    "uses_userfaultfd": PLAYS_ON,
}
TIME: Family = {
    "asks_numpy_for_threads": TIMEOUT,
    "naps": SLEPT,
    "patches_clocks": TIMEOUT | SLEPT,  # which clock ends it first depends on the machine
    "ponders_after_its_answer": TIMEOUT | {Cause.PONDERED, Cause.UNREADABLE},
    "ponders_before_it_reads": TIMEOUT | {Cause.PONDERED},
    "ponders_by_a_timer": EXCEPTION,
    "ponders_in_a_thread": FORBIDDEN,
    "sets_timers": PLAYS_ON,
    "sleeps_just_under_the_limit": PLAYS_ON,
    "thinks_just_under_the_limit": PLAYS_ON,
    "yields": TIMEOUT | SLEPT,
}
WIRE: Family = {
    "answers_a_bomb_of_pickle": UNREADABLE,
    "answers_a_lambda": UNREADABLE,
    "answers_keys_of_every_kind": UNREADABLE,
    "answers_numbers_of_no_end": UNREADABLE,
    "answers_pickled_bytes": UNREADABLE,
    "answers_terminal_commands": ILLEGAL,
    "answers_twice": UNREADABLE,
    "answers_with_a_hostile_repr": UNREADABLE,
    "answers_without_end": UNREADABLE,
    "asks_itself": UNREADABLE | {Cause.EXIT},
    "drips_its_answer": SLEPT,
    "exchanges_its_pipes": UNREADABLE | SLEPT | {Cause.EXIT},
    "fills_the_pipe_of_its_asks": EXCEPTION,
    "forges_later_answers": UNREADABLE,
    "interrupt_writes_an_answer": TIMEOUT,
    "knows_later_nonces": UNREADABLE,
    "reads_its_own_asks": SLEPT,
    "reports_a_cause_that_is_none": UNREADABLE,
    "reports_a_problem_of_its_own": UNREADABLE,
    "says_it_will_be_long": UNREADABLE,
    "steals_its_own_answers": SLEPT | UNREADABLE,
}
CHANCE: Family = {"foresees_chance": PLAYS_ON, "guesses_the_seed": PLAYS_ON}
PYTHON: Family = {
    "aborts": SIGNAL,
    "forgets_every_module": PLAYS_ON,
    "hangs_at_exit": frozenset({Cause.EXIT}),
    "hooks_every_event": PLAYS_ON,
    "import_raises_base": frozenset({Cause.LOAD_ERROR}),
    "import_segfaults": SIGNAL,
    "overwrites_python": SIGNAL,
    "raises_a_chain_without_end": EXCEPTION,
    "raises_a_name_that_raises": EXCEPTION,
    "raises_a_painted_name": EXCEPTION,
    "raises_every_base": EXCEPTION,
    "shouts_in_html": EXCEPTION,
    "traces_its_worker": EXCEPTION | {Cause.EXIT},
}
FAMILIES: dict[str, Family] = {
    "processes and threads": PROCESSES,
    "memory": MEMORY,
    "disk": DISK,
    "reading": READING,
    "changing": CHANGING,
    "other processes": OTHERS,
    "network": NETWORK,
    "the kernel": KERNEL,
    "time": TIME,
    "the wire": WIRE,
    "chance": CHANCE,
    "Python itself": PYTHON,
}
ATTACKS: Family = {name: causes for family in FAMILIES.values() for name, causes in family.items()}
