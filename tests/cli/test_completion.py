"""What a shell offers, asked as shells ask: through click's completion."""

from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from cli.main import cli
from tests.cases import for_each

VARIABLE = "_SLIME_MIND_ARENA_COMPLETE"


@pytest.fixture(autouse=True)
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("player_one.py", "player_six.py", "smac/player_ant.py"):
        path = tmp_path / "playerCode" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.chdir(tmp_path)


def complete(*arguments: str) -> list[str]:
    """Return what may stand for the last of these words."""
    shell = BashComplete(cli, {}, "slime-mind-arena", VARIABLE)
    return [item.value for item in shell.get_completions(list(arguments[:-1]), arguments[-1])]


@for_each(
    "arguments, expected",
    [
        (["ser"], ["series", "serve"]),
        (["s"], ["series", "serve", "submit"]),
        (["--pres"], ["--preset"]),
        (["-g", "sma"], ["smack", "smac"]),
        (["--sandbox", "b"], ["bwrap"]),
        (["-r", ""], ["single_match", "multi_match", "tournament"]),
        (["--render", "t"], ["terminal"]),
        (["--preset", "s"], ["small", "standard"]),
        (["-g", "smac", "--preset", "s"], ["short", "standard"]),
        (["--set", "max_t"], ["max_turns="]),
        (["-g", "smac", "--set", "last"], ["last_turn="]),
        (["--limit", "cpu"], ["cpu_ms="]),
        (["-1", "player_"], ["player_one", "player_six"]),
        (["--player-2", "player_s"], ["player_six"]),
        (["-g", "smac", "-p", ""], ["player_ant"]),
        (["versus", "player_o"], ["player_one"]),
        (["versus", "player_one", "player_s"], ["player_six"]),
        (["tournament", "player_o"], ["player_one"]),
        (["tournament", "--format", "sw"], ["swiss"]),
        (["-r", "tournament", "player_one", "--form"], ["--format"]),
        (["info", "bots", "player_s"], ["player_six"]),
    ],
)
def test_a_word_is_completed(arguments: list[str], expected: list[str]) -> None:
    assert complete(*arguments) == expected


def test_a_path_of_a_bot_is_left_to_the_shell() -> None:
    shell = BashComplete(cli, {}, "slime-mind-arena", VARIABLE)
    assert [item.type for item in shell.get_completions(["-1"], "../my")] == ["file"]


def test_bash_is_given_its_script() -> None:
    script = BashComplete(cli, {}, "slime-mind-arena", VARIABLE).source()
    assert "_SLIME_MIND_ARENA_COMPLETE=bash_complete" in script
