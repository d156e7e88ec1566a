"""Faults in what is installed, what works without extras, and what a new bot begins with."""

from tests.faults.seeded import SeededFault

OF_BOOTSTRAP = "tests/test_bootstrap.py"
OF_EXTRAS = "tests/test_extras.py"
OF_PAGES = "tests/visualizer/backends/page/test_page.py"

FAULTS = (
    SeededFault(
        "A bot for Smack! in Rust is begun with the files of one for Slime Mind.",
        "runners/authoring/new_bot.py",
        " | read_own_files(folders[game])",
        "",
        ("tests/test_clients.py::test_a_bot_that_is_begun_in_another_language_is_complete",),
    ),
    SeededFault(
        "A command whose extra is missing ends with a traceback.",
        "engine/support/extras.py",
        "if package in packages:",
        "if package == extra:",
        (f"{OF_EXTRAS}::test_a_command_says_how_its_extra_is_installed",),
    ),
    SeededFault(
        "Whoever verifies a replay or exports a page needs Pillow.",
        "visualizer/drawing/measures.py",
        "from collections.abc import Mapping",
        "import PIL\nfrom collections.abc import Mapping",
        (f"{OF_EXTRAS}::test_a_replay_is_verified_and_exported_as_a_page_without_extras",),
    ),
    SeededFault(
        "A page that is made without Pillow has no pictures.",
        "visualizer/backends/page/images.py",
        "return [sprites.standard_file(name).read_bytes() for name in names]",
        'return [b"" for name in names]',
        (f"{OF_PAGES}::test_without_pillow_a_page_has_the_pictures_as_they_are",),
    ),
    SeededFault(
        "An environment with our packages but without extras is refused in a clone.",
        "bootstrap.py",
        "return is_environment and not is_ours()",
        "return False",
        (f"{OF_BOOTSTRAP}::test_an_activated_environment_with_all_packages_but_extras_is_used",),
    ),
    SeededFault(
        "Of two packages with a game of one name, one is played.",
        "engine/catalog.py",
        "    if len(entries) > 1:\n",
        "    if len(entries) > 2:\n",
        ("tests/test_games_of_others.py",),
    ),
    SeededFault(
        "Clusters play with whatever code of a package each machine has.",
        "engine/catalog.py",
        "return () if package is None else package.code",
        "return ()",
        ("tests/test_games_of_others.py",),
    ),
    SeededFault(
        "A match does not say of which package its game was.",
        "runners/planning.py",
        "            publisher=find_publisher(self._game.name),\n",
        "",
        ("tests/test_games_of_others.py",),
    ),
)
