"""The command line for recorded matches."""

import gzip
import json
import os
import shutil
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

from engine.games.game_of_death.disclosure import source_hash
from engine.replays.public_copy import write_public_copy
from engine.replays.reading import Replay
from tests import needs
from tests.engine.secretive import battle_in, make_code
from tests.shell import BITER, QUICK, WALKER, Done, Shell

OF_7 = sha256(b"7").hexdigest()
"""The hash of the seed of the recorded match."""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Shell:
    """One project, in which two matches were played."""
    shell = Shell(tmp_path_factory.mktemp("recorded"))
    shell.bot("player_walker.py", WALKER)
    shell.bot("player_biter.py", BITER)
    shell.run(*QUICK)
    return shell


@pytest.fixture(scope="module")
def recorded(shell: Shell) -> Path:
    """The newest of them."""
    arguments = ("-1", "player_walker", "-2", "player_biter", "--seed", "7")
    return shell.home / str(shell.json(*arguments, *QUICK)["replay"])


def replay(shell: Shell, *arguments: str | Path) -> Done:
    return shell.run(*map(str, arguments), tool="replay.py")


def spoil(recorded: Path, folder: Path, old: str, new: str) -> Path:
    """A copy with a line changed."""
    text = gzip.decompress(recorded.read_bytes()).decode()
    assert old in text
    path = folder / "spoiled.jsonl.gz"
    path.write_bytes(gzip.compress(text.replace(old, new).encode()))
    return path


def test_without_a_file_the_newest_replay_is_shown(shell: Shell, recorded: Path) -> None:
    done = replay(shell)
    assert done.code == 0
    assert done.out.startswith(f"{recorded.relative_to(shell.home)}\n")


def test_info_tells_who_played_with_what_and_how_it_ended(shell: Shell, recorded: Path) -> None:
    lines = replay(shell, recorded, "--info").out.splitlines()
    assert lines[0] == str(recorded)
    assert lines[1].startswith("  Slime Mind, rules version 2, engine ")
    assert lines[1].endswith(f", key {recorded.parent.name}, seed 7")
    assert lines[2].startswith("  team 1: player_walker              0.4  ")
    assert lines[4].startswith("  A draw: equal points after the last turn, 3. 0.4 : 0.4 points")
    assert "  max_turns = 3  the match ends after this turn" in lines
    assert any(line.startswith("  cpu_ms = 50  ") for line in lines)


def test_verify_compares_every_event(shell: Shell, recorded: Path) -> None:
    done = replay(shell, recorded, "--verify")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"{recorded}: verified: identical, event for event",
        f"  fingerprint: {Replay(recorded).fingerprint}",
        f"  SHA-256 of the seed: {OF_7}",
    ]


def test_info_and_verify_are_there_for_scripts(
    shell: Shell, recorded: Path, tmp_path: Path
) -> None:
    done = replay(shell, recorded, "--info", "--verify", "--json")
    found = json.loads(done.out)
    assert (done.code, found["path"], found["key"]) == (0, str(recorded), recorded.parent.name)
    assert (found["game"], found["seed"], found["last_turn"]) == ("slime_mind", "7", 3)
    assert [bot["name"] for bot in found["bots"]] == ["player_walker", "player_biter"]
    assert (found["scores"], found["winner"], found["reason"]) == ([0.4, 0.4], None, "last turn")
    assert (found["settings"]["max_turns"], found["limits"]["cpu_ms"]) == (3, 50)
    assert (found["is_verified"], found["first_difference"]) == (True, None)
    assert (found["fingerprint"], found["seed_hash"]) == (Replay(recorded).fingerprint, OF_7)
    bent = spoil(recorded, tmp_path, '"seed":"7"', '"seed":"8"')
    done = replay(shell, bent, "--verify", "--json")
    found = json.loads(done.out)
    assert (done.code, found["is_verified"], found["first_difference"]["turn"]) == (1, False, 0)


def test_verify_says_what_cannot_be_verified_of_a_public_copy(shell: Shell, tmp_path: Path) -> None:
    battle = battle_in(tmp_path / "whole")
    write_public_copy(battle, tmp_path / "copy")
    copy = Replay(tmp_path / "copy")
    done = replay(shell, copy.path, "--verify")
    assert done.code == 0
    assert done.out.splitlines() == [
        f"{copy.path}: verified: identical, event for event",
        f"  a public copy, whose own fingerprint is {copy.fingerprint}",
        f"  fingerprint of the match, as the copy says: {battle.fingerprint}",
        "  not verified: the source of bots, of which it has the SHA-256 alone",
        f"  SHA-256 of the seed: {OF_7}",
    ]
    info = replay(shell, copy.path, "--info").out
    assert f"a public copy of the match with the fingerprint {battle.fingerprint}\n" in info
    digest = source_hash(make_code(1, 0))
    bent = spoil(copy.path, tmp_path, digest, source_hash("another"))
    done = replay(shell, bent, "--verify")
    assert done.code == 1
    assert "not the public copy that was made: it was changed after it was made" in done.out


def test_the_public_copy_of_a_match_without_source_is_verified_whole(
    shell: Shell, recorded: Path, tmp_path: Path
) -> None:
    write_public_copy(Replay(recorded), tmp_path / "copy")
    done = replay(shell, tmp_path / "copy", "--verify")
    assert done.code == 0
    found = Replay(recorded).fingerprint
    assert f"  fingerprint: {found}, that of the match: its whole record is here\n" in done.out


def test_verify_compares_the_seed_with_the_hash_that_was_announced(
    shell: Shell, recorded: Path
) -> None:
    done = replay(shell, recorded, "--verify", "--seed-hash", OF_7.upper())
    assert done.code == 0
    assert f"SHA-256 of the seed: {OF_7}, as announced" in done.out
    done = replay(shell, recorded, "--verify", "--seed-hash", "0" * 64)
    assert done.code == 1
    assert f"the seed is not the one announced: its SHA-256 is {OF_7}" in done.out


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--verify", "--seed-hash", "12"), "64 hexadecimal digits"),
        (("--seed-hash", "0" * 64), "--verify"),
    ],
)
def test_a_hash_of_no_use_is_refused(
    shell: Shell, recorded: Path, arguments: tuple[str, ...], why: str
) -> None:
    done = replay(shell, recorded, *arguments)
    assert done.code == 2
    assert why in done.err


def test_a_replay_that_was_tampered_with_differs_where_it_was(
    shell: Shell, recorded: Path, tmp_path: Path
) -> None:
    path = spoil(recorded, tmp_path, '["stage",3,"slimes"]', '["stage",2,"slimes"]')
    done = replay(shell, path, "--verify")
    assert done.code == 1
    assert "first difference in turn 2" in done.out
    assert "recorded: " in done.out
    assert "replayed: " in done.out


def test_the_board_of_a_turn_is_printed(shell: Shell, recorded: Path) -> None:
    boards = [replay(shell, recorded, "--print", turn).out for turn in ("0", "3")]
    assert "turn 0" in boards[0]
    assert "turn 3" in boards[1]
    assert boards[0] != boards[1]


def test_options_can_be_combined(shell: Shell, recorded: Path) -> None:
    done = replay(shell, recorded, "--info", "--print", "1", "--verify")
    assert "rules version" in done.out
    assert "turn 1" in done.out
    assert "event for event\n" in done.out


def test_what_was_cut_off_can_be_seen_up_to_there(
    shell: Shell, recorded: Path, tmp_path: Path
) -> None:
    text = gzip.decompress(recorded.read_bytes()).splitlines(keepends=True)
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"".join(text[: len(text) // 2])))
    assert ": interrupted in turn " in replay(shell, path).out
    done = replay(shell, path, "--verify")
    assert done.code == 0
    assert "event for event (it was interrupted: as far as it was recorded)\n" in done.out


def test_config_toml_says_where_the_newest_is_looked_for(tmp_path: Path, shell: Shell) -> None:
    other = Shell(tmp_path)
    shutil.copytree(shell.home / "results", other.home / "kept")
    (other.home / "config.toml").write_text('[options]\nout = "kept"\n')
    assert replay(other).out.startswith("kept/matches/")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.gz"], "none.gz: cannot be read: No such file or directory"),
        (["."], ".: cannot be read: Is a directory"),
        (["main.py"], "main.py: is not a replay file"),
        (["--print", "4"], "has turns 0 to 3, not 4"),
        (["--print", "-1"], "has turns 0 to 3, not -1"),
        (["--print", "x"], "'x' is not a valid integer"),
        (["--out", "nowhere"], "no replay in nowhere: play a match first (python3 "),
        (["--wacth"], "No such option '--wacth'"),
        (["--json"], "--json would have no effect: it is for --info and --verify"),
        (["--info", "--json", "--print", "1"], "--print prints a board, which is text"),
        (["a", "b", "c"], "unexpected extra argument (c)"),
    ],
    ids=str,
)
def test_a_mistake_is_told_in_a_sentence(
    shell: Shell, recorded: Path, arguments: list[str], message: str
) -> None:
    done = replay(shell, *arguments)
    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err


def test_a_replay_of_a_newer_version_says_so(shell: Shell, recorded: Path, tmp_path: Path) -> None:
    header = json.loads(gzip.decompress(recorded.read_bytes()).splitlines()[0])
    format_now = f'"replay":{header["replay"]},'
    path = spoil(recorded, tmp_path, format_now, '"replay":1000,')
    done = replay(shell, path)
    assert done.code == 2
    assert "comes from a newer version of Slime Mind" in done.err


def test_help_has_examples(shell: Shell) -> None:
    done = replay(shell, "--help", "--all")
    assert done.code == 0
    assert "python3 replay.py FILE --verify" in done.out


def test_a_stopped_reader_of_the_output_gives_no_traceback(shell: Shell, recorded: Path) -> None:
    process = shell.start(str(recorded), tool="replay.py", stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait()


@pytest.mark.parametrize("arguments", [[], ["--render", "none"]])
def test_a_turn_beyond_the_end_is_refused(
    shell: Shell, recorded: Path, arguments: list[str]
) -> None:
    done = replay(shell, recorded, "--turn", "900", *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"error: --turn 900: {recorded.relative_to(shell.home)} has turns 0 to 3\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--print", "900"],
        ["--export", "turn.png", "--turn", "900"],
        ["--export", "match.gif", "--from", "900"],
        ["--export", "match.gif", "--to", "900"],
    ],
)
def test_a_turn_beyond_the_end_is_said(shell: Shell, recorded: Path, arguments: list[str]) -> None:
    done = replay(shell, recorded, *arguments)
    assert (done.code, done.out) == (2, "")
    assert "turns 0 to 3" in done.err
    assert "900" in done.err


def test_a_header_that_commands_a_terminal_reaches_none(
    shell: Shell, recorded: Path, tmp_path: Path
) -> None:
    name = r"x\u001b]0;mine\u0007\u202e\u2066\u200b"
    path = spoil(recorded, tmp_path, '"name":"player_walker"', f'"name":"{name}"')
    for words in (["--info"], ["--print", "1"], ["--export", str(tmp_path / "match.html")]):
        done = replay(shell, path, *words)
        assert done.code == 0
        assert all(line.isprintable() for line in (done.out + done.err).split("\n"))
    page = (tmp_path / "match.html").read_text(encoding="utf-8")
    assert not set(page) & set("\x1b\x07\u202e\u2066\u200b")


@needs.MKFIFO
def test_what_is_no_file_is_no_replay(shell: Shell, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "sparse").open("wb") as file:
        file.truncate(10 * 2**30)
    for path in (Path("/dev/zero"), tmp_path / "pipe", tmp_path, tmp_path / "sparse"):
        for tool, words in (("replay.py", [path]), ("main.py", ["--continue", path])):
            done = shell.run(*map(str, words), tool=tool)
            assert (done.code, done.out) == (2, "")
            assert done.err.startswith(f"error: {path}")
            assert done.err.count("\n") == 1
