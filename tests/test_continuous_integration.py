"""How continuous integration gets what it needs, as root, by sudo, and where it has neither."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import bootstrap
from tests import needs

BASH = "/bin/bash"
BROWSERS = ("chromium-headless-shell", "chromium", "firefox-esr")
COMMANDS = ("bwrap", *BROWSERS, "Xvfb", "tmux", "ffmpeg", "initdb", "caddy", "prometheus")
COMPILERS = ("g++", "node", "npm", "go", "cargo", "lua5.4")
TOOLS = ("valgrind",)
TOOLS_OF_CODE = ("ruff", "mypy", "lint-imports", "deptry", "npm", "git")
ROOT, ORDINARY = "0", "1000"
INSTALL = "apt-get install --yes --quiet --no-install-recommends caddy cargo"

pytestmark = needs.path("/bin/bash")


class Machine:
    """A PATH on which all is installed but Caddy and Cargo, and what was run there."""

    def __init__(self, folder: Path, user: str, *tools: str) -> None:
        self.folder = folder
        self.said = folder / "said.txt"
        self.said.touch()
        present = ("python3", *COMMANDS, *COMPILERS, *TOOLS, *tools)
        for name in (*present, "env", "ls"):
            if name not in ("caddy", "cargo"):
                self.add(name, ":")
        self.add("id", f"echo {user}")
        self.add("apt-get", f'echo "apt-get $*" >> {self.said}')
        self.add("env", 'shift; exec "$@"')

    def add(self, name: str, does: str) -> None:
        file = self.folder / name
        file.write_text(f"#!{BASH}\n{does}\n")
        file.chmod(0o755)

    def install(self) -> "tuple[int, str, str]":
        """Return the exit code, what was said, and what was run."""
        done = subprocess.run(
            [BASH, str(bootstrap.HOME / ".ci" / "packages")],
            env={"PATH": str(self.folder)},
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        return done.returncode, done.stderr, self.said.read_text()


def test_root_installs_what_is_missing_at_once(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ROOT)
    assert machine.install() == (0, "", f"apt-get update --quiet --quiet\n{INSTALL}\n")


def test_an_ordinary_user_does_so_by_sudo(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ORDINARY)
    machine.add("sudo", f'[ "$1" = -n ] && shift; echo sudo >> {machine.said}; "$@"')
    machine.add("true", ":")
    assert machine.install() == (
        0,
        "",
        f"sudo\nsudo\napt-get update --quiet --quiet\nsudo\n{INSTALL}\n",
    )


def test_without_sudo_all_that_is_missing_is_said_at_once(tmp_path: Path) -> None:
    found = (
        "missing: caddy cargo\n"
        "please install them; on Debian and Ubuntu: sudo apt-get install caddy cargo\n"
    )
    assert Machine(tmp_path, ORDINARY).install() == (1, found, "")


def test_where_nothing_is_missing_nobody_is_asked(tmp_path: Path) -> None:
    machine = Machine(tmp_path, ORDINARY)
    for name in ("caddy", "cargo"):
        machine.add(name, ":")
    assert machine.install() == (0, "", "")


FAILING = """
import json, os, sys
from pathlib import Path
if "-c" in sys.argv:
    os.execv(sys.executable, [sys.executable, *sys.argv[1:]])
failed = json.loads(Path("failing.json").read_text())
kept = Path(".pytest_cache/v/cache/lastfailed")
if "--last-failed" in sys.argv:
    sys.exit("still" in failed)
if "--all" in sys.argv:
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps(dict.fromkeys(failed, True)))
    sys.exit(bool(failed))
"""


def run_of_all(
    folder: Path, failing: list[str], mypy: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run all of it, where everything is well but tests that fail; one named `still` always.

    `mypy`: what that program does.
    """
    tools = folder / ".venv" / "bin"
    tools.mkdir(parents=True)
    (folder / ".ci").mkdir()
    shutil.copy(bootstrap.HOME / ".ci" / "run", folder / ".ci")
    (folder / "failing.json").write_text(json.dumps(failing))
    programs = (tools / name for name in TOOLS_OF_CODE)
    for file in (*programs, folder / ".ci" / "packages"):
        file.write_text(f"#!{BASH}\n")
        file.chmod(0o755)
    (tools / "mypy").write_text(f"#!{BASH}\n{mypy}\n")
    python = tools / "python3"
    python.write_text(f"#!{sys.executable}\n{FAILING}")
    python.chmod(0o755)
    return subprocess.run(
        [BASH, str(folder / ".ci" / "run")],
        env={"PATH": f"{tools}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_what_a_second_try_saved_is_named_at_the_end(tmp_path: Path) -> None:
    done = run_of_all(tmp_path, ["one", "two", "three"])
    assert (done.returncode, done.stderr) == (0, "")
    *before, heading, one, two, three = done.stdout.splitlines()
    tried_again = re.compile(r"== \d+ s: python3 -m tests --all --last-failed .*")
    assert any(tried_again.fullmatch(line) for line in before)
    assert "unstable" in heading
    assert [one, two, three] == ["one", "two", "three"]


@pytest.mark.parametrize("failing", [list("1234567"), ["one", "still"]])
def test_more_than_six_failures_or_one_that_fails_again_fail(
    tmp_path: Path, failing: list[str]
) -> None:
    done = run_of_all(tmp_path, failing)
    assert done.returncode == 1
    assert "unstable" not in done.stdout


def test_a_check_of_the_code_that_fails_beside_the_tests_fails(tmp_path: Path) -> None:
    done = run_of_all(tmp_path, [], mypy="echo no such type; exit 1")
    assert done.returncode == 1
    assert "no such type\n" in done.stdout


def test_where_no_test_fails_none_is_tried_again(tmp_path: Path) -> None:
    done = run_of_all(tmp_path, [])
    assert done.returncode == 0
    assert "--last-failed" not in done.stdout
