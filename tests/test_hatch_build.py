"""What a package gets when it is built: the editor of /write, and types."""

import re
from pathlib import Path

import bootstrap
import hatch_build
from hatch_build import stubs
from server.http import bundles
from slime_mind_arena.tree import PACKAGES


def test_the_built_editor_is_one_module_with_the_licenses_of_all_that_is_in_it() -> None:
    text = bundles.BUILT.read_text(encoding="utf-8")
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
