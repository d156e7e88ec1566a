"""What matches tell of themselves, so that whoever knows no rule sees who won, and why."""

import tarfile
from difflib import unified_diff
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.replay import cli
from tests.golden.captions import EACH, FILE, MATCHES, SETTINGS, tell_all
from tests.visualizer.backends.page.test_page import read_facts


@pytest.mark.slow
def test_matches_tell_what_they_told() -> None:
    before, now = FILE.read_text(encoding="utf-8").splitlines(), tell_all().splitlines()
    assert sum(not line.startswith(" ") and ":" in line for line in now) == EACH * len(SETTINGS)
    diff = "\n".join(unified_diff(before, now, "before", "now", lineterm="", n=0))
    assert before == now, f"{diff}\nIf it is meant so: python3 -m tests.golden.captions --renew"


@pytest.mark.slow
@pytest.mark.parametrize("game", SETTINGS)
def test_page_terminal_and_summary_end_with_the_same_sentence(game: str, tmp_path: Path) -> None:
    match = f"{game}_01"
    with tarfile.open(MATCHES) as archive:
        archive.extract(f"{match}.jsonl", tmp_path, filter="data")
    file, page = str(tmp_path / f"{match}.jsonl"), tmp_path / "match.html"
    output = FILE.read_text(encoding="utf-8").partition(f"{match}: ")[2].partition("\n\n")[0]
    (ending,) = [line.strip() for line in output.splitlines() if "wins: " in line or "draw" in line]
    shown = {
        words: CliRunner().invoke(cli, [file, *words])
        for words in (("--info",), ("--render", "terminal"), ("--export", str(page)))
    }
    assert [done.exit_code for done in shown.values()] == [0, 0, 0]
    for words in (("--info",), ("--render", "terminal")):
        assert ending in " ".join(shown[words].output.split())
    assert read_facts(page.read_bytes())["ending"]["line"] == ending
