"""With --quiet there is the result, and nothing beside it."""

import pytest
from click.testing import CliRunner

from cli.main import cli
from tests.cli.authors import Author
from tests.shell import WALKER

pytestmark = pytest.mark.usefixtures("played_here")

SHORT = ("--preset", "small", "--set", "max_turns=2")
PAIR = ("-1", "player_a", "-2", "player_b")
PARAMS = 'PARAMS = {"reach": 1, "idle": 1}\n'
READS = PARAMS + WALKER.replace("[slime.id % 4]", "[PARAMS['reach'] > 4]")


@pytest.fixture
def watched(author: Author, monkeypatch: pytest.MonkeyPatch) -> Author:
    author.bot("player_a.py", READS)
    author.bot("player_b.py", f"{WALKER}#")
    author.bot("player_broken.py", "def :")
    monkeypatch.setattr("cli.watch.wait_for_save", lambda *words: False)
    return author


@pytest.mark.parametrize(
    "arguments",
    [
        PAIR,
        ("-r", "multi_match", "-m", "2", *PAIR),
        ("versus", "player_a", "player_b", "--max-pairs", "1"),
        ("fairness", "player_a", "player_b", "--pairs", "1"),
        ("tournament", "player_a", "player_b", "--pairs", "1", "--no-report"),
        ("tournament", "--pairs", "1", "--no-report"),
        ("watch", "player_a", "--against", "player_b", "--render", "none"),
        (
            *("tune", "player_a", "--param", "reach=1..9", "--param", "idle=0..2"),
            *("--iterations", "1", "--pairs", "1", "--max-pairs", "0"),
        ),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_quiet_command_prints_nothing_beside_its_result(
    watched: Author, arguments: tuple[str, ...]
) -> None:
    done = CliRunner().invoke(cli, ["-q", *SHORT, *arguments])
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert done.stdout != ""
    assert done.stderr == ""
