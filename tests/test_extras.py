"""The extras of pyproject.toml: what works without them, and what is said where one is missing."""

import subprocess
import sys
import tomllib
from pathlib import Path

from cli.main import COMMANDS
from engine.support.extras import EXTRAS, how_to_install
from runners.configuration import HOME
from tests.golden.record import replay_path
from tests.test_house import distributions, package_names

WITHOUT = f"""
import sys
for package in {[name for names in EXTRAS.values() for name in names]}:
    sys.modules[package] = None
"""
"""Has every import of an extra's package fail."""
OPTIONAL = ("cli.server_administration", "visualizer.drawing.team_pictures")
"""Modules that need an extra, besides those of a server: they are imported when they are used."""


def run(code: str, *parts: str) -> "subprocess.CompletedProcess[str]":
    """Run a program where no extra is installed."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT + code, *parts],
        cwd=HOME,
        capture_output=True,
        text=True,
        check=False,
    )


def run_replay(*parts: object) -> "subprocess.CompletedProcess[str]":
    """Run replay.py where no extra is installed."""
    code = "from cli.replay import main\nmain()"
    return run(code, str(replay_path("small")), *map(str, parts))


def test_the_table_of_extras_is_that_of_the_project() -> None:
    text = (HOME / "pyproject.toml").read_text(encoding="utf-8")
    project = tomllib.loads(text)["project"]
    listed = project["optional-dependencies"]
    assert EXTRAS.keys() == listed.keys() - {"all"}
    assert listed["all"] == [f"{project['name']}[{','.join(sorted(EXTRAS))}]"]
    for extra in EXTRAS.keys() - {"video", "window"}:  # which are not on every machine
        others = {project["name"], *(("alembic",) if extra == "postgres" else ())}
        assert distributions(EXTRAS[extra]) == sorted(set(package_names(listed[extra])) - others)


def test_commands_are_imported_without_extras() -> None:
    places = {
        entry.place.partition(":")[0] for group in COMMANDS.values() for entry in group.values()
    }
    others = {"cli.match", "cli.replay_use", "slime_mind_arena.library", "report.folder"}
    done = run(
        f"""
from importlib import import_module
from engine.support.lazy_import import _LateModule
for place in {places | others}:
    import_module(place)
for name, module in [*sys.modules.items()]:
    is_optional = name.startswith("server.") or name in {OPTIONAL}
    if isinstance(module, _LateModule) and not is_optional:
        module._execute()
"""
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_command_says_how_its_extra_is_installed() -> None:
    done = run("from cli.main import main\nmain()", "serve")
    assert done.returncode == 2
    assert done.stderr.startswith("error: this needs the extra 'server' (")
    assert done.stderr.endswith(f"{how_to_install('server')}\n")


def test_a_module_of_no_extra_that_is_missing_is_a_bug_and_has_its_traceback() -> None:
    done = run("sys.modules['cli.match'] = None\nfrom cli.main import main\nmain()")
    assert "Traceback" in done.stderr


def test_a_replay_is_verified_and_exported_as_a_page_without_extras(tmp_path: Path) -> None:
    assert run_replay("--verify").returncode == 0
    page = tmp_path / "match.html"
    done = run_replay("--export", page)
    assert (done.returncode, done.stderr) == (0, "")
    assert b"<html" in page.read_bytes()
    done = run_replay("--export", tmp_path / "match.png")
    assert (done.returncode, how_to_install("pictures") in done.stderr) == (2, True)


def test_a_terminal_shows_matches_without_extras() -> None:
    done = run_replay("--render", "terminal")
    assert (done.returncode, done.stderr) == (0, "")
    assert "turn 60 of 60" in done.stdout
