"""The starter kit: made the same each time, and all that a match at home takes."""

import io
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from engine.bots.syntax_hints import THIS_PYTHON
from engine.catalog import GAMES, find_game
from server.http.page_requests import Pages
from server.site.starter_kit import FOLDER, StarterKit
from tests.server.members import Server
from tests.shell import ENVIRONMENT


@pytest.fixture
def kit(lasting: Server) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(lasting.browser().get("/kit.zip").content))


def test_it_has_a_bot_and_rules_for_each_game_and_nothing_private(kit: zipfile.ZipFile) -> None:
    names = {name.removeprefix(f"{FOLDER}/") for name in kit.namelist()}
    for game in GAMES:
        bots = Path("playerCode") / find_game(game).bots
        assert {
            f"{bots / name}.py" for name in ("player_mine", "player_base", "player_one")
        } <= names
        assert f"docs/rules/{game}.md" in names
    assert {"clients/player_cpp/client.hpp", "clients/remote/remote_bot.py"} <= names
    bots_of_others = {"player_mine", "player_base", "player_one"}
    assert {Path(name).stem for name in names if name.startswith("playerCode")} == bots_of_others
    assert not [name for name in names if "/." in name or name.endswith((".pyc", ".sqlite"))]
    lines = kit.read(f"{FOLDER}/README.txt").decode().splitlines()
    assert len(lines) == 5
    assert f"on the server {THIS_PYTHON}" in lines[0]


def test_it_is_the_same_each_time_and_is_not_sent_twice(lasting: Server) -> None:
    pages = Pages(lasting.site.people, lasting.site.audit)
    home = "https://example.org/arena"
    assert StarterKit(pages).zip_bytes(home) == StarterKit(pages).zip_bytes(home)
    client = lasting.browser().client
    tag = client.get("/kit.zip").headers["etag"]
    assert client.get("/kit.zip", headers={"if-none-match": tag}).status_code == 304


@pytest.mark.slow
def test_its_bot_plays_at_home(kit: zipfile.ZipFile, tmp_path: Path) -> None:
    kit.extractall(tmp_path)
    command = [sys.executable, "main.py", "-1", "player_mine", "-2", "player_one", "--quiet"]
    done = subprocess.run(
        command, cwd=tmp_path / FOLDER, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "mine" in done.stdout
