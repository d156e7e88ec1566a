"""Who may read and write results is the umask's to say; everybody may write them never."""

import stat
from pathlib import Path

import pytest

from tests import needs
from tests.shell import QUICK, WALKER, Shell

pytestmark = needs.MODES

PNG = Path(__file__).parents[1] / "resources" / "sprites" / "slime_mind" / "rock.png"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """Two bots: one has a picture and prints, the other is a folder."""
    shell = Shell(tmp_path)
    walker = WALKER.replace("return", "print('here'); return")
    shell.bot("player_one.py", walker)
    shell.bot("playerCode/player_two/__init__.py", f"{WALKER}\nfrom . import helper\n")
    shell.bot("playerCode/player_two/helper.py", "")
    (tmp_path / "playerCode" / "player_one.png").write_bytes(PNG.read_bytes())
    return shell


def play_everything(shell: Shell, umask: int) -> dict[str, int]:
    """Every way to leave something in results; the modes of all that is there then, by name."""
    bots = ("-1", "player_one", "-2", "player_two")
    for words in (
        ("-q", *QUICK, *bots),
        ("-q", *QUICK, *bots, "--in-process"),
        ("-q", *QUICK, *bots, "-r", "multi_match", "-m", "2", "--no-replay"),
        ("-q", *QUICK, "tournament", "--name", "cup", "--pairs", "1", "--report"),
    ):
        done = shell.run(*words, umask=umask)
        assert done.code == 0, done
        assert "error" not in done.out, done
    exported = shell.run(
        *(str(next((shell.matches).rglob("replay.jsonl.gz"))), "--export", "results/match.html"),
        tool="replay.py",
        umask=umask,
    )
    assert exported.code == 0, exported
    results = shell.home / "results"
    return {
        str(path.relative_to(shell.home)): stat.S_IMODE(path.lstat().st_mode)
        for path in (results, *results.rglob("*"))
    }


@pytest.mark.slow
def test_results_are_private_under_a_private_umask(shell: Shell) -> None:
    modes = play_everything(shell, 0o077)
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077} == {}
    kinds = ("match.json", "replay.jsonl.gz", ".log", ".sqlite", "index.html", ".png", "bot.py")
    assert all(any(name.endswith(kind) for name in modes) for kind in kinds)


@pytest.mark.slow
def test_nobody_else_may_write_results_under_no_umask(shell: Shell) -> None:
    modes = play_everything(shell, 0o000)
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o002} == {}
    assert modes["results/matches"] & 0o555 == 0o555
