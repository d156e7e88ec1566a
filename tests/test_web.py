"""The check of the scripts that browsers get: `npm run check`, of types and of likely mistakes."""

import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import bootstrap
from tests import needs

HOME = bootstrap.HOME
CONFIGURATION = ("package.json", "tsconfig.json", ".oxlintrc.json")

pytestmark = needs.NPM_PACKAGES


def checked(home: Path) -> "subprocess.CompletedProcess[str]":
    command = [shutil.which("npm") or "npm", "run", "--silent", "check"]
    return subprocess.run(command, cwd=home, capture_output=True, text=True, check=False)


def found(home: Path, faults: Mapping[str, str]) -> str:
    """Return what the check says of a copy in which lines are added to scripts."""
    shutil.copytree(HOME / "web", home / "web")
    for name in CONFIGURATION:
        shutil.copy(HOME / name, home)
    (home / "node_modules").symlink_to(HOME / "node_modules")
    for name, line in faults.items():
        with (home / "web" / name).open("a", encoding="utf-8") as script:
            script.write(f"{line}\n")
    done = checked(home)
    assert done.returncode != 0
    return done.stdout


def test_the_scripts_have_no_known_mistake() -> None:
    done = checked(HOME)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_check_finds_wrong_types_and_names(tmp_path: Path) -> None:
    faults = {
        "site/forms.js": "refused.textContent = asking;",
        "site/your_move.js": 'byId("no-such-id");',
        "boards/messages.js": "new Messages().show({ seats: [] });",
        "viewer/formats.js": 'scoreText({}, "5");',
        "viewer/playback.js": "export const speed = (viewer) => viewer;",
        "viewer/teams.js": "/** @param {Replay} it */\nexport const last = (it) => it.lastTrun;",
    }
    lines = found(tmp_path, faults).splitlines()
    named = [line.partition("(")[0] for line in lines if line.startswith("web/")]
    assert set(named) == {f"web/{name}" for name in faults}


def test_the_check_finds_what_no_worker_has_and_comparisons_that_convert(tmp_path: Path) -> None:
    faults = {
        "shared/shared_stream.js": "document.hasFocus();",
        "viewer/columns.js": 'export const isNone = /** @param {unknown} it */ (it) => it == "";',
    }
    told = found(tmp_path, faults)
    assert "no-undef" in told
    assert "eqeqeq" in told
    assert "Found 0 warnings and 2 errors." in told
