"""Faults in the library: what it takes, what it reads, and where it plays."""

from tests.faults.seeded import SeededFault

ARGUMENTS = "tests/test_library_arguments.py"
REFUSED = f"{ARGUMENTS}::test_what_a_parameter_does_not_take_is_refused_in_a_sentence"
OF_PAGES = "tests/docs_site/test_api_pages.py"

FAULTS = (
    SeededFault(
        "A program that compares two bots again plays all of it again.",
        "slime_mind_arena/library.py",
        "saved = with_saved_secret(series, store)",
        "saved = series",
        (
            "tests/test_library.py::test_two_bots_are_compared_as_versus_does_and_what_was_played_is_kept",
        ),
    ),
    SeededFault(
        "Fields that the library sets in `__init__` stand on no page.",
        "server/writing/reference.py",
        "            if isinstance(line, ast.AnnAssign):\n",
        "            if isinstance(line, ast.Delete):\n",
        (f"{OF_PAGES}::test_every_name_of_the_library_is_described_on_its_page",),
    ),
    SeededFault(
        "Seeds below 0 are played, and no record of them can be verified.",
        "engine/streams.py",
        "if number is not None and 0 <= number <= MAX_SEED:",
        "if number is not None and number <= MAX_SEED:",
        (REFUSED, f"{ARGUMENTS}::test_no_match_has_a_seed_of_which_it_could_not_be_verified"),
    ),
    SeededFault(
        "A program may ask for no maps at all.",
        "runners/arguments.py",
        "number < smallest",
        "number < 0",
        (REFUSED,),
    ),
    SeededFault(
        "The config.toml of the current folder changes what a program plays.",
        "slime_mind_arena/library.py",
        "plan = MatchPlan(request, UNCONFIGURED)",
        'plan = MatchPlan(request, __import__("runners").configuration.read_configuration())',
        (f"{ARGUMENTS}::test_no_file_of_configuration_is_read",),
    ),
    SeededFault(
        "Workers of pools start no process, and so play no match.",
        "engine/support/child_processes.py",
        "process.daemon, False",
        "process.daemon, process.daemon",
        ("tests/test_library.py::test_nothing_outlives_a_worker_of_a_pool_that_is_terminated",),
    ),
)
