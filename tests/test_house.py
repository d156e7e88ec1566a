"""How the house is built: its arrows, and what its entry points promise."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

import bootstrap
from tests import needs
from tests.cases import for_each
from tests.locked_lists import FOLDER, LISTS, export_list

HOME = bootstrap.HOME
ENTRIES = [
    *(HOME / name for name in ("bootstrap.py", "main.py", "replay.py", "tests/__main__.py")),
    HOME / "engine" / "__init__.py",
    *(
        HOME / "engine" / "support" / name
        for name in ("__init__.py", "signals.py", "standard_streams.py")
    ),
    *(HOME / "slime_mind_arena" / name for name in ("__init__.py", "__main__.py", "tree.py")),
]
OLD = ("3.6", "3.7", "3.8", "3.9", "3.10")
COMMANDS = ("main.py", "replay.py", "bootstrap.py", "-m tests", "-m slime_mind_arena")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))


def find_imports(path: Path) -> set[str]:
    """The modules that a file names in its imports."""
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    plain = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    return plain | {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}


installed_packages = cache(packages_distributions)


def distributions(modules: tuple[str, ...]) -> list[str]:
    """Return what must be installed so that these modules can be imported."""
    known = installed_packages()
    return sorted({name.lower().replace("_", "-") for module in modules for name in known[module]})


def package_names(requirements: list[str]) -> list[str]:
    """Return the names of what is installed everywhere, or on all of Linux."""
    everywhere = [
        each for each in requirements if not re.search(r"; (?!sys_platform == 'linux'$)", each)
    ]
    return sorted(re.split(r"[>\[]", requirement)[0] for requirement in everywhere)


def test_imports_follow_the_arrows_of_the_architecture() -> None:
    # A process of its own: in ours it would turn off all loggers that there are.
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run(
        [linter, "--no-cache", "--no-logo"], cwd=HOME, check=False, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("package", ["cli", "report"])
def test_the_command_line_knows_no_game(package: str) -> None:
    imported = {name for path in (HOME / package).rglob("*.py") for name in find_imports(path)}
    assert imported
    assert not {name for name in imported if name.startswith("engine.games.")}


@for_each("entry", ENTRIES)
def test_an_old_python_can_read_an_entry_point_far_enough_to_be_refused(entry: Path) -> None:
    assert ast.parse(entry.read_text(encoding="utf-8"), feature_version=(3, 8)).body


# That of the tests looks at the version before it says anything else.
@for_each("entry", ENTRIES[:3] + ENTRIES[4:])
def test_an_entry_point_evaluates_no_type_that_an_old_python_cannot(entry: Path) -> None:
    for node in ast.walk(ast.parse(entry.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef):
            types = [node.returns, *(argument.annotation for argument in node.args.args)]
            assert not any(isinstance(each, ast.Subscript | ast.BinOp) for each in types), node.name
        if isinstance(node, ast.AnnAssign):
            assert isinstance(node.annotation, ast.Constant | ast.Name), ast.unparse(node)


def find_python(version: str) -> str | None:
    """Return a Python of a version on this machine, if there is one."""
    saved = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
    return str(saved[-1]) if saved else shutil.which(f"python{version}")


@for_each("command", COMMANDS)
@for_each("version", OLD)
def test_an_old_python_gets_a_sentence(version: str, command: str) -> None:
    python = find_python(version)
    if python is None:
        needs.skip(f"python{version}")
    done = subprocess.run(
        [python, *command.split()], cwd=HOME, capture_output=True, encoding="utf-8", check=False
    )
    message = f"slime-mind: needs Python 3.11 or newer; this is {version} ({python})\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", message)


def test_bootstrap_looks_for_exactly_the_packages_of_the_project(project: dict[str, Any]) -> None:
    extras = project["project"]["optional-dependencies"]
    added = {name for extra in bootstrap.EXTRAS for name in package_names(extras[extra])}
    added |= set(package_names(extras["pictures"]))
    assert distributions(bootstrap.PACKAGES) == package_names(project["project"]["dependencies"])
    assert distributions(bootstrap.EXTRA_PACKAGES) == sorted(added - {project["project"]["name"]})
    own, *dev = project["dependency-groups"]["dev"]
    assert own == f"{project['project']['name']}[{','.join(bootstrap.EXTRAS)}]"
    assert distributions(bootstrap.DEV_PACKAGES) == package_names(dev)


def test_names_of_files_are_in_american_spelling(project: dict[str, Any]) -> None:
    british = re.compile(
        r"behaviour|catalogue|cent(?:re|ring)|colour|dialogue|favour|grey|honour|labell|licence|neighbour"
        r"|(?:organ|normal|optim|serial|token|random|recogn|summar|initial|special|visual)is|analyse"
    )
    parts = [
        *project["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["parts"],
        "tests",
        "benchmarks",
        "deploy",
        "images",
    ]
    paths = [path for part in parts for path in (HOME / part).rglob("*")]
    sources = [path for path in paths if path.parent.name != "__pycache__"]
    assert [path.name for path in sources if british.search(path.name)] == []


def test_the_lock_names_no_index_but_pypi() -> None:
    lock = tomllib.loads((HOME / "uv.lock").read_text(encoding="utf-8"))
    sources = [package["source"] for package in lock["package"]]
    assert {source.get("registry") for source in sources} == {"https://pypi.org/simple", None}


def test_the_lock_of_npm_has_the_hash_of_each_package_and_names_no_other_index() -> None:
    lock = json.loads((HOME / "web/package-lock.json").read_text(encoding="utf-8"))
    packages = [package for name, package in lock["packages"].items() if name]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    addresses = [package["resolved"] for package in packages if "resolved" in package]
    assert [one for one in addresses if not one.startswith("https://registry.npmjs.org/")] == []


@pytest.mark.parametrize("name", LISTS)
def test_what_pip_installs_is_what_is_locked(name: str) -> None:
    """After a change of uv.lock, `python3 -m tests.locked_lists` writes them anew."""
    assert (FOLDER / name).read_text(encoding="utf-8") == export_list(LISTS[name])


def test_the_lock_is_up_to_date() -> None:
    command = [sys.executable, "-m", "uv", "lock", "--check", "--offline"]
    done = subprocess.run(command, cwd=HOME, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_uv_builds_our_package_with_what_is_locked(project: dict[str, Any]) -> None:
    lock = tomllib.loads((HOME / "uv.lock").read_text(encoding="utf-8"))
    packages = {package["name"]: package for package in lock["package"]}
    (named,) = project["build-system"]["requires"]
    builder = packages[named.partition(">")[0]]
    names = [builder["name"], *(each["name"] for each in builder["dependencies"])]
    pins = [f"{name}=={packages[name]['version']}" for name in names]
    assert project["tool"]["uv"]["build-constraint-dependencies"] == pins


def test_a_match_waits_for_no_package_that_only_tournaments_need() -> None:
    code = (
        "import sys, cli.match; "
        "sys.exit(bool({'numpy', 'sqlalchemy', 'rustworkx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=HOME, check=False).returncode == 0
