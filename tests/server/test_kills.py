"""A server that is killed anywhere has lost nothing that it said it had."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from random import Random
from typing import Any

import httpx2
import pytest

import bootstrap
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from server.games.game_sessions import GameSession
from server.games.game_storage import GameStorage
from tests import needs
from tests.examples import at_length
from tests.processes import kill, list_children
from tests.server.playing import choose_orders
from tests.shell import Shell, eventually

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), needs.PROC]

KILLS = at_length(50, else_=15)
BREATH = 5
"""The game is given the time to go on after so many kills."""


class Server:
    """`main.py play` in a process of its own, and a person who plays there."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._client = httpx2.Client(timeout=20)
        self._process: Any = None
        self.base = self.game = ""
        self.acknowledged: list[tuple[int, int, str]] = []
        """Board, number of plies before, and the move."""

    def start(self) -> None:
        parts = ("play", "--no-browser", "--against", "player_one")
        resumes = ("--continue",) if self.game else ("--new",)
        self._process = self._shell.start(*parts, *resumes, "--set", "ply_limit=2000")
        line = self._process.stdout.readline()
        found = re.search(r"(http://\S+)/games/(\w+)\?key=(\S+)", line)
        assert found, (line, self._process.stderr.read())
        self.base, self.game = found[1], found[2]
        self._client.get(found[0])

    def play(self) -> None:
        """Play a move wherever it is the person's turn, and note what is acknowledged."""
        position = self._client.get(f"{self.base}/api/v1/games/{self.game}").json()
        for half, order in choose_orders(position):
            url = f"{self.base}/api/v1/games/{self.game}/orders"
            if self._client.post(url, json=order).status_code == 200:
                self.acknowledged.append((half["number"], half["ply"], order["order"]))

    def play_on(self, moves: int) -> None:
        """Play until so many more moves are acknowledged."""
        wanted = len(self.acknowledged) + moves

        def is_enough() -> bool:
            self.play()
            return len(self.acknowledged) >= wanted

        assert eventually(is_enough)

    def kill(self, *, worker: bool) -> None:
        """Kill the server, or the processes in which its bots think."""
        if not worker:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._process.stderr.close()
            return
        for pid in list_children(self._process.pid):
            kill(pid)


STARTER = "playerCode/smack/player_one.py"
SHELL_BOTS = {STARTER: (bootstrap.HOME / STARTER).read_text()}


def test_nothing_acknowledged_is_lost_and_nothing_is_played_twice(
    shell: Shell, tmp_path: Path
) -> None:
    dice, server = Random(15), Server(shell)
    server.start()
    for number in range(KILLS):
        until = time.monotonic() + dice.random() * 0.3
        while time.monotonic() < until:
            server.play()
        if number % BREATH == 0:  # a bot that was killed needs a second to be there again
            server.play_on(2)
        worker = dice.random() < 0.5
        server.kill(worker=worker)
        if not worker:
            server.start()
    before = len(server.acknowledged)
    assert before >= 2 * KILLS / BREATH
    server.play_on(4)  # the bot is asked again, whoever was killed before it answered
    server.kill(worker=False)
    storage = GameStorage(shell.home / "results" / "games.sqlite")
    stored = storage.find_game(server.game)
    assert stored is not None
    session = GameSession(stored, storage)
    played: dict[int, list[str]] = {1: [], 2: []}
    for decision in session.decisions:
        assert decision.ask is not None
        played[decision.ask.piece_id].append(decision.orders[0].move)
    for board, ply, move in server.acknowledged:
        assert played[board][ply] == move
    assert [half.ply for half in session.stepper.state.halves] == [len(played[1]), len(played[2])]
    session.record(tmp_path / "replay")
    assert verify(Replay(tmp_path / "replay")) is None
    assert eventually(lambda: not shell.processes())


def test_the_same_command_goes_on_with_the_game_after_ctrl_c(shell: Shell) -> None:
    server = Server(shell)
    server.start()
    server.play()
    process = server._process
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=50)
    assert process.returncode == 130
    assert "main.py play -g smack" in err
    assert "Traceback" not in err
    server.start()
    server.play()
    again: subprocess.Popen[str] = server._process
    assert again.poll() is None
