"""Tests in a terminal that draws what it is told: tmux."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap
from tests import needs
from tests.engine.recorded import record
from tests.shell import ENVIRONMENT, eventually

pytestmark = [needs.program("tmux", package="tmux")]


class Pane:
    """A shell in tmux."""

    def __init__(self, folder: Path) -> None:
        self._socket = str(folder / "tmux")
        environment = {
            **ENVIRONMENT,
            "TERM": "xterm-256color",
            "PS1": "$ ",
            "COLORTERM": "truecolor",
        }
        subprocess.run(
            [*self._tmux, "-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh"],
            check=True,
            cwd=folder,
            env=environment,
        )

    @property
    def _tmux(self) -> list[str]:
        return ["tmux", "-S", self._socket]

    def do(self, *parts: str) -> str:
        command = [*self._tmux, *parts]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    def type(self, line: str) -> None:
        self.do("send-keys", "-l", line)
        self.press("Enter")

    def press(self, *keys: str) -> None:
        self.do("send-keys", *keys)

    def shows(self, text: str) -> bool:
        return eventually(lambda: text in self.text)

    def says(self, line: str) -> bool:
        """Return whether a line says this alone, perhaps behind a prompt that came late."""
        return eventually(lambda: re.search(rf"^(\S+ )?{line}$", self.text, re.MULTILINE))

    def does_not_show(self, text: str) -> bool:
        return eventually(lambda: text not in self.text)

    @property
    def text(self) -> str:
        return self.do("capture-pane", "-p")

    @property
    def modes(self) -> str:
        """Return whether the other screen is shown, and the cursor."""
        return self.do("display-message", "-p", "#{alternate_on} #{cursor_flag}").strip()

    def close(self) -> None:
        subprocess.run([*self._tmux, "kill-server"], check=False)


@pytest.fixture
def pane(tmp_path: Path) -> Iterator[Pane]:
    pane = Pane(tmp_path)
    yield pane
    pane.close()


@pytest.fixture
def watch(tmp_path: Path) -> str:
    """The command that watches a match of 45 turns."""
    path = tmp_path / "replay.jsonl.gz"
    record(path)
    return f"{sys.executable} {bootstrap.HOME / 'replay.py'} {path} --render terminal"


def test_it_is_drawn_obeys_keys_and_leaves_everything_as_it_was(pane: Pane, watch: str) -> None:
    pane.type("echo before; stty -a > before")
    pane.type(watch)
    assert pane.shows("turn 1 of 45")
    assert pane.modes == "1 0"
    pane.press("Space", "Home", "Space")
    assert pane.shows("turn 0 of 45")
    pane.press("PageDown", "PageDown", "PageDown")
    assert pane.shows("turn 3 of 45   ‖ 1x")
    pane.press("Right")
    assert pane.shows("turn 4 of 45")
    pane.press("S-Left")
    assert pane.shows("turn 3 of 45")
    pane.press("End")
    assert pane.shows("turn 45 of 45")
    pane.press("+", "+")
    assert pane.shows("‖ 4x")
    pane.press("h")
    assert pane.shows("previous key moment")
    pane.press("Escape")
    assert pane.does_not_show("previous key moment")
    pane.press("q")
    assert pane.shows("before")
    pane.type("stty -a > after; cmp before after && echo the same")
    assert pane.says("the same")
    assert pane.modes == "0 1"


@pytest.mark.slow
def test_it_follows_the_size_of_the_window(pane: Pane, watch: str) -> None:
    pane.type(watch)
    assert pane.shows("of 45")
    pane.do("resize-window", "-x", "120", "-y", "35")
    assert eventually(lambda: max(map(len, pane.text.splitlines())) > 100)
    pane.do("resize-window", "-x", "30", "-y", "8")
    assert pane.shows("40x16 needed, this is 30x8")
    pane.do("resize-window", "-x", "80", "-y", "24")
    assert pane.shows("of 45")
    pane.press("q")
    assert eventually(lambda: pane.modes == "0 1")


@pytest.mark.slow
def test_ctrl_c_leaves_the_terminal_as_it_was(pane: Pane, watch: str) -> None:
    pane.type("stty -a > before")
    pane.type(watch)
    assert pane.shows("of 45")
    pane.press("C-c")
    assert pane.shows("stopped")
    pane.type("stty -a > after; cmp before after && echo the same")
    assert pane.says("the same")
    assert pane.modes == "0 1"


@pytest.mark.slow
def test_ctrl_z_stops_it_and_fg_goes_on(pane: Pane, watch: str) -> None:
    pane.type("exec bash --norc -i")
    pane.type("stty -a > before")
    pane.type(watch)
    assert pane.shows("of 45")
    pane.press("Space", "C-z")
    assert pane.shows("Stopped")
    assert pane.modes == "0 1"
    pane.type("stty -a > after; cmp before after && echo the same")
    assert pane.says("the same")
    pane.type("fg")
    assert pane.shows("of 45")
    assert pane.modes == "1 0"
    pane.press("q")
    assert eventually(lambda: pane.modes == "0 1")
