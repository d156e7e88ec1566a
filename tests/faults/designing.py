"""Faults in the designer: what is drawn, what is written from it, and the mock battles."""

from tests.faults.seeded import SeededFault

DRAWN = "engine/games/game_of_death/drawn_armies.py"
FILES = "engine/games/game_of_death/army_files.py"
PLAYER = "engine/games/game_of_death/player.py"
OF_DRAWN = "tests/engine/games/game_of_death/test_drawn_armies.py"
OF_DESIGNS = "tests/server/designs/test_designs.py"
OF_RUNS = "tests/server/runs/test_runs.py"

FAULTS = (
    SeededFault(
        "A word of Python is taken for the name of a class.",
        DRAWN,
        "is_word or name in RESERVED_TYPE_NAMES",
        "name in RESERVED_TYPE_NAMES",
        (f"{OF_DRAWN}::test_every_mistake_says_what_it_is_about",),
    ),
    SeededFault(
        "Shapes are filled in where the home may lie.",
        DRAWN,
        "if zone.home.isdisjoint(_add_rows_around(set(cells))):",
        "if True:",
        (f"{OF_DRAWN}::test_the_home_and_a_row_around_it_stay_free",),
    ),
    SeededFault(
        "Shapes are filled in past the cells of an army.",
        DRAWN,
        "room = max(0, settings.max_cells - len(taken)) // size",
        "room = settings.max_cells",
        (f"{OF_DESIGNS}::test_shapes_are_placed_where_there_is_room",),
    ),
    SeededFault(
        "A row is sure that is off the grid where the home lies low.",
        DRAWN,
        "settings.height - homes[-1] - height + 1",
        "settings.height - homes[0] - height + 1",
        (f"{OF_DRAWN}::test_rows_in_which_a_shape_always_fits_end_where_the_grid_does",),
    ),
    SeededFault(
        "A number of a behavior may be anything.",
        DRAWN,
        "elif not number.least <= value <= number.most:",
        "elif value > number.most:",
        (f"{OF_DRAWN}::test_what_no_file_could_hold_is_refused_in_words",),
    ),
    SeededFault(
        "The numbers of a behavior are not written into the file.",
        FILES,
        '*(f"    {name} = {value}" for name, value in drawn.numbers.items())',
        "",
        (f"{OF_DRAWN}::test_the_numbers_that_were_set_stand_in_the_file",),
    ),
    SeededFault(
        "A place below the grid is not moved into it.",
        PLAYER,
        "min(v, self.zone_rows.stop - height)",
        "v",
        (f"{OF_DRAWN}::test_the_file_places_in_a_match_what_was_drawn",),
    ),
    SeededFault(
        "Code of strangers plays.",
        "server/designs/designs_part.py",
        "if person is None and any(",
        "if person is not None and any(",
        (f"{OF_DESIGNS}::test_what_cannot_be_is_refused_in_words",),
    ),
    SeededFault(
        "An army with mistakes fights.",
        "server/designs/designs_part.py",
        "    if wrong:\n",
        "    if len(wrong) > 1:\n",
        (f"{OF_DESIGNS}::test_what_cannot_be_is_refused_in_words",),
    ),
    SeededFault(
        "Whoever beats an army of the ladder reads its source.",
        "server/designs/designs_part.py",
        "is_confidential=is_of_ladder",
        "is_confidential=False",
        (f"{OF_DESIGNS}::test_armies_of_the_ladder_are_fought_where_their_authors_let_people",),
    ),
    SeededFault(
        "The line of a mistake is that of the file.",
        "server/designs/designs_part.py",
        "int(line[1]) - before",
        "int(line[1])",
        (f"{OF_DESIGNS}::test_what_is_wrong_is_said_beside_what_it_is_about",),
    ),
    SeededFault(
        "One person may have any number of battles at once.",
        "server/runs/runs.py",
        "        self._limit.acquire(by)\n",
        "",
        (f"{OF_RUNS}::test_of_one_person_few_are_played_at_once_and_of_all_not_many",),
    ),
    SeededFault(
        "A mock battle that is played is said to wait.",
        "web/shared/runs.js",
        'if (state === "playing") return "It is being played …";\n  if (state !== "waiting")',
        'if (state === "over")',
        ("tests/server/runs/test_describing_runs.py",),
    ),
)
