"""The client of remote bots, in a process of its own, against a server in another."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from bootstrap import HOME
from engine.replays.reading import Replay
from engine.replays.verifying import verify
from server.games.game_storage import GameStorage
from server.identity.people import People
from server.identity.tokens import Scope, Tokens
from tests.processes import kill
from tests.server.members import DATABASE, serving
from tests.shell import ENVIRONMENT, PATIENCE_S, Shell, eventually, finish, free_port

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

CLIENT = HOME / "clients" / "remote" / "remote_bot.py"
RANDOM = """
import random, time
from engine.games.smack.player import BasePlayer

class Player(BasePlayer):
    def decide(self, board):
        self.asked = getattr(self, "asked", 0) + 1
        time.sleep({pause_s})
        if {fails}:
            raise ValueError("not today")
        return random.choice(board.position.moves())
"""
BOT = RANDOM.format(pause_s=0.05, fails=False)
QUICK = RANDOM.format(pause_s=0, fails=False)
FAILS = RANDOM.format(pause_s=0, fails="self.asked % 3 == 0")
AGENT = """
def agent(observation, configuration):
    return "LEFT" if observation.step % 2 else "RIGHT"
"""


class Arena:
    """A server with members, in a process of its own, which can be killed and started again."""

    def __init__(self, home: Path) -> None:
        self.shell = Shell(home)
        for folder in (".", "smack"):
            path = f"playerCode/{folder}/player_one.py"
            self.shell.bot(path, (HOME / path).read_text(encoding="utf-8"))
        self.folder = home / "results"
        self.folder.mkdir()
        self.url = f"http://127.0.0.1:{free_port()}"
        self.tokens: dict[str, str] = {}
        self._clients: list[subprocess.Popen[str]] = []
        self._server: subprocess.Popen[str] | None = None
        with serving(self.folder) as server:
            for name in ("Ann", "Bob"):
                server.member(name)
                person_id = server.person_id(name)
                self.tokens[name] = server.site.tokens.create_token(
                    person_id, "a test", [Scope.PLAY]
                )

    def start(self) -> None:
        arguments = ("--out", str(self.folder), "--port", self.url.rpartition(":")[2])
        self._server = self.shell.start("serve", "--jobs", "0", "--no-exhibitions", *arguments)
        assert self._server.stdout is not None
        assert any(line.startswith("Ctrl-C") for line in self._server.stdout)

    def kill(self) -> None:
        assert self._server is not None
        kill(self._server.pid)
        finish(self._server)

    def play(
        self, name: str, bot: str, *arguments: str, game: str = "smack"
    ) -> "subprocess.Popen[str]":
        """Start the client of a member's bot, which is given by its source."""
        path = self.shell.bot(f"player_{name.lower()}.py", bot)
        token = self.shell.home / f"{name}.txt"
        token.write_text(self.tokens[name] + "\n", encoding="utf-8")
        client = subprocess.Popen(
            [
                *(sys.executable, "-u", str(CLIENT), str(path), "--server", self.url),
                *("--token-file", str(token), "--game", game, "--games", "1", *arguments),
            ],
            env=ENVIRONMENT | {"PYTHONPATH": str(HOME)},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._clients.append(client)
        return client

    def revoke(self, name: str) -> None:
        storage = GameStorage(self.folder / DATABASE)
        people = People(storage.database)
        person = people.find_person_by_name(name)
        assert person is not None
        tokens = Tokens(storage.database, people)
        for token in tokens.find_tokens(person.id):
            tokens.revoke(person.id, token.id)
        storage.close()

    def position(self, game: str) -> Any:
        return httpx2.get(f"{self.url}/api/v1/games/{game}", timeout=PATIENCE_S).json()

    def is_played(self, game: str, decisions: int = 4) -> bool:
        """Wait until a game has so many decisions."""
        return eventually(lambda: self.position(game)["step"] >= decisions)

    def close(self) -> None:
        for process in [*self._clients, self._server]:
            if process is not None and process.poll() is None:
                kill(process.pid)
                process.wait(PATIENCE_S)


@pytest.fixture(name="arena")
def an_arena(tmp_path: Path) -> Iterator[Arena]:
    arena = Arena(tmp_path)
    arena.start()
    try:
        yield arena
    finally:
        arena.close()


def read_game_id(client: "subprocess.Popen[str]") -> str:
    """Return the id of the game that a client begins to play."""
    assert client.stdout is not None
    for line in client.stdout:
        if found := re.match(r"game (\w+): ", line):
            return found[1]
    raise AssertionError("no game has begun")


def read_to_end(client: "subprocess.Popen[str]") -> str:
    """Return what a client prints until it ends, which it does as it should."""
    out, _ = client.communicate(timeout=4 * PATIENCE_S)
    assert client.returncode == 0, out
    return out


def is_recorded(arena: Arena, game: str) -> bool:
    """Return whether the replay of a game is played so by the rules."""
    answer = httpx2.get(f"{arena.url}/games/{game}/replay", timeout=PATIENCE_S)
    path = arena.shell.home / "replay.jsonl.gz"
    path.write_bytes(answer.content)
    verify(Replay(path))
    return True


def test_two_programs_play_each_other_to_the_end(arena: Arena) -> None:
    bob = arena.play("Bob", QUICK)
    ann = arena.play("Ann", QUICK, "--challenge", "Bob")
    game = read_game_id(ann)
    assert read_game_id(bob) == game
    for client in (ann, bob):
        out = read_to_end(client)
        assert f"game {game} is over" in out
        assert "slime_" not in out
    position = arena.position(game)
    assert position["outcome"] is not None
    assert {seat["kind"] for seat in position["seats"]} == {"remote"}
    assert is_recorded(arena, game)


def test_a_game_goes_on_after_the_server_was_killed(arena: Arena) -> None:
    ann = arena.play("Ann", BOT, "--challenge", "bot:player_one")
    game = read_game_id(ann)
    assert arena.is_played(game)
    arena.kill()
    arena.start()
    assert "game" in read_to_end(ann)
    assert arena.position(game)["outcome"] is not None
    assert is_recorded(arena, game)


@pytest.mark.exhaustive
def test_a_game_goes_on_after_the_program_was_killed(arena: Arena) -> None:
    first = arena.play("Ann", BOT, "--challenge", "bot:player_one")
    game = read_game_id(first)
    assert arena.is_played(game)
    kill(first.pid)
    first.wait(PATIENCE_S)
    second = arena.play("Ann", QUICK)
    assert read_game_id(second) == game
    read_to_end(second)
    assert arena.position(game)["outcome"] is not None


def test_a_revoked_token_ends_the_program_and_not_the_game(arena: Arena) -> None:
    ann = arena.play("Ann", BOT, "--challenge", "bot:player_one")
    game = read_game_id(ann)
    assert arena.is_played(game)
    arena.revoke("Ann")
    out, _ = ann.communicate(timeout=2 * PATIENCE_S)
    assert ann.returncode == 1
    assert "401" in out
    assert "a token is needed" in out
    assert arena.tokens["Ann"] not in out
    assert arena.position(game)["outcome"] is None


def test_what_a_bot_cannot_answer_costs_its_decision_alone(arena: Arena) -> None:
    ann = arena.play("Ann", FAILS, "--challenge", "bot:player_one")
    game = read_game_id(ann)
    out = read_to_end(ann)
    assert "ValueError: not today (" in out
    assert arena.position(game)["outcome"] is not None
    assert is_recorded(arena, game)


@pytest.mark.exhaustive
def test_a_function_plays_too(arena: Arena) -> None:
    ann = arena.play("Ann", AGENT, "--challenge", "bot:player_one", game="slime_mind")
    game = read_game_id(ann)
    read_to_end(ann)
    assert arena.position(game)["outcome"]["reason"]


@pytest.mark.exhaustive
def test_the_program_of_the_cookbook_plays_a_game(arena: Arena) -> None:
    folder = arena.shell.home / "cookbook"
    folder.mkdir()
    text = f"{arena.url}/api/v1 {arena.tokens['Ann']}"
    (folder / "arena.txt").write_text(text, encoding="utf-8")
    program = HOME / "docs" / "cookbook" / "remote_bot.py"
    done = subprocess.run(
        [sys.executable, str(program)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=2 * PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
    assert "'reason': 'both halves are over'" in done.stdout


def test_a_challenge_to_another_game_is_declined(arena: Arena) -> None:
    bob = arena.play("Bob", QUICK)
    body: Mapping[str, Any] = {"game": "smac", "opponents": [{"player": "Bob"}]}
    headers = {"authorization": f"Bearer {arena.tokens['Ann']}"}
    api = f"{arena.url}/api/v1/challenges"
    made = httpx2.post(api, json=body, headers=headers, timeout=PATIENCE_S).json()["id"]

    def seats() -> list[str]:
        found = httpx2.get(api, headers=headers, timeout=PATIENCE_S).json()["challenges"]
        return [seat["kind"] for one in found if one["id"] == made for seat in one["seats"]]

    assert eventually(lambda: sorted(seats()) == ["declined", "remote"])
    assert bob.poll() is None


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--challenge", "Nobody"), "422"),
        (("--challenge", "bot:nobody"), "there is no bot 'nobody'"),
        (("--challenge", "open", "--clock", "1+0"), "that clock is not available"),
    ],
)
def test_what_cannot_be_is_told_in_the_servers_words(
    arena: Arena, arguments: tuple[str, ...], why: str
) -> None:
    ann = arena.play("Ann", QUICK, *arguments)
    out, _ = ann.communicate(timeout=PATIENCE_S)
    assert ann.returncode == 1
    assert why in out
    assert "Traceback" not in out


def test_a_bot_that_cannot_play_is_told_why(arena: Arena) -> None:
    ann = arena.play("Ann", "import nowhere\n", "--challenge", "bot:player_one")
    out, _ = ann.communicate(timeout=PATIENCE_S)
    assert ann.returncode == 1
    assert "cannot play" in out
    assert "nowhere" in out


@pytest.mark.parametrize(
    ("server", "token", "why"),
    [
        ("http://x.test", "nowhere.txt", "nowhere.txt: No such file"),
        ("x.test", __file__, "expected an address such as"),
    ],
)
def test_wrong_usage_is_told(server: str, token: str, why: str) -> None:
    arguments = ("x.py", "--server", server, "--token-file", token, "--game", "smack")
    done = subprocess.run(
        [sys.executable, str(CLIENT), *arguments],
        env=os.environ | {"PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 2
    assert why in done.stderr


def test_it_waits_as_long_as_the_server_says(tmp_path: Path) -> None:
    """Against a server that says 429 once, and sends other hosts' addresses for the token."""
    script = tmp_path / "busy.py"
    script.write_text(
        "import http.server, json, sys\n"
        "asked = []\n"
        "class Busy(http.server.BaseHTTPRequestHandler):\n"
        "    def do_POST(self):\n"
        "        asked.append(self.path)\n"
        "        self.rfile.read(int(self.headers['content-length']))\n"
        "        code = 429 if len(asked) == 1 else 302\n"
        "        self.send_response(code)\n"
        "        self.send_header('retry-after', '1')\n"
        "        self.send_header('location', '/elsewhere')\n"
        "        self.send_header('content-length', '0')\n"
        "        self.end_headers()\n"
        "    do_GET = do_POST\n"
        "server = http.server.HTTPServer(('127.0.0.1', 0), Busy)\n"
        "print(server.server_port, flush=True)\n"
        "server.handle_request(), server.handle_request()\n"
        "print(json.dumps(asked), flush=True)\n",
        encoding="utf-8",
    )
    busy = subprocess.Popen([sys.executable, str(script)], stdout=subprocess.PIPE, text=True)
    assert busy.stdout is not None
    port = busy.stdout.readline().strip()
    (tmp_path / "token.txt").write_text("slime_secret", encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, str(CLIENT), "x.py", "--server", f"http://127.0.0.1:{port}"),
            *("--token-file", str(tmp_path / "token.txt"), "--game", "smack"),
            *("--challenge", "open"),
        ],
        env=os.environ | {"PYTHONPATH": str(HOME)},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    asked = json.loads(busy.communicate(timeout=PATIENCE_S)[0])
    assert asked == ["/api/v1/challenges"] * 2
    assert "again in 1 s" in done.stdout
    assert "302" in done.stderr
    assert "secret" not in done.stdout + done.stderr
