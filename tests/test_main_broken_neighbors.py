"""A bot that is too much, in the folder of others, costs nobody else anything."""

import os
import subprocess
import sys
from contextlib import suppress

import pytest

from tests import needs
from tests.shell import ENVIRONMENT, QUICK, WALKER, Shell

with suppress(ImportError):  # Windows has none
    import resource

pytestmark = needs.call("resource.setrlimit")

GIGABYTE = 1_000_000_000
MAX_MB = 1_500
"""Bytes of address space. What is read of these bots where nobody looks first takes more."""
BROKEN = {
    "player_count": "has more than 1000 files, and a bot may have 1000",
    "player_deep": "its source is nested too deeply, or takes more than 512 MB to parse",
    "player_long": "a bot may have 1 MB of source (.py files), and this one has 3 MB",
    "player_nodes": "its source is nested too deeply, or takes more than 512 MB to parse",
    "player_pipe": "a pipe, socket or device; a bot's folder may hold ordinary files only",
    "player_sparse": "a bot may have 32 MB of files, and this one has 20000.",
}


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """Two honest bots among those that would break us."""
    shell = Shell(tmp_path_factory.mktemp("project"))
    shell.bot("player_one.py", f"{WALKER}\nNAME = 'One'\n")
    shell.bot("player_two.py", f"{WALKER}\nNAME = 'Two'\n")
    folder = shell.home / "playerCode"
    for name in ("player_sparse", "player_pipe", "player_count"):
        shell.bot(f"playerCode/{name}/__init__.py", WALKER)
    with (folder / "player_sparse" / "weights.npy").open("wb") as file:
        file.truncate(20 * GIGABYTE)
    os.mkfifo(folder / "player_pipe" / "pipe")
    for number in range(20_000):
        (folder / "player_count" / f"{number}.txt").touch()
    (folder / "player_long.py").write_text("# a table\n" * 300_000)
    (folder / "player_nodes.py").write_text("a\n" * 490_000)
    (folder / "player_deep.py").write_text("-" * 99_999 + "1\n")
    return shell


def run_limited(shell: Shell, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """A command that may have no more than so much memory, nor any process it starts."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MAX_MB << 20, MAX_MB << 20))

    return subprocess.run(
        [sys.executable, str(shell.home / "main.py"), *arguments],
        cwd=shell.home,
        env=ENVIRONMENT,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
def test_a_listing_says_what_is_too_much_of_each(shell: Shell) -> None:
    done = run_limited(shell, "info", "bots")
    assert (done.returncode, done.stderr) == (0, "")
    lines = {line.split()[0].removesuffix(".py"): line for line in done.stdout.splitlines() if line}
    for name, words in BROKEN.items():
        assert words in lines[name]
    assert "One" in lines["player_one"]
    assert "Two" in lines["player_two"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "players", [("-1", "player_one", "-2", "player_two"), ("-1", "player_one")]
)
def test_two_others_play_beside_them(shell: Shell, players: tuple[str, ...]) -> None:
    done = run_limited(shell, "-q", *QUICK, *players)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow
def test_a_tournament_leaves_them_out_by_name_and_reason(shell: Shell) -> None:
    done = run_limited(shell, *QUICK, "tournament", "--pairs", "1", "--no-report")
    assert done.returncode == 0, done
    for name, words in BROKEN.items():
        lines = done.stderr.splitlines()
        assert any(f"{name}, " in line and words in line for line in lines), (name, lines)


@pytest.mark.variants(1)
@pytest.mark.parametrize("name", ["player_sparse", "player_count", "player_long"])
def test_one_that_is_named_is_refused_with_limit_and_value(shell: Shell, name: str) -> None:
    done = run_limited(shell, "-q", *QUICK, "-1", name, "-2", "player_one")
    assert done.returncode == 2
    assert BROKEN[name] in done.stderr
    assert "Traceback" not in done.stderr
