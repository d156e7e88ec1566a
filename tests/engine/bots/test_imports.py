"""The standard library, numpy, the bot's own files, and what the organizer allowed."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.bots.imports import ImportGate, names_numpy, with_dependencies
from engine.errors import UsageError
from engine.fault import Cause
from tests.engine.bots.matches import Arena, Orders, a_bot, a_job


def play(arena: Arena, bot: Path, steady: Path, *packages: str) -> Any:
    job = a_job(arena.out, bot, steady)
    spec = replace(job.spec, packages=with_dependencies(packages))
    return arena.referee.play(replace(job, spec=spec), [Orders()])


def test_a_package_that_was_not_allowed_is_missing_by_name(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot = a_bot(tmp_path, "return 'UP'", top="import PIL")
    refused = play(arena, bot, steady)
    assert "(--allow-package PIL)" in refused.teams[0].details[Cause.IMPORT_ERROR]
    assert play(arena, bot, steady, "pillow").faults == 0


def test_a_bot_may_do_without_what_was_not_allowed(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    top = """
    try:
        import PIL
    except ImportError as error:
        PIL = error.name
    """
    bot = a_bot(tmp_path, "return 'UP' if PIL == 'PIL' else 'FLY'", top=top)
    assert play(arena, bot, steady).faults == 0


@pytest.mark.variants(2)
@pytest.mark.parametrize(
    "module", ["main", "replay", "bootstrap", "runners", "tests", "playerCode"]
)
def test_a_bot_cannot_import_what_lies_beside_the_engine(
    module: str, arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot = a_bot(tmp_path, "return 'UP'", top=f"import {module}")
    assert Cause.IMPORT_ERROR in play(arena, bot, steady).teams[0].faults


def test_nothing_beside_a_bot_but_its_own_files_can_be_imported(
    arena: Arena, steady: Path, tmp_path: Path
) -> None:
    (tmp_path / "neighbor.py").write_text("")
    bot = a_bot(tmp_path, "return 'UP'", top="import neighbor")
    assert Cause.IMPORT_ERROR in play(arena, bot, steady).teams[0].faults


def test_numpy_is_looked_for_in_all_source_of_a_bot(tmp_path: Path) -> None:
    with_it, without = tmp_path / "with", tmp_path / "without"
    for home in (with_it, without):
        (home / "looks_like_source.py").mkdir(parents=True)
        (home / "numpy.txt").write_text("numpy")
    (with_it / "looks_like_source.py" / "helper.py").write_text("import numpy as np")
    assert names_numpy(with_it)
    assert not names_numpy(without)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["numpy", "random", "email"])
def test_an_own_file_does_not_stand_in_for_a_library(
    name: str, arena: Arena, steady: Path, tmp_path: Path
) -> None:
    bot = tmp_path / "bot"
    a_bot(bot, "return 'UP'", top=f"import {name}", name="__init__")
    (bot / f"{name}.py").write_text("1 / 0")
    assert play(arena, bot, steady).faults == 0


@pytest.mark.slow
def test_every_module_of_the_standard_library_can_be_found_behind_the_gate() -> None:
    code = (
        "import sys, importlib.util\n"
        "from pathlib import Path\n"
        "from engine.bots.imports import ImportGate\n"
        "sys.meta_path.insert(0, ImportGate(Path('/nowhere'), ()))\n"
        "for name in sorted(sys.stdlib_module_names):\n"
        "    importlib.util.find_spec(name)\n"
        "    print(name)\n"
    )
    root = Path(__file__).resolve().parents[3]
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert found.stderr == ""
    assert found.stdout.split() == sorted(sys.stdlib_module_names)


def test_the_gate_finds_an_own_file_and_leaves_the_rest_to_python(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("")
    gate = ImportGate(tmp_path, ["allowed"])
    own = gate.find_spec("mine", None)
    assert own is not None
    assert own.origin == str(tmp_path / "mine.py")
    assert [gate.find_spec(name, None) for name in ("json", "numpy", "engine", "allowed")] == [
        None
    ] * 4
    assert gate.find_spec("json.decoder", ["somewhere"]) is None
    with pytest.raises(ModuleNotFoundError, match="'stranger' is not part of Python"):
        gate.find_spec("stranger", None)


def test_a_package_brings_what_it_needs() -> None:
    names = with_dependencies(["hypothesis"])
    assert {"hypothesis", "sortedcontainers"} <= set(names)
    assert "PIL" not in names


@pytest.mark.slow
@pytest.mark.parametrize("word", ["Import_Linter", "import-linter", "IMPORT.LINTER"])
def test_a_packages_name_may_be_written_in_any_way(word: str) -> None:
    assert "importlinter" in with_dependencies([word])


def test_a_package_that_is_not_installed_is_refused() -> None:
    with pytest.raises(UsageError, match="--allow-package no-such-thing: not installed here"):
        with_dependencies(["no-such-thing"])
