"""`main.py play` with a clock, as it is typed."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import bootstrap
from engine.replays.reading import Replay
from engine.replays.resuming import decisions_before
from server.games.clocks import NO_CLOCK, read_control
from server.games.game_rows import StoredGame
from server.games.game_storage import GameStorage
from tests.shell import Shell

WORDS = ("play", "-g", "smac", "--new", "--no-browser", "--against", "player_one")


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Shell]:
    shell = Shell(tmp_path)
    for name in ("player_one", "player_two"):
        source = bootstrap.HOME / "playerCode" / "smac" / f"{name}.py"
        shell.bot(f"playerCode/smac/{name}.py", source.read_text())
    yield shell
    shell.kill_all()


def start_game(shell: Shell, *arguments: str) -> StoredGame:
    return find_started_game(shell, *WORDS, *arguments)


def find_started_game(shell: Shell, *arguments: str) -> StoredGame:
    """Return the game that such a command has begun."""
    process = shell.start(*arguments)
    assert process.stdout is not None
    assert "/games/" in process.stdout.readline()
    process.kill()
    process.communicate()
    games = GameStorage(shell.home / "results" / "games.sqlite").running_games()
    return games[0]


@pytest.mark.slow
def test_the_game_of_death_is_played_in_rooms_of_a_server(shell: Shell) -> None:
    process = shell.start("play", "-g", "game_of_death", "--no-browser")
    assert process.stdout is not None
    lines = [process.stdout.readline() for _ in range(2)]
    assert lines[1].rstrip().endswith("/rooms/new")
    refused = shell.run("play", "-g", "game_of_death", "--against", "player_one")
    assert refused.code == 2
    assert "who plays, and how long, is chosen on the page" in refused.err


@pytest.mark.slow
def test_a_clock_and_a_substitute_are_chosen_with_the_game(shell: Shell) -> None:
    terms = start_game(shell, "--clock", "10+5", "--substitute", "player_two").terms
    assert terms.clock == read_control("10+5")
    assert terms.substitute is not None
    assert terms.substitute.name == "Spreader"
    assert (shell.home / "results" / "bots" / terms.substitute.digest).is_dir()


@pytest.mark.slow
def test_without_a_word_one_of_the_bots_is_the_substitute(shell: Shell) -> None:
    substitute = start_game(shell, "--clock", "3d").terms.substitute
    assert substitute is not None
    assert substitute.name in ("Random", "Spreader")


@pytest.mark.slow
def test_without_a_clock_there_is_none(shell: Shell) -> None:
    terms = start_game(shell).terms
    assert (terms.clock, terms.substitute) == (NO_CLOCK, None)


def test_a_clock_that_is_none_is_refused(shell: Shell) -> None:
    done = shell.run(*WORDS, "--clock", "fast")
    assert done.code == 2
    assert "'fast' is not a clock; expected minutes+seconds" in done.err
    assert not (shell.home / "results" / "games.sqlite").exists()


# -- playing on from a replay ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def past(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of results with one match of Smack! between bots."""
    shell = Shell(tmp_path_factory.mktemp("past"))
    for name in ("player_one", "player_two"):
        source = bootstrap.HOME / "playerCode" / "smack" / f"{name}.py"
        shell.bot(f"playerCode/smack/{name}.py", source.read_text())
    arguments = ("-1", "player_two", "-2", "player_one", "--set", "ply_limit=20")
    done = shell.run("-g", "smack", *arguments, "--seed", "7", "--render", "none")
    assert done.code == 0, done
    return shell.home / "results"


def the_replay(results: Path) -> Path:
    return next((results / "matches").glob("*/replay.jsonl.gz"))


@pytest.mark.slow
def test_a_person_takes_over_a_bot_in_the_middle_of_a_replay(shell: Shell, past: Path) -> None:
    shutil.copytree(past / "bots", shell.home / "results" / "bots")
    arguments = (
        "play",
        "--no-browser",
        "--match",
        str(the_replay(past)),
        "--turn",
        "5",
        "--seat",
        "2",
    )
    stored = find_started_game(shell, *arguments)
    replay = Replay(the_replay(past))
    then = list(decisions_before(replay, 5))
    assert stored.decisions >= len(then) > 0
    assert [(one.name, one.is_person) for one in stored.seats] == [
        ("player_two", False),
        ("Player 2", True),
    ]
    assert stored.seats[0].digest == replay.bots[0].digest
    origin = stored.spec.origin
    assert origin is not None
    result = json.loads((the_replay(past).parent / "match.json").read_text())
    assert (origin.fingerprint, origin.step) == (result["fingerprint"], len(then))
    assert stored.spec.settings.ply_limit == 20


@pytest.mark.slow
def test_the_starter_bot_plays_for_one_of_which_there_is_no_copy(shell: Shell, past: Path) -> None:
    source = bootstrap.HOME / "playerCode" / "smack" / "player_one.py"
    shell.bot("playerCode/smack/player_one.py", source.read_text() + "\n# another version\n")
    arguments = (
        "play",
        "--no-browser",
        "--match",
        str(the_replay(past)),
        "--turn",
        "5",
        "--seat",
        "2",
    )
    process = shell.start(*arguments)
    assert process.stdout is not None
    assert "/games/" in process.stdout.readline()
    process.kill()
    _, warned = process.communicate()
    assert "player_two is not in" in warned
    assert "player_one plays for it" in warned
    games = GameStorage(shell.home / "results" / "games.sqlite").running_games()
    assert [one.name for one in games[0].seats] == ["player_one", "Player 2"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--turn", "2000"), "has turns 1 to 20, not 2000"),
        (("--turn", "5", "--seat", "3"), "team 3: expected 1 to 2"),
        ((), "the match is over by then: choose an earlier --turn"),
        (("--against", "player_one"), "--against would have no effect"),
        (("-g", "smac"), "is a match of Smack!: leave out --game"),
        (("--preset", "small"), "--preset would have no effect"),
    ],
)
def test_what_cannot_be_played_on_from_is_refused(
    shell: Shell, past: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = shell.run("play", "--no-browser", "--match", str(the_replay(past)), *arguments)
    assert done.code == 2 or "has turns" in why, done
    assert why in done.err
    assert "Traceback" not in done.err


def test_a_damaged_replay_is_refused(shell: Shell, past: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "replay.jsonl.gz"
    text = gzip.decompress(the_replay(past).read_bytes()).replace(b"-", b"+", 3)
    damaged.write_bytes(gzip.compress(text))
    done = shell.run("play", "--no-browser", "--match", str(damaged), "--turn", "5")
    assert done.code != 0
    assert "Traceback" not in done.err
    assert damaged.name in done.err


def test_a_turn_is_said_with_a_replay_alone(shell: Shell) -> None:
    done = shell.run("play", "--no-browser", "--turn", "5")
    assert done.code == 2
    assert "it is for --match REPLAY" in done.err
