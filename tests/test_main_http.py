"""Bots that are asked over HTTP, from the command line, with the program of the cookbook."""

import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec import UNSET, UnsetType

from bootstrap import HOME
from engine.bots.finding import Copies
from engine.replays.writing import Contestant
from server.games import recorded_matches
from tests.shell import ALONE, ENVIRONMENT, QUICK, WALKER, Shell

PROGRAM = HOME / "docs" / "cookbook" / "http_bot.py"
USUAL_PORT = "8000"


SHELL_BOTS = {"player_walker.py": WALKER}


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The program of the cookbook in a process of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = tmp_path_factory.mktemp("cookbook") / PROGRAM.name
    text = PROGRAM.read_text(encoding="utf-8")
    assert text.count(f'"127.0.0.1", {USUAL_PORT}') == 1
    program.write_text(text.replace(USUAL_PORT, str(port)), encoding="utf-8")
    with subprocess.Popen(
        [sys.executable, str(program)], env=ENVIRONMENT, stderr=subprocess.DEVNULL
    ) as process:
        _await(port)
        yield f"http://127.0.0.1:{port}"
        process.kill()


def _await(port: int) -> None:
    end = time.monotonic() + 30
    while time.monotonic() < end:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.05)
    raise TimeoutError("the program of the cookbook does not listen")


def far(shell: Shell, origin: str) -> None:
    text = f'game = "slime_mind"\nname = "Far"\nurl = "{origin}/"\n'
    shell.bot("player_far/bot.toml", text)
    (shell.home / "player_far").rename(shell.home / "playerCode" / "player_far")


def test_a_match_is_played_where_its_address_is_allowed(shell: Shell, origin: str) -> None:
    far(shell, origin)
    arguments = ("-1", "player_far", "-2", "player_walker", "--render", "none", *QUICK)
    refused = shell.run(*arguments)
    assert refused.code == 2
    assert f"is asked over HTTP at {origin}, which is not allowed here" in refused.err
    played = shell.run(*arguments, "--allow-http", origin, "-v")
    assert played.code == 0, played.err
    assert f"http       Far: asked at {origin}: p95 " in played.out
    assert "cpu        player_walker: p95" in played.out
    again = re.search(r"play it again: +python3 \S+ (--match \S+ --allow-http \S+)", played.out)
    assert again is not None
    assert shell.run(*again[1].split(), "--render", "none").code == 0
    result = shell.json(*arguments[:4], *QUICK, "--allow-http", origin)
    assert [team["bot"].get("origin") for team in result["teams"]] == [origin, None]
    assert not any(team["faults"] for team in result["teams"])
    assert "event for event" in shell.run(result["replay"], "--verify", tool="replay.py").out


def test_a_tournament_and_a_series_play_it_where_it_is_named(shell: Shell, origin: str) -> None:
    far(shell, origin)
    allowed = ("--allow-http", origin, *QUICK, *ALONE)
    named = ("tournament", "player_far", "player_walker", "--no-report", "-q")
    refused = shell.run(*QUICK, "-r", *named)
    assert (refused.code, "which is not allowed here" in refused.err) == (2, True)
    assert shell.run(*allowed, "-r", *named).code == 0
    seats = ("-1", "player_far", "-2", "player_walker")
    series = shell.json(*allowed, "-r", "multi_match", "-m", "2", *seats)
    assert (series["matches"], series["failures"]) == (2, [])


def test_it_is_listed_and_never_drawn(shell: Shell) -> None:
    far(shell, "https://bots.example.org")
    listed = shell.run("info", "bots").out
    assert "Far, asked over HTTP at https://bots.example.org" in listed
    result = shell.json("--allow-http", "https://bots.example.org", *QUICK)
    assert [team["bot"]["name"] for team in result["teams"]] == ["player_walker"] * 2


def test_a_bot_that_cannot_be_reached_ends_the_match_before_it_begins(shell: Shell) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        nowhere = f"http://127.0.0.1:{gone.getsockname()[1]}"
    far(shell, nowhere)
    done = shell.run("-1", "player_far", "-2", "player_walker", "--allow-http", nowhere, *QUICK)
    assert done.code != 0
    assert f"unreachable: {nowhere}: Connection refused" in done.err
    assert "what to do: start its program, and look whether that address answers" in done.err


def test_people_do_not_play_against_it(shell: Shell) -> None:
    far(shell, "https://bots.example.org")
    done = shell.run(
        *("play", "-g", "slime_mind", "--no-browser", "--new", "--against", "player_far")
    )
    assert done.code == 2
    assert "player_far: is asked over HTTP at https://bots.example.org, and people" in done.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--allow-http", "bots.example.org"), "expected an address such as"),
        (("--allow-http", "https://a.example", "play"), "--allow-http would have no effect"),
        (("--allow-http", "https://a.example", "serve"), "--allow-http would have no effect"),
    ],
)
def test_what_cannot_be_allowed_is_said(shell: Shell, arguments: tuple[str, ...], why: str) -> None:
    done = shell.run(*arguments, *(() if arguments[-1] in ("play", "serve") else QUICK))
    assert done.code == 2
    assert why in done.err


@pytest.mark.parametrize(("origin", "is_person"), [(UNSET, False), ("https://a.example", True)])
def test_whoever_plays_on_from_a_replay_meets_a_person_in_its_place(
    tmp_path: Path, origin: str | UnsetType, is_person: bool
) -> None:
    copies = Copies(tmp_path)
    (tmp_path / "d1").mkdir()
    bot = Contestant(name="far", digest="d1", origin=origin)
    assert recorded_matches._make_participant(bot, copies).is_person is is_person
