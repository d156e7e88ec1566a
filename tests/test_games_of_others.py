"""Games in packages of others: found when they are asked for, and no harm when they are broken."""

import json
import logging
import re
import shutil
import signal
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from uv import find_uv_bin

from engine import catalog
from engine.catalog import GAMES, OURS, describe_game, find_game
from engine.errors import BadSettings, UnknownGame
from engine.spec import decode_spec, encode_spec
from runners.configuration import UNCONFIGURED
from runners.execution.remote_worker import code_digest, worker_identity
from runners.match_request import MatchRequest
from runners.planning import MatchPlan
from slime_mind_arena.testing import GameContract
from tests.game_packages import BIDS, COOKBOOK, NAME, Install, forget
from tests.shell import ENVIRONMENT, Shell, finish

EXAMPLE = COOKBOOK / NAME
DESCRIPTION = (EXAMPLE / "connect_four/__init__.py").read_text(encoding="utf-8")
READS_ITS_GAME = """
from pathlib import Path
import connect_four
Path(connect_four.__file__).with_name("game.py").read_text()
"""
"""Its files can be read in the sandbox."""
CLOCK = "str(__import__('time').perf_counter_ns())"


def test_a_game_of_a_package_is_one_like_ours(install: Install, tmp_path: Path) -> None:
    install()
    assert [*GAMES] == [*OURS, NAME]
    assert find_game(NAME).title == "Connect Four"
    assert describe_game(NAME).starter_bots == ("player_left", "player_looking")
    assert catalog.find_package_code(NAME) == (tmp_path / NAME,)


def test_packages_are_looked_for_where_a_name_is_not_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalog, "_find_entry_points", lambda: pytest.fail("looked for packages"))
    assert all(find_game(name).name == name and name in GAMES for name in OURS)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("api=1", "api=2", r"made for version 2 of the protocol of games, and this is 1"),
        ("api=1", "api='1'", r"made for version 1"),
        ('    scene="connect_four.scene:ConnectFourScene",\n', "", r"TypeError: .*'scene'"),
        ("connect_four.scene:", "connect_four.view:", r"scene is not there: 'connect_four\.view"),
        ('"connect_four:bots"', "7", r"Expected `str`, got `int` - at `\$\.bots`"),
        ("game:ConnectFour", "game:Grid", r"Grid is no class that derives from engine\.game\.Game"),
        ("game:ConnectFour", "game:Chess", r"AttributeError: .*'Chess'"),
        ("GAME = ", "GAME = 3  # ", r"expected a Description"),
        ("GAME = ", "raise SystemExit('bye')\nGAME = ", r"SystemExit: bye"),
    ],
)
def test_a_broken_package_says_why_and_stops_nothing(
    install: Install,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    old: str,
    new: str,
    why: str,
) -> None:
    assert old in DESCRIPTION
    text = DESCRIPTION.replace(old, new, 1).replace("GAME = 3  # Description(", "GAME = dict(")
    (tmp_path / NAME / "__init__.py").write_text(text, encoding="utf-8")
    install()
    with pytest.raises(UnknownGame, match=f"the game {NAME} of connect-four 1.0 .*{why}"):
        find_game(NAME)
    with caplog.at_level(logging.WARNING):
        assert [*GAMES] == [*GAMES] == [*OURS]
    assert len(caplog.records) == 1
    assert f"the game {NAME} of connect-four 1.0" in caplog.text


def test_of_two_packages_with_one_name_none_is_played(install: Install) -> None:
    install("connect-four")
    install("other-four")
    with pytest.raises(
        UnknownGame, match=r"of connect-four 1\.0 and other-four 1\.0 is in several"
    ):
        find_game(NAME)
    assert NAME not in GAMES


def test_a_package_does_not_take_the_name_of_a_game_of_ours(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    install(name="smack")
    assert [*GAMES] == [*OURS]
    assert "has the name of a game of ours" in caplog.text
    assert type(find_game("smack")).__module__ == "engine.games.smack.game"


def test_a_match_is_of_the_package_that_it_was_played_with(
    install: Install, tmp_path: Path
) -> None:
    install()
    request = MatchRequest(game=NAME, players=("player_left", "player_looking"))
    spec = MatchPlan(request, UNCONFIGURED).spec(())
    assert spec.publisher == "connect-four 1.0"
    assert decode_spec(encode_spec(spec)) == spec
    code = worker_identity(NAME).code
    assert code.startswith(f"{worker_identity().code}+")
    (tmp_path / NAME / "game.py").open("a").write("# another one\n")
    code_digest.cache_clear()
    assert worker_identity(NAME).code != code
    shutil.rmtree(tmp_path / "connect_four-1.0.dist-info")
    install("other-four")
    with pytest.raises(UnknownGame, match=r"other-four 1\.0: pip install connect-four"):
        decode_spec(encode_spec(spec))
    shutil.rmtree(tmp_path / "other_four-1.0.dist-info")
    forget()
    with pytest.raises(UnknownGame, match=r"installed is none: pip install connect-four"):
        decode_spec(encode_spec(spec))


class Contract(GameContract):
    game = NAME
    __test__ = False


@pytest.mark.parametrize(
    ("test", "file", "old", "new"),
    [
        ("its_parts_are_there", "__init__.py", '"player_left", ', '"player_right", '),
        ("its_presets_can_be_played", "presets/large.toml", "9", "2"),
        ("random_matches_end_with_a_score_for_each_team", "game.py", "in columns:", "in [0]:"),
        ("events_alone_change_the_state", "game.py", "row = len", "state.turn += 3; row = len"),
        ("the_same_seed_and_orders_give_the_same_events", "game.py", '"four in a line"', CLOCK),
        ("what_is_no_order_is_refused_with_a_reason", "game.py", "{answer!r:.60}", "{answer!r}"),
        ("its_scene_touches_whatever_an_event_changes", "scene.py", "in squares]", "in ()]"),
    ],
)
def test_the_contract_of_games_holds_and_notices_what_breaks_it(
    install: Install, tmp_path: Path, test: str, file: str, old: str, new: str
) -> None:
    install()
    getattr(Contract(), f"test_{test}")()
    text = (tmp_path / NAME / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / NAME / file).write_text(text.replace(old, new), encoding="utf-8")
    forget()
    with pytest.raises((AssertionError, BadSettings)):
        getattr(Contract(), f"test_{test}")()


class Environment:
    """A project of ours with a Python of its own, in which the example is installed."""

    def __init__(self, home: Path, example: str, *, is_editable: bool) -> None:
        self.home = Shell(home).home
        source, fresh = home / "source", home / "fresh"
        shutil.copytree(COOKBOOK / example, source)
        self._run(find_uv_bin(), "venv", "--python", sys.executable, fresh)
        self.python = fresh / "bin" / "python"
        (site,) = fresh.rglob("site-packages")
        (site / "ours.pth").write_text(f"{sysconfig.get_path('purelib')}\n{home}\n")
        if is_editable:
            what: list[Path | str] = ["--editable", source]
        else:
            self._run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", cwd=source)
            what = [*source.glob("dist/*.whl")]
            shutil.rmtree(source / example)
        self.install(*what)

    def install(self, *what: Path | str) -> None:
        pip = (find_uv_bin(), "pip", "install", "--no-deps", "--no-build-isolation", "--offline")
        self._run(*pip, "--python", self.python, *what, cwd=self.home)

    def uninstall(self, distribution: str) -> None:
        where = "--python", self.python
        self._run(find_uv_bin(), "pip", "uninstall", *where, distribution, cwd=self.home)

    def run(self, tool: str, *parts: str) -> str:
        """Return what a command of ours prints, which succeeds."""
        return self._run(self.python, tool, *parts, cwd=self.home, env=ENVIRONMENT)

    @contextmanager
    def serve(self, tool: str, *parts: str) -> Iterator[str]:
        """Give the address that a command of ours prints, which is stopped in the end."""
        process = subprocess.Popen(
            [self.python, tool, *parts],
            cwd=self.home,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        lines = [process.stdout.readline()]
        try:
            while "http://" not in lines[-1]:
                lines.append(process.stdout.readline())
                assert lines[-1], lines
            yield lines[-1].split()[-1]
        finally:
            process.send_signal(signal.SIGINT)
            done = finish(process)
        assert done.code == 130, (lines, done)

    def _run(self, *command: Path | str, **options: Any) -> str:
        done: subprocess.CompletedProcess[str] = subprocess.run(
            command, capture_output=True, text=True, check=False, **options
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "is_editable", "bots", "reason", "title"),
    [
        (NAME, False, ("left", "looking"), "four in a line", "Left : Looking · Connect Four"),
        (NAME, True, ("left", "looking"), "four in a line", "Left : Looking · Connect Four"),
        (BIDS, False, ("greedy", "modest"), "last turn", "Greedy : Modest · Sealed Bids"),
    ],
)
def test_an_installed_game_is_played_like_ours(
    tmp_path: Path, name: str, is_editable: bool, bots: tuple[str, str], reason: str, title: str
) -> None:
    there = Environment(tmp_path, name, is_editable=is_editable)
    (tmp_path / "playerCode" / name).mkdir()
    for bot in (COOKBOOK / name / name / "bots").glob("*.py"):
        text = READS_ITS_GAME.replace(NAME, name) + bot.read_text(encoding="utf-8")
        (tmp_path / "playerCode" / name / bot.name).write_text(text)
    players = [f"player_{bot}" for bot in bots]
    game = ("-g", name, "--seed", "7", "-1", players[0], "-2", players[1])
    result = json.loads(there.run("main.py", "--json", *game))
    assert (result["winner"], result["reason"]) == (2, reason)
    assert result["teams"][1]["faults"] == {}
    assert "event for event" in there.run("replay.py", "--verify")
    there.run("replay.py", "--export", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert re.findall("<title>(.*)</title>", page) == [title]
    video = ("--fps", "2", "--size", "320x240", "--to", "3")
    there.run("replay.py", "--export", "match.mp4", *video)
    assert (tmp_path / "match.mp4").read_bytes()[4:8] == b"ftyp"
    series = there.run("main.py", *game, "-r", "multi_match", "-m", "4", "-j", "1", "-q")
    assert players[1] in series
    tournament = there.run("main.py", "-g", name, "-r", "tournament", "-j", "1", "--no-report")
    assert re.search(rf"^ +1  {players[1]} ", tournament, re.MULTILINE), tournament
    there.uninstall(f"{name.replace('_', '-')}-arena")
    with pytest.raises(AssertionError, match=rf"the game {name} is that of .* pip install"):
        there.run("replay.py", "--info", result["replay"])


@pytest.mark.slow
@pytest.mark.parametrize(
    "parts",
    [
        ("play", "-g", NAME, "--against", "player_left", "--new", "--no-browser"),
        ("serve", "--jobs", "0", "--port", "0", "--no-exhibitions"),
    ],
    ids=["play", "serve"],
)
def test_a_browser_plays_a_game_of_an_installed_package_to_its_end(
    tmp_path: Path, chromium: Any, parts: tuple[str, ...]
) -> None:
    there = Environment(tmp_path, NAME, is_editable=False)
    page = chromium.new_context().new_page()
    with there.serve("main.py", *parts) as address:
        page.goto(address)
        if parts[0] == "serve":
            card = page.locator("li.card", has_text="Connect Four")
            card.get_by_role("link", name="Choose an opponent").click()
            page.get_by_label("Against").select_option(index=0)  # the weakest
            page.get_by_role("button", name="Play", exact=True).click()
        for row in range(5, 1, -1):
            page.locator(f".can[data-square='3, {row}']").click()
            page.locator(f"[data-square='3, {row}'][aria-label*='disc of team 1']").wait_for()
        page.get_by_role("region", name="Result").get_by_text("You won, 1 : 0").wait_for()


def test_what_is_there_is_not_changed(tmp_path: Path) -> None:
    shell = Shell(tmp_path)
    (tmp_path / "take_stones").mkdir()
    said = {name: shell.run("new-game", name).err for name in ("take_stones", "smack", "A b")}
    assert "take_stones is there already" in said["take_stones"]
    assert "'smack': expected a name of small letters" in said["smack"]
    assert "'A b': expected a name of small letters" in said["A b"]
