"""`--render web`: a match of the command line, watched in a browser while it is played."""

import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2
import pytest

from runners.configuration import HOME
from tests import needs
from tests.shell import ENVIRONMENT, QUICK, SLEEPER, WALKER, Shell
from tests.terminals import python

pytestmark = needs.SHELL

BOTS = ("-1", "player_sleeper", "-2", "player_walker")
ADDRESS = re.compile(r"watch it at (http://\S+)")
PATIENCE_S = 50


class Match:
    """A match that is played, and the address at which it is watched."""

    def __init__(self, shell: Shell, *arguments: str) -> None:
        opened = shell.home / "opened"
        browser = shell.home / "browser"
        browser.write_text(f'#!/bin/sh\necho "$1" > "{opened}"\n')
        browser.chmod(0o755)
        self.opened = opened
        self.process = subprocess.Popen(
            [*python(str(shell.home / "main.py")), "--render", "web", *arguments],
            cwd=shell.home,
            env={**ENVIRONMENT, "BROWSER": f"{browser} %s", "TMPDIR": str(shell.home)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = self.address = ""
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.said += line
            if found := ADDRESS.search(line):
                self.address = found[1]
                break
        assert self.address, self.said
        parts = urlsplit(self.address)
        self.base = f"{parts.scheme}://{parts.netloc}"

    def browser(self) -> httpx2.Client:
        return httpx2.Client(base_url=self.base, timeout=PATIENCE_S)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()


SHELL_BOTS = {"player_sleeper.py": SLEEPER, "player_walker.py": WALKER}


@pytest.fixture
def match(shell: Shell) -> Iterator[Match]:
    match = Match(shell, *BOTS, *QUICK)
    yield match
    match.close()


def messages(lines: Iterator[str]) -> Iterator[Any]:
    for line in lines:
        field, _, data = line.partition(": ")
        if field == "data":
            yield json.loads(data)


def test_a_match_is_watched_to_its_end_and_ends_with_its_page(match: Match) -> None:
    with match.browser() as browser:
        page = browser.get(match.address, follow_redirects=True)
        assert page.status_code == 200
        assert "player_sleeper : player_walker" in page.text
        assert "key=" not in str(page.url)
        with browser.stream("GET", "/api/v1/games/match/scene") as stream:
            received = messages(stream.iter_lines())
            first = message = next(received)
            while message["isGrowing"]:
                assert message["seed"] is None
                message = next(received)
            assert "facts" in first
            assert message["seedHash"] == first["seedHash"]
            assert message["seed"] is not None
            assert match.process.poll() is None
    out, _ = match.process.communicate(timeout=PATIENCE_S)
    assert match.process.returncode == 0
    assert "player_sleeper" in out
    assert match.opened.read_text().strip() == match.address


@pytest.mark.slow
def test_the_key_in_the_address_is_good_for_once(match: Match) -> None:
    with match.browser() as browser, match.browser() as other:
        assert browser.get("/games/match/watch").status_code == 404
        assert browser.get("/games/match/watch?key=guessed").status_code == 404
        assert browser.get(match.address).status_code == 303
        assert other.get(match.address).status_code == 404
        assert other.get("/api/v1/games/match/scene").status_code == 404
        assert browser.get("/games/match/watch").status_code == 200


@pytest.mark.slow
def test_a_name_of_somebody_elses_is_refused(match: Match) -> None:
    with match.browser() as browser:
        answer = browser.get(match.address, headers={"host": "elsewhere.example"})
    assert answer.status_code == 421


@pytest.mark.slow
def test_the_game_of_death_is_announced_to_be_shown_after_its_end(shell: Shell) -> None:
    for name in ("player_one.py", "player_two.py"):
        bot = HOME / "playerCode/game_of_death" / name
        shell.bot(f"playerCode/game_of_death/{name}", bot.read_text("utf-8"))
    match = Match(shell, "-g", "game_of_death", "--preset", "small", "--set", "max_turns=2")
    try:
        assert "Game of Death is shown once it is over" in match.said
        with match.browser() as browser:
            browser.get(match.address, follow_redirects=True)
            with browser.stream("GET", "/api/v1/games/match/scene") as stream:
                received = messages(stream.iter_lines())
                message = next(received)
                while "words" in message and "columns" not in message:
                    message = next(received)
                assert message["isWhole"]
    finally:
        match.close()
