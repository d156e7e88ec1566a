"""The library, as programs use it that have modules of our names themselves."""

import os
import shutil
import subprocess
import sys
import time
from multiprocessing import get_context
from pathlib import Path

import pytest
import slime_mind_arena.engine.errors  # type: ignore[import-not-found]

import engine.errors
import slime_mind_arena
from bootstrap import HOME
from engine.bots.parsing import Parser
from tests import needs
from tests.processes import is_alive, list_children
from tests.shell import PATIENCE_S, eventually

COOKBOOK = sorted((HOME / "docs" / "cookbook").glob("*.py"))
ELSEWHERE = {"count_events.py", "http_bot.py", "remote_bot.py", "test_mine.py", "verify_maps.py"}
"""Tested in tests/test_main_http.py and tests/server/remote_bots/test_client.py."""
NEEDED = {"environment.py": "pettingzoo"}
MAX_LINES = 20
QUICK = 'preset="small", settings={"max_turns": 3}'


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of a program, with an `engine` and a `server` of its own, beside a copy of us."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "slime_mind_arena").symlink_to(HOME / "slime_mind_arena")
    home = tmp_path / "home"
    (home / "engine").mkdir(parents=True)
    (home / "engine" / "__init__.py").write_text("NAME = 'mine'\n")
    (home / "server.py").write_text("NAME = 'mine'\n")
    return home


def run(home: Path, code: str) -> str:
    """Return what a program prints that lies in a folder as a file."""
    (home / "program.py").write_text(code, encoding="utf-8")
    return run_python(home, "program.py")


def run_python(home: Path, *parts: str) -> str:
    """Return what Python prints in a folder, with the copy of us beside it."""
    done = subprocess.run(
        [sys.executable, *parts],
        cwd=home,
        env=os.environ | {"PYTHONPATH": str(home.parent / "site")},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_importing_it_adds_nothing_to_the_path_and_loads_nothing(home: Path) -> None:
    out = run(
        home,
        "import sys; before = sys.path[:]; import slime_mind_arena\n"
        "assert sys.path == before\n"
        "ours = {'engine', 'runners', 'slime_mind_arena.engine', 'msgspec', 'numpy'}\n"
        "print(sorted(ours & set(sys.modules)))\n",
    )
    assert out == "[]\n"


def test_a_program_keeps_its_own_modules_of_our_names(home: Path) -> None:
    out = run(
        home,
        "from slime_mind_arena import play\n"
        f"match = play('player_one', 'player_two', {QUICK})\n"
        "import engine, server, sys\n"
        "print(engine.NAME, server.NAME, match.turns, 'runners' in sys.modules)\n",
    )
    assert out == "mine mine 3 False\n"


@pytest.mark.slow
def test_matches_are_played_side_by_side_without_a_guard_of_the_main_module(home: Path) -> None:
    out = run(
        home,
        "from slime_mind_arena import play_series\n"
        f"played = play_series('player_one', 'player_two', maps=2, jobs=2, {QUICK})\n"
        "print(len(played), {match.turns for match in played})\n",
    )
    assert out == "4 {3}\n"


def test_two_bots_are_compared_as_versus_does_and_what_was_played_is_kept(home: Path) -> None:
    out = run(
        home,
        "from slime_mind_arena import compare\n"
        f"first = compare('player_one', 'player_one', most=1, seed=4, {QUICK})\n"
        f"found = compare('player_one', 'player_one', most=2, seed=4, {QUICK})\n"
        "print(found.verdict, found.pairs, found.elo, found.chance, len(found.keys))\n"
        "print(found.words)\n"
        "print(found.keys[:2] == first.keys)\n",
    )
    text = "player_one against player_one +0 Elo (-525 to +525)"
    assert out.splitlines() == [
        "not decided 2 0.0 0.5 4",
        f"not decided after 2 side-swapped pairs: {text}",
        "True",
    ]


@pytest.mark.slow
def test_a_daemonic_worker_of_a_pool_plays_a_series(home: Path) -> None:
    """Those of torch's DataLoader and of SB3's SubprocVecEnv are daemonic, too."""
    out = run(
        home,
        "from multiprocessing import Pool, current_process\n"
        "from slime_mind_arena import play_series\n"
        "def work(seed):\n"
        f"    played = play_series('player_one', 'player_two', seed=seed, maps=1, {QUICK})\n"
        "    return len(played), current_process().daemon\n"
        "if __name__ == '__main__':\n"
        "    with Pool(1) as pool:\n"
        "        print(pool.map(work, [7]))\n",
    )
    assert out == "[(2, True)]\n"


@needs.FORK
@needs.PROC
def test_nothing_outlives_a_worker_of_a_pool_that_is_terminated() -> None:
    answers, questions = os.pipe()
    worker = get_context("fork").Process(target=_parse, args=(answers, questions), daemon=True)
    worker.start()
    os.close(questions)
    assert worker.pid is not None
    assert os.read(answers, 1) == b"1"
    (child,) = list_children(worker.pid)
    worker.terminate()
    worker.join()
    assert eventually(lambda: not is_alive(child))


def _parse(answers: int, questions: int) -> None:
    """Be a worker whose child waits for the next source."""
    with Parser() as parser:
        parser.parse(f"# {os.getpid()}".encode())  # no source that this process knows already
        os.write(questions, b"1")
        os.close(questions)
        time.sleep(PATIENCE_S)


def test_bytecode_of_the_library_is_kept_apart(home: Path) -> None:
    run(home, "import slime_mind_arena.engine.errors\n")
    folder = HOME / "engine" / "__pycache__"
    assert [*folder.glob("errors.*.opt-library.pyc")]
    code = "import slime_mind_arena.engine.errors as e; print(e.UsageError.__module__)"
    assert run(home, code) == "slime_mind_arena.engine.errors\n"


def test_damaged_bytecode_is_made_anew(home: Path) -> None:
    run(home, "import slime_mind_arena.engine.errors\n")
    (saved,) = (HOME / "engine" / "__pycache__").glob(
        f"errors.{sys.implementation.cache_tag}.opt-library.pyc"
    )
    whole = saved.read_bytes()
    saved.write_bytes(whole[: len(whole) // 2])
    run(home, "import slime_mind_arena.engine.errors\n")
    assert saved.read_bytes() == whole


def test_both_names_mean_the_same_modules_where_the_engine_is_ours() -> None:
    assert slime_mind_arena.engine.errors is engine.errors
    assert slime_mind_arena.SlimeMindError is engine.errors.SlimeMindError
    assert engine.errors.__spec__.name == "engine.errors"


def test_a_program_that_tests_bots_has_both_names_of_the_same_modules(home: Path) -> None:
    (home / "engine" / "__init__.py").unlink()
    (home / "engine").rmdir()
    out = run(
        home,
        "from slime_mind_arena import play\n"
        "play.__name__\n"
        "from slime_mind_arena.testing import Workbench\n"
        "from engine.games.slime_mind.player import BasePlayer\n"
        "import slime_mind_arena.engine.games.slime_mind.player as player\n"
        "print(player.BasePlayer is BasePlayer)\n",
    )
    assert out == "True\n"


def test_another_engine_is_not_replaced(home: Path) -> None:
    out = run(
        home,
        "import engine\n"
        "try:\n    import slime_mind_arena.top_level\n"
        "except ImportError as error:\n    print(error)\n",
    )
    assert out.startswith("another module is called `engine`: ")


def test_what_there_is_is_listed() -> None:
    assert {"play", "read_replay", "rate"} <= set(dir(slime_mind_arena))
    with pytest.raises(AttributeError, match="has no attribute 'plya'"):
        slime_mind_arena.plya  # noqa: B018 - it is what is tested


@pytest.mark.parametrize(
    ("results", "why"),
    [([(("ann",), (1,))], "result 0: expected two names"), ([(("a", "b"), (1,))], "its score")],
    ids=["one team", "a score missing"],
)
def test_results_that_cannot_be_rated_are_refused(results: list[object], why: str) -> None:
    with pytest.raises(slime_mind_arena.SlimeMindError, match=why):
        slime_mind_arena.rate(results)  # type: ignore[arg-type]


def test_mistakes_are_told_in_a_sentence() -> None:
    with pytest.raises(slime_mind_arena.SlimeMindError, match="no bot 'nobody'"):
        slime_mind_arena.play("nobody", "player_two")
    with pytest.raises(slime_mind_arena.SlimeMindError, match=r"nothing\.jsonl"):
        slime_mind_arena.read_replay("nothing.jsonl")


@pytest.mark.slow
@pytest.mark.parametrize("program", COOKBOOK, ids=[path.stem for path in COOKBOOK])
def test_a_program_of_the_cookbook_runs(home: Path, program: Path) -> None:
    if program.name in NEEDED:
        needs.module(NEEDED[program.name])
    text = program.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= MAX_LINES
    if program.name not in ELSEWHERE:
        assert run(home, text)


@pytest.mark.slow
def test_the_assignment_of_the_teachers_page_grades_itself(home: Path) -> None:
    """In a folder of its own, as students have it, with pytest alone."""
    (home / "engine" / "__init__.py").unlink()
    (home / "engine").rmdir()
    (home / "server.py").unlink()
    shutil.copy(HOME / "docs" / "cookbook" / "test_mine.py", home)
    bot = (HOME / "playerCode" / "player_two.py").read_text(encoding="utf-8")
    (home / "player_mine.py").write_text(bot, encoding="utf-8")
    parts = "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", str(home)
    assert "2 passed" in run_python(home, *parts, "test_mine.py")
