"""Reading a replay, whole or not, and holding it against the rules."""

import codecs
import gzip
import json
import os
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.catalog import GAMES
from engine.errors import BadReplay
from engine.fault import Fault
from engine.game import MatchEnded, Stage
from engine.games.slime_mind.settings import Settings
from engine.games.slime_mind.state import Board
from engine.replays.decisions import Decision
from engine.replays.reading import Keyframe, Replay, newest_replay
from engine.replays.verifying import verify
from engine.replays.writing import REPLAY_FORMAT
from engine.result_folder import REPLAY, ResultFolder
from engine.spec import encode_spec
from tests.engine.recorded import (
    BOTS,
    GAME,
    LIVELY,
    Boards,
    OftenFramed,
    a_spec,
    as_json,
    read_lines,
    record,
    write,
)
from tests.examples import examples


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("replays")


@pytest.fixture(scope="module")
def boards() -> Boards:
    return Boards()


@pytest.fixture(scope="module")
def path(folder: Path, boards: Boards) -> Path:
    """A match with faults and keyframes."""
    record(folder / "match.jsonl.gz", boards)
    return folder / "match.jsonl.gz"


@pytest.fixture(scope="module")
def lines(path: Path) -> list[bytes]:
    return read_lines(path)


def read_everything(path: Path) -> Replay:
    """All that may be asked of a replay; what it refuses, it refuses as a BadReplay."""
    replay = Replay(path)
    list(replay.entries())
    for turn in {0, 1, replay.last_turn // 2, replay.last_turn}:
        if turn <= replay.last_turn:
            replay.state_at(turn)
    verify(replay)
    return replay


def read_if_valid(path: Path) -> Replay | None:
    """Return None if it was refused in one sentence that begins with the path."""
    try:
        return read_everything(path)
    except BadReplay as error:
        expect_one_sentence(str(error), path)
        return None


def expect_one_sentence(text: str, path: Path) -> None:
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    assert len(text) < len(str(path)) + 400


def test_a_replay_says_who_played_what_and_what_came_out(path: Path) -> None:
    replay = Replay(path)
    assert replay.spec == a_spec()
    assert replay.bots == BOTS
    assert replay.outcome is not None
    assert replay.outcome.scores == GAME.outcome(replay.state_at(replay.last_turn)).scores  # type: ignore[union-attr]
    faults = [o for e in replay.entries() if isinstance(e, Decision) for o in e.orders]
    assert len([fault for fault in faults if isinstance(fault, Fault)]) == len(replay.asides) > 10


def test_a_match_played_again_from_its_record_is_the_same(path: Path) -> None:
    assert verify(Replay(path)) is None


def test_a_match_is_verified_with_its_keyframes(path: Path) -> None:
    kinds = [type(entry) for entry in Replay(path).record()]
    assert kinds.count(Keyframe) == 4


def test_every_turn_can_be_looked_at(path: Path, boards: Boards) -> None:
    replay = Replay(path)
    assert sorted(boards.at_end_of) == list(range(replay.last_turn + 1))
    for turn, board in boards.at_end_of.items():
        assert as_json(replay.state_at(turn)) == board, turn


@pytest.mark.parametrize("turn", [-1, LIVELY.max_turns + 1])
def test_a_turn_that_was_not_played_is_refused(path: Path, turn: int) -> None:
    with pytest.raises(BadReplay, match=rf"has turns 0 to {LIVELY.max_turns}, not {turn}"):
        Replay(path).state_at(turn)


def test_two_looks_at_a_turn_do_not_share_a_board(path: Path) -> None:
    replay = Replay(path)
    for turn in (0, 20):
        replay.state_at(turn).slimes.clear()
        assert replay.state_at(turn).slimes


# -- damage -------------------------------------------------------------------------------------


def entry_lines(lines: list[bytes]) -> list[int]:
    return [number for number, line in enumerate(lines) if line.startswith(b"[")]


def change_line(lines: list[bytes], number: int, old: bytes, new: bytes) -> list[bytes]:
    assert old in lines[number], lines[number]
    return [*lines[:number], lines[number].replace(old, new, 1), *lines[number + 1 :]]


def first_with(lines: list[bytes], word: bytes) -> int:
    return next(number for number, line in enumerate(lines) if word in line and line[:1] == b"[")


@pytest.mark.parametrize(
    ("word", "new"),
    [(b'"moved",', b'"moved",9'), (b'["!","UP"]', b'["!","DOWN"]'), (b'"grown",', b'"grown",1')],
)
def test_a_changed_entry_is_found_where_it_was_changed(
    lines: list[bytes], folder: Path, word: bytes, new: bytes
) -> None:
    number = first_with(lines, word)
    replay = Replay(write(folder / "changed", change_line(lines, number, word, new)))
    difference = verify(replay)
    assert difference is not None
    assert difference.turn == json.loads(lines[number])[0][1]
    assert difference.recorded != difference.replayed


def test_a_changed_fault_is_found(lines: list[bytes], folder: Path) -> None:
    number = first_with(lines, b'{"fault":"timeout"}')
    bad = change_line(lines, number, b'{"fault":"timeout"}', b'{"fault":"exit"}')
    difference = verify(Replay(write(folder / "changed", bad)))
    assert difference is not None
    assert getattr(difference.recorded, "reason", "") == "timeout"
    assert getattr(difference.replayed, "reason", "") == "exit"


def test_a_changed_result_is_found(lines: list[bytes], folder: Path) -> None:
    bad = [*lines[:-1], b'{"result":{"scores":[1.0,2.0],"reason":"by hand"}}']
    replay = Replay(write(folder / "changed", bad))
    difference = verify(replay)
    assert difference is not None
    assert difference.recorded == replay.outcome
    assert difference.turn == LIVELY.max_turns


def test_a_changed_keyframe_is_found(lines: list[bytes], folder: Path) -> None:
    number = next(n for n, line in enumerate(lines) if b'"keyframe"' in line)
    bad = change_line(lines, number, b'"next_id":', b'"next_id":1')
    difference = verify(Replay(write(folder / "changed", bad)))
    assert difference is not None
    assert isinstance(difference.recorded, Keyframe)


class LaterBoard(Board, dict=True):
    """The board of a version to come: a field has been added."""

    wind: int = 0


class LaterGame(OftenFramed):
    """The game of a version to come."""

    state = LaterBoard

    def new(self, settings: Settings, teams: int) -> LaterBoard:
        return LaterBoard(settings)


def in_a_version_to_come(path: Path, monkeypatch: pytest.MonkeyPatch) -> Replay:
    monkeypatch.setitem(GAMES, GAME.name, LaterGame())
    return Replay(path)


def test_a_keyframe_of_an_older_version_that_lacks_a_field_is_verified(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = in_a_version_to_come(path, monkeypatch)
    assert any(isinstance(entry, Keyframe) for entry in replay.record())
    assert verify(replay) is None
    assert type(replay.state_at(30)) is LaterBoard


def test_a_field_that_was_added_to_the_state_is_compared_where_it_was_recorded(
    lines: list[bytes], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = next(n for n, line in enumerate(lines) if b'"keyframe"' in line)
    for wind, is_same in ((0, True), (3, False)):
        with_wind = change_line(lines, number, b'"next_id":', b'"wind":%d,"next_id":' % wind)
        replay = in_a_version_to_come(write(folder / "wind", with_wind), monkeypatch)
        assert (verify(replay) is None) is is_same


def test_a_keyframe_whose_fields_are_in_another_order_is_the_same_state(
    lines: list[bytes], folder: Path
) -> None:
    number = next(n for n, line in enumerate(lines) if b'"keyframe"' in line)
    keyframe = json.loads(lines[number])
    keyframe["keyframe"] = dict(reversed(keyframe["keyframe"].items()))
    shuffled = [*lines[:number], json.dumps(keyframe).encode(), *lines[number + 1 :]]
    # A keyframe is known by how its line begins.
    assert shuffled[number].startswith(b'{"turn"')
    assert verify(Replay(write(folder / "shuffled", shuffled))) is None


def test_a_changed_seed_is_found_at_the_start(lines: list[bytes], folder: Path) -> None:
    difference = verify(
        Replay(write(folder / "x", change_line(lines, 0, b'"seed":"1"', b'"seed":"2"')))
    )
    assert difference is not None
    assert difference.turn == 0


@pytest.mark.parametrize("place", [0, 1, 50, -1])
def test_a_missing_line_is_found(lines: list[bytes], folder: Path, place: int) -> None:
    gone = entry_lines(lines)[place]
    bad = [line for number, line in enumerate(lines) if number != gone]
    assert verify(Replay(write(folder / "changed", bad))) is not None


@pytest.mark.parametrize("place", [0, 1, 50, -1])
def test_a_doubled_line_is_found(lines: list[bytes], folder: Path, place: int) -> None:
    again = entry_lines(lines)[place]
    bad = [*lines[: again + 1], lines[again], *lines[again + 1 :]]
    assert verify(Replay(write(folder / "changed", bad))) is not None


def test_events_past_the_end_are_found(lines: list[bytes], folder: Path) -> None:
    bad = [*lines[:-1], b'[["stage",46,"more"]]', lines[-1]]
    difference = verify(Replay(write(folder / "changed", bad)))
    assert difference is not None
    assert difference.recorded == Stage(46, "more")


def test_a_replay_that_stops_before_its_result_is_not_whole(
    lines: list[bytes], folder: Path
) -> None:
    last = entry_lines(lines)[-3]
    difference = verify(Replay(write(folder / "changed", [*lines[:last], lines[-1]])))
    assert difference is not None


@settings(max_examples=examples(150))
@given(data=st.data())
def test_a_changed_byte_is_refused_or_found_or_changes_no_record(
    lines: list[bytes], folder: Path, data: st.DataObject
) -> None:
    """Anywhere in the text; most changes are no JSON any more."""
    number = data.draw(st.integers(0, len(lines) - 1))
    place = data.draw(st.integers(0, len(lines[number]) - 1))
    byte = data.draw(st.sampled_from(b'0123456789"[]{},:aU\n\xff'))
    line = bytearray(lines[number])
    line[place] = byte
    target = write(folder / "byte", [*lines[:number], bytes(line), *lines[number + 1 :]])
    replay = read_if_valid(target)
    if replay and line != lines[number] and line[:1] == lines[number][:1] == b"[":
        assert verify(replay) is not None


# -- interrupted, and not a replay at all -------------------------------------------------------


@pytest.mark.slow
def test_a_replay_cut_off_anywhere_reads_as_far_as_it_goes_or_is_refused(
    path: Path, folder: Path
) -> None:
    content = path.read_bytes()
    whole = list(Replay(path).record())
    target = folder / "cut"
    read = 0
    for size in [*range(64), *range(64, len(content), 97), len(content) - 1]:
        target.write_bytes(content[:size])
        replay = read_if_valid(target)
        if replay is None:
            continue
        entries = list(replay.record())
        assert entries == whole[: len(entries)]
        assert verify(replay) is None
        assert len(entries) >= read
        read = len(entries)
    assert read > len(whole) // 2


@pytest.mark.parametrize("share", [0.2, 0.7])
def test_a_replay_whose_end_has_no_content_yet_reads_as_if_it_were_cut_off(
    path: Path, folder: Path, share: float
) -> None:
    """A power cut may leave it like this."""
    content = path.read_bytes()
    cut, hollow = folder / "cut", folder / "hollow"
    cut.write_bytes(content[: int(share * len(content))])
    hollow.write_bytes(cut.read_bytes() + bytes(4096))
    assert list(Replay(hollow).record()) == list(Replay(cut).record())
    assert Replay(hollow).last_turn > 1


def test_a_match_that_is_still_being_played_reads_up_to_its_last_keyframe(folder: Path) -> None:
    """A kill would leave it like this: what was not flushed is not in the file."""

    class Killed(Exception): ...

    class Killer(Boards):
        def on_event(self, event: Any) -> None:
            super().on_event(event)
            if self._state.turn == 25:
                (folder / "copy").write_bytes((folder / "live").read_bytes())
                raise Killed

    killer = Killer()
    with suppress(Killed):
        record(folder / "live", killer)
    replay = Replay(folder / "copy")
    assert replay.outcome is None
    assert 20 <= replay.last_turn <= 25
    assert verify(replay) is None
    assert as_json(replay.state_at(19)) == killer.at_end_of[19]


def header(**changes: Any) -> bytes:
    fields: dict[str, Any] = {
        "replay": REPLAY_FORMAT,
        "engine": "1",
        "spec": json.loads(encode_spec(a_spec())),
        "bots": [{"name": bot.name, "digest": bot.digest} for bot in BOTS],
    }
    return json.dumps({**fields, **changes}).encode()


def a_changed_spec(**changes: Any) -> dict[str, Any]:
    return {**json.loads(encode_spec(a_spec())), **changes}


def test_an_honest_header_made_by_hand_is_read(folder: Path) -> None:
    assert Replay(write(folder / "by_hand", [header()])).last_turn == 0


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (
            header(replay=REPLAY_FORMAT + 1),
            f"comes from a newer version of Slime Mind .replay format {REPLAY_FORMAT + 1};",
        ),
        (header(replay=1), "older version of Slime Mind .replay format 1; this one reads format 2"),
        (b'{"replay":1,"spec":{"seed":7}}', "older version .* or play the match again"),
        (b'{"replay":99}', "comes from a newer version"),
        (b'{"replay":99,"spec":{"new":"things"}}', "comes from a newer version"),
        (header(replay="one"), "is not a replay file"),
        (header(replay=None), "is not a replay file"),
        (b'{"scores":[1,2]}', "is not a replay file: its first line is not a replay header"),
        (b"[]", "is not a replay file"),
        (b"\xff\xfe", "is not a replay file"),
        (b"[" * 100_000, "is not a replay file"),
        (header(bots=[]), "is damaged: it names 0 bots"),
        (header(bots=[{"name": "x", "digest": "x"}] * 3), "is damaged: it names 3 bots"),
        (header(spec=a_changed_spec(game="chess")), "cannot be read: no game is called 'chess'"),
        (header(spec=a_changed_spec(seed="x")), "cannot be read: "),
        (header(spec=a_changed_spec(settings={"rows": 1})), "cannot be read: "),
        (header(spec=a_changed_spec(settings={"slime_pairs": 99_999})), "cannot be read: "),
        (header(spec=a_changed_spec(settings=[])), "cannot be read: "),
        (header(spec=None), "cannot be read: "),
    ],
)
def test_a_header_that_is_none_is_refused_in_a_sentence(
    folder: Path, first: bytes, message: str
) -> None:
    target = write(folder / "header", [first])
    with pytest.raises(BadReplay, match=message) as refused:
        Replay(target)
    expect_one_sentence(str(refused.value), target)


@pytest.mark.parametrize(
    "line",
    [
        b"[",
        b"{}",
        b"null",
        b"",
        b"[1]",
        b'[["stage",x,"name"]]',
        b'[["stage",',
        b'[["stage",99999999999999999999,"name"]]',
        b'[["stage","1","name"]]',
        b'[["!"]]',
        b'[["!","FLY"]]',
        b'[["!",{"fault":"boredom"}]]',
        b'[["moved",99,1,1]]',
        b'[["nothing",1,"no reason"]]',
        b'[["lost",1,1,1,"timeout"]]',
        b'[["queued",["x"]]]',
        b'[["nowhere",1]]',
        b'{"aside":"gossip"}',
        b'{"result":{"scores":[]}}',
        b'{"turn":0,"keyframe":[]}',
        b'{"turn":0,"keyframe":{"settings":{}}}',
        b'{"turn":0,"keyframe":{"settings":{},"slimes":{"x":1}}}',
        b"\xff\xff",
        b'[["stage",1,"\xff"]]',
        b"[" * 100_000 + b"]" * 100_000,
    ],
)
def test_a_line_that_no_recorder_wrote_is_refused_in_a_sentence_or_found(
    folder: Path, line: bytes
) -> None:
    target = write(folder / "line", [header(), line])
    replay = read_if_valid(target)
    assert replay is None or verify(replay) is not None


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is not a replay file: it is empty$"),
        (b"Dear diary", "is not a replay file: it is text, 'Dear diary'$"),
        (b"Dear diary" * 9, "is not a replay file: it is text, 'Dear diaryDear diaryDear diary…'$"),
        (gzip.compress(b"", mtime=0), "ends before its first line: fetch or copy it again$"),
        (gzip.compress(b"Dear diary\n", mtime=0), "is not a replay file: its first line is not"),
        (
            gzip.compress(b"PK\x03\x04\n", mtime=0),
            "is not a replay file: what is in it is a zip archive: unpack it$",
        ),
        (b"\x1f\x8b", "ends before its first line: fetch or copy it again$"),
        (b"\x1f\x8b" + bytes(100), "ends before its first line: fetch or copy it again$"),
        (b"\x1f\x8b" + b"\1" * 100, "is damaged"),
        (zlib.compress(header() + b"\n"), "is not a replay file: it begins with the bytes 78 9c"),
        (b"PK\x03\x04...", "is not a replay file: it is a zip archive: unpack it$"),
        (b"\x89PNG\r\n\x1a\n", r"is not a replay file: it is a picture \(PNG\)$"),
        (b"<!DOCTYPE html>", "is not a replay file: it is a web page: download the file itself$"),
        (b"SQLite format 3\0", r"is not a replay file: it is a database \(SQLite\), such as"),
        (
            header().decode().encode("utf-16"),
            r"is not a replay file: it is UTF-16 \(with a byte order mark\); save it as UTF-8$",
        ),
        (b'{"key":"3f9a"}', "is not a replay file: its first line is not a replay header$"),
        (header()[:-9], "ends before its first line: fetch or copy it again$"),
    ],
)
def test_a_file_that_is_no_replay_says_so(folder: Path, content: bytes, text: str) -> None:
    target = folder / "none"
    target.write_bytes(content)
    with pytest.raises(BadReplay, match=text) as refused:
        Replay(target)
    expect_one_sentence(str(refused.value), target)


def unpack_with(how: str, content: bytes) -> bytes:
    """Return what a program makes of a replay that unpacks it, or an editor that saves it."""
    lines = gzip.decompress(content)
    match how:
        case "an editor of Windows":
            return codecs.BOM_UTF8 + lines.replace(b"\n", b"\r\n")
        case "an editor that cuts the last end of line":
            return lines.removesuffix(b"\n")
    return lines


@pytest.mark.parametrize(
    "how", ["a browser", "an editor of Windows", "an editor that cuts the last end of line"]
)
def test_an_unpacked_replay_is_read_as_the_packed_one(folder: Path, path: Path, how: str) -> None:
    unpacked = folder / "match.jsonl"
    unpacked.write_bytes(unpack_with(how, path.read_bytes()))
    packed, found = Replay(path), Replay(unpacked)
    assert (found.fingerprint, found.outcome) == (packed.fingerprint, packed.outcome)
    assert list(found.record()) == list(packed.record())
    assert found.state_at(20) == packed.state_at(20)
    assert verify(found) is None


def test_of_an_unpacked_replay_that_was_cut_off_there_is_the_beginning(
    folder: Path, path: Path
) -> None:
    unpacked, content = folder / "match.jsonl", gzip.decompress(path.read_bytes())
    unpacked.write_bytes(content[: len(content) // 2])
    found = Replay(unpacked)
    assert (found.outcome, 0 < found.last_turn < Replay(path).last_turn) == (None, True)
    unpacked.write_bytes(content[: len(content) // 2] + bytes(999))
    assert Replay(unpacked).fingerprint == found.fingerprint


def test_the_folder_of_a_match_names_the_replay_in_it(tmp_path: Path) -> None:
    (tmp_path / REPLAY).touch()
    with pytest.raises(BadReplay, match=r"Is a directory; the replay in it is .*replay.jsonl.gz$"):
        Replay(tmp_path)


@pytest.mark.parametrize("name", ["nowhere", "."])
def test_a_file_that_cannot_be_read_says_so(folder: Path, name: str) -> None:
    with pytest.raises(BadReplay, match="cannot be read: "):
        Replay(folder / name)


@settings(max_examples=examples(200))
@given(content=st.binary(max_size=200))
def test_random_bytes_are_refused(folder: Path, content: bytes) -> None:
    for made in (content, b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + content, gzip.compress(content)):
        target = folder / "random"
        target.write_bytes(made)
        with pytest.raises(BadReplay):
            read_everything(target)


@settings(max_examples=examples(200))
@given(place=st.integers(0, 1 << 30), bit=st.integers(0, 7))
def test_a_flipped_bit_of_the_file_is_refused_or_found_or_changes_nothing(
    path: Path, folder: Path, place: int, bit: int
) -> None:
    content = bytearray(path.read_bytes())
    content[place % len(content)] ^= 1 << bit
    target = folder / "flipped"
    target.write_bytes(content)
    replay = read_if_valid(target)
    if replay is not None:
        entries = list(replay.record())
        assert entries == list(Replay(path).record())[: len(entries)] or verify(replay)


def test_another_version_of_the_rules_is_refused(folder: Path, lines: list[bytes]) -> None:
    ours = b'"rules_version":%d' % GAME.rules_version
    bad = change_line(lines, 0, ours, b'"rules_version":7')
    with pytest.raises(BadReplay, match="was played under version 7 of the rules of slime_mind"):
        verify(Replay(write(folder / "rules", bad)))


# -- finding the newest -------------------------------------------------------------------------


def test_the_newest_replay_is_the_one_written_last(tmp_path: Path) -> None:
    for age, key in ((30, "b"), (10, "c"), (20, "a"), (0, ".d-being-played")):
        place = tmp_path / "matches" / key / "replay.jsonl.gz"
        place.parent.mkdir(parents=True)
        place.touch()
        os.utime(place, (1_000 - age, 1_000 - age))
    assert newest_replay(tmp_path).parent.name == "c"


@pytest.mark.parametrize("result_folder", ResultFolder)
def test_the_newest_replay_may_be_one_that_is_no_result(
    tmp_path: Path, result_folder: ResultFolder
) -> None:
    for age, place in (
        (0, result_folder / Path("a")),
        (5, Path("matches/b")),
        (9, Path("again/c")),
    ):
        replay = tmp_path / place / "replay.jsonl.gz"
        replay.parent.mkdir(parents=True)
        replay.touch()
        os.utime(replay, (1_000 - age, 1_000 - age))
    assert newest_replay(tmp_path).parent == tmp_path / result_folder / "a"


def test_where_nothing_was_played_there_is_no_newest_replay(tmp_path: Path) -> None:
    with pytest.raises(BadReplay, match=r"no replay in .*: play a match first"):
        newest_replay(tmp_path)


def test_an_event_knows_the_match_has_ended(path: Path) -> None:
    assert isinstance(list(Replay(path).entries())[-1], MatchEnded)
