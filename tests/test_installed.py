"""An installed copy: the documented ways to make one, with real pip, uv and Dask."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

import bootstrap
import slime_mind_arena
from engine import ENGINE_VERSION
from engine.support.extras import how_to_install
from engine.support.typed_commands import DISTRIBUTION
from tests import needs
from tests.runners.machines import Machines, cluster_in
from tests.shell import QUICK, WALKER
from visualizer.watching.render import DISPLAYS

PACKAGE = "slime_mind_arena"
PARTS = (
    *("cli", "server", "report", "learning", "engine", "runners", "visualizer", "web"),
    *("playerCode", "clients", "resources"),
)
BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
NOT_OURS = {"PYTHONPATH", "VIRTUAL_ENV", "SLIME_MIND_NO_BOOTSTRAP", *DISPLAYS}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in NOT_OURS}
PLAYED = ("--json", "--seed", "7", *QUICK)

exhaustive = pytest.mark.exhaustive
patient = pytest.mark.timeout(900)


def attempt(*command: str | Path, cwd: Path, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run a command that may fail."""
    return subprocess.run(
        command, cwd=cwd, env=ENVIRONMENT | env, capture_output=True, text=True, check=False
    )


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """Return what a command that succeeds prints."""
    done = attempt(*command, cwd=cwd, **env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


class Installed:
    """A virtual environment with a copy of us, and a folder in which somebody plays."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "venv" / ("Scripts" if os.name == "nt" else "bin")
        self.home = folder / "home"
        (self.home / "playerCode").mkdir(parents=True)
        for name in ("player_ann.py", "player_bob.py"):
            text = f"{WALKER}# {name}\n"
            (self.home / "playerCode" / name).write_text(text, encoding="utf-8")
        run(BASE_PYTHON, "-m", "venv", self.bin.parent, cwd=folder)

    def pip_install(self, what: str) -> None:
        """Install as the documents say; skip where there is no index to install from."""
        pip = (self.bin / "python", "-m", "pip", "--disable-pip-version-check")
        reached = subprocess.run(
            [*pip, "download", "--quiet", "--no-deps", "click", "--dest", self.home.parent],
            check=False,
            capture_output=True,
        )
        if reached.returncode != 0:
            needs.skip("pip download, from a package index that can be reached")
        run(*pip, "install", "--quiet", what, cwd=bootstrap.HOME)

    def run(self, command: str, *parts: str) -> str:
        return run(self.bin / command, *parts, cwd=self.home)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    installed = Installed(tmp_path_factory.mktemp("plain"))
    installed.pip_install(".")
    return installed


@exhaustive
@patient
def test_an_installed_copy_is_all_that_an_author_needs(plain: Installed) -> None:
    found = plain.run("slime-mind-arena", "-g", "smack", "new", "my_bot", "--here")
    assert "check it:   slime-mind-arena -g smack check my_bot.py" in found
    # config.toml of this folder says which game it is.
    report = json.loads(
        plain.run("slime-mind-arena", "check", "my_bot.py", "--turns", "3", "--json")
    )
    assert (report["game"], report["problems"]) == ("smack", [])
    assert "1 passed, 1 skipped" in plain.run("slime-mind-arena", "test", "my_bot.py")
    assert (plain.home / ".slime-mind" / "engine" / "game.py").exists()
    for name in ("config.toml", "pyproject.toml", "my_bot.py"):  # other tests play here, too
        (plain.home / name).unlink()


@pytest.fixture(scope="module")
def with_cluster(plain: Installed) -> Installed:
    plain.pip_install(".[cluster]")
    return plain


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names in the wheel, which is built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    build = (sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder))
    run(*build, cwd=bootstrap.HOME)
    (built,) = folder.glob("*.whl")
    return zipfile.ZipFile(built).namelist()


def test_one_name_of_ours_is_used_everywhere() -> None:
    text = (bootstrap.HOME / "pyproject.toml").read_text(encoding="utf-8")
    project: dict[str, Any] = tomllib.loads(text)["project"]
    assert project["name"] == DISTRIBUTION
    assert DISTRIBUTION.replace("-", "_") == PACKAGE
    assert set(project["scripts"]) == {DISTRIBUTION, f"{DISTRIBUTION}-replay"}


def test_a_wheel_holds_one_package_and_the_whole_tree_in_it(wheel: list[str]) -> None:
    top = {name.split("/")[0] for name in wheel}
    assert top == {PACKAGE, f"{PACKAGE}-stubs", f"{PACKAGE}-{ENGINE_VERSION}.dist-info"}
    home = bootstrap.HOME
    for folder in PARTS:
        sources = {path.relative_to(home).as_posix() for path in (home / folder).rglob("*.py")}
        assert sources <= {name.removeprefix(f"{PACKAGE}/") for name in wheel}
    for name in (
        *("main.py", "resources/config.sample.toml", "resources/sprites/slime_mind/slime_1.png"),
        *("resources/sprites/slime_mind/slime_1.svg", "engine/bots/sandbox/filters/x86_64.bpf"),
        *("engine/bots/sandbox/filters/x86_64.program.bpf", "clients/player_cpp/client.hpp"),
    ):
        assert f"{PACKAGE}/{name}" in wheel


def test_a_wheel_tells_type_checkers_that_its_packages_are_typed(wheel: list[str]) -> None:
    packages = ("", "engine/", "runners/", "visualizer/", "report/", "cli/")
    assert {f"{PACKAGE}/{package}py.typed" for package in packages} <= set(wheel)


def test_a_wheel_has_stubs_of_what_programs_import(wheel: list[str]) -> None:
    packages = ("engine", "runners", "report", "learning", "visualizer")
    paths = [path for name in packages for path in (bootstrap.HOME / name).rglob("*.py")]
    paths += (bootstrap.HOME / PACKAGE).glob("*.py")
    names = {path.relative_to(bootstrap.HOME).with_suffix(".pyi").as_posix() for path in paths}
    begin = f"{PACKAGE}-stubs/"
    there = {name.removeprefix(begin) for name in wheel if name.startswith(begin)}
    assert there == {name.removeprefix(f"{PACKAGE}/") for name in names} | {"py.typed"}


def test_no_stub_lies_beside_a_source(wheel: list[str]) -> None:
    """Editors of bots' authors read the sources as `engine`, and would find other classes there."""
    assert not [name for name in wheel if name.startswith(f"{PACKAGE}/") and name.endswith(".pyi")]


def test_a_wheel_holds_no_tests_audits_or_benchmarks(wheel: list[str]) -> None:
    inside = {name.split("/")[1] for name in wheel if name.startswith(f"{PACKAGE}/")}
    assert not inside & {"tests", "benchmarks", "images", "hatch_build.py"}
    assert not [name for name in wheel if name.endswith(".pyc")]


def test_a_clone_is_found_beside_the_package() -> None:
    assert Path(slime_mind_arena.ROOT) == bootstrap.HOME
    assert slime_mind_arena.call("operator:add", 3, 4) == 7


def test_a_clone_runs_as_a_module() -> None:
    out = run(sys.executable, "-m", PACKAGE, "--version", cwd=bootstrap.HOME)
    assert out == f"Slime Mind, version {ENGINE_VERSION}\n"


def test_a_clone_runs_the_modules_of_the_library() -> None:
    needs.module("pettingzoo")
    module = f"{PACKAGE}.learning.examples.baselines"
    out = run(sys.executable, "-m", module, "--help", cwd=bootstrap.HOME)
    assert f"Usage: python3 -m {module}" in out


@exhaustive
@patient
def test_pip_install_puts_one_package_at_the_top_level(plain: Installed) -> None:
    (site,) = (plain.bin.parent / "lib").glob("python*/site-packages")
    record = next(site.glob(f"{PACKAGE}-*.dist-info")) / "RECORD"
    top = {line.split("/")[0] for line in record.read_text(encoding="utf-8").splitlines()}
    # Scripts are in ../../../bin, and what has a hyphen in its name cannot be imported.
    assert top == {PACKAGE, f"{PACKAGE}-stubs", record.parent.name, ".."}
    for name in (*PARTS, "main"):
        assert not [*site.glob(name), *site.glob(f"{name}.*")]


@exhaustive
@patient
def test_an_installed_copy_plays_and_verifies_a_match(plain: Installed) -> None:
    result = json.loads(plain.run(DISTRIBUTION, "-1", "player_ann", "-2", "player_bob", *PLAYED))
    assert [team["bot"]["name"] for team in result["teams"]] == ["player_ann", "player_bob"]
    assert not any(team["faults"] for team in result["teams"])
    assert "event for event" in plain.run(f"{DISTRIBUTION}-replay", result["replay"], "--verify")


@exhaustive
@patient
def test_an_installed_copy_needs_no_extra_for_contests_reports_and_pages(
    plain: Installed, tmp_path: Path
) -> None:
    """It comes before those that install extras into the same environment."""
    there = plain.run("python", "-m", "pip", "list", "--format", "freeze")
    assert not re.findall("^(pillow|starlette|arcade|alembic)==", there, re.MULTILINE)
    parts = ("player_one", "player_two", *QUICK, "--quiet")
    play = partial(run, plain.bin / DISTRIBUTION, cwd=tmp_path)
    assert "Elo" in play("versus", "player_two", "player_one", "--preset", "small", "--quiet")
    assert "the report:" in play("tournament", *parts, "--pairs", "1")
    assert "player_one" in play("report", "--standings")
    watch = partial(run, plain.bin / f"{DISTRIBUTION}-replay", cwd=tmp_path)
    assert "match.html" in watch("--export", "match.html")
    refused = attempt(plain.bin / DISTRIBUTION, "play", cwd=tmp_path)
    assert (refused.returncode, how_to_install("server") in refused.stderr) == (2, True)


@exhaustive
@patient
def test_an_installed_copy_brings_its_own_bots_and_plays_them_side_by_side(
    plain: Installed, tmp_path: Path
) -> None:
    parts = ("-r", "multi_match", "-m", "4", "-j", "2", "-1", "player_one", "-2", "player_two")
    result = json.loads(run(plain.bin / DISTRIBUTION, *parts, *PLAYED, cwd=tmp_path))
    assert (result["matches"], result["failures"]) == (4, [])


@exhaustive
@patient
def test_an_installed_copy_runs_as_a_module_and_says_so(plain: Installed) -> None:
    parts = ("--render", "none", "-v", *QUICK, "-1", "player_ann", "-2", "player_bob")
    out = plain.run("python", "-m", PACKAGE, *parts)
    assert f"play it again:  python3 -m {PACKAGE} --match" in out


@exhaustive
@patient
def test_an_installed_copy_says_what_is_typed_there(plain: Installed) -> None:
    for command in (DISTRIBUTION, f"{DISTRIBUTION}-replay"):
        page = plain.run(command, "--help")
        assert f"  {command} " in page
        assert not re.search(r"(main|replay)\.py", page.replace("../my.py", ""))
    done = attempt(plain.bin / f"{DISTRIBUTION}-replay", "--out", "nowhere", cwd=plain.home)
    assert f"play a match first ({DISTRIBUTION}), or name a file" in done.stderr


@exhaustive
@patient
def test_a_bots_author_can_import_the_engine_of_an_installed_copy(plain: Installed) -> None:
    code = (
        "import slime_mind_arena.testing; from engine.games.slime_mind.player import BasePlayer; "
        "import engine; print(engine.__file__)"
    )
    assert f"{PACKAGE}/engine/__init__.py" in plain.run("python", "-c", code)


@exhaustive
@patient
def test_an_installed_copy_is_a_library(plain: Installed) -> None:
    code = (
        "import sys; from slime_mind_arena import play, read_replay; "
        "match = play('player_ann', 'player_bob', preset='small', settings={'max_turns': 3}); "
        "print(read_replay(match).last_turn, 'engine' in sys.modules)"
    )
    assert plain.run("python", "-c", code) == "3 False\n"


TYPES = (
    ("slime_mind_arena.play", "slime_mind_arena.library.Match"),
    ("slime_mind_arena.play('a', 'b').teams[0].score", '"float"'),
    ("slime_mind_arena.SlimeMindError", "slime_mind_arena.engine.errors.SlimeMindError"),
    ("Referee.play", "slime_mind_arena.engine.result.MatchResult"),
    ("Replay(Path()).spec", "slime_mind_arena.engine.spec.MatchSpec"),
    ("board().slimes", "dict[int, slime_mind_arena.engine.games.slime_mind.pieces.Slime]"),
    ("play_series", "slime_mind_arena.runners.series.SeriesResult"),
    ("MatchEnv('smack').reset", "seed: int | None"),
)
"""What a program uses, and what a type checker is to say of it."""
PROGRAM = """
from pathlib import Path

import slime_mind_arena
from slime_mind_arena.engine.games.slime_mind.state import Board
from slime_mind_arena.engine.referee import Referee
from slime_mind_arena.engine.replays.reading import Replay
from slime_mind_arena.learning.match_env import MatchEnv
from slime_mind_arena.runners.multi_match import play_series

def board() -> Board: ...

{}
"""


@exhaustive
@patient
def test_a_type_checker_sees_the_types_of_an_installed_copy(plain: Installed) -> None:
    needs.module("mypy")
    program = plain.home / "program.py"
    lines = "\n".join(f"reveal_type({what})" for what, _ in TYPES)
    program.write_text(PROGRAM.format(lines), encoding="utf-8")
    parts = ("--strict", "--disable-error-code", "empty-body", "--python-executable")
    mypy = (sys.executable, "-m", "mypy", *parts, str(plain.bin / "python"), program.name)
    found = run(*mypy, cwd=plain.home).splitlines()
    assert found.pop() == "Success: no issues found in 1 source file"
    for (what, expected), line in zip(TYPES, found, strict=True):
        assert expected in line, what


@pytest.fixture(scope="module")
def with_learning(plain: Installed) -> Installed:
    plain.pip_install(".[learning]")
    return plain


BLOCKS = re.findall(
    r"^```(python|bash)\n(.*?)^```",
    (bootstrap.HOME / "docs" / "library.md")
    .read_text(encoding="utf-8")
    .partition("\n## Programs that learn\n")[2]
    .partition("\n## ")[0],
    re.MULTILINE | re.DOTALL,
)
SOONER = {"--generations 60": "--generations 1", "--steps 300000": "--steps 100"}
"""Options with which a command of the page is done in seconds."""
INSTALLS = "pip install "
NOT_OURS_TO_INSTALL = "sb3_contrib"
"""A package that brings PyTorch, some gigabytes: what needs it is started, and misses it alone."""


@exhaustive
@patient
@pytest.mark.parametrize(
    ("language", "block"), BLOCKS, ids=[f"block {number}" for number in range(len(BLOCKS))]
)
def test_the_page_about_learning_is_typed_with_an_installed_copy(
    with_learning: Installed, language: str, block: str
) -> None:
    """The training of a block is cut short; what it installs is there, or is left out."""
    if language == "python":
        program = with_learning.home / "block.py"
        program.write_text(block, encoding="utf-8")
        with_learning.run("python", program.name)
        return
    for option, sooner in SOONER.items():
        block = block.replace(option, sooner)
    for line in block.splitlines():
        if line.startswith(INSTALLS):
            assert "'.[learning]'" in line or NOT_OURS_TO_INSTALL.replace("_", "-") in line
            continue
        python, *words = shlex.split(line)
        assert python == "python3"
        done = attempt(with_learning.bin / "python", *words, cwd=with_learning.home)
        lacks = f"No module named '{NOT_OURS_TO_INSTALL}" in done.stderr
        assert done.returncode == 0 or lacks, done.stderr


@pytest.fixture
def machines(with_cluster: Installed, tmp_path: Path) -> Iterator[Machines]:
    """Dask's own commands, in a folder from which no tree of ours can be imported."""
    with cluster_in(tmp_path, python=with_cluster.bin / "python", cwd=tmp_path) as machines:
        yield machines


@exhaustive
@patient
def test_an_installed_copy_plays_on_a_cluster_of_installed_copies(
    with_cluster: Installed, machines: Machines
) -> None:
    machines.start_worker()
    parts = ("-r", "tournament", "player_ann", "player_bob", "--no-report")
    out = with_cluster.run(DISTRIBUTION, *parts, "--cluster", machines.address, *PLAYED)
    lines = [json.loads(line) for line in out.splitlines()]
    assert lines
    assert all("winner" in line for line in lines)


@exhaustive
@patient
def test_uv_runs_main_in_a_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    left_out = shutil.ignore_patterns(
        ".*", "__pycache__", "build", "dist", "node_modules", "results"
    )
    shutil.copytree(bootstrap.HOME, clone, ignore=left_out)
    uv = find_uv_bin()
    reached = attempt(uv, "sync", "--quiet", cwd=clone)
    if "error sending request" in reached.stderr or "dns error" in reached.stderr:
        needs.skip("uv sync, from a package index that can be reached")
    lock = (clone / "uv.lock").read_bytes()
    out = run(uv, "run", "main.py", "-1", "player_one", "-2", "player_two", *PLAYED, cwd=clone)
    assert json.loads(out)["turns"] == 3
    assert (clone / "uv.lock").read_bytes() == lock  # it is up to date
