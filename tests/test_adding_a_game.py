"""What docs/adding_a_game.md says is a game is one, and nothing else in the house knows it."""

import re
import signal

import httpx2
import pytest

import bootstrap
from tests.shell import Shell, finish

GUIDE = bootstrap.HOME / "docs" / "adding_a_game.md"
FILE = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MATCH = ("-g", "stones", "-1", "player_one", "-2", "player_none", "--seed", "7")
NOBODY = """
from engine.games.stones.game import BasePlayer

class Player(BasePlayer):
    def decide(self, stones, most):
        return "none, thank you"
"""
STONES = '    "stones": _describe_ours("stones", "Stones"),\n'


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    shell = Shell(tmp_path_factory.mktemp("adding"))
    files = dict(FILE.findall(GUIDE.read_text(encoding="utf-8")))
    assert len(files) == 3
    for name, text in files.items():
        shell.change(name, text)
    shell.change("engine/games/stones/__init__.py", '"""Take stones in turns."""\n')
    add_to_the_catalog(shell)
    shell.bot("playerCode/stones/player_none.py", NOBODY)
    return shell


def add_to_the_catalog(shell: Shell) -> None:
    shell.replace("engine/catalog.py", "Description] = {\n", f"Description] = {{\n{STONES}")


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


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stones.png", "stones.html", "stones.gif"])
def test_it_is_shown(shell: Shell, name: str) -> None:
    shell.json(*MATCH)
    done = shell.run("--export", name, tool="replay.py")
    assert (done.code, done.err) == (0, "")
    assert (shell.home / name).stat().st_size > 0


def test_a_person_has_a_seat(shell: Shell) -> None:
    """Eight lines of `legal_orders` are all that this takes."""
    words = ("play", "-g", "stones", "--no-browser", "--new", "--against", "player_one")
    process = shell.start(*words)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"(http://\S+)/games/(\w+)\?key=", line)
        assert found, line
        client = httpx2.Client()
        client.get(line.split()[-1])
        url = f"{found[1]}/api/v1/games/{found[2]}"
        position = client.get(url).json()
        assert position["board"]["choices"] == [{"team": 1, "piece": 0, "orders": [1, 2, 3]}]
        body = {"step": 0, "team": 1, "order": 3}
        assert client.post(f"{url}/orders", json=body).json() == {"step": 1}
        assert "bundles/play_form.js" in client.get(f"{found[1]}/games/{found[2]}").text
    finally:
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130


@pytest.mark.slow
def test_it_has_tournaments(shell: Shell) -> None:
    shell.bot("playerCode/stones/player_few.py", NOBODY.replace('"none, thank you"', "1"))
    words = ("-g", "stones", "-r", "tournament", "--pairs", "1", "--no-report", "-q")
    done = shell.run(*words, "player_one", "player_few")
    assert (done.code, done.err) == (0, "")
    assert "player_one" in done.out
