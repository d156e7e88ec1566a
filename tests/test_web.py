"""The check of scripts, `npm --prefix web run check`: types, and likely mistakes."""

from pathlib import Path

from tests import needs
from tests.web_check import run_check, run_check_with

pytestmark = needs.NPM_PACKAGES


def test_the_scripts_have_no_known_mistake() -> None:
    done = run_check()
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
    done = run_check_with(tmp_path, faults)
    lines = [line for line in done.stdout.splitlines() if ".js(" in line]
    assert done.returncode != 0
    assert {line.partition("(")[0] for line in lines} == {*faults}


def test_the_check_finds_what_no_worker_has_and_comparisons_that_convert(tmp_path: Path) -> None:
    faults = {
        "shared/shared_stream.js": "document.hasFocus();",
        "viewer/columns.js": 'export const isNone = /** @param {unknown} it */ (it) => it == "";',
    }
    done = run_check_with(tmp_path, faults)
    assert done.returncode != 0
    assert "no-undef" in done.stdout
    assert "eqeqeq" in done.stdout
    assert "Found 0 warnings and 2 errors." in done.stdout
