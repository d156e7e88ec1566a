"""What docs/adding_a_game.md says is a game is one, and nothing else in the house knows it."""

import re
from pathlib import Path

import pytest

import bootstrap
from tests.shell import Shell

GUIDE = bootstrap.HOME / "docs" / "adding_a_game.md"
FILE = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MATCH = ("-g", "stones", "-1", "player_one", "-2", "player_none", "--seed", "7")
NOBODY = """
from engine.games.stones.game import BasePlayer

class Player(BasePlayer):
    def decide(self, stones, most):
        return "none, thank you"
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = Shell(tmp_path_factory.mktemp("adding"))
    files = dict(FILE.findall(GUIDE.read_text(encoding="utf-8")))
    assert len(files) == 3
    for name, text in files.items():
        path = shell.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (shell.home / "engine/games/stones/__init__.py").write_text('"""Take stones in turns."""\n')
    add_to_the_catalogue(shell.home / "engine" / "catalogue.py")
    shell.bot("playerCode/stones/player_none.py", NOBODY)
    return shell


def add_to_the_catalogue(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    text = text.replace("\nGAMES", "from engine.games.stones.game import Stones\n\nGAMES", 1)
    path.write_text(text.replace("(SlimeMind(), ", "(SlimeMind(), Stones(), "), encoding="utf-8")


def test_its_match_is_played_and_won_by_the_bot_that_can_count(shell: Shell) -> None:
    result = shell.json(*MATCH)
    assert (result["winner"], result["reason"]) == (1, "last stone")
    assert result["teams"][1]["faults"] == {"illegal order": result["turns"] // 2}


def test_its_replay_is_verified_and_printed(shell: Shell) -> None:
    shell.json(*MATCH)
    done = shell.run("--verify", "--print", "2", tool="replay.py")
    assert (done.code, done.err) == (0, "")
    assert "event for event" in done.out
    assert "turn 2: ooo" in done.out


@pytest.mark.parametrize("name", ["stones.png", "stones.html", "stones.gif"])
def test_it_is_shown(shell: Shell, name: str) -> None:
    shell.json(*MATCH)
    done = shell.run("--export", name, tool="replay.py")
    assert (done.code, done.err) == (0, "")
    assert (shell.home / name).stat().st_size > 0


def test_it_has_tournaments(shell: Shell) -> None:
    done = shell.run("-g", "stones", "-r", "tournament", "--games", "1", "--no-report", "-q")
    assert (done.code, done.err) == (0, "")
    assert "player_one" in done.out
