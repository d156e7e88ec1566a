"""`main.py watch`: a bot plays again on each save."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cli.options import MatchOptions
from cli.watch import Digests, Rerun, file_digests, play_on_each_save, wait_for_save
from engine.errors import UsageError
from runners.match_request import MatchRequest, RunOptions
from tests.engine.bots.matches import a_bot
from tests.shell import Shell
from visualizer.watching.render import Render
from visualizer.watching.viewer_process import HiddenViewer


class Closed(HiddenViewer):
    is_closed = True


@pytest.fixture
def options(tmp_path: Path) -> MatchOptions:
    run = RunOptions(out=tmp_path / "out")
    request = MatchRequest(
        game="slime_mind", seed=7, preset="small", settings=("max_turns=3",), run=run
    )
    return MatchOptions(request=request, render=Render.NONE, sprites=(None, None), quiet=True)


@pytest.fixture
def rerun(tmp_path: Path, options: MatchOptions) -> Rerun:
    own = a_bot(tmp_path, "return 'UP'", name="player_mine")
    other = a_bot(tmp_path, "return 'DOWN'", name="player_other")
    return Rerun.from_options(options, str(own), (str(other),), 1)


def saves(rerun: Rerun, *steps: Callable[[], object]) -> Callable[[Digests], bool]:
    """Somebody who does this, one step after each match."""
    left = list(steps)

    def wait(played: Digests) -> bool:
        assert played == file_digests(rerun)
        if not left:
            return False
        left.pop(0)()
        return True

    return wait


def test_each_save_is_played_and_what_it_changed_is_told(
    rerun: Rerun, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def save(decide: str) -> Callable[[], object]:
        return lambda: a_bot(tmp_path, decide, name="player_mine")

    changed = "return 'LEFT' if self.board.turn == 2 else 'UP'"
    wait = saves(rerun, save("return  'UP'"), save(changed), save("(return"), save(changed))
    assert play_on_each_save(rerun, wait) == 0
    output = capsys.readouterr().out
    _, same, other, broken, mended = _parts(output)
    assert "every order is the same as before" in same
    assert "first other order: turn 2, player_mine, piece " in other
    assert other.rstrip().endswith(": LEFT, before UP")
    assert "not played: " in broken
    assert "syntax error: player_mine, line " in broken
    assert "every order is the same as before" in mended


def _parts(told: str) -> list[str]:
    """What was told of each match, which begins with the time."""
    parts: list[str] = []
    for line in told.splitlines():
        if line[:2].isdigit():
            parts.append("")
        parts[-1] += f"{line}\n"
    return parts


def test_what_is_played_so_is_no_result(rerun: Rerun, tmp_path: Path) -> None:
    play_on_each_save(rerun, saves(rerun))
    assert not (tmp_path / "out" / "matches").exists()
    assert len(list((tmp_path / "out" / "watch" / "matches").iterdir())) == 1


def test_a_save_ends_the_waiting(rerun: Rerun, tmp_path: Path) -> None:
    played = file_digests(rerun)
    a_bot(tmp_path, "return 'LEFT'", name="player_mine")
    assert wait_for_save(rerun, HiddenViewer(), played)


def test_a_closed_window_ends_it(rerun: Rerun) -> None:
    assert not wait_for_save(rerun, Closed(), file_digests(rerun))


def test_opponent_and_seed_stay_when_nobody_named_them(options: MatchOptions) -> None:
    rerun = Rerun.from_options(options, "player_one", (), 2)
    first, second = rerun.options.request.players
    assert second is not None
    assert second.endswith("player_one.py")
    assert first is not None
    assert (Path(first), Path(second)) == rerun.files


def test_a_team_that_does_not_play_is_refused(options: MatchOptions) -> None:
    with pytest.raises(UsageError, match="--team 3: this match has teams 1 to 2"):
        Rerun.from_options(options, "player_one", ("player_two",), 3)


def test_options_without_effect_are_refused(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    done = shell.run("--render", "terminal", "watch", "player_one")
    assert (done.code, "choose window or web" in done.err) == (2, True)
    done = shell.run("--in-process", "watch", "player_one")
    assert (done.code, "--in-process would have no effect" in done.err) == (2, True)
