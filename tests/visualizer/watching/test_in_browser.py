"""Matches in the browser: those that are recorded, and all where arcade cannot be installed."""

import platform
import sys
import webbrowser
from pathlib import Path

import pytest

from engine.replays.reading import Replay
from engine.support.extras import how_to_install
from tests.golden.record import replay_path
from visualizer.backends import NoViewer
from visualizer.watching import render, viewer_process
from visualizer.watching.render import Render
from visualizer.watching.viewer_process import viewer_for
from visualizer.watching.watch import watch

LACKING = f"no window: arcade is not installed here ({how_to_install('window')})"


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Stands for the browser: the addresses that it was told to open."""
    addresses: list[str] = []
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    return addresses


@pytest.fixture
def _without_arcade(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = {"starlette": object()}
    monkeypatch.setattr(render, "find_spec", packages.get)
    monkeypatch.setattr(render, "has_wheels", lambda *_: True)
    monkeypatch.setenv("DISPLAY", ":0")


def test_a_recorded_match_is_a_page_in_the_folder_of_results(
    opened: list[str], tmp_path: Path
) -> None:
    received: list[str] = []
    assert watch([Replay(replay_path("small"))], Render.WEB, 3, tmp_path, received.append)
    page = tmp_path / "watched.html"
    assert opened == [page.as_uri()]
    assert received == [f"watch it in the browser: {page.as_uri()}"]
    assert b"<html" in page.read_bytes()


def test_two_recorded_matches_are_two_pages(opened: list[str], tmp_path: Path) -> None:
    replays = [Replay(replay_path("small")), Replay(replay_path("small"))]
    assert watch(replays, Render.WEB, 0, tmp_path, lambda words: None)
    names = ("watched.html", "2_watched.html")
    assert opened == [(tmp_path / name).as_uri() for name in names]


@pytest.mark.usefixtures("_without_arcade")
def test_without_arcade_a_recorded_match_is_shown_in_the_browser_and_that_is_said(
    opened: list[str], tmp_path: Path
) -> None:
    received: list[str] = []
    assert watch([Replay(replay_path("small"))], Render.AUTO, 0, tmp_path, received.append)
    (address,) = opened
    assert received == [f"{LACKING}; watch it in the browser: {address}"]


@pytest.mark.usefixtures("_without_arcade")
def test_without_arcade_a_window_that_was_asked_for_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoViewer, match="--render window: no window: arcade is not installed"):
        watch([Replay(replay_path("small"))], Render.WINDOW, 0, tmp_path, print)
    with (
        pytest.raises(NoViewer, match="--render window: no window: arcade is not installed"),
        viewer_for(Render.WINDOW, tmp_path, print),
    ):
        pass


def test_where_arcade_has_no_wheels_nobody_is_told_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(render, "find_spec", lambda name: None)
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    monkeypatch.setattr(sys, "platform", "linux")
    assert "pip install" not in render.why_no_library()
    assert not render.has_wheels((3, 14), "darwin", "arm64")


class AnyViewer(viewer_process.HiddenViewer):
    """Stands for a viewer in a process of its own."""

    words = "watch it at http://127.0.0.1/"

    def __init__(self, render: Render, out: Path) -> None:
        assert render is Render.WEB


@pytest.mark.usefixtures("_without_arcade")
def test_without_arcade_a_match_that_is_played_is_shown_in_the_browser_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[str] = []
    monkeypatch.setattr(viewer_process, "Viewer", AnyViewer)
    assert isinstance(viewer_process._open(Render.AUTO, tmp_path, received.append), AnyViewer)
    assert received == [f"{LACKING}; watch it at http://127.0.0.1/"]


@pytest.mark.usefixtures("_without_arcade")
def test_without_a_screen_no_browser_opens_by_itself(
    opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in render.DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    assert not watch([Replay(replay_path("small"))], Render.AUTO, 0, tmp_path, lambda words: None)
    assert opened == []


@pytest.mark.usefixtures("_without_arcade")
def test_without_arcade_and_server_a_match_is_played_unseen_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewer_process, "can_serve", lambda: False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    received: list[str] = []
    assert viewer_process._open(Render.AUTO, tmp_path, received.append) is None
    assert received == [f"not shown: {LACKING}; {viewer_process.REMEDY}"]
