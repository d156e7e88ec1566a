"""What a package gets when it is built: the editor of /write, where npm can, and types."""

import re
import sys
from pathlib import Path

import pytest

import bootstrap
import hatch_build
from hatch_build import EDITOR, NPM_CI, build_editor, stubs
from slime_mind_arena.tree import PACKAGES
from tests import needs


def a_npm(folder: Path, does: str) -> None:
    """Make a program that stands in for npm, and tells what it was asked in `said.txt`."""
    file = folder / "npm"
    script = f"import sys\nopen('said.txt', 'a').write(' '.join(sys.argv[1:]) + '\\n')\n{does}\n"
    file.write_text(f"#!{sys.executable}\n{script}")
    file.chmod(0o755)


def read_said(folder: Path) -> list[str]:
    return (folder / "web/said.txt").read_text().splitlines()


@pytest.fixture(name="home")
def a_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder without anything, which is also all of the PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "web").mkdir()
    return tmp_path


def test_without_npm_the_package_says_that_the_editor_is_missing(home: Path) -> None:
    assert build_editor(home) == "there is no npm, which builds it"
    words = hatch_build.WITHOUT_EDITOR.format("there is no npm, which builds it")
    assert "a plain text area in place of the editor" in words
    assert "npm --prefix web run build" in words


def test_an_editor_that_comes_with_the_sources_needs_no_npm(home: Path) -> None:
    (home / EDITOR).parent.mkdir()
    (home / EDITOR).write_text("")
    assert build_editor(home) == ""


@needs.SHELL
def test_npm_fetches_packages_without_their_scripts_and_builds(home: Path) -> None:
    a_npm(home, "")
    assert build_editor(home) == ""
    assert read_said(home) == [" ".join(NPM_CI), "run build"]
    assert "--ignore-scripts" in NPM_CI


@needs.SHELL
def test_packages_that_are_there_are_not_fetched_again(home: Path) -> None:
    a_npm(home, "")
    (home / "web/node_modules").mkdir()
    assert build_editor(home) == ""
    assert read_said(home) == ["run build"]


@needs.SHELL
def test_what_npm_says_last_is_why_there_is_no_editor(home: Path) -> None:
    a_npm(home, "sys.exit('first\\nnpm error network')")
    why = build_editor(home)
    assert why == "npm ci --ignore-scripts --no-audit --no-fund ended with 1: npm error network"


@needs.NPM_PACKAGES
def test_the_built_editor_is_one_module_with_the_licenses_of_all_that_is_in_it() -> None:
    assert build_editor(bootstrap.HOME) == ""
    text = (bootstrap.HOME / EDITOR).read_text(encoding="utf-8")
    code, _, licenses = text.partition("/*! This file contains:")
    assert "createEditor" in code
    assert "import(" not in code
    for package in ("@codemirror/view 6.", "@lezer/python 1.", "style-mod 4.", "w3c-keyname 2."):
        assert package in licenses
    assert licenses.count("Permission is hereby granted, free of charge") > 1


SOURCE = '''"""A module."""
from engine.seat import Seat

class Table:
    """A table."""

    def __init__(self, seat: Seat) -> None:
        """Set it."""
        self.seat = seat

    def ask(self) -> object:
        """Ask."""
        return self.seat.take()

    def close(self) -> None:
        self.seat.close()
'''
STUB = '''"""A module."""
from slime_mind_arena.engine.seat import Seat

class Table:
    """A table."""

    def __init__(self, seat: Seat) -> None:
        """Set it."""
        self.seat = seat

    def ask(self) -> object:
        """Ask."""
        ...

    def close(self) -> None:
        ...
'''


def test_a_stub_has_the_imports_of_a_library_and_what_types_need(tmp_path: Path) -> None:
    package = tmp_path / hatch_build.PACKAGE
    package.mkdir()
    (package / "tree.py").write_text((bootstrap.HOME / hatch_build.PACKAGE / "tree.py").read_text())
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "table.py").write_text(SOURCE)
    assert dict(stubs(tmp_path))["engine/table.pyi"] == STUB


def test_each_module_imports_ours_as_a_library_can() -> None:
    """A plain `import engine` would bind another package's name in an installed copy."""
    plain = re.compile(rf"^\s*import ({'|'.join(PACKAGES)})\b(?!.* as )", re.MULTILINE)
    files = (path for part in PACKAGES for path in (bootstrap.HOME / part).rglob("*.py"))
    refused = [file for file in files if plain.search(file.read_text(encoding="utf-8"))]
    assert not refused
