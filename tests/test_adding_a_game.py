"""What docs/adding_a_game.md says is typed, and what it shows is what `new-game` writes."""

import json
import re
import shlex
import signal
import subprocess

import httpx2
import pytest

import bootstrap
from tests.game_packages import NAME
from tests.shell import ENVIRONMENT, finish
from tests.test_games_of_others import Environment

GUIDE = (bootstrap.HOME / "docs/adding_a_game.md").read_text(encoding="utf-8")
COMMANDS = re.search(r"^```bash\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
EXCERPT = re.compile(r"^```python\n# (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MATCH = ("-g", "take_stones", "-1", "player_one", "-2", "player_none", "--seed", "7", "--json")
NOBODY = """
from take_stones.game import BasePlayer

class Player(BasePlayer):
    def decide(self, stones, most):
        return "none, thank you"
"""


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    there = Environment(tmp_path_factory.mktemp("adding"), NAME, is_editable=True)
    assert COMMANDS is not None
    for command in COMMANDS[1].splitlines():
        words = shlex.split(command)[1:]
        if "pip" in words:
            there.install(*words[-2:])
        else:
            there.run(*words)
    bot = there.home / "take_stones/take_stones/bots/player_none.py"
    bot.write_text(NOBODY, encoding="utf-8")
    return there


def test_it_shows_what_is_written(there: Environment) -> None:
    excerpts = EXCERPT.findall(GUIDE)
    assert len(excerpts) == 5
    for name, text in excerpts:
        assert text in (there.home / "take_stones" / name).read_text(encoding="utf-8"), name


def test_its_match_is_played_and_won_by_the_bot_that_can_count(there: Environment) -> None:
    result = json.loads(there.run("main.py", *MATCH))
    assert (result["winner"], result["reason"]) == (1, "last stone")
    assert result["teams"][1]["faults"] == {"illegal order": result["turns"] // 2}
    assert "turn 2: ooo" in there.run("replay.py", "--verify", "--print", "2")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["stones.png", "stones.gif"])
def test_it_is_shown(there: Environment, name: str) -> None:
    there.run("main.py", *MATCH)
    there.run("replay.py", "--export", name)
    assert (there.home / name).stat().st_size > 0


def test_a_person_has_a_seat(there: Environment) -> None:
    """`legal_orders` is all that this takes."""
    parts = ("main.py", "play", "-g", "take_stones", "--no-browser", "--new")
    process = subprocess.Popen(
        [there.python, *parts, "--against", "player_one"],
        cwd=there.home,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"(http://\S+)/games/(\w+)\?key=", line)
        assert found, line
        client = httpx2.Client()
        client.get(line.split()[-1])
        url = f"{found[1]}/api/v1/games/{found[2]}"
        position = client.get(url).json()
        (choice,) = position["board"]["choices"]
        assert choice["orders"] == [1, 2, 3]
        assert [len(squares) for squares in choice["squares"]] == [1, 1, 1]
        body = {"step": 0, "team": 1, "order": 3}
        assert client.post(f"{url}/orders", json=body).json() == {"step": 1}
        assert "bundles/play_form.js" in client.get(f"{found[1]}/games/{found[2]}").text
    finally:
        process.send_signal(signal.SIGINT)
        assert finish(process).code == 130


@pytest.mark.slow
def test_it_has_tournaments(there: Environment) -> None:
    parts = ("-g", "take_stones", "-r", "tournament", "--pairs", "1", "--no-report", "-q")
    assert "player_two" in there.run("main.py", *parts, "player_one", "player_two")
