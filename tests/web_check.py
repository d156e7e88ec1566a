"""Runs the check of the scripts that browsers get, on copies with something added to them."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import msgspec

import bootstrap
from visualizer.backends.page.bundling import PAGE_FOLDERS, WEB

HOME = bootstrap.HOME
FILES = sorted(path for name in PAGE_FOLDERS for path in (WEB / name).rglob("*") if path.is_file())
"""What browsers get."""
SCRIPTS = [path for path in FILES if path.suffix == ".js"]


def run_check(home: Path = HOME) -> "subprocess.CompletedProcess[str]":
    command = [shutil.which("npm") or "npm", "run", "--silent", "check"]
    return subprocess.run(command, cwd=home / "web", capture_output=True, text=True, check=False)


def run_check_with(home: Path, added: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """Check a copy of the scripts, made in an empty folder, with lines added to some files."""
    shutil.copytree(HOME / "web", home / "web", ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(HOME / "docs/site", home / "docs/site")
    (home / "web/node_modules").symlink_to(HOME / "web/node_modules")
    for name, line in added.items():
        with (home / "web" / name).open("a", encoding="utf-8") as script:
            script.write(f"{line}\n")
    return run_check(home)


def differences(home: Path, types: str, values: Mapping[str, tuple[str, object]]) -> str:
    """Return what the check says of values, by name, that are of types of a file; "" if all fit.

    A field that a type does not have is no fit, either.
    """
    lines = [f'import type * as types from "./{Path(types).name}";']
    for name, (type_name, value) in values.items():
        text = msgspec.json.encode(value).decode()
        lines.append(f"export const {name}: types.{type_name} = {text};")
    sample = Path(types).with_name("sample.ts")
    done = run_check_with(home, {sample.as_posix(): "\n".join(lines)})
    return done.stdout + done.stderr if done.returncode else ""
